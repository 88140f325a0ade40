"""What the checks of scale-invariant weights share. Nothing here is a check."""
