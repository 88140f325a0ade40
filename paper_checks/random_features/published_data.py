"""Published data on triple descent: what the equations say at the places where the figures are drawn.

The equations are those of gerace2020, iterated by the published code; their limit is the same as that of
mei2022. The data differ from it in four ways, each of which a few published numbers show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.effects import Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.random_features import check, misprints
from teacherstudent.paper_checks.random_features.kit.asking import RELU, TANH, Nonlinearity, errors
from teacherstudent.paper_checks.random_features.kit.overlaps import Overlaps, Student

NOISE = 0.5
"""The variance delta of the label noise of all rows that are used here."""
INPUTS = 10**10
SMALL_SLOPE = 1e-5
"""mu1 that stands for none: the equations divide by it."""


def route(student: Student, own: Nonlinearity | None = None) -> np.ndarray:
    """Excess risk without the half and training error by the ridge route, (2,). Its ridge is lambda/psi1."""
    sizes = {"psi1": student.psi1, "psi2": student.psi2, "d": INPUTS}
    times = [student.psi1 / student.lam]
    hermite = (own or student.own).hermite
    found = errors("ridge", "asymptotic", times, hermite=hermite, noise=student.delta**0.5, **sizes)[:, 0]
    return found - [student.delta, 0.0]


def place(i: int, j: int, own: Nonlinearity) -> Student:
    """A node of the published grid of both ratios."""
    return Student(10 ** (-1.5 + 4 * i / 19), 10 ** (-1.5 + 4 * j / 19), own, delta=NOISE)


def many_samples(j: int, r: float) -> Student:
    """A point of the published sample-wise curves of degree of linearity r = mu1^2."""
    return Student(10.0, 10 ** (-1 + 3 * j / 39), Nonlinearity(r**0.5, 1 - r), delta=NOISE)


# The equations ----------------------------------------------------------------------------------------------

NODES = ((9, 8), (9, 12), (12, 8), (12, 12), (14, 10))
NOT_LINEAR = many_samples(20, SMALL_SLOPE**2)
STUDENTS = (*(place(*at, own) for own in (RELU, TANH) for at in NODES), NOT_LINEAR)


def limits(_: Seeds) -> np.ndarray:
    """Evidence: excess risk and training error of every student by the ridge route, (S, 2)."""
    return np.array([route(student, _without_slope(student.own)) for student in STUDENTS])


def _without_slope(own: Nonlinearity) -> Nonlinearity:
    return own if own.mu1 > SMALL_SLOPE else Nonlinearity(0.0, 1.0)


def saddle_point(
    _: object, assembled: Nonlinearity | None = None, started: bool = False, printed: bool = False,
    **changed: Any,
) -> np.ndarray:  # fmt: skip
    """The claim: the same by the fixed point. Put together with other coefficients, stopped at the first step
    where mu1 = 0, or with the training error of the published code, for what the data are."""
    found = []
    for student in STUDENTS:
        at = replace(student, **changed).fixed_point()
        own = assembled or student.own
        if started and student is NOT_LINEAR:
            at = Overlaps()
        train = student.printed(at, student.own) if printed else student.trained(at)
        found.append([at.risk(own), train])
    return np.array(found)


def same_errors(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Iterated until steps change 1e-13 of an overlap; ratios of sizes are rounded to 1 in 1e10."""
    reason = "sizes rounded to 1e-10, and the square of a slope of 1e-5 used instead of zero"
    return within_bound(claimed / evidence - 1, 10 * SMALL_SLOPE**2, reason, "relative")


SADDLE_POINT = check(
    id="rf-saddle-point",
    title="in the limit, ridge regression solves the published saddle-point equations for the square loss",
    ref="saddle-point equations, square loss",
    paper="gerace2020",
    evidence=limits,
    claim=saddle_point,
    judge=same_errors,
    wrong=(
        WrongClaim("label noise 1e-6 (relative) too large", partial(saddle_point, delta=NOISE * (1 + 1e-6))),
        WrongClaim("lambda 1e-6 (relative) too large", partial(saddle_point, lam=0.1 * (1 + 1e-6))),
    ),
    errata=misprints(
        {
            "rf-relu-by-tanh": partial(saddle_point, assembled=TANH),
            "rf-train-loss": partial(saddle_point, printed=True),
            "rf-no-linear-part": partial(saddle_point, started=True),
        }
    ),
)

