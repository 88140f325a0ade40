"""What the checks of a generator against discriminators share."""
