"""What the checks of gradient starvation share. Nothing here is a check."""
