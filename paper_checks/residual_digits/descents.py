"""Regimes of weight decay, and two descents, at steps that theory names from other draws."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import above_zero, mean_within_errors
from teacherstudent.paper_checks.judging.cases import stated, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.residual_digits import check
from teacherstudent.problems.residual_digits import PROBLEM

RATE, LAST = 12.0, 5000
NAMING = 40
"""Draws of which theory names the steps; none of them is trained."""


@cache
def named(seeds: tuple[int, ...]) -> tuple[int, int, int]:
    """Steps of the theory's mean test error: its first minimum, the next maximum, the lowest after it."""
    from teacherstudent.theory.residual_digits.descent import descent

    steps = np.unique(np.round(np.geomspace(1, LAST, 60)).astype(int))
    found = descent(PROBLEM.instance(), steps, learning_rate=RATE, seeds=seeds)["test_error"].mean(axis=0)
    first = int(np.argmax(np.diff(found) > 0))
    top = first + int(np.argmax(found[first:]))
    low = top + int(np.argmin(found[top:]))
    return int(steps[first]), int(steps[top]), int(steps[low])


def changes(route: str, steps: tuple[int, ...], seeds: list[int], **question: Any) -> np.ndarray:
    """By how much the test error changes from each step to the next, (S, 2)."""
    from teacherstudent.house.running import run

    answer = run("residual-digits", "descent", route, steps, seeds=seeds, learning_rate=RATE, **question)
    return np.diff(answer["test_error"].values, axis=1)


# Two descents -------------------------------------------------------------------------------------

NETWORKS, LINEAR = 44, 12
"""Draws with the skip; without it, where changes are large."""


def both(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: changes to the maximum and to the end, (S, 2); without a skip to the first, (S, 1)."""
    steps = named(tuple(seeds(NAMING, "naming")))
    return {
        "skip": changes("simulation", steps, seeds(NETWORKS)),
        "no skip": changes("simulation", steps, seeds(LINEAR, "no skip"), skip_scale=0.0)[:, :1],
    }


@worst_case
def directions(found: np.ndarray, signs: tuple[int, ...]) -> Verdict:
    """Mean changes have these signs."""
    return above_zero((found * np.array(signs)).T, "share of images")


UP_AND_DOWN = {"skip": (1, -1), "no skip": (-1,)}

TWO_DESCENTS = check(
    id="rd-two-descents",
    title="the test error of a real network rises and falls again, at the steps that theory names",
    ref="Fig. 5 a, b: temporary overfitting of a network, for small weight decay",
    paper="pezeshki2022",
    evidence=both,
    claim=stated(UP_AND_DOWN),
    judge=directions,
    teeth=(
        Tooth("no second descent", stated({**UP_AND_DOWN, "skip": (1, 1)})),
        Tooth("no rise", stated({**UP_AND_DOWN, "skip": (-1, -1)})),
        Tooth("a rise without the fast scale", stated({**UP_AND_DOWN, "no skip": (1,)})),
    ),
    slow=True,
)

# Regimes of weight decay --------------------------------------------------------------------------

DECAYS = {"large": 3e-2, "intermediate": 1e-3, "small": 1e-4}
DRAWS = 12
NARROW, WIDE = 32, 128


def regimes(seeds: Seeds) -> dict[str, Mapping[str, np.ndarray]]:
    """Evidence: changes by theory and by networks of two widths, on the same draws, (S, 2) by decay."""
    steps, drawn = named(tuple(seeds(NAMING, "naming"))), seeds(DRAWS)

    def at(decay: float) -> dict[str, np.ndarray]:
        ask = partial(changes, steps=steps, seeds=drawn, weight_decay=decay)
        widths = {"narrow": NARROW, "wide": WIDE}
        return {
            "theory": ask("kernel"),
            **{name: ask("simulation", width=width) for name, width in widths.items()},
        }

    return {name: at(decay) for name, decay in DECAYS.items()}


Found = Mapping[str, Mapping[str, np.ndarray]]


def predicted(found: Found, **exchanged: str) -> dict[str, np.ndarray]:
    """The claim: mean changes by theory, (2,); wrong: those of another weight decay."""
    return {name: found[exchanged.get(name, name)]["theory"].mean(axis=0) for name in found}


@worst_case
def changed(found: Mapping[str, np.ndarray], wanted: np.ndarray) -> Verdict:
    """Draw by draw, with a bias that is at most what a width four times as large changes.

    Distances shrink like width^(-1/2) or faster: what is left is at most what was lost.
    """
    apart = found["wide"] - found["theory"]
    bias = np.abs(found["wide"].mean(axis=0) - found["narrow"].mean(axis=0))
    return mean_within_errors(apart + found["theory"].mean(axis=0), wanted, bias=bias)


REGIMES = check(
    id="rd-regimes",
    title="a large weight decay stops all features, an intermediate one the slow ones, a small one none",
    ref="Section 4.3.3: large, intermediate and small ridge",
    paper="pezeshki2022",
    evidence=regimes,
    claim=predicted,
    judge=changed,
    effect=Contrast("each as with the next decay", "what the next decay changes"),
    teeth=(
        Tooth(
            "each as with the next decay",
            partial(predicted, large="intermediate", intermediate="small", small="large"),
        ),
        Tooth("a large decay as a small one", partial(predicted, large="small")),
        Tooth("a small decay as a large one", partial(predicted, small="large")),
    ),
    slow=True,
)

CHECKS = (TWO_DESCENTS, REGIMES)
