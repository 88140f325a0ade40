"""What the checks of random features share. Nothing here is a check."""