# The data ---------------------------------------------------------------------------------------------------

RELU_ROWS = {(9, 8): 0.7159, (9, 12): 0.1833, (12, 8): 0.5090, (12, 12): 0.3584, (14, 10): 0.2436}
TANH_ROWS = {(9, 8): 0.5524, (9, 12): 0.1508, (12, 8): 0.5774, (12, 12): 0.2966, (14, 10): 0.2201}
TRAIN_ROWS = {(9, 8): -0.0958, (9, 12): -0.0083, (12, 8): -0.2293, (12, 12): -0.3507, (14, 10): -0.5288}
"""Printed risks of both nonlinearities and train_loss of tanh, delta = 0.5 and lambda = 0.1."""
SAMPLE_WISE = {(20, 0.3): 0.7465, (30, 0.3): 0.8511, (20, 0.7): 0.4638, (30, 0.7): 0.5203}
LINEAR_OFF = {20: 1.0010, 30: 1.0010}
"""Printed risks at r = 0."""


def printed_numbers(_: Seeds) -> list[np.ndarray]:
    """Evidence: to four decimals."""
    return [
        np.array(list(each.values())) for each in (RELU_ROWS, TANH_ROWS, TRAIN_ROWS, SAMPLE_WISE, LINEAR_OFF)
    ]


def as_computed(
    _: object, relu: bool = False, train: bool = False, started: bool = True, lam: float = 0.1
) -> list[np.ndarray]:
    """The claim: what the data are. Wrong: that relu's coefficients were used, that train_loss is the
    training error, that the equations were iterated at r = 0, and another lambda of the sample-wise curves.
    """
    own = RELU if relu else TANH
    of_tanh = {at: place(*at, TANH) for at in TANH_ROWS}
    points = {at: student.fixed_point() for at, student in of_tanh.items()}
    return [
        np.array([place(*at, RELU).fixed_point().risk(own) for at in RELU_ROWS]),
        np.array([route(student)[0] for student in of_tanh.values()]),
        np.array(
            [route(each)[1] if train else each.printed(points[at], TANH) for at, each in of_tanh.items()]
        ),
        np.array([route(replace(many_samples(*at), lam=lam))[0] for at in SAMPLE_WISE]),
        np.array([
            Overlaps().risk(Nonlinearity(0.0, 1.0)) if started else route(many_samples(j, 0.0))[0]
            for j in LINEAR_OFF
        ]),
    ]  # fmt: skip


@worst_of
def to_four_decimals(evidence: list[np.ndarray], claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Half of the last decimal, and the sixth of the published coefficients of tanh."""
    for found, claim in zip(evidence, claimed, strict=True):
        yield within_bound(claim - found, 0.5e-4 + 2e-6, "half of the fourth decimal", "printed number")


DATA = check(
    id="rf-triple-data",
    title="the route and the saddle-point equations reproduce the published data of triple descent",
    ref="data of the figures of the phase space and of sample-wise curves",
    paper="dascoli2020triple",
    evidence=printed_numbers,
    claim=as_computed,
    judge=to_four_decimals,
    effect=Measured(lambda found: min(np.abs(each).max() for each in found), "the printed numbers"),
    wrong=(
        WrongClaim("relu rows combined with the coefficients of relu", partial(as_computed, relu=True)),
        WrongClaim("train_loss equal to the training error", partial(as_computed, train=True)),
        WrongClaim("rows of r = 0 iterated to the fixed point", partial(as_computed, started=False)),
    ),
    errata=misprints({"rf-sample-wise-lambda": partial(as_computed, lam=1e-3)}),
)

CHECKS = (SADDLE_POINT, DATA)
