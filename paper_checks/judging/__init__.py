"""What the checks of all systems share: vocabulary, statistics, exactness, symbols. It knows no system."""
