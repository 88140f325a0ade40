"""The parameters of the committee machine. A default of None depends on the others."""

from __future__ import annotations

from dataclasses import replace

from teacherstudent.house.domains import Choice, Matrix, Number, Several, Whole
from teacherstudent.house.functions import ChoiceOrFunction
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems import scales

MOST_UNITS = 64
UNITS = Whole(1, MOST_UNITS)

LARGEST, SMALLEST = 1e100, 1e-100
"""Sizes of numbers other than 0: between them squares neither vanish nor overflow."""

SIGNED = Number(-LARGEST, LARGEST)
SIZE = Number(0, LARGEST)

WIDTH = Parameter(
    "width", "K", "units", UNITS, "hidden units of the student", 2,
    also=("k", "hidden", "hidden_units", "student_width"),
)  # fmt: skip
TEACHER_WIDTH = Parameter(
    "teacher_width", "M", "units", UNITS, "hidden units of the teacher", 2, also=("m", "teacher_units")
)
DIMENSION = replace(
    scales.DIMENSION, unit="inputs", meaning="input dimension", default=500, also=("N", "dimension", "inputs")
)
ACTIVATION = Parameter(
    "activation",
    "g",
    "",
    ChoiceOrFunction(
        ("erf", "relu", "linear"),
        (("identity", "linear"), ("rectified", "relu")),
        'ts.curve("committee", activation=f)',
    ),
    "nonlinearity of both networks; erf is erf(x/sqrt 2)",
    "erf",
)
LEARNING_RATE = Parameter(
    "learning_rate", "eta", "1/output^2", Number(0, LARGEST, low_open=True),
    "learning rate of the first layer",
    1.0, also=("lr",),
)  # fmt: skip
SECOND_LEARNING_RATE = Parameter(
    "second_layer_learning_rate", "eta_v", "1", SIZE, "learning rate of the second layer; 0: fixed", 0.0,
    also=("second_layer_lr",),
)  # fmt: skip
NOISE = replace(scales.NOISE, domain=SIZE)
WEIGHT_DECAY = Parameter(
    "weight_decay", "kappa", "1/time", SIZE, "weight decay of the first layer, not multiplied by eta", 0.0
)
SECOND_WEIGHT_DECAY = Parameter(
    "second_layer_weight_decay", "kappa_v", "1/time", SIZE, "weight decay of the second layer", 0.0
)
START = Parameter(
    "start",
    "",
    "",
    Choice(("exact", "random")),
    "exact: the overlaps at step 0 are given; random: the student's weights are drawn from N(0, init^2)",
    "exact",
)
INIT = replace(
    scales.INIT,
    domain=SIZE,
    meaning="root mean square of the initial weights of each student unit: Q_ii = init^2",
    default=0.5,
)
OVERLAP = Parameter(
    "overlap",
    "X_0",
    "1",
    SIGNED,
    "initial overlap R_ii of student unit i with teacher unit i (start exact; default 0.01, "
    "smaller if Q_0 or T requires it)",
)
STUDENT_OVERLAPS = Parameter(
    "student_overlaps", "Q_0", "1", Matrix(SIGNED, square=True),
    "overlaps Q_ij of student units at step 0 (start exact)",
    instead_of=("init",),
)  # fmt: skip
INITIAL_OVERLAPS = Parameter(
    "initial_overlaps", "R_0", "1", Matrix(SIGNED),
    "overlaps R_im of student and teacher units at step 0, a row per student unit (start exact)",
    instead_of=("overlap",),
)  # fmt: skip
TEACHER_OVERLAPS = Parameter(
    "teacher_overlaps", "T", "1", Matrix(SIGNED, square=True), "teacher overlaps T_mn (default: identity)"
)
SECOND_LAYER = Parameter(
    "initial_second_layer", "v_0", "output", Several(SIGNED),
    "second-layer weights of the student at step 0, one for all units or one per unit (default 1)",
)  # fmt: skip
TEACHER_SECOND_LAYER = Parameter(
    "teacher_second_layer", "v*", "output", Several(SIGNED),
    "second-layer weights of the teacher, one for all units or one per unit (default 1)",
)  # fmt: skip

PARAMETERS = (
    WIDTH, TEACHER_WIDTH, DIMENSION, ACTIVATION, LEARNING_RATE, SECOND_LEARNING_RATE, NOISE, WEIGHT_DECAY,
    SECOND_WEIGHT_DECAY, START, INIT, OVERLAP, STUDENT_OVERLAPS, INITIAL_OVERLAPS, TEACHER_OVERLAPS,
    SECOND_LAYER, TEACHER_SECOND_LAYER,
)  # fmt: skip
