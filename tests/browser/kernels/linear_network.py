"""Linear networks from small random weights, as lesson 1 asks."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.lessons.modes import half_times
from teacherstudent.problems.linear_network import PROBLEM, draw
from tests.browser.kernels import Kernel

NETWORKS = 5
"""Draws of a question: a hundred, as in the lesson, take Python 0.1 s and its weights a megabyte in all."""


def question(random: np.random.Generator) -> dict[str, Any]:
    """Two to four modes of networks as wide as they need or wider, weights as small as the lesson's."""
    modes = int(random.integers(2, 5))
    hidden = int(random.integers(modes, 13))
    seed = int(random.integers(1_000_000))
    s = np.exp(random.uniform(np.log(0.5), np.log(8), modes)).tolist()
    return {
        "growing": growing(modes, hidden, seed).tolist(),
        "init": float(np.exp(random.uniform(np.log(0.002), np.log(0.2)))),
        "singular_values": s,
        "times": np.linspace(0, random.uniform(2, 20), 101).tolist(),
        "hidden": hidden,
        "seed": seed,
    }


def growing(modes: int, hidden: int, first: int) -> np.ndarray:
    """(W_1 V + W_2^T U)/sqrt(2) of the weights that `ts.sample` draws at unit init, (draw, hidden, mode)."""
    problem = PROBLEM.instance(singular_values=(1.0,) * modes, init=1.0, hidden=hidden)
    drawn = draw(problem, range(first, first + NETWORKS))
    into, out = drawn.weights
    return (into @ drawn.right + out.swapaxes(1, 2) @ drawn.left) / np.sqrt(2)


def effective(growing: Any, seed: int, **asked: Any) -> dict[str, Any]:
    """Mean strength and mean half time of the same draws."""
    asked = dict(problem="linear-network", dynamics="flow", route="effective", **asked)
    networks = ts.sample(seeds=NETWORKS, seed=seed, **asked)
    half = half_times(networks).mean("seed", skipna=False)["half"]
    return {"u": networks["u"].mean("seed").transpose("time", "mode"), "half": half}


KERNELS = [Kernel("linear_network.effective", "theory/linear_network.js", question, effective)]
