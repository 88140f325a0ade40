"""The parameters of motion driven by stable noise, and the options of its dynamics and routes."""

from __future__ import annotations

from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import Parameter

LARGEST, SMALLEST = 1e9, 1e-9
"""Sizes of numbers other than 0: between them no power that is taken overflows or vanishes."""

MOST = 10**6
"""Most examples."""

POSITIVE = Number(SMALLEST, LARGEST)

STABILITY = Parameter(
    "stability", "alpha", "1", Number(0.1, 2),
    "index of stability of the noise, whose tails fall as t^-alpha; 2 is Brownian motion", 1.5,
    also=("tail_index", "stability_index"),
)  # fmt: skip
DRIFT = Parameter(
    "drift", "a", "1/time", Number(0, LARGEST), "curvature of the well, a/2 X^2; 0: no well", 1.0,
    also=("relaxation_rate", "curvature"),
)  # fmt: skip
NOISE = Parameter(
    "noise", "sigma", "distance/time^(1/alpha)", POSITIVE, "scale of the noise", 1.0, also=("noise_scale",)
)
PARAMETERS = (STABILITY, DRIFT, NOISE)

STEP = Parameter(
    "step", "h", "time", Number(SMALLEST, LARGEST), "time step of Euler's scheme, on routes that use it", 0.01
)
START = Parameter(
    "start",
    "x_0/r",
    "r",
    Number(-1, 1, low_open=True, high_open=True),
    "initial value of X in units of r",
    0.0,
)
RELATIVE_STEP = Parameter(
    "relative_step", "g", "1", Number(SMALLEST, 2, high_open=True),
    "time step of Euler's scheme in units of the relaxation time, on routes that use it", 0.01,
)  # fmt: skip
POWER = Parameter("power", "p", "1", Number(SMALLEST, 2), "exponent of the loss, below --stability", 0.5)
INPUT_SCALE = Parameter("input_scale", "s", "input", POSITIVE, "standard deviation of the inputs", 1.0)

WALKERS = Parameter(
    "walkers", "", "paths", Whole(1, 10**7), "number of independent paths averaged per draw", 1000,
    also=("paths", "chains"),
)  # fmt: skip
