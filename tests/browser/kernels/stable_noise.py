"""The pages' times of exit under stable noise: Getoor's, one large jump's, and the integral equation's."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel

SCRIPT = "theory/stable_noise.js"
STEEPEST = 24.0
"""Of a (r/sigma)^2 at stability 2: the time grows as exp(half of it), and Python's own linear system loses
as many digits; from 30 on it has not nine left."""


def exit_time(route: str, **question: Any) -> dict[str, np.ndarray]:
    """What the front door answers."""
    answer = ts.curve("stable-noise", dynamics="exit", route=route, **question)
    return {"exit_time": answer["exit_time"].values}


def _radii(rng: np.random.Generator) -> list[float]:
    return np.sort(np.exp(rng.uniform(-2, 3, 4))).tolist()


def _noise(rng: np.random.Generator) -> float:
    return float(np.exp(rng.uniform(-1, 1)))


def free(rng: np.random.Generator) -> dict[str, Any]:
    """Motion without a well."""
    stability, start = rng.uniform(0.1, 2), rng.uniform(-0.99, 0.99)
    return dict(stability=stability, noise=_noise(rng), start=start, times=_radii(rng))


def jump(rng: np.random.Generator) -> dict[str, Any]:
    """A well that one jump leaves."""
    return dict(stability=rng.uniform(0.1, 1.99), noise=_noise(rng), times=_radii(rng))


def well(rng: np.random.Generator) -> dict[str, Any]:
    """A well as steep and wide as the lesson's sliders go; each third one under Brownian motion."""
    stability = 2.0 if rng.random() < 1 / 3 else float(rng.choice([1.5, 1.6, 1.7, 1.8, 1.9]))
    drift, noise = float(np.exp(rng.uniform(-2, 2))), _noise(rng)
    far = STEEPEST if stability == 2 else 20 * 4 ** ((stability - 1.5) / 0.4)
    share = np.sort(np.exp(rng.uniform(-6, 0, 2)))
    times = noise * (far * share / drift) ** (1 / stability)
    start = float(rng.choice([0.0, rng.uniform(-0.95, 0.95)]))
    return dict(stability=stability, drift=drift, noise=noise, start=start, times=times.tolist())


KERNELS = [
    Kernel("stable_noise.getoor", SCRIPT, free, lambda **q: exit_time("getoor", drift=0, **q)),
    Kernel("stable_noise.small_noise", SCRIPT, jump, lambda **q: exit_time("small-noise", drift=1, **q)),
    Kernel("stable_noise.spectral", SCRIPT, well, lambda **q: exit_time("spectral", **q)),
]
