"""The parameters of orthogonal convolutions, and the options of their dynamics."""

from __future__ import annotations

from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import Parameter

MOST_STEPS = 10**6
"""Steps beyond which no answer is tried: each is taken."""

LATEST = 1000.0
"""Flow time beyond which none is: where windows do not overlap errors fall by e^-16 in a unit of it."""

OUTPUTS = Parameter(
    "outputs", "M", "channels", Whole(1, 1024), "number of output channels", 3, also=("output_channels",)
)
INPUTS = Parameter(
    "inputs", "C", "channels", Whole(1, 1024), "number of input channels", 2, also=("input_channels",)
)
KERNEL_SIZE = Parameter(
    "kernel_size", "k", "samples", Whole(1, 32), "length of the kernel along each dimension", 2
)
STRIDE = Parameter("stride", "S", "samples", Whole(1, 32), "number of inputs between neighbouring windows", 2)
SIZE = Parameter(
    "size", "N", "samples", Whole(1, 4096),
    "length of the output along each dimension; the input has length S N", 8, also=("signal_size",),
)  # fmt: skip
DIMENSION = Parameter("dimension", "D", "1", Whole(1, 2), "1 for signals, 2 for images", 1)
INIT = Parameter(
    "init", "sigma_0", "weight", Number(1e-6, 1e3), "standard deviation of the initial kernel entries",
    0.2,
)  # fmt: skip
PARAMETERS = (OUTPUTS, INPUTS, KERNEL_SIZE, STRIDE, SIZE, DIMENSION, INIT)

LEARNING_RATE = Parameter(
    "learning_rate", "eta", "weight^2/loss", Number(0, 1e3, low_open=True),
    "learning rate on the regulariser",
    0.02, also=("lr",),
)  # fmt: skip
