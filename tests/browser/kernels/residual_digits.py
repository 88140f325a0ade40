"""The residual network's tangent kernel from images, and what wrong labels make of it."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.lessons import labels
from teacherstudent.problems.residual_digits import PROBLEM
from teacherstudent.problems.residual_digits.data import draw, images_of
from tests.browser.kernels import Kernel

SCRIPT = "theory/residual_digits.js"


def given(pool: int, n: int, components: int, seeds: int, seed: int) -> dict[str, Any]:
    """Images and draws, as the lesson gives them to its page."""
    problem = PROBLEM.instance(pool=pool, n=n, components=components, label_noise=1.0)
    images, of = images_of(problem), draw(problem, range(seed, seed + seeds))
    pixels = images.pixels - images.pixels.min()
    return {
        "pixels": [
            "".join(chr(97 + i) for i in row) for row in np.rint(16 * pixels / pixels.max()).astype(int)
        ],
        "classes": images.classes.tolist(),
        "training": of.training.tolist(),
        "wrong": of.labels.tolist(),
        "chance": [np.random.default_rng([each, 1]).random(n).tolist() for each in range(seed, seed + seeds)],
    }


def network(rng: np.random.Generator) -> dict[str, Any]:
    """Two draws of few images, over all sliders."""
    sizes = dict(
        pool=int(rng.choice([90, 120])), n=int(rng.integers(20, 50)), components=int(rng.integers(5, 20))
    )
    seed = int(rng.integers(1000))
    return dict(
        images=given(**sizes, seeds=2, seed=seed),
        label_noise=float(rng.choice([0.0, rng.uniform(0, 1)])),
        branch_scale=float(rng.uniform(0.03, 0.3)),
        weight_decay=float(rng.choice([0.0, 10 ** rng.uniform(-4, -1.5)])),
        learning_rate=float(rng.uniform(1, 4)),
        times=np.unique(np.rint(np.geomspace(1, 5000, 8))).tolist(),
        seed=seed,
        **sizes,
    )


def descended(images: Any, **asked: Any) -> dict[str, Any]:
    """Errors and losses of each draw."""
    found = ts.sample("residual-digits", dynamics="descent", route="kernel", seeds=2, **asked)
    return {
        name: found[name].values for name in ("test_error", "test_loss", "training_error", "training_loss")
    }


def setting(rng: np.random.Generator) -> dict[str, Any]:
    """The lesson's own images at settings of its sliders."""
    return dict(
        images=given(**labels.SIZES, seeds=labels.DRAWS, seed=0),
        components=labels.SIZES["components"],
        label_noise=float(rng.uniform(0, 1)),
        branch_scale=float(rng.choice([0.03, 0.05, 0.1, 0.2, 0.3])),
        weight_decay=float(rng.choice([0.0, 1e-4, 1e-3, 1e-2, 3e-2])),
        learning_rate=labels.RATE,
        times=labels.STEPS.tolist(),
    )


def parts(label_noise: float, branch_scale: float, weight_decay: float, **_: Any) -> dict[str, Any]:
    """What the lesson says beside the front door."""
    return labels.learned(label_noise, branch_scale, weight_decay)


KERNELS = (
    # a question holds all images: 300 of them take half a minute
    Kernel("residual_digits.descent", SCRIPT, network, descended, count=300),
    Kernel("residual_digits.descent", SCRIPT, setting, parts, count=40),
)
