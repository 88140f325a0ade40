"""The parameters of the perceptron. Those with a default of None have one that depends on the others."""

from __future__ import annotations

from dataclasses import replace

from teacherstudent.house.domains import Choice
from teacherstudent.house.errors import Misread
from teacherstudent.house.functions import ChoiceOrFunction, UserFunction
from teacherstudent.house.parameters import RIDGE as SHARED_RIDGE
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems import scales
from teacherstudent.problems.strengths import CONDITION, SCALES, STRONG

LOSSES = ("square", "logistic", "hinge")
"""Rules that minimise a loss with a ridge."""

VERSION_SPACE = ("gibbs", "bayes")
"""Rules that take the teacher's prior for theirs, and ask all students that give every label."""

RULES = (*LOSSES, "hebb", "pseudo-inverse", "max-stability", *VERSION_SPACE)


def demand_convex(loss: UserFunction) -> None:
    """Raise `Misread` for a loss that is not convex, or does not ask for larger margins at 0."""
    import numpy as np

    for width in (0.01, 0.3):
        m = np.arange(-20, 20, width)
        below, here, above = loss(m - width), loss(m), loss(m + width)
        size = np.abs(below) + np.abs(here) + np.abs(above) + np.ptp(loss(np.array([-1.0, 1.0])))
        wrong = np.flatnonzero(below + above - 2 * here < -1e-13 * size)
        if wrong.size:
            where = round(float(m[wrong[np.argmin(np.abs(m[wrong]))]]), 6) + 0.0
            raise Misread(
                f"a loss must be a convex function of the margin m = y w.x; this function is not "
                f"convex at m = {where:.3g}"
            )
    if not loss(np.array(-1e-6)) > loss(np.array(1e-6)):
        raise Misread("a loss must decrease with the margin m = y w.x at m = 0")


RULE = Parameter(
    "rule",
    "",
    "",
    ChoiceOrFunction(
        RULES,
        (
            ("adaline", "pseudo-inverse"), ("least-squares", "pseudo-inverse"), ("svm", "hinge"),
            ("max-margin", "max-stability"), ("maximal-stability", "max-stability"),
            ("ridge", "square"), ("hebbian", "hebb"), ("cross-entropy", "logistic"),
        ),
        'ts.curve("perceptron", loss=f)',
        demand_convex,
    ),
    "rule that finds the student from the training examples",
    "logistic",
    also=("loss",),
)  # fmt: skip
RIDGE = replace(
    SHARED_RIDGE,
    meaning="ridge: adds ridge/2 |w|^2 for rules with a loss, square, logistic and hinge (default 0.1)",
    default=None,
)
LABELS = Parameter(
    "labels",
    "",
    "",
    Choice(("teacher", "random")),
    "source of the labels: a teacher, or fair coins (storage problem)",
    "teacher",
)
NOISE = replace(
    scales.NOISE, meaning="standard deviation of the noise added before the sign of the teacher's output"
)
WEIGHTS = Parameter(
    "weights",
    "",
    "",
    Choice(("spherical", "binary")),
    "constraint on the weights of teacher and student; binary: all are -1 or 1 (rules gibbs and bayes)",
    "spherical",
)
DIMENSION = replace(scales.DIMENSION, unit="inputs", meaning="input dimension", default=200)
PARAMETERS = (RULE, RIDGE, LABELS, NOISE, WEIGHTS, DIMENSION, STRONG, CONDITION, SCALES)
