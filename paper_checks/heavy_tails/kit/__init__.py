"""What several checks of heavy tails share."""
