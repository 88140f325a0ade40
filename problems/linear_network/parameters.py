"""The parameters of linear networks, and the options of their dynamics."""

from __future__ import annotations

from teacherstudent.house.domains import Choice, Number, Several, Whole
from teacherstudent.house.parameters import Parameter

POSITIVE = Number(0, low_open=True)

SINGULAR_VALUES = Parameter(
    "singular_values",
    "s_i",
    "output",
    Several(POSITIVE),
    "singular values of the input-output correlation Y X^T, one per mode",
    (4.0, 2.5, 1.0),
)
DEPTH = Parameter(
    "depth", "D", "weight matrices", Whole(2, 100), "number of weight matrices", 2, also=("layers",)
)
INPUTS = Parameter(
    "inputs", "N_in", "units", Whole(1), "input units, at least one per mode (default: one per mode)"
)
OUTPUTS = Parameter(
    "outputs", "N_out", "units", Whole(1), "output units, at least one per mode (default: one per mode)"
)
HIDDEN = Parameter(
    "hidden",
    "N_hid",
    "units",
    Whole(1),
    "number of units in each hidden layer, at least one per mode (default: one per mode)",
    also=("width",),
)
START = Parameter(
    "start",
    "start",
    "1",
    Choice(("decoupled", "rotated")),
    "directions of the initial weights: decoupled: the data's singular vectors, so that modes never "
    "interact; rotated: drawn independently of the data",
    "decoupled",
)
STRENGTH = Parameter(
    "u0",
    "u_0",
    "output",
    Several(POSITIVE),
    "initial strength, below the singular value: one number for all modes, or one per mode",
    (0.01,),
)
BALANCE = Parameter(
    "balance",
    "c",
    "output",
    Number(),
    "initial imbalance a^2 - b^2 of the first and second layer in every mode, that is W_1 W_1^T - W_2^T W_2 "
    "= c on the initial hidden directions; 0 for depth above 2",
    0.0,
)
INIT = Parameter(
    "init",
    "sigma_0",
    "weight",
    POSITIVE,
    "standard deviation of independent Gaussian initial weights, instead of start, u0 and balance",
    instead_of=("start", "u0", "balance"),
)
SUPPORT = Parameter(
    "support",
    "support",
    "1",
    Choice(("full", "blocks", "triangular")),
    "which weights of two layers are trained; all others stay 0. blocks: hidden unit i joins block i of the "
    "inputs to block i of the outputs; triangular: W_1 upper and W_2 lower triangular, 2 x 2",
    "full",
)
PARAMETERS = (SINGULAR_VALUES, DEPTH, INPUTS, OUTPUTS, HIDDEN, START, STRENGTH, BALANCE, INIT, SUPPORT)

LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "1/output",
    POSITIVE,
    "learning rate of gradient descent on the summed loss",
    1e-3,
    also=("lr",),
)
