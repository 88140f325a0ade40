"""Questions about batches, as rows of numbers, and how near two computations of them must be."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Verdict

Question = dict[str, Any]
OBSERVED = ("R", "Q", "excess_risk")


def asked(dynamics: str, route: str, times: Any, **question: Any) -> np.ndarray:
    """R, Q and excess risk side by side, (3 T,) or (S, 3 T) of a sampled route."""
    answer = run("multiscale", dynamics, route, times, **question)
    return np.concatenate([answer[name].values for name in OBSERVED], axis=-1)


@worst_case
def to_rounding(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Contours against a loop."""
    error = (found - claimed) / np.maximum(1.0, np.abs(found))
    return within_bound(error, 1e-9, "400 steps, and a contour of weights up to e^5.5: 1e6 eps", "relative")
