"""Langevin descent: gradient descent with Gaussian noise in each weight and step. Each source says how."""

from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import LEARNING_RATE, Parameter

INVERSE_TEMPERATURE = Parameter(
    "inverse_temperature",
    "beta",
    "1/summed loss",
    Number(0, low_open=True),
    "inverse temperature of the distribution exp(-beta L); each weight gets noise of variance 2 eta/beta "
    "per step",
    1.0,
)

ALGORITHM = Algorithm(
    "langevin",
    Parameter("time", "k", "steps", Whole(0), "step of Langevin descent"),
    meaning="Langevin descent",
    whole_time=True,
    options=(LEARNING_RATE, INVERSE_TEMPERATURE),
    place=2,
)
