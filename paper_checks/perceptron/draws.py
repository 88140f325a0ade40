"""Students trained on drawn examples, and message passing, against the limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors, none_wrong
from teacherstudent.paper_checks.judging.comparison import Found, Values, scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Verdict, worst_verdict
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.perceptron import compared

# Bias like 1/d ------------------------------------------------------------------------------------------

CENTRE, MEMBER = "the centre of the version space", "a random member of the version space"
NOISY: dict[str, Any] = {"noise": 0.5, "kappa": 3.0}
"""Noise in the labels, and half of the inputs three times as strong as the others."""
Wrong = dict[str, dict[str, Any]]
LOUDER: Wrong = {"label noise a third larger": {"noise": scaled(4 / 3)}}
MORE: Wrong = {"20 % more examples": {"times": scaled(1.2)}}
FEWER: Wrong = {"20 % fewer examples": {"times": scaled(0.8)}}
MIXED: Wrong = {"input strengths closer together": {"kappa": scaled(2 / 3)}}
HEBBIAN: Wrong = {"Hebb's rule": {"rule": "hebb"}}


def drawn_check(
    id: str,
    title: str,
    draws: Mapping[int, int],
    alphas: tuple[float, ...],
    variables: tuple[str, ...],
    wrong: Mapping[str, Mapping[str, Any]],
    whole: bool = False,
    **own: Any,
) -> Check:
    """A check of one rule at these alpha, with draws by dimension; it is about the first of the wrong claims.

    whole: what is drawn is so dear that dimensions are small, and the next orders show: that the exponent is
    whole is assumed, since away from transitions these averages go in powers of 1/d; its -1 is measured.
    """
    effect = next(iter(wrong))
    return compared(
        id=id,
        title=f"{title} approaches the large-system limit, with a bias proportional to 1/d{whole * TAKEN}",
        ref="means over draws",
        clocks={"examples": {"times": alphas}},
        questions=lambda d: {"d": d, **own},
        routes=("simulation", "asymptotic"),
        observables=variables,
        draws=draws,
        judge=AtSizes(whole),
        effect=Contrast(effect, effect),
        wrong=wrong,
        slow=True,
    )


TAKEN = " (at these sizes, the next order cannot be separated from this bias)"
"""Of what is so dear to draw that its exponent is not measured finely."""

DRAWN = (
    drawn_check(
        "pc-hebb",
        "Hebb's rule on drawn examples with label noise and two input strengths",
        {8: 28000, 16: 24000, 32: 20000, 128: 2500},
        (0.5, 1.0, 4.0),
        ("angle",),
        LOUDER | MORE | MIXED | {"least squares": {"rule": "pseudo-inverse", "times": (0.5, 1.5, 4.0)}},
        rule="hebb",
        **NOISY,
    ),
    drawn_check(
        "pc-pseudo-inverse",
        "least squares on the labels of drawn examples, below and above alpha = 1,",
        {6: 8000, 12: 6000, 24: 4000, 48: 800},
        (0.5, 2.0, 4.0),
        ("angle",),
        MORE | HEBBIAN,
        rule="pseudo-inverse",
    ),
    drawn_check(
        "pc-max-stability",
        "the largest-margin student of drawn examples",
        {8: 26000, 16: 22000, 32: 5000, 60: 300},
        (0.5, 1.0, 1.5),
        ("angle", "margin"),
        MORE | {"random labels": {"labels": "random"}},
        rule="max-stability",
        labels="teacher",
    ),
    drawn_check(
        "pc-random-margin",
        "the largest margin of drawn random labels (Gardner's problem)",
        {4: 20000, 8: 20000, 16: 12000, 60: 200},
        (0.25, 0.5, 0.75),
        ("margin",),
        MORE | {"labels of a teacher": {"labels": "teacher"}},
        rule="max-stability",
        labels="random",
    ),
    drawn_check(
        "pc-gibbs",
        "a randomly drawn member of the version space",
        {4: 800, 8: 600, 12: 200, 24: 40},
        (0.5, 1.0, 2.0),
        ("angle",),
        {CENTRE: {"rule": "bayes"}} | HEBBIAN,
        whole=True,
        rule="gibbs",
    ),
    drawn_check(
        "pc-bayes",
        "the majority label of the version space",
        {4: 2500, 8: 1200, 12: 300, 24: 130},
        (0.5, 1.0, 2.0),
        ("angle",),
        {MEMBER: {"rule": "gibbs"}} | HEBBIAN,
        whole=True,
        rule="bayes",
    ),
    *(
        drawn_check(
            f"pc-enumeration-{id}",
            f"enumerated students with binary weights: the {words}",
            {6: 6000, 9: 6000, 12: 6000, 18: 5000},
            alphas,
            (name,),
            MORE | FEWER,
            whole=True,
            rule="gibbs",
            weights="binary",
        )
        for id, name, words, alphas in (
            ("entropy", "entropy", "entropy", (1 / 3, 2 / 3, 1.0)),
            ("overlap", "R", "overlap well below the transition", (1 / 3, 2 / 3)),
        )
    ),
    *(
        drawn_check(
            f"pc-{name}",
            f"training with {name} loss and a ridge on noisy labels and two input strengths",
            draws,
            (0.5, 2.0, 5.0),
            ("angle", "Q", "training_loss"),
            LOUDER
            | MIXED
            | {"ridge twice as large": {"ridge": scaled(2.0)}, "another loss": {"rule": other}},
            rule=name,
            ridge=0.3,
            **NOISY,
        )
        for name, other, draws in (
            ("square", "logistic", {12: 18000, 24: 14000, 48: 7000, 96: 300}),
            ("logistic", "square", {12: 14000, 24: 11000, 48: 6000, 96: 300}),
            ("hinge", "square", {10: 8000, 20: 6000, 40: 4000, 80: 400}),
        )
    ),
)

# Message passing follows the metastable branch past the transition, up to the spinodal ------------------

ALPHAS = (0.5, 1.0, 1.2, 1.35, 2.0, 2.4)
"""Up to near the transition, beyond it, and beyond the spinodal, where the teacher is found."""
UNSETTLED = (2.0,)
"""Where some draws have not found it: a mean of two outcomes is no test, the outcome of most draws is."""
FOUND = 1 - 1e-9
"""Overlap from which the student is the teacher; the next one has 1 - 2/d."""


def at_each_size(found: Found, claimed: list[Values]) -> Verdict:
    """means at three sizes, and whether most draws find the teacher, agree with the limit"""
    plain = ~np.isin(ALPHAS, UNSETTLED)
    pairs = [(case.flat, claim["R"]) for case, claim in zip(found.cases, claimed, strict=True)]
    means = (mean_within_errors(each[:, plain], claim[plain]) for each, claim in pairs)
    most = np.array([(np.median(each, axis=0) > FOUND) != (claim > FOUND) for each, claim in pairs])
    return worst_verdict(
        none_wrong(most.sum(), most.size, "whether most draws find the teacher", "points"), *means
    )


MESSAGES = compared(
    id="pc-binary-messages",
    title="beyond the transition, message passing for binary weights stays on the branch for few examples",
    ref="first-order transition of binary weights",
    clocks={"examples": {"times": ALPHAS, "rule": "bayes", "weights": "binary"}},
    questions=lambda d: {"d": d},
    routes=("message-passing", "metastable"),
    observables=("R",),
    draws={250: 60, 500: 50, 1000: 24},
    judge=at_each_size,
    effect=Contrast("the equilibrium branch", "the jump at the transition"),
    wrong={
        "the equilibrium branch": {"route": "asymptotic"},
        "a random member of the version space": {"rule": "gibbs"},
        "10 % more examples": {"times": scaled(1.1)},
    },
    functions=("theory.perceptron.asymptotic:examples",),
    slow=True,
)

CHECKS = (*DRAWN, MESSAGES)
