"""Questions put to the routes of the perceptron."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.questions import Questions

QUESTIONS = Questions("perceptron")


def limit(names: Sequence[str], alphas: Sequence[float] | np.ndarray, **question: Any) -> np.ndarray:
    """Observables of the limit at these alpha side by side, (P,)."""
    return QUESTIONS("examples", "asymptotic", alphas, *names, **question)
