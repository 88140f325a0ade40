"""The constant of the power law where the variance becomes infinite: there it is known.

t^2 P(|v| > t) comes to eta^2 d noise^2/(2 b h'(2)). What is left at t falls like 1/t, or faster: it is at
most what t and t/2 differ by.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.house.catalogue import find_problem
from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit import laws
from teacherstudent.paper_checks.heavy_tails.kit.asking import ID, ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

CASES = ((1, 1, 12.0), (2, 3, 12.0))
"""Batch, dimension, and the level t: one student in some hundreds is beyond it."""

DRAWS, CHAINS, BURN_IN = 24, 10_000, 300
APART = 1e-3
"""Difference of two orders, for the slope h'(2)."""

Constants = tuple[np.ndarray, float]
"""t^2 P(|v| > t), (draws, 1), and what it may be off."""


def simulated(seeds: Seeds) -> list[Constants]:
    """Evidence: from sizes of independent students."""
    from teacherstudent.sims.heavy_tails.sizes import log_sizes

    found = []
    for b, d, level in CASES:
        problem, rate = find_problem(ID).instance(batch=b, d=d), laws.critical(b, d)
        sizes = [log_sizes(problem, seed, (rate,), CHAINS, BURN_IN)[0] for seed in seeds(DRAWS)]
        far, near = (t**2 * np.mean(np.array(sizes) > np.log(t), axis=1) for t in (level, level / 2))
        found.append((far[:, None], abs(float(np.mean(far - near)))))
    return found


def goldie(_: object, factor: float = 1.0) -> list[float]:
    """The claim; wrong by a factor."""
    found = []
    for b, d, _level in CASES:
        rate, orders = laws.critical(b, d), (2 - APART, 2 + APART)
        low, high = ask("orders", "exact", "log_growth", orders, learning_rate=rate, batch=b, d=d)
        found.append(factor * rate**2 * d / (2 * b * (high - low) / (2 * APART)))
    return found


@worst_case
def relatively(found: Constants, claimed: float) -> Verdict:
    """Over the claim."""
    return mean_within_errors(found[0] / claimed, 1.0, bias=found[1] / claimed)


CONSTANT = check(
    id="ht-constant",
    title="at infinite variance the constant of the power law is known",
    ref="t^2 P(|v| > t) -> eta^2 d noise^2/(2 b h'(2))",
    evidence=simulated,
    claim=goldie,
    judge=relatively,
    teeth=(
        Tooth("without the half", partial(goldie, factor=2.0)),
        Tooth("half as large", partial(goldie, factor=0.5)),
    ),
    effect=WHOLE,
    functions=(entry("orders", "exact"), "sims.heavy_tails.sizes:log_sizes"),
    slow=True,
)

CHECKS = (CONSTANT,)
