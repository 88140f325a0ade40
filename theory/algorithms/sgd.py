"""Stochastic gradient descent on batches: what they add to descent depends on the source, which says how."""

from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.parameters import LEARNING_RATE, STEPS
from teacherstudent.problems.batches import BATCH, DATA

ALGORITHM = Algorithm(
    "sgd",
    STEPS,
    meaning="stochastic gradient descent",
    whole_time=True,
    options=(LEARNING_RATE, BATCH, DATA),
    place=1,
)
