"""The parameters of SGD with a fixed step on linear regression, and the options of its routes."""

from __future__ import annotations

from dataclasses import replace

from teacherstudent.house.domains import Choice, Number, Whole
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems import scales
from teacherstudent.problems.strengths import CONDITION, SCALES, STRONG

LARGEST, SMALLEST = 1e9, 1e-9
"""Step sizes: between them powers of what a step does neither vanish nor overflow."""

MOST = 10**6
"""Largest dimension, batch and set of examples."""

STEP_SIZE = Number(SMALLEST, LARGEST)

BATCH = Parameter(
    "batch", "b", "examples", Whole(1, MOST), "examples per step; at most n if the training set is finite", 2,
    also=("batch_size",),
)  # fmt: skip
DIMENSION = replace(
    scales.DIMENSION,
    unit="inputs",
    meaning="input dimension",
    default=3,
    domain=Whole(1, MOST),
    extensive=False,
)
STRONG_INPUTS = replace(STRONG, extensive=False)
SPECTRUM = replace(SCALES, extensive=False)
SAMPLES = Parameter(
    "n",
    "n",
    "examples",
    Whole(1, MOST),
    "number of examples in a finite set, at least d; each batch is a new random subset of them (default: "
    "none, every step takes new examples)",
    also=("samples",),
)
NOISE = replace(scales.NOISE, domain=Number(0, 1e100), default=1.0)
INIT = replace(
    scales.INIT,
    domain=Number(0, 1e100),
    meaning="standard deviation of each student weight around the teacher's at step 0",
    default=1.0,
)
PARAMETERS = (BATCH, DIMENSION, STRONG_INPUTS, CONDITION, SPECTRUM, SAMPLES, NOISE, INIT)

LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "1/input^2",
    STEP_SIZE,
    "learning rate, for the mean loss over a batch",
    0.5,
    also=("lr",),
)

HILL, RANK, GROWTH, STABLE = "hill", "rank", "growth", "stable"

ESTIMATOR = Parameter(
    "estimator",
    "",
    "",
    Choice(
        (HILL, RANK, GROWTH, STABLE),
        (("published", STABLE), ("mohammadi", STABLE), ("regression", RANK), ("population", GROWTH)),
    ),
    "estimator of the tail index. hill: mean logarithm of the largest sizes divided by the next smaller "
    "size; rank: "
    "slope of log rank over log size; growth: order at which the moment of products of steps neither grows "
    "nor shrinks; stable: from block sums, correct only for stable distributions (published, biased)",
    HILL,
)
CHAINS = Parameter("chains", "", "chains", Whole(20, 10**8), "number of independent chains per draw", 4000)
TOP = Parameter(
    "top", "k_top", "chains", Whole(3),
    "number of the largest sizes used to estimate the tail index; default: chains/200, at least 10",
)  # fmt: skip
BURN_IN = Parameter(
    "burn_in",
    "",
    "steps",
    Whole(1, 10**6),
    "steps before stationary measurements; default: 200 + 20/(learning rate x weakest curvature)",
)
