"""Where training sets out: the first step from weights 0, measured on drawn data at growing size."""

from __future__ import annotations

from functools import partial
from typing import Any

from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check
from teacherstudent.paper_checks.judging.finite_size import Changes, Family, against_limit, scaled
from teacherstudent.paper_checks.spurious_groups import check

COUNTS = (2, 1, 1, 6)
"""Groups in tenths of the examples: classes of different sizes, each with a minority of its own."""
DRAWS = {"erm": 16000, "rwg": 7000, "rwy": 12000}
"""At n = 40, and twice as many at 10 and 20: as many as tell the exponent of the bias from another half."""
NEXT = 0.06
"""By how much 1/n^2 moves that exponent: 60,000 draws of each size have -.962, -.963 and -.943."""
LARGE = (200, 200)


def question(n: int, method: str) -> dict[str, Any]:
    """One step from weights 0. Moderate scales, so that no direction hides the others."""
    return {
        "times": [1], "groups": tuple(n // 10 * share for share in COUNTS), "noise_features": round(0.3 * n),
        "gamma_spurious": 1.5, "gamma_core": 1.0, "gamma_noise": 1.5, "feature_std": 0.3,
        "init": 0.0, "test_examples": 1, "method": method,
    }  # fmt: skip


def family(method: str) -> Family:
    """The first step of a method at size n."""
    return Family(
        problem="spurious-groups",
        dynamics="normalised",
        variables=("spurious_weight", "core_weight", "noise_weight"),
        question=partial(question, method=method),
        draws={10: 2 * DRAWS[method], 20: 2 * DRAWS[method], 40: DRAWS[method]},
        large=LARGE,
    )


def _check(method: str, title: str, covers: tuple[str, ...], effect: Contrast, changes: Changes) -> Check:
    wrong = {f"wrong {name.replace('_', ' ')}": {name: change} for name, change in changes.items()}
    return check(
        id=f"wg-gradient-{method}",
        title=title,
        ref="Eq. 8.4.1 and below",
        **against_limit(family(method), "initial-gradient", wrong, effect=effect, slack=NEXT),
        covers=covers,
    )


CHECKS = (
    _check(
        "erm",
        "at the start e_s : e_c = (gamma_s/gamma_c)^2 (1 - 2p): the spurious feature is learned first",
        ("8.4 scales",),
        Contrast("wrong method", "what balanced groups change"),
        {
            "gamma_spurious": lambda gamma: gamma**0.5,
            "gamma_noise": lambda gamma: gamma**0.5,
            "method": lambda _: "rwg",
        },
    ),
    _check(
        "rwg",
        "with balanced groups training starts without the spurious feature",
        ("8.4 RWG start",),
        Contrast("wrong method", "what balanced groups change"),
        {
            "gamma_core": scaled(1.1),
            "method": lambda _: "erm",
            "noise_features": lambda d: round(0.8 * d),
        },
    ),
    _check(
        "rwy",
        "with balanced classes the minority of each class counts alike",
        ("8.4 RWY",),
        Contrast("wrong method", "what balanced classes change"),
        {"gamma_core": scaled(1.1), "method": lambda _: "erm"},
    ),
)
