"""Students trained on drawn examples, and message passing, against the limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors, none_wrong
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.judging.finite_size import (
    Changes,
    Family,
    against_limit,
    scaled,
)
from teacherstudent.paper_checks.perceptron import check
from teacherstudent.paper_checks.perceptron.kit.asking import DYNAMICS, ID, asked

LOUDER = "label noise a third larger"
MORE = "a fifth more examples"
CENTRE, MEMBER = "centre of the version space", "a random member"
MIXED = "strengths closer together"
NOISY: dict[str, Any] = {"noise": 0.5, "kappa": 3.0}
"""Noise in the labels, and half of the inputs three times as strong as the others."""


def another(value: Any) -> Any:
    """A keyword that has another value in a wrong claim."""
    return lambda _: value


def more(alphas: tuple[float, ...]) -> tuple[float, ...]:
    """A fifth more examples."""
    return tuple(1.2 * a for a in alphas)


def fewer(alphas: tuple[float, ...]) -> tuple[float, ...]:
    """A fifth fewer examples."""
    return tuple(0.8 * a for a in alphas)


def drawn_check(
    id: str,
    title: str,
    draws: Mapping[int, int],
    alphas: tuple[float, ...],
    variables: tuple[str, ...],
    wrong: Mapping[str, Changes],
    effect: str,
    *,
    paper: str = "",
    ref: str = "means over draws",
    covers: tuple[str, ...] = (),
    whole: bool = False,
    **own: Any,
) -> Check:
    """A check of one rule at these alpha, with draws by dimension.

    The exponent of the bias is measured at all dimensions but the last, which is compared. effect: the wrong
    claim that it is about. whole: what is drawn is so dear that dimensions are small, and the next orders
    show: that the exponent is whole is assumed, since away from transitions these averages go in powers of
    1/d; that it is -1 is measured.
    """
    *small, large = draws
    family = Family(
        ID, DYNAMICS, variables, lambda d: {"d": d, "times": alphas, **own},
        draws={d: draws[d] for d in small}, large=(large, draws[large]), whole=whole,
    )  # fmt: skip
    parts = against_limit(family, "asymptotic", wrong, effect=Contrast(effect, effect))
    return check(id=id, title=title, paper=paper, ref=ref, covers=covers, **parts)


TAKEN = "bias like 1/d, which these sizes cannot tell from the next order"
"""Of what is so dear to draw that its exponent is not measured finely."""

EXAMPLES: Changes = {"times": more}
NOISE: Changes = {"noise": scaled(4 / 3)}
STRENGTHS: Changes = {"kappa": scaled(2 / 3)}


def rule(name: str) -> Changes:
    """Another rule in its place."""
    return {"rule": another(name)}


HEBB = drawn_check(
    "pc-hebb",
    "Hebb's rule on drawn examples, with noise and two strengths: bias like 1/d",
    {8: 28000, 16: 24000, 32: 20000, 128: 2500},
    (0.5, 1.0, 4.0),
    ("angle",),
    {
        LOUDER: NOISE,
        MORE: EXAMPLES,
        MIXED: STRENGTHS,
        "least squares": {**rule("pseudo-inverse"), "times": another((0.5, 1.5, 4.0))},
    },
    LOUDER,
    rule="hebb",
    **NOISY,
)
PSEUDO_INVERSE = drawn_check(
    "pc-pseudo-inverse",
    "least squares on the labels of drawn examples, below and above alpha = 1: bias like 1/d",
    {6: 8000, 12: 6000, 24: 4000, 48: 800},
    (0.5, 2.0, 4.0),
    ("angle",),
    {MORE: EXAMPLES, "Hebb's rule": rule("hebb")},
    MORE,
    rule="pseudo-inverse",
)
STABLE = drawn_check(
    "pc-max-stability",
    "the largest margin on drawn examples: bias like 1/d",
    {8: 26000, 16: 22000, 32: 5000, 60: 300},
    (0.5, 1.0, 1.5),
    ("angle", "margin"),
    {MORE: EXAMPLES, "random labels": {"labels": another("random")}},
    MORE,
    rule="max-stability",
    labels="teacher",
)
STORED = drawn_check(
    "pc-random-margin",
    "the largest margin of random labels, against Gardner's: bias like 1/d",
    {4: 20000, 8: 20000, 16: 12000, 60: 200},
    (0.25, 0.5, 0.75),
    ("margin",),
    {MORE: EXAMPLES, "labels of a teacher": {"labels": another("teacher")}},
    MORE,
    rule="max-stability",
    labels="random",
)
GIBBS = drawn_check(
    "pc-gibbs",
    f"random members of the version space: {TAKEN}",
    {4: 800, 8: 600, 12: 200, 24: 40},
    (0.5, 1.0, 2.0),
    ("angle",),
    {CENTRE: rule("bayes"), "Hebb's rule": rule("hebb")},
    CENTRE,
    whole=True,
    rule="gibbs",
)
BAYES = drawn_check(
    "pc-bayes",
    f"the label that most of the version space gives: {TAKEN}",
    {4: 2500, 8: 1200, 12: 300, 24: 130},
    (0.5, 1.0, 2.0),
    ("angle",),
    {MEMBER: rule("gibbs"), "Hebb's rule": rule("hebb")},
    MEMBER,
    whole=True,
    rule="bayes",
)
BINARY, BINARY_OVERLAP = (
    drawn_check(
        f"pc-enumeration-{id}",
        f"binary weights: {words} of all students left, by enumeration: {TAKEN}",
        {6: 6000, 9: 6000, 12: 6000, 18: 5000},
        alphas,
        (name,),
        {MORE: EXAMPLES, "a fifth fewer examples": {"times": fewer}},
        MORE,
        whole=True,
        rule="gibbs",
        weights="binary",
    )
    for id, name, words, alphas in (
        ("entropy", "entropy", "entropy", (1 / 3, 2 / 3, 1.0)),
        ("overlap", "R", "overlap, well below the transition,", (1 / 3, 2 / 3)),
    )
)
SQUARE, LOGISTIC, HINGE = (
    drawn_check(
        f"pc-{name}",
        f"{name} loss with a ridge on noisy labels and two strengths: bias like 1/d",
        draws,
        (0.5, 2.0, 5.0),
        ("angle", "Q", "training_loss"),
        {
            LOUDER: NOISE,
            MIXED: STRENGTHS,
            "ridge twice as large": {"ridge": scaled(2.0)},
            "another loss": rule(other),
        },
        LOUDER,
        rule=name,
        ridge=0.3,
        **NOISY,
    )
    for name, other, draws in (
        ("square", "logistic", {12: 18000, 24: 14000, 48: 7000, 96: 300}),
        ("logistic", "square", {12: 14000, 24: 11000, 48: 6000, 96: 300}),
        ("hinge", "square", {10: 8000, 20: 6000, 40: 4000, 80: 400}),
    )
)

# Message passing follows the metastable branch past the transition, up to the spinodal -------------------

ALPHAS = (0.5, 1.0, 1.2, 1.35, 2.0, 2.4)
"""Up to near the transition, beyond it, and beyond the spinodal, where the teacher is found."""
UNSETTLED = (2.0,)
"""Where some draws have not found it: a mean of two outcomes is no test, the outcome of most draws is."""
FOUND = 1 - 1e-9
"""Overlap from which the student is the teacher; the next one has 1 - 2/d."""
PASSED = {250: 60, 500: 50, 1000: 24}
"""By dimension."""
ASKED: dict[str, Any] = {"rule": "bayes", "weights": "binary"}


def settled(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: by dimension the overlap of each draw, (S, T)."""
    return {
        d: asked("message-passing", ["R"], ALPHAS, seeds(draws, f"d={d}"), d=d, **ASKED)
        for d, draws in PASSED.items()
    }


