"""The tail index of real SGD by three estimators, and of what the published one says.

Two of them see sizes alone, one steps alone; none knows h. The bias of an estimate from the k largest of N
sizes falls like (k/N)^(1/alpha), or faster: for alpha <= 2 that of k is at most by what 4k differs from k.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

HEAVY = ((1.2, 1, 1), (0.7124, 2, 3), (0.9, 2, 2))
"""Step size, batch, dimension: alpha < 2, where sizes are a power law from small ones on."""

LIGHT = ((0.45, 1, 2), (0.5, 2, 3))
"""alpha > 2: steps alone tell the index."""

DRAWS, CHAINS, TOP = 24, 4000, 40
STEPS_DRAWS, STEPS_CHAINS = 12, 2000

Key = tuple[str, tuple[float, int, int]]
"""Estimator and case."""

Found = tuple[np.ndarray, float]
"""Estimates, (draws, 1), and what their mean may be off."""


def estimates(seeds: Seeds) -> dict[Key, Found]:
    """Evidence: for each estimator and case."""
    found = {}
    for case in HEAVY:
        c, b, d = case
        for estimator in ("hill", "rank"):
            of = partial(
                ask, "stationary", "simulation", "tail_index", c, seeds(DRAWS), batch=b, d=d, chains=CHAINS
            )
            near, far = (of(estimator=estimator, top=top) for top in (TOP, 4 * TOP))
            found[estimator, case] = near, abs(float(np.mean(far - near)))
    for case in HEAVY + LIGHT:
        c, b, d = case
        asked: dict[str, Any] = {"seeds": seeds(STEPS_DRAWS), "estimator": "growth", "chains": STEPS_CHAINS}
        grown = ask("stationary", "simulation", "tail_index", c, batch=b, d=d, **asked)
        found["growth", case] = grown, 0.0
    return found


def solved(evidence: dict[Key, Found], more: int = 0, times: float = 1.0) -> dict[Key, np.ndarray]:
    """The claim: h(alpha) = 1. Wrong with so many examples more, or for a step so many times larger."""
    at = {
        case: ask("stationary", "exact", "tail_index", times * case[0], batch=case[1] + more, d=case[2])
        for case in HEAVY + LIGHT
    }
    return {key: at[key[1]] for key in evidence}


@worst_case
def within(found: Found, claimed: np.ndarray) -> Verdict:
    """The mean over draws."""
    return mean_within_errors(found[0], claimed, bias=found[1])


TAIL = check(
    id="ht-tail",
    title="the tail index of SGD, by its sizes and by its steps, against h(alpha) = 1",
    ref="the tail index of the stationary law",
    paper="gurbuzbalaban2021",
    evidence=estimates,
    claim=solved,
    judge=within,
    teeth=(
        Tooth("one example more", partial(solved, more=1)),
        Tooth("a step a fifth smaller", partial(solved, times=0.8)),
    ),
    effect=Contrast("one example more", "what one example changes"),
    functions=(entry("stationary", "exact"), entry("stationary", "simulation")),
    covers=("Heavy tails of Gaussian data",),
    also=(("isis2021", "Simsekli: heavy tails of Gaussian data"),),
    slow=True,
)

# The published estimator ---------------------------------------------------------------------------------

SMALL = (0.4, 0.2, 0.1)
"""Step sizes at which iterates are ever more nearly normal: alpha from 6 to 33."""

QUESTION: dict[str, Any] = {"batch": 2, "d": 3, "chains": 2000}


def published(seeds: Seeds) -> np.ndarray:
    """Evidence: what the estimator for stable laws says of SGD, one row a draw, step sizes side by side."""
    asked: dict[str, Any] = {"seeds": seeds(DRAWS), "estimator": "stable", **QUESTION}
    found = [ask("stationary", "simulation", "tail_index", c, **asked) for c in SMALL]
    return np.hstack(found)


def of_normal_vectors(_: object, factor: float = 1.0) -> np.ndarray:
    """The claim: 2, as of the normal law, which is stable."""
    return np.full(len(SMALL), 2 * factor)


def the_index(_: object) -> np.ndarray:
    """Wrong: the tail index."""
    return np.concatenate([ask("stationary", "exact", "tail_index", c, batch=2, d=3) for c in SMALL])


def close_to(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """What is left of heavier tails is at most what the estimate changed by from twice the step size."""
    means = found.mean(axis=0)
    return mean_within_errors(found[:, -1:], claimed[-1:], bias=abs(means[-1] - means[-2]))


ESTIMATORS = check(
    id="ht-estimators",
    title="the published estimator tells 2 of SGD with a small step, whose tail index is above 30",
    ref="estimator of the tail index",
    evidence=published,
    claim=of_normal_vectors,
    judge=close_to,
    teeth=(
        Tooth("the tail index", the_index),
        Tooth("a tenth more than 2", partial(of_normal_vectors, factor=1.1)),
    ),
    effect=WHOLE,
    functions=(entry("stationary", "exact"), entry("stationary", "simulation")),
    slow=True,
)

# Two strengths ------------------------------------------------------------------------------------------

SPECTRA: tuple[tuple[float, dict[str, Any]], ...] = (
    (0.5, {"d": 4, "p": 2, "kappa": 2.0, "batch": 2}),
    (0.6, {"d": 3, "p": 1, "kappa": 1.5, "batch": 2}),
)
"""Step size, and the rest: alpha near 1.7 and 1.8."""


GROWN, POPULATION = 8, 4000
"""Draws of a population of directions, and its size: one of half the size hangs on too few of them."""


def of_spectra(seeds: Seeds) -> list[list[Found]]:
    """Evidence: by the largest sizes, with their bias, and of the first by a population too."""
    found = []
    for eta, rest in SPECTRA:
        of = partial(ask, "stationary", "simulation", "tail_index", eta, **rest)
        near, far = (of(seeds=seeds(DRAWS), chains=CHAINS, top=top) for top in (TOP, 4 * TOP))
        found.append([(near, abs(float(np.mean(far - near))))])
    eta, rest = SPECTRA[0]
    asked: dict[str, Any] = {"seeds": seeds(GROWN), "chains": POPULATION, "estimator": "growth", **rest}
    found[0].append((ask("stationary", "simulation", "tail_index", eta, **asked), 0.0))
    return found


def by_transfer(_: object, alike: bool = False, more: int = 0) -> list[np.ndarray]:
    """The claim: the eigenvalue that is 1. Wrong if all inputs were alike, or with another batch."""
    found = []
    for eta, rest in SPECTRA:
        of = rest | {"batch": rest["batch"] + more} | ({"p": None, "kappa": 1.0} if alike else {})
        found.append(ask("stationary", "exact" if alike else "transfer", "tail_index", eta, **of))
    return found


@worst_case
def each(found: list[Found], claimed: np.ndarray) -> list[Verdict]:
    """Each estimator."""
    return [mean_within_errors(sample, claimed, bias=bias) for sample, bias in found]


SPECTRUM = check(
    id="ht-spectrum",
    title="inputs of two strengths: the tail index by sizes and by steps, against a transfer operator",
    ref="the tail index of the stationary law, for inputs of any covariance",
    evidence=of_spectra,
    claim=by_transfer,
    judge=each,
    teeth=(
        Tooth("all inputs alike", partial(by_transfer, alike=True)),
        Tooth("one example more", partial(by_transfer, more=1)),
    ),
    effect=Contrast("all inputs alike", "what unequal strengths change"),
    functions=(entry("stationary", "transfer"), entry("stationary", "simulation")),
    slow=True,
)

CHECKS = (TAIL, SPECTRUM, ESTIMATORS)
