"""The parameters of generators and discriminators, and the options of their dynamics."""

from __future__ import annotations

from teacherstudent.house.domains import Choice, Number, Whole
from teacherstudent.house.parameters import Parameter

LARGEST, SMALLEST = 1e6, 1e-6
"""Sizes of numbers other than 0."""

MOST = 10**5
POSITIVE = Number(SMALLEST, LARGEST)

DISCRIMINATORS = ("relu", "fourier")
TARGETS = ("point", "ring", "gaussian")

DISCRIMINATOR = Parameter(
    "discriminator", "", "", Choice(DISCRIMINATORS),
    "hidden layer. relu: rectified units, all weights are trained; fourier: random waves with a Gaussian "
    "(RBF) kernel, only outer weights are trained",
    "relu", also=("kernel", "activation"),
)  # fmt: skip
WIDTH = Parameter(
    "width", "W", "units", Whole(1, 10**6), "hidden units of the discriminator", 512, also=("hidden",)
)
BIAS = Parameter(
    "bias", "beta", "input", Number(0, LARGEST), "scale of the hidden biases (discriminator relu)", 1.0
)
LENGTH_SCALE = Parameter(
    "length_scale", "l", "input", POSITIVE, "width of the Gaussian kernel (discriminator fourier)", 1.0,
    also=("bandwidth",),
)  # fmt: skip
DIMENSION = Parameter("d", "d", "1", Whole(1, 1000), "dimension of the data", 2, also=("dimension",))
TARGET = Parameter(
    "target", "", "", Choice(TARGETS),
    "the data. point: all at 0; ring: at equal angles on the unit circle of the first two coordinates; "
    "gaussian: drawn from N(0, I_d)",
    "point", also=("teacher",),
)  # fmt: skip
SAMPLES = Parameter("n", "n", "points", Whole(1, MOST), "number of data points", 1, also=("samples",))
PARTICLES = Parameter("particles", "m", "points", Whole(1, MOST), "number of points of the generator", 1)
DISTANCE = Parameter(
    "distance", "D", "input", Number(0, LARGEST),
    "distance D between the origin and the generator's initial mean D e_1", 2.0,
)  # fmt: skip
SPREAD = Parameter(
    "spread", "sigma", "input", Number(0, LARGEST),
    "initial standard deviation of each coordinate of the generator's points", 0.0,
)  # fmt: skip
PARAMETERS = (
    DISCRIMINATOR, WIDTH, BIAS, LENGTH_SCALE, DIMENSION, TARGET, SAMPLES, PARTICLES, DISTANCE, SPREAD,
)  # fmt: skip

DISCRIMINATOR_RATE = Parameter(
    "discriminator_rate", "eta_D", "1/output", POSITIVE,
    "learning rate of the discriminator's gradient ascent, on routes that take steps", 0.1,
)  # fmt: skip
LEARNING_RATE = Parameter(
    "learning_rate", "eta", "input^2/output", POSITIVE,
    "learning rate of the generator, on routes that take steps", 0.1, also=("lr", "generator_rate"),
)  # fmt: skip
TRAINED = Parameter(
    "discriminator_time", "tau", "1/output", POSITIVE,
    "training time of each new discriminator, discriminator_rate x steps", 1.0,
)  # fmt: skip
