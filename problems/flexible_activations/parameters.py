"""The parameters of a network with flexible activations."""

from __future__ import annotations

from teacherstudent.house.domains import Whole
from teacherstudent.house.parameters import Parameter

MOST = 10_000
"""Most examples."""

WIDEST, HIGHEST = 10, 6
"""Most inputs, outputs and units, and the highest degree."""

_WIDTH, _POWER = Whole(1, WIDEST), Whole(1, HIGHEST)

INPUTS = Parameter("inputs", "m", "features", _WIDTH, "input dimension", 3)
OUTPUTS = Parameter("outputs", "n", "outputs", _WIDTH, "output dimension", 3)
UNITS = Parameter("units", "r", "units", _WIDTH, "hidden units of the teacher and of the student", 3)
DEGREE = Parameter("degree", "q", "1", _POWER, "highest power of z in an activation g_i(z)", 3)
LOWEST = Parameter(
    "lowest", "p", "1", _POWER, "lowest power of z in an activation: 1 includes a linear term, 2 does not", 2
)
PARAMETERS = (INPUTS, OUTPUTS, UNITS, DEGREE, LOWEST)
