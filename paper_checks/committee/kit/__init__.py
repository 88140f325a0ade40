"""What the checks of the committee machine share. Nothing here is a check."""
