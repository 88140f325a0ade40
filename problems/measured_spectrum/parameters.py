"""The parameters of a measured spectrum. Those with a default of None have one that depends on the others."""

from __future__ import annotations

from teacherstudent.house.domains import Choice, Number, OrWord, Whole
from teacherstudent.house.parameters import RIDGE, Parameter
from teacherstudent.house.tables import ColumnNames, FrameFile
from teacherstudent.problems.measured_spectrum.sources import Gram, Modes, OrClasses, OrColumns

MOST = 10**12
LAW = ("modes", "capacity", "source", "size")

SAMPLES = Parameter(
    "n", "n", "rows", Whole(1, MOST), "number of training rows", 100, also=("samples",), fractional=True
)
FEATURES = Parameter(
    "features",
    "phi",
    "own units",
    OrColumns(part=0),
    "measured features, one row for each example; --targets goes with them. They are centred, not scaled. "
    "With --table: the columns that are features (default: all others)",
    instead_of=LAW,
)
TARGETS = Parameter(
    "targets",
    "y",
    "output",
    OrClasses(part=1),
    "measured targets, one row for each example; several columns are several outputs, one of texts classes",
    instead_of=LAW,
    also=("labels",),
)
TABLE = Parameter(
    "table",
    "",
    "own units",
    FrameFile(),
    "one table of everything, one row for each example; --target goes with it. All its other columns are "
    "features. Names stand in the first line",
    instead_of=("targets", "gram", *LAW),
)
TARGET = Parameter(
    "target",
    "",
    "",
    ColumnNames(),
    "the column of --table that is learned, or several: a name, or a place counted from 0",
)
LEAVE_OUT = Parameter("leave_out", "", "", ColumnNames(), "columns of --table that are not used")
MISSING = Parameter(
    "missing",
    "",
    "",
    Choice(("refuse", "drop")),
    "what is done about missing values (NA, ?, an empty cell, ...) in --table: drop leaves out their rows "
    "(default refuse)",
)
ENCODE = Parameter(
    "encode",
    "",
    "",
    Choice(("refuse", "one-hot")),
    "what is done about features of --table that are text: one-hot makes a column of 0 and 1 for each level, "
    "and drops none, since features are centred (default refuse)",
)
GRAM = Parameter(
    "gram",
    "K",
    "feature^2",
    Gram(),
    "a kernel of all rows with all rows, in place of features; --targets goes with it",
    instead_of=("features", "kernel", "width", "depth", *LAW),
)
TASK = Parameter(
    "task",
    "",
    "",
    Choice(("auto", "regression", "classification")),
    "what measured targets are (default auto: classes where they are text, one-hot rows, 0 and 1, or labels "
    "0, 1, ... of at most 20 classes, each with at least a quarter of an equal share of the rows; else "
    "numbers). Each class becomes an output of 0 and 1",
)
KERNEL = Parameter(
    "kernel",
    "",
    "",
    Choice(("linear", "rbf", "ntk")),
    "which features of the measured rows are learned from: their own (default linear), those of a Gaussian "
    "kernel, or of the neural tangent kernel of a ReLU network without biases",
)
WIDTH = Parameter(
    "width",
    "ell",
    "feature",
    OrWord("auto", Number(0, low_open=True)),
    "length of --kernel rbf, exp(-|x - x'|^2/(2 ell^2)) (default auto: the median distance of two rows)",
)
DEPTH = Parameter("depth", "L", "layers", Whole(1, 100), "hidden layers of --kernel ntk (default 1)")
MODES = Parameter(
    "modes",
    "m_k:lambda_k:t_k",
    "count:eigenvalue:power",
    Modes(Whole(1, MOST), Number(0, low_open=True), Number(0)),
    "any spectrum in place of data: how many modes have an eigenvalue, and the target's power "
    "theta_k^2 lambda_k in them, summed over the count",
    instead_of=("capacity", "source", "size"),
)
CAPACITY = Parameter(
    "capacity",
    "a",
    "1",
    Number(1, low_open=True),
    "exponent of the power law of eigenvalues, lambda_k = k^-a, k = 1 ... d",
    1.5,
)
SOURCE = Parameter(
    "source",
    "r",
    "1",
    Number(0, low_open=True),
    "exponent of the power law of the target, theta_k^2 lambda_k = k^-(1 + 2 r a): larger is smoother",
    0.5,
)
SIZE = Parameter("size", "d", "modes", Whole(1, 10**5), "number of modes of the power law", 400)
SAMPLING = Parameter(
    "sampling",
    "",
    "",
    Choice(("pool", "population")),
    "pool: training rows are drawn from the measured ones without replacement, and the others are tested "
    "(default for measured rows). population: Gaussian rows of the same covariances (a law's only one)",
)
NOISE = Parameter(
    "noise", "sigma_eps", "output", Number(0), "standard deviation of label noise that is added", 0.0,
    also=("sigma",),
)  # fmt: skip
INIT = Parameter(
    "init",
    "sigma_0",
    "weight",
    Number(0),
    "standard deviation of the initial student weights (0 for a kernel)",
    0.0,
    also=("sigma",),
)

PARAMETERS = (
    SAMPLES, FEATURES, TARGETS, TABLE, TARGET, LEAVE_OUT, MISSING, ENCODE, GRAM,
    TASK, KERNEL, WIDTH, DEPTH, MODES, CAPACITY, SOURCE, SIZE, SAMPLING,
    NOISE, RIDGE, INIT,
)  # fmt: skip