def followed(_: object, route: str = "metastable", rule: str = "bayes", more: float = 1.0) -> np.ndarray:
    """The claim, (T,); wrong in equilibrium, of a random member, or of more examples."""
    alphas = more * np.array(ALPHAS)
    return asked(route, ["R"], alphas, **{**ASKED, "rule": rule})


def at_each_size(found: Mapping[int, np.ndarray], claimed: np.ndarray) -> Verdict:
    """Means at three sizes, and whether most draws find the teacher, each against the limit.

    The bias of means is too small to be seen at any size: nothing is extrapolated.
    """
    plain = ~np.isin(ALPHAS, UNSETTLED)
    means = (mean_within_errors(each[:, plain], claimed[plain]) for each in found.values())
    most = np.array([np.median(each, axis=0) > FOUND for each in found.values()])
    wrong = int(np.sum(most != (claimed > FOUND)))
    return worst(none_wrong(wrong, most.size, "most draws find the teacher, or do not", "points"), *means)


MESSAGES = check(
    id="pc-binary-messages",
    title="binary weights by message passing: past the transition still on the branch of few examples",
    ref="first-order transition of binary weights",
    evidence=settled,
    claim=followed,
    judge=at_each_size,
    effect=Contrast("equilibrium", "the jump at the transition"),
    teeth=(
        Tooth("equilibrium", lambda found: followed(found, route="asymptotic")),
        Tooth("a random member", lambda found: followed(found, rule="gibbs")),
        Tooth("a tenth more examples", lambda found: followed(found, more=1.1)),
    ),
    functions=(
        "sims.perceptron.messages:messages",
        "theory.perceptron.asymptotic:examples",
        "theory.perceptron.asymptotic:metastable",
    ),
    slow=True,
)

CHECKS = (
    HEBB,
    PSEUDO_INVERSE,
    STABLE,
    STORED,
    GIBBS,
    BAYES,
    BINARY,
    BINARY_OVERLAP,
    SQUARE,
    LOGISTIC,
    HINGE,
    MESSAGES,
)
