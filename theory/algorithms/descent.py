"""Gradient descent on all examples, with a constant step or one that is a function of time."""

from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.parameters import LEARNING_RATE, STEPS

ALGORITHM = Algorithm(
    "descent",
    STEPS,
    meaning="gradient descent",
    whole_time=True,
    options=(LEARNING_RATE,),
    place=0,
    rule="teacherstudent.theory.rules:descent",
    limit="teacherstudent.theory.spectral.limits:descent",
    scheduled=True,
)
