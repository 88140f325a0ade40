"""What the checks of worst groups share. Nothing here is a check."""
