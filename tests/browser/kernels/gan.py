"""One discriminator, the laws of one point, and clouds in steps, over more than the sliders offer."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.problems.gan import PROBLEM
from teacherstudent.theory.gan import dirac
from tests.browser.kernels import Kernel

SCRIPT = "theory/gan.js"


def scales(rng: np.random.Generator) -> dict[str, Any]:
    """Either discriminator, with its scale."""
    scale = float(np.exp(rng.uniform(np.log(0.2), np.log(5))))
    return dict(discriminator=str(rng.choice(["relu", "fourier"])), bias=scale, length_scale=scale)


def far(rng: np.random.Generator, scale: float) -> float:
    """A distance from the data, at most 13 scales: at 30 and more the squares of Python vanish."""
    return float(np.exp(rng.uniform(np.log(0.2), np.log(min(8.0, 13 * scale)))))


def training(rng: np.random.Generator) -> dict[str, Any]:
    """One point at rest, and times of training."""
    of = scales(rng)
    return dict(distance=far(rng, of["bias"]), times=np.sort(rng.uniform(0, 2, 10)).tolist(), **of)


def trained(**asked: Any) -> dict[str, Any]:
    """J and the slope, of data and generator that are one point each in any draw."""
    found = ts.sample("gan", d=1, dynamics="discriminator", route="kernel", seeds=2, **asked)
    return {name: found[name].values[0] for name in ("separation", "slope")}


def moving(rng: np.random.Generator) -> dict[str, Any]:
    """One point that moves, up to twice the time to its half, at most to the clock 40."""
    of = scales(rng)
    asked = dict(distance=far(rng, of["bias"]), **of)
    end = min(2 * dirac.halving_time(PROBLEM.instance(**asked)), 40.0)
    return dict(times=np.sort(rng.uniform(0, end, 10)).tolist(), **asked)


def moved(**asked: Any) -> dict[str, Any]:
    """Its place."""
    found = ts.curve("gan", d=1, dynamics="generator", route="closed-form", **asked)
    return {"place": found["position"].values[:, 0, 0]}


def distances(rng: np.random.Generator) -> dict[str, Any]:
    """Distances that are halved."""
    of = scales(rng)
    return dict(distances=[far(rng, of["bias"]) for _ in range(8)], **of)


def halved(distances: list[float], **asked: Any) -> dict[str, Any]:
    """The clock of each."""
    return {"clock": [dirac.halving_time(PROBLEM.instance(distance=each, **asked)) for each in distances]}


def clouds(rng: np.random.Generator) -> dict[str, Any]:
    """A cloud round a ring, in steps as large as the lesson's or smaller."""
    of, seed = scales(rng), int(rng.integers(999))
    cloud = dict(target="ring", n=12, particles=8, spread=0.3, d=2, distance=far(rng, of["bias"]), seed=seed)
    asked = {**cloud, **of}
    seen = ts.sample("gan", dynamics="discriminator", route="kernel", times=[1.0], seeds=2, **asked)
    angle = 2 * np.pi * np.arange(12) / 12
    return dict(
        start=seen["position"].values[0, 0].tolist(),
        data=np.stack([np.cos(angle), np.sin(angle)], axis=1).tolist(),
        steps=80,
        size=float(rng.uniform(0.01, 0.05)),
        **asked,
    )


def stepped(start: Any, data: Any, steps: int, size: float, **asked: Any) -> dict[str, Any]:
    """Its places and MMD^2, where each discriminator is trained for the time 1."""
    found = ts.sample(
        "gan",
        dynamics="generator",
        route="steps",
        times=size * np.arange(steps + 1),
        learning_rate=size,
        discriminator_time=1.0,
        seeds=2,
        **asked,
    )
    return {"position": found["position"].values[0], "discrepancy": found["separation"].values[0, ::10]}


KERNELS = (
    Kernel("gan.discriminator", SCRIPT, training, trained),
    Kernel("gan.dirac", SCRIPT, moving, moved),
    Kernel("gan.halving", SCRIPT, distances, halved),
    Kernel("gan.cloud", SCRIPT, clouds, stepped, count=200),
)
