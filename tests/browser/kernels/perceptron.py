"""The limit of the perceptron in the pages: every rule of lesson 10."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.theory.perceptron.separability import threshold
from tests.browser.kernels import Kernel

SCRIPT = "theory/perceptron.js"
RULES = ("hebb", "pseudo-inverse", "gibbs", "bayes", "max-stability")
SMALL = {"training_error": 1e-4, "training_loss": 1e-9}
WHY = (
    "Python subtracts two functions of order 1 for the share of examples wrong, which may be as small as "
    "rounding; where examples are separable what is left of a loss is the end of a tail, which both cut off"
)
MANY = 100.0
"""Examples per input with which many are wrong; asked besides, so that the floor is a share of many."""


def answer(**question: Any) -> dict[str, np.ndarray]:
    """The front door's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of margins that are not there
        found = ts.curve("perceptron", dynamics="examples", route="asymptotic", d=10**6, **question)
    return {str(name): each.values for name, each in found.data_vars.items()}


def alphas(rng: np.random.Generator, low: float, high: float, count: int) -> list[float]:
    """Log-uniform, in increasing order: curves ask so."""
    return np.sort(np.exp(rng.uniform(np.log(low), np.log(high), count))).tolist()


def ruled(rng: np.random.Generator) -> dict[str, Any]:
    """A rule without a loss, and a teacher without noise."""
    times = alphas(rng, 0.05, 2e6 if rng.random() < 0.2 else 1000, 5)
    return {"rule": str(rng.choice(RULES)), "times": sorted([*times, MANY])}


def storing(rng: np.random.Generator) -> dict[str, Any]:
    """Coins, up to their capacity and beyond; or a teacher with noise."""
    noise = float(np.exp(rng.uniform(np.log(0.1), np.log(3))))
    how = {"labels": "random"} if rng.random() < 0.5 else {"noise": noise}
    # next to where separable examples end the margin is a small difference
    return {"rule": "max-stability", "times": np.sort(rng.uniform(0.1, 3, 4)).tolist(), **how}


def lossy(rule: str, count: int) -> Any:
    """Questions of that loss at `count` alphas."""

    def question(rng: np.random.Generator) -> dict[str, Any]:
        noise = 0.0 if rng.random() < 0.2 else rng.uniform(0, 2)
        ridge = float(np.exp(rng.uniform(np.log(1e-2), np.log(10))))
        return {"rule": rule, "ridge": ridge, "noise": noise, "times": [*alphas(rng, 0.2, 30, count), MANY]}

    return question


def binary(rng: np.random.Generator) -> dict[str, Any]:
    """Weights -1 and 1, as many known as there are and more."""
    rule = str(rng.choice(["gibbs", "bayes"]))
    return {"rule": rule, "weights": "binary", "times": np.sort(rng.uniform(0.02, 2, 5)).tolist()}


def searched(metastable: int, **question: Any) -> dict[str, np.ndarray]:
    """On the branch of few examples to its end."""
    found = ts.curve("perceptron", dynamics="examples", route="metastable", d=10**6, **question)
    return {str(name): each.values for name, each in found.data_vars.items()}


def noisy(rng: np.random.Generator) -> dict[str, float]:
    """Noise from very little to nearly nothing else."""
    return {"noise": float(np.exp(rng.uniform(np.log(0.01), np.log(20))))}


def separable(noise: float) -> dict[str, list[float]]:
    """The theory's threshold, which no front door asks."""
    return {"alpha": [threshold(noise)]}


def counted(rng: np.random.Generator) -> dict[str, Any]:
    """Points in general position."""
    d = int(rng.integers(5, 101))
    return {"n": rng.integers(1, 6 * d, 20).tolist(), "d": d}


def cover(n: list[int], d: int) -> dict[str, list[float]]:
    """Cover's count in whole numbers."""
    return {"share": [sum(math.comb(each - 1, k) for k in range(d)) / 2 ** (each - 1) for each in n]}


KERNELS = [
    Kernel("perceptron.examples", SCRIPT, ruled, answer, floor=SMALL, why=WHY),
    Kernel("perceptron.examples", SCRIPT, storing, answer, count=300),
    Kernel("perceptron.examples", SCRIPT, lossy("square", 5), answer, floor=SMALL, why=WHY),
    # 0.1 s each in Python
    Kernel("perceptron.examples", SCRIPT, lossy("hinge", 4), answer, 300, SMALL, WHY),
    Kernel("perceptron.examples", SCRIPT, lossy("logistic", 4), answer, 300, SMALL, WHY),
    Kernel("perceptron.examples", SCRIPT, binary, answer),
    Kernel("perceptron.examples", SCRIPT, lambda rng: binary(rng) | {"metastable": 1}, searched),
    Kernel(
        "perceptron.separable", SCRIPT, lambda rng: {"noise": float(np.exp(rng.uniform(-5, 3)))}, separable
    ),
    Kernel("perceptron.cover", SCRIPT, counted, cover),
]
