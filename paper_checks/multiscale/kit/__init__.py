"""What the checks of multi-scale features share. Nothing here is a check."""
