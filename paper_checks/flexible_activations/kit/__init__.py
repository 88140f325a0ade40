"""What the checks of flexible activations share."""
