"""What keeps the repository in order; nothing of it is installed."""
