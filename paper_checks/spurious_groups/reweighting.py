"""Reweighting does not change where training without regularisation ends; subsampling does (8.5.4).

A direction with smallest margin m on some examples has a cosine of at least m/m* with their direction of
largest margin, m*. So a method ends at the direction of a set of examples if its margin on them comes up
to their m*, which `kit.hard_margin` knows exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.spurious_groups import check
from teacherstudent.paper_checks.spurious_groups.kit.hard_margin import hard_margin, signed_inputs
from teacherstudent.problems.spurious_groups import PROBLEM

METHODS = ("erm", "rwy", "rwg", "suby", "subg")
QUESTION = {"groups": (60, 12, 20, 28), "noise_features": 150}
"""Classes of different sizes, 72 and 48, so that balancing them is not balancing nothing."""
STEPS = (4000, 8000, 16000)
SLACK = 0.02
"""Of the exponent: the gap times the number of steps, constant in the end, still moves by 3 % from the
first number of steps to the last, that is by log(1.03)/log(4) in the exponent."""


def trained(seeds: Seeds) -> dict[str, tuple[list[int], np.ndarray]]:
    """Draws, and the smallest margin of each method's students on what they keep, (S, T)."""
    drawn = seeds(2)
    return {
        method: (
            drawn,
            run("spurious-groups", "normalised", "simulation", STEPS, seeds=drawn, method=method,
                step_size=3e-3, test_examples=1, **QUESTION)["margin"].values,
        )
        for method in METHODS
    }  # fmt: skip


def largest_margins(
    evidence: dict[str, tuple[list[int], np.ndarray]], **instead: str
) -> dict[str, np.ndarray]:
    """m* of the examples on which each method ends, (S,): those it keeps, all for methods that reweight.

    instead: for a method, another one whose examples a negative control claims.
    """
    claimed = {}
    for method, (seeds, _) in evidence.items():
        keeps = instead.get(method, {"suby": "suby", "subg": "subg"}.get(method, "erm"))
        problem = PROBLEM.instance(method=keeps, **QUESTION)
        claimed[method] = np.array([hard_margin(signed_inputs(problem, seed)).margin for seed in seeds])
    return claimed


@worst_case
def comes_up(trained: tuple[list[int], np.ndarray], largest_margins: np.ndarray) -> Iterator[Verdict]:
    """Judge: the relative gap to the largest margin falls like 1/steps, for every method and draw."""
    for own, largest in zip(trained[1], largest_margins, strict=True):
        yield at_rate(STEPS, 1 - own / largest, -1, slack=SLACK)


REWEIGHTING = check(
    id="wg-reweighting",
    title="reweighting classes or groups leaves the direction that training ends in, subsampling changes it",
    ref="Sect. 8.5.4",
    evidence=trained,
    claim=largest_margins,
    judge=comes_up,
    teeth=(
        Tooth("reweighted groups end like the subset", partial(largest_margins, rwg="subg")),
        Tooth("reweighted classes end like the subset", partial(largest_margins, rwy="suby")),
        Tooth("subsampled groups end like all examples", partial(largest_margins, subg="erm")),
        Tooth("subsampled classes end like all examples", partial(largest_margins, suby="erm")),
    ),
)

CHECKS = (REWEIGHTING,)
