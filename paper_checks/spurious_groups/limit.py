"""The max-margin limit by convex Gaussian comparison against exact solutions of drawn examples.

Drawn: groups in exact proportion, d/n = 1.2 and the scales of the published sweep, so that sizes differ
in nothing but size. No draw is trained: `kit.hard_margin` solves each exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias, scaled
from teacherstudent.paper_checks.spurious_groups import check
from teacherstudent.paper_checks.spurious_groups.kit.hard_margin import drawn_limits, signed_inputs
from teacherstudent.problems.spurious_groups import PROBLEM, SpuriousGroups
from teacherstudent.theory.spurious_groups.margin import Ensemble, max_margin
from teacherstudent.theory.spurious_groups.routes import ensemble
from teacherstudent.theory.spurious_groups.separability import smallest_ratio

SHARES = (0.4, 0.1, 0.1, 0.4)
DRAWS = {20: 1500, 40: 1200, 80: 700, 320: 60}
"""How often each size n is drawn; the bias is measured at all but the last."""


def sized(n: int, method: str, **more: Any) -> SpuriousGroups:
    """The problem at n examples."""
    question = {"noise_features": round(1.2 * n)} | more
    return PROBLEM.instance(method=method, groups=[round(share * n) for share in SHARES], **question)


def solved(method: str, seeds: Seeds) -> dict[int, np.ndarray]:
    """e_s, e_c, r, margin and share of support vectors of each draw at each size, (S, 5)."""
    return {n: drawn_limits(sized(n, method), seeds(count, f"n={n}")) for n, count in DRAWS.items()}


def limit(method: str, _: Any, **changes: Callable[[Any], float]) -> np.ndarray:
    """The five numbers in the limit, (5,), with some ingredients changed for the negative controls."""
    fields = vars(ensemble(sized(10, method)))
    end = max_margin(
        Ensemble(**fields | {name: np.array(change(fields[name])) for name, change in changes.items()})
    )
    return np.array([end.spurious, end.core, end.noise, end.margin, end.support])


def _limit_check(
    method: str, id: str, title: str, teeth: tuple[Tooth, ...], covers: tuple[str, ...]
) -> Check:
    return check(
        id=id,
        title=title,
        ref="Eq. 8.4.1, Sect. 8.5.4",
        evidence=partial(solved, method),
        claim=partial(limit, method),
        judge=agree_beyond_bias,
        teeth=teeth,
        functions=(
            "theory.spurious_groups.margin:max_margin",
            "theory.spurious_groups.routes:ensemble",
        ),
        covers=covers,
        slow=True,
    )


LIMIT = _limit_check(
    "erm",
    "wg-limit",
    "without regularisation ERM memorises the minority by noise features and leans on the spurious one",
    (
        Tooth("5 % more noise features", partial(limit, "erm", ratio=scaled(1.05))),
        Tooth("a tenth more minority", partial(limit, "erm", minority=scaled(1.1))),
        Tooth("features with three times the spread", partial(limit, "erm", feature_std=scaled(3))),
        Tooth("noise 5 % stronger", partial(limit, "erm", noise_scale=scaled(1.05))),
    ),
    ("8.4 ERM", "8.4 memorisation"),
)
SUBSAMPLED = _limit_check(
    "subg",
    "wg-limit-subsampled",
    "trained on a subset with balanced groups, ERM discards the spurious feature",
    (
        Tooth("groups left as they are", partial(limit, "subg", minority=scaled(0.4))),
        Tooth("as many examples as before", partial(limit, "subg", ratio=scaled(0.4))),
        Tooth("5 % more noise features", partial(limit, "subg", ratio=scaled(1.05))),
    ),
    ("8.4 SUBG", "8.5.4 subsampling"),
)


# Where no direction separates -------------------------------------------------------------------------

EXAMPLES, SPREAD, FAR = 400, 1.0, 0.36
"""Relative distance from the edge x: four times its own spread, about sqrt(x (1 - x)/n)/x, 9 % here."""
TRIALS = 8


def separable(seeds: Seeds) -> Callable[[float], list[bool]]:
    """For draws with so many noise features an example: whether some weights have all margins >= 1."""

    def drawn(ratio: float) -> list[bool]:
        problem = sized(EXAMPLES, "erm", noise_features=round(ratio * EXAMPLES), feature_std=SPREAD)
        return [_feasible(signed_inputs(problem, seed)) for seed in seeds(TRIALS, f"ratio={ratio:.6f}")]

    return drawn


def _feasible(signed: np.ndarray) -> bool:
    n, dimension = signed.shape
    found = optimize.linprog(
        np.zeros(dimension), A_ub=-signed, b_ub=-np.ones(n), bounds=(None, None), method="highs"
    )
    return found.status == 0


def edge(_: Any, feature_std: float = SPREAD, minority: float = 0.2) -> float:
    """The ratio d/n below which nothing separates."""
    return smallest_ratio(feature_std, minority)


def divides(evidence: Callable[[float], list[bool]], claimed: float) -> Verdict:
    """Judge: no draw is separable below the edge, every one is above."""
    wrong = sum(evidence((1 - FAR) * claimed)) + evidence((1 + FAR) * claimed).count(False)
    reason = f"draws on the wrong side, of {TRIALS} at each of {1 - FAR:g} and {1 + FAR:g} times the edge"
    return none_wrong(wrong, 2 * TRIALS, reason, "draws")


SEPARABILITY = check(
    id="wg-separability",
    title="noise features separate any examples from a certain number on",
    ref="Sect. 8.4, after Eq. 8.4.1",
    evidence=separable,
    claim=edge,
    judge=divides,
    teeth=(
        Tooth("noise alone: half as many features as examples", partial(edge, feature_std=1e3)),
        Tooth("features with 2/3 of the spread", partial(edge, feature_std=SPREAD * 2 / 3)),
    ),
    functions=("theory.spurious_groups.separability:smallest_ratio",),
    covers=("8.4 overparametrised",),
)

CHECKS = (LIMIT, SUBSAMPLED, SEPARABILITY)
