"""What several checks of orthogonal convolutions share."""
