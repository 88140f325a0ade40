"""Excess risk, where it is finite: in the end, and on the way there."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit import laws
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

CASES: tuple[dict[str, Any], ...] = (
    {"learning_rate": 0.3, "batch": 1, "d": 1},
    {"learning_rate": 0.3, "batch": 2, "d": 3, "noise": 0.7},
    {"learning_rate": 0.25, "batch": 3, "d": 4, "p": 2, "kappa": 2.0},
)
"""All with a tail index above 4: the mean over students has a standard error."""

STEPS = (1, 4, 16)
DRAWS, CHAINS, STUDENTS = 12, 1000, 400

Risks = tuple[np.ndarray, np.ndarray]
"""Over the claims: in the end, (draws, 1), and on the way, (draws, steps)."""


def simulated(seeds: Seeds) -> list[Risks]:
    """Evidence: excess risks, one row a draw."""
    found = []
    for case in CASES:
        rate, rest = case["learning_rate"], {k: v for k, v in case.items() if k != "learning_rate"}
        end = ask("stationary", "simulation", "excess_risk", rate, seeds=seeds(DRAWS), chains=CHAINS, **rest)
        way = ask("sgd", "simulation", "excess_risk", STEPS, seeds=seeds(STUDENTS, "way"), **case)
        found.append((end, way))
    return found


def solved(_: object, noise: float = 1.0, own: int = 1) -> list[Risks]:
    """The claim: of all spectra. Wrong with other noise, or without a batch's own fourth moments."""
    found = []
    for case in CASES:
        rate, rest = case["learning_rate"], {k: v for k, v in case.items() if k != "learning_rate"}
        rest["noise"] = noise * rest.get("noise", 1.0)
        end = ask("stationary", "moments", "excess_risk", rate, **rest)
        way = ask("sgd", "moments", "excess_risk", STEPS, learning_rate=rate, **rest)
        found.append((end, way))
    if own:
        return found
    return [(end * without_own(case), way) for case, (end, way) in zip(CASES, found, strict=True)]


def without_own(case: dict[str, Any]) -> float:
    """What the excess risk in the end would be over what it is, if E (a.v)^2 a a^T were Sigma E (a.v)^2."""
    from teacherstudent.problems.heavy_tails import PROBLEM

    rest = {k: v for k, v in case.items() if k != "learning_rate"}
    problem = PROBLEM.instance(**rest)
    of = problem.counts, problem.strengths, case["learning_rate"], problem.batch, problem.noise
    return laws.risk_of(*of, own=-1) / laws.risk_of(*of)


@worst_case
def relatively(found: Risks, claimed: Risks) -> list[Verdict]:
    """Both over the claim."""
    return [mean_within_errors(one / other, 1.0) for one, other in zip(found, claimed, strict=True)]


VARIANCE = check(
    id="ht-variance",
    title="excess risk in the end and over steps, of equal and of unequal inputs",
    ref="second moments of the iterates",
    evidence=simulated,
    claim=solved,
    judge=relatively,
    teeth=(
        Tooth("label noise off by a half", partial(solved, noise=1.5)),
        Tooth("no fourth moments of an example's own inputs", partial(solved, own=0)),
    ),
    effect=WHOLE,
    functions=(
        entry("stationary", "moments"),
        entry("stationary", "simulation"),
        entry("sgd", "moments"),
        entry("sgd", "simulation"),
    ),
    slow=True,
)

CHECKS = (VARIANCE,)
