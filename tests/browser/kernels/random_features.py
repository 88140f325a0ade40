"""The limit of random features in the pages: what lesson 8 asks."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.lessons import nonlinear as lesson
from tests.browser.kernels import Kernel

SCRIPT = "theory/random_features.js"
PARTS = (
    "bias",
    "variance_features",
    "variance_samples",
    "variance_features_samples",
    "variance_noise",
    "variance_features_noise",
)


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def ratio(rng: np.random.Generator) -> float:
    """From an eighth of the least to eight times the most that a slider offers, of a million inputs."""
    return round(log_uniform(rng, 0.5 / 8, 4 * 8), 4)


def trained(rng: np.random.Generator) -> dict[str, Any]:
    """A student; a third of them at n = N, and half without ridge."""
    psi1 = ratio(rng)
    return {
        "psi1": psi1,
        "psi2": psi1 if rng.random() < 1 / 3 else ratio(rng),
        "noise": rng.uniform(0, 1),
        "ridge": 0.0 if rng.random() < 0.5 else log_uniform(rng, 1e-3, 1),
        "times": [0.0, *np.sort(np.exp(rng.uniform(np.log(0.1), np.log(1e4), 3)))],
    }


def two(rng: np.random.Generator) -> dict[str, Any]:
    """Two strengths; some of one, and some features that are linear."""
    kappa = 1.0 if rng.random() < 0.1 else log_uniform(rng, 1, 20)
    q = 0.0 if rng.random() < 0.2 else log_uniform(rng, 1e-3, 0.3)
    question = lesson.two_strengths(kappa, q)
    times = np.sort(np.exp(rng.uniform(np.log(0.01), np.log(1e5), 4))).tolist()
    return question | {"times": times}


def risk(times: list[float], **question: Any) -> dict[str, np.ndarray]:
    """The front door's excess risk."""
    return {"excess_risk": lesson.limit("flow", times, **question)["excess_risk"].values}


def parts(times: list[float], parts: bool, **question: Any) -> dict[str, np.ndarray]:
    """And its parts."""
    found = ts.curve(
        "random-features",
        dynamics="flow",
        route="asymptotic",
        times=times,
        d=10**6,
        observable=("parts",),
        **question,
    )
    return {name: found[name].values for name in ("excess_risk", *PARTS)}


def closed(psi1: list[float], psi2: list[float], noise: float) -> dict[str, np.ndarray]:
    """The lesson's formulas."""
    return {"excess_risk": lesson.ridgeless(np.array(psi1), np.array(psi2), noise)}


def apart(rng: np.random.Generator) -> dict[str, Any]:
    """Students of several sizes, none at n = N."""
    psi1, psi2 = [ratio(rng) for _ in range(10)], [ratio(rng) + 5e-5 for _ in range(10)]
    return {"psi1": psi1, "psi2": psi2, "noise": rng.uniform(0, 1)}


KERNELS = [
    Kernel("randomFeatures.flow", SCRIPT, trained, risk),
    Kernel("randomFeatures.flow", SCRIPT, lambda rng: trained(rng) | {"parts": True}, parts),
    Kernel("randomFeatures.flow", SCRIPT, two, risk),
    Kernel("randomFeatures.ridgeless", SCRIPT, apart, closed),
]
