"""What several checks of linear networks share."""
