"""Ridge regression at the end of training, with a ridge of 1/time added to the problem's."""

from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.parameters import ADDED_RIDGE

ALGORITHM = Algorithm(
    "ridge",
    ADDED_RIDGE,
    meaning="ridge regression",
    place=4,
    rule="teacherstudent.theory.rules:ridge",
    limit="teacherstudent.theory.spectral.limits:ridge",
)
