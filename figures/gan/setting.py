"""Generators and discriminators: what their figures share."""

from __future__ import annotations

from teacherstudent.figures.declaration import constants
from teacherstudent.figures.kit import style

ID = "gan"
LOOKS = {
    "relu": style.Look("relu network", style.BLUE, "o"),
    "fourier": style.Look("Gaussian kernel", style.ORANGE, "s"),
}
WIDTH = 512
TRAINED = 0.1
"""tau: short, so that a trained network is near its kernel."""
FEW = 8
"""Draws of the quick version of every figure."""
FEWEST = constants(__name__, FEW=3, WIDTH=32)
"""What makes a small run of every figure: the fewest draws with a standard error."""
