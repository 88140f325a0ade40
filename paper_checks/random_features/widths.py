"""Test errors over the width: a U below interpolation, and a second descent beyond that ends lower.

Theory of infinite sizes says in which order the risks are, and which students fit their noisy labels; drawn
students are trained by gradient descent. At these sizes the risks themselves are up to twice the limit's.
Labels of no noise, or of twice as much, have the same order: it is all that is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.random_features import check

SETTING: dict[str, Any] = {"d": 30, "n": 120, "activation": "erf", "noise": 0.3, "learning_rate": 0.02}
STEPS, DRAWS = 1e6, 40
START = 3.0
"""Standard deviation of the weights of another interpolator at its start."""
STUDENTS: dict[str, dict[str, Any]] = {
    "few": {"width": 8},
    "best": {"width": 56},
    "almost": {"width": 98},
    "just": {"width": 150},
    "many": {"width": 480},
    "many, random start": {"width": 480, "init": START},
}
ORDER = {
    "the U falls": ("few", "best"),
    "the U rises": ("almost", "best"),
    "the error descends again": ("just", "many"),
    "below the U": ("best", "many"),
    "least norm matters": ("many, random start", "best"),
}
"""Pairs of students whose risks differ."""
ENDED = ("best", "many", "many, random start")
"""Students whose training error has ended: at 0, or above."""
NOTHING = 1e-20
"""Of a training error, in output^2: the square of the rounding of an output is 1e-30."""


class Errors(NamedTuple):
    """Excess risk and training error by student, (draws,), or what the limit says of them."""

    risk: dict[str, Any]
    training: dict[str, Any]


def trained(seeds: Seeds) -> Errors:
    """Evidence: both errors of every student on the same examples."""
    return _errors("simulation", seeds=seeds(DRAWS))


def _errors(route: str, **own: Any) -> Errors:
    answers = {
        name: run("random-features", "descent", route, [STEPS], **{**SETTING, **student, **own})
        for name, student in STUDENTS.items()
    }
    return Errors(
        {name: answer["excess_risk"].values[..., 0] for name, answer in answers.items()},
        {name: answer["training_error"].values[..., 0] for name, answer in answers.items()},
    )


class Said(NamedTuple):
    """Which of each pair errs more (+1: the first), and which students fit their labels."""

    signs: dict[str, int]
    fits: tuple[str, ...]


def by_theory(_: object, **own: Any) -> Said:
    """The claim: the limit's order; wrong for another question."""
    risk, training = _errors("asymptotic", **own)
    signs = {name: int(np.sign(risk[one] - risk[other])) for name, (one, other) in ORDER.items()}
    return Said(signs, tuple(name for name in ENDED if training[name] < NOTHING))


def otherwise(statement: str, evidence: object) -> Said:
    """Wrong: one of the pairs is the other way round."""
    signs, fits = by_theory(evidence)
    return Said({**signs, statement: -signs[statement]}, fits)


def never_fits(evidence: object) -> Said:
    """Wrong: no student fits noisy labels."""
    return Said(by_theory(evidence).signs, ())


@worst_of
def in_order(found: Errors, said: Said) -> Iterator[Verdict]:
    """Mean differences have their signs; a training error is nothing in each draw, or above in the mean."""
    for name, (one, other) in ORDER.items():
        yield above_zero(said.signs[name] * (found.risk[one] - found.risk[other])[None], "excess risk")
    for name in ENDED:
        error = found.training[name]
        if name in said.fits:
            yield within_bound(error, NOTHING, "rounding of the outputs, squared", "training error")
        else:
            yield above_zero(error[None] - NOTHING, "training error")


WIDTHS = check(
    id="rf-double-descent",
    title="a U below interpolation; beyond, noisy labels are fitted and the risk of least norm ends lower; "
    "in order, not in value, and not finely enough to tell the noise",
    paper="isis2021",
    ref="abstract of M. Belkin's talk",
    evidence=trained,
    claim=by_theory,
    judge=in_order,
    effect=Measured(lambda found: float(np.mean(found.training["best"])), "the training error before"),
    teeth=(
        Tooth("no U before interpolation", partial(otherwise, "the U rises")),
        Tooth("beyond interpolation the U goes on", partial(otherwise, "the error descends again")),
        Tooth("an interpolator is worse than the best of the U", partial(otherwise, "below the U")),
        Tooth("any interpolator will do", partial(otherwise, "least norm matters")),
        Tooth("no student fits noisy labels", never_fits),
        Tooth("three times as many samples", partial(by_theory, n=360)),
    ),
    slow=True,
)

CHECKS = (WIDTHS,)
