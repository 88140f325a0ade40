"""Where training sets out: the first step from weights 0, measured on drawn data at growing size."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.spurious_groups import compared

COUNTS = (2, 1, 1, 6)
"""Groups in tenths of the examples: classes of different sizes, each with a minority of its own."""
NEXT = 0.06
"""By how much 1/n^2 moves that exponent: 60,000 draws of each size have -.962, -.963 and -.943."""


def question(n: int, method: str) -> dict[str, Any]:
    """One step from weights 0. Moderate scales, so that no direction hides the others."""
    return {
        "groups": tuple(n // 10 * share for share in COUNTS), "noise_features": round(0.3 * n),
        "gamma_spurious": 1.5, "gamma_core": 1.0, "gamma_noise": 1.5, "feature_std": 0.3,
        "init": 0.0, "test_examples": 1, "method": method,
    }  # fmt: skip


def _start(method: str, title: str, draws: int, effect: Contrast, changes: Mapping[str, Any]) -> Check:
    """The first step of a method; so many draws at n = 40 and twice as many at 10 and 20, which tells the
    exponent of the bias from another half."""
    return compared(
        id=f"wg-gradient-{method}",
        title=title,
        ref="Eq. 8.4.1 and below",
        clocks={"normalised": {"times": [1]}},
        questions=partial(question, method=method),
        draws={10: 2 * draws, 20: 2 * draws, 40: draws, 200: 200},
        routes=("simulation", "initial-gradient"),
        observables=("spurious_weight", "core_weight", "noise_weight"),
        judge=AtSizes(slack=NEXT),
        effect=effect,
        wrong={f"wrong {name.replace('_', ' ')}": {name: change} for name, change in changes.items()},
        slow=True,
    )


CHECKS = (
    _start(
        "erm",
        "at the start e_s : e_c = (gamma_s/gamma_c)^2 (1 - 2p): the spurious feature is learned first",
        16000,
        Contrast("wrong method", "what balanced groups change"),
        {"gamma_spurious": np.sqrt, "gamma_noise": np.sqrt, "method": "rwg"},
    ),
    _start(
        "rwg",
        "with balanced groups training starts without the spurious feature",
        7000,
        Contrast("wrong method", "what balanced groups change"),
        {"gamma_core": scaled(1.1), "method": "erm", "noise_features": lambda d: round(0.8 * d)},
    ),
    _start(
        "rwy",
        "with balanced classes the minority of each class counts alike",
        12000,
        Contrast("wrong method", "what balanced classes change"),
        {"gamma_core": scaled(1.1), "method": "erm"},
    ),
)
