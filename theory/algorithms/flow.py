"""Gradient flow: descent of infinitely small steps."""

from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.parameters import FLOW_TIME

ALGORITHM = Algorithm(
    "flow",
    FLOW_TIME,
    meaning="gradient flow",
    place=3,
    rule="teacherstudent.theory.rules:flow",
    limit="teacherstudent.theory.spectral.limits:flow",
)
