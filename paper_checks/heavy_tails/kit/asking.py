"""Questions put to the routes of heavy tails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.questions import Questions

ID = "heavy-tails"
QUESTIONS = Questions(ID)
entry = QUESTIONS.entry


def ask(
    dynamics: str,
    route: str,
    name: str,
    times: Sequence[float] | np.ndarray | float,
    seeds: Sequence[int] | None = None,
    **question: Any,
) -> np.ndarray:
    """One observable over times, (T,); of a sampled route one row a seed, (S, T). NaN where not told."""
    return QUESTIONS(dynamics, route, times, name, seeds=seeds, **question)
