"""What the checks of stable noise share."""
