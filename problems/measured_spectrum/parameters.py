"""The parameters of a measured spectrum. Those with a default of None have one that depends on the others."""

from __future__ import annotations

from dataclasses import replace

from teacherstudent.house.domains import Choice, Number, OrWord, Switch, Whole
from teacherstudent.house.parameters import RIDGE as SHARED_RIDGE
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.tables import ColumnNames, FrameFile
from teacherstudent.problems.extras import extra
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
    "measured features, one row per example; give --targets too. Features are not scaled; --intercept "
    "determines how they are centred. With --table: the columns that are features (default: all others)",
    instead_of=LAW,
)
TARGETS = Parameter(
    "targets",
    "y",
    "output",
    OrClasses(part=1),
    "measured targets, one row per example; several columns are several outputs, text is classes",
    instead_of=LAW,
    also=("labels",),
)
TABLE = Parameter(
    "table",
    "",
    "own units",
    FrameFile(),
    "one table with features and target, one row per example and column names in the first line; give "
    "--target too. All columns other than the target are features",
    instead_of=("targets", "gram", *LAW),
)
TARGET = Parameter(
    "target",
    "",
    "",
    ColumnNames(),
    "column of --table to learn, or several columns: a name, or a position counted from 0",
)
LEAVE_OUT = Parameter("leave_out", "", "", ColumnNames(), "columns of --table that are not used")
MISSING = Parameter(
    "missing",
    "",
    "",
    Choice(("refuse", "drop")),
    "treatment of missing values (NA, ?, an empty cell, ...) in --table; drop leaves out the rows that have "
    "them (default refuse)",
)
ENCODE = Parameter(
    "encode",
    "",
    "",
    Choice(("refuse", "one-hot")),
    "treatment of text features in --table; one-hot makes a column of 0 and 1 for each level, including "
    "the first (default refuse)",
)
GRAM = Parameter(
    "gram",
    "K",
    "feature^2",
    Gram(),
    "kernel matrix between all rows, in place of features; give --targets too",
    instead_of=("features", "kernel", "width", "depth", *LAW),
)
STANDARDISE = Parameter(
    "standardise",
    "",
    "",
    Switch(),
    "divide each feature by its standard deviation over all rows, before any kernel is computed",
    also=("standardize",),
)
TASK = Parameter(
    "task",
    "",
    "",
    Choice(("auto", "regression", "classification")),
    "type of the measured targets: auto (the default) reads classes from text, one-hot rows, 0 and 1, or "
    "labels 0, 1, ... of at most 20 classes, if each of c classes has at least 1/(4 c) of the rows, and "
    "otherwise reads numbers. "
    "Each class becomes an output of 0 and 1",
)
KERNEL = Parameter(
    "kernel",
    "",
    "",
    Choice(("linear", "rbf", "ntk")),
    "kernel of the measured rows. linear: the features themselves (default); rbf: a Gaussian kernel; ntk: "
    "the neural tangent kernel of a ReLU network without biases. The scale of ntk, Theta(x, x) = 2 (depth + "
    "1) |x|^2/p for p features, sets the scale of ridge, times and learning rates",
)
WIDTH = Parameter(
    "width",
    "ell",
    "feature",
    OrWord("auto", Number(0, low_open=True)),
    "length ell of --kernel rbf, exp(-|x - x'|^2/(2 ell^2)) (default auto: the median distance of rows)",
)
DEPTH = Parameter("depth", "L", "layers", Whole(1, 100), "hidden layers of --kernel ntk (default 1)")
MODES = Parameter(
    "modes",
    "m_k:lambda_k:t_k",
    "count:eigenvalue:power",
    Modes(Whole(1, MOST), Number(0, low_open=True), Number(0)),
    "any spectrum in place of data: number of modes, their eigenvalue, and the target's power theta_k^2 "
    "lambda_k summed over these modes",
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
    Choice(("pool", "population", "new-rows")),
    "source of the rows. pool: training rows are drawn from the measured ones without replacement, and the "
    "others are tested (default for measured rows). population: Gaussian rows with the same covariances "
    "(the only choice for a law). new-rows: any number of rows from the source of the measured ones, "
    "predicted by --route extrapolation",
)
SCATTERED = {"scatter": ("generalisation_error_scatter",)}
"""The group of observables that is computed when asked for."""

SCATTER = extra(
    SCATTERED,
    "scatter: add the standard deviation of the error between training sets, for --sampling population",
)
NOISE = Parameter(
    "noise", "sigma_eps", "output", Number(0),
    "standard deviation of the label noise added to the targets", 0.0,
    also=("sigma",),
)  # fmt: skip
RIDGE = replace(
    SHARED_RIDGE,
    meaning=(
        "ridge of the summed loss 1/2 sum |y - yhat|^2 + ridge/2 |w_hat|^2; --dynamics ridge adds 1/time. "
        "Ridge plus 1/time equals alpha in scikit-learn's Ridge and 1/C in LogisticRegression. PyTorch's "
        "MSELoss on n rows and c outputs: lr = n c learning_rate/2, weight_decay = 2 ridge/(n c)"
    ),
)
INIT = Parameter(
    "init",
    "sigma_0",
    "weight",
    Number(0),
    "standard deviation of the initial student weights (0 for a kernel)",
    0.0,
    also=("sigma",),
)
INTERCEPT = Parameter(
    "intercept",
    "b",
    "output",
    Choice(("trained", "pool", "none")),
    "trained: fitted to the n training rows without ridge, as libraries do: rows and targets are centred by "
    "the means of the training rows (default for measured rows). pool: centred by the means of all rows, as "
    "if the intercept were known. none: no centring (default for a law, whose means are zero)",
    also=("fit_intercept",),
)
BIAS_COLUMN = Parameter(
    "bias_column",
    "",
    "",
    Switch(),
    "add a column of ones to the raw features, which are then not centred: its weight, the bias, is trained "
    "and penalised like every other weight, and --intercept is none (default no)",
    also=("bias",),
)

PARAMETERS = (
    SAMPLES, FEATURES, TARGETS, TABLE, TARGET, LEAVE_OUT, MISSING, ENCODE, GRAM,
    TASK, KERNEL, WIDTH, DEPTH, MODES, CAPACITY, SOURCE, SIZE, SAMPLING,
    NOISE, RIDGE, INIT, STANDARDISE, INTERCEPT, BIAS_COLUMN,
)  # fmt: skip
