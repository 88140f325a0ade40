"""Questions put to the routes of stable noise, and their answers as rows of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.questions import Questions

QUESTIONS = Questions("stable-noise")
entry = QUESTIONS.entry
OBSERVED = {
    "relaxation": ("mean_log", "variance_log", "characteristic"),
    "exit": ("exit_time",),
    "gap": ("training_loss", "population_loss", "generalisation_gap"),
}


def ask(dynamics: str, route: str, times: Sequence[float] | np.ndarray, **question: Any) -> np.ndarray:
    """Its observables at all times side by side: (P,), of a sampled route (S, P)."""
    return QUESTIONS(dynamics, route, times, *OBSERVED[dynamics], **question)


def without_step(found: Mapping[float, np.ndarray], stability: float) -> np.ndarray:
    """Times by step, (S, P) each, extrapolated to no step, draw by draw: (S, P).

    Euler's scheme sees an exit at the end of a step, a distance of the order h^(1/alpha) too late. From three
    steps that and its square are taken out; of what a drift adds in proportion to h less than 1/20 is left.
    """
    distance = np.array(list(found)) ** (1 / stability)
    weights = np.linalg.solve(np.vander(distance, increasing=True).T, np.eye(len(distance))[0])
    return np.asarray(np.tensordot(weights, np.stack(list(found.values())), 1))
