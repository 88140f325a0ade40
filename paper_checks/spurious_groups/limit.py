"""The max-margin limit by convex Gaussian comparison against exact solutions of drawn examples.

Drawn: groups in exact proportion, d/n = 1.2 and the scales of the published sweep, so that sizes differ
in nothing but size. No draw is trained: `kit.hard_margin` solves each exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize, special

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import none_wrong
from teacherstudent.paper_checks.judging.effects import Contrast, Measured
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.paper_checks.spurious_groups import check
from teacherstudent.paper_checks.spurious_groups.kit.hard_margin import drawn_limits, signed_inputs
from teacherstudent.problems.spurious_groups import PROBLEM, SpuriousGroups
from teacherstudent.theory.spurious_groups.routes import groups_above_chance
from teacherstudent.theory.spurious_groups.separability import smallest_ratio

SHARES = (0.4, 0.1, 0.1, 0.4)
DRAWS = {20: 3000, 40: 2000, 80: 2500, 320: 60}
"""How often each size n is drawn; the bias is measured at all but the last."""
LARGE = 1000
"""Examples in the question to the route, whose answer depends on their ratios alone."""


def question(n: int, method: str, **more: Any) -> dict[str, Any]:
    """Keywords of the problem at n examples."""
    groups = tuple(round(share * n) for share in SHARES)
    common = {"noise_features": round(1.2 * n), "test_noise": "fresh"}
    return {"method": method, "groups": groups, **common, **more}


def sized(n: int, method: str, **more: Any) -> SpuriousGroups:
    """The problem at n examples."""
    return PROBLEM.instance(**question(n, method, **more))


OBSERVED = ("spurious_weight", "core_weight", "noise_weight", "margin", "support_fraction",
            "average_accuracy", "worst_group_accuracy")  # fmt: skip
SMOOTH = {"erm": 7, "subg": 6}
"""How many of these are smooth in e_s where a method ends, so that their bias falls like 1/n.

Balanced groups end at e_s = 0, where the accuracy of the worst group has a kink.
"""


def solved(method: str, seeds: Seeds) -> dict[int, np.ndarray]:
    """What is observed of each draw, (S, P)."""
    found = {}
    for n, count in DRAWS.items():
        problem = sized(n, method)
        limits = drawn_limits(problem, seeds(count, f"n={n}"))
        columns = [*limits.T, *accuracies(problem, *limits.T[:3])]
        found[n] = np.column_stack(columns[: SMOOTH[method]])
    return found


def accuracies(
    problem: SpuriousGroups, e_s: np.ndarray, e_c: np.ndarray, r: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """On average and of the worst group: a test's logit is normal about e_c + e_s or e_c - e_s, (S,) each."""
    spread = np.sqrt(problem.feature_std**2 * (e_s**2 + e_c**2) + r**2)
    majority, minority = special.ndtr((e_c + e_s) / spread), special.ndtr((e_c - e_s) / spread)
    shared = 2 * SHARES[1]
    return (1 - shared) * majority + shared * minority, np.minimum(majority, minority)


def limit(ends_as: str, _: Any, **changed: Any) -> np.ndarray:
    """The route's answer, (P,), with some keywords changed for the negative controls."""
    answer = run("spurious-groups", "descent", "max-margin", [1], **question(LARGE, ends_as) | changed)
    return np.array([answer[name].values[0] for name in OBSERVED[: SMOOTH[ends_as]]])


def _limit_check(
    method: str, id: str, title: str, effect: Contrast, wrong: tuple[WrongClaim, ...], covers: tuple[str, ...]
) -> Check:
    return check(
        id=id,
        title=title,
        ref="Eq. 8.4.1, Sect. 8.5.4",
        evidence=partial(solved, method),
        claim=partial(limit, method),
        judge=agree_beyond_bias,
        effect=effect,
        wrong=wrong,
        functions=("theory.spurious_groups.routes:margin_limit",),
        covers=covers,
        slow=True,
    )


