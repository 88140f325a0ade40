"""Heavy tails of SGD: the growth of moments, the index where it vanishes, and Gibbs' law beside them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.lessons import tails as lesson
from tests.browser.kernels import Kernel

SCRIPT = "theory/heavy_tails.js"
WHY = "it crosses zero, and is a mean of logarithms of order 1 of both signs"


def sizes(random: np.random.Generator) -> dict[str, Any]:
    """Batches and inputs as on the page, whose pictures also show the batch twice as large."""
    return dict(batch=int(random.integers(1, 21)), d=int(random.integers(1, 11)))


def steps(random: np.random.Generator) -> dict[str, Any]:
    """Three step sizes, from a sixth of the critical one to beyond the largest."""
    question = sizes(random)
    critical = 2 * question["batch"] / (question["batch"] + question["d"] + 1)
    return question | dict(times=np.sort(critical * 10 ** random.uniform(-0.8, 0.4, 3)).tolist())


def stationary(batch: int, d: int, times: list[float]) -> Any:
    """The front door's; NaN where there is no index, without its warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = dict(dynamics="stationary", route="exact", batch=batch, d=d, times=times)
        return ts.curve("heavy-tails", **asked)[["tail_index", "lyapunov"]]


def some_orders(random: np.random.Generator) -> dict[str, Any]:
    """Orders of moments at one step size."""
    question = sizes(random)
    orders = np.sort(np.append(0.0, 10 ** random.uniform(-1, 2.4, 6))).tolist()
    return question | dict(learning_rate=float(10 ** random.uniform(-1, 0.31)), times=orders)


def log_growth(**question: Any) -> Any:
    """The front door's."""
    return ts.curve("heavy-tails", dynamics="orders", route="exact", **question)[["log_growth"]]


def rates(batch: int, d: int) -> dict[str, float]:
    """Critical in closed form, and the largest by the front door's rho."""
    return {"critical": 2 * batch / (batch + d + 1), "largest": lesson.largest(batch, d)}


def distances(random: np.random.Generator) -> dict[str, Any]:
    """Distances where something is left of Gibbs' law."""
    question = sizes(random) | dict(eta=float(10 ** random.uniform(-1, 0.31)))
    typical = np.sqrt(question["eta"] / question["batch"])
    return question | dict(times=(typical * random.uniform(0, 20, 5)).tolist())


def indices(random: np.random.Generator) -> dict[str, Any]:
    """A tail index at some step size."""
    question = sizes(random) | dict(eta=float(10 ** random.uniform(-1, 0.31)))
    return question | dict(alpha=float(10 ** random.uniform(-1, 2)))


KERNELS = [
    # Python takes a tenth of a second and more for a question of these.
    Kernel("heavy_tails.stationary", SCRIPT, steps, stationary, 100, {"lyapunov": 1.0}, WHY),
    Kernel("heavy_tails.orders", SCRIPT, some_orders, log_growth, 200, {"log_growth": 1.0}, WHY),
    Kernel("heavy_tails.rates", SCRIPT, sizes, rates, 30),
    Kernel(
        "heavy_tails.beyond",
        SCRIPT,
        distances,
        lambda eta, batch, d, times: {"share": lesson.beyond(times, eta, batch, d)},
    ),
    Kernel(
        "heavy_tails.leaves",
        SCRIPT,
        indices,
        lambda eta, batch, d, alpha: {"distance": lesson.leaves(eta, batch, d, alpha)},
    ),
]