LIMIT = _limit_check(
    "erm",
    "wg-limit",
    "without regularisation, ERM memorises the minority by noise features and uses the spurious feature",
    Contrast("test inputs without noise features", "the effect of noise features in the test inputs"),
    (
        WrongClaim("5 % more noise features", partial(limit, "erm", noise_features=1260)),
        WrongClaim("a minority 10 % larger", partial(limit, "erm", groups=(390, 110, 110, 390))),
        WrongClaim("features with three times the spread", partial(limit, "erm", feature_std=0.45)),
        WrongClaim("noise 5 % stronger", partial(limit, "erm", gamma_noise=4.2)),
        WrongClaim("test inputs without noise features", partial(limit, "erm", test_noise="zero")),
    ),
    ("8.4 ERM", "8.4 memorisation"),
)
SUBSAMPLED = _limit_check(
    "subg",
    "wg-limit-subsampled",
    "trained on a subset with balanced groups, ERM discards the spurious feature",
    Contrast("groups not balanced", "the effect of subsampling"),
    (
        WrongClaim("groups not balanced", partial(limit, "subg", method="erm", noise_features=3000)),
        WrongClaim("the original number of examples", partial(limit, "subg", noise_features=480)),
        WrongClaim("5 % more noise features", partial(limit, "subg", noise_features=1260)),
    ),
    ("8.4 SUBG", "8.5.4 subsampling"),
)


# Which groups are better off than by chance ---------------------------------------------------------------

BETTER: tuple[dict[str, Any], ...] = (
    {"method": "erm"},
    {"method": "subg"},
    {"method": "erm", "gamma_core": 8.0},
    {"method": "erm", "noise_features": 120},
)
CHANCE_EXAMPLES, CHANCE_DRAWS = 100, 20


def above_chance(seeds: Seeds) -> np.ndarray:
    """How many groups the mean direction of some draws classifies better than a coin, one a question."""
    counts = []
    for asked in BETTER:
        problem = sized(CHANCE_EXAMPLES, **asked)
        e_s, e_c = drawn_limits(problem, seeds(CHANCE_DRAWS)).mean(axis=0)[:2]
        counts.append(sum(2 for margin in (e_c + e_s, e_c - e_s) if margin > 0))
    return np.array(counts)


def counted(_: Any, **changed: Any) -> np.ndarray:
    """The theory's counts, one a question."""
    problems = [sized(CHANCE_EXAMPLES, **asked | changed) for asked in BETTER]
    return np.array([groups_above_chance(problem, "max-margin") for problem in problems])


def same_counts(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Judge: no question has another count."""
    wrong = np.count_nonzero(evidence != claimed)
    return none_wrong(wrong, len(BETTER), "settings with a different number of groups", "questions")


CHANCE = check(
    id="wg-above-chance",
    title="the number of groups that the max-margin direction classifies better than chance",
    ref="Sect. 8.4, after Eq. 8.4.1",
    evidence=above_chance,
    claim=counted,
    judge=same_counts,
    wrong=(
        WrongClaim("balanced groups in all settings", partial(counted, method="subg")),
        WrongClaim("a spurious feature as weak as the core feature", partial(counted, gamma_spurious=1.0)),
    ),
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
    reason = f"draws on the wrong side of the threshold, of {TRIALS} at {1 - FAR:g} and {1 + FAR:g} times it"
    return Verdict(wrong, 0, FAR * claimed, "noise features per example", reason, 2 * TRIALS)


SEPARABILITY = check(
    id="wg-separability",
    title="above a threshold number of noise features, the training examples can always be separated",
    ref="Sect. 8.4, after Eq. 8.4.1",
    evidence=separable,
    claim=edge,
    judge=divides,
    effect=Measured(
        lambda _: edge(_, feature_std=1e3) - edge(_), "the distance to the threshold for noise features alone"
    ),
    wrong=(
        WrongClaim("noise features alone: half as many features as examples", partial(edge, feature_std=1e3)),
        WrongClaim("features with 2/3 of the spread", partial(edge, feature_std=SPREAD * 2 / 3)),
    ),
)

CHECKS = (LIMIT, SUBSAMPLED, CHANCE, SEPARABILITY)
