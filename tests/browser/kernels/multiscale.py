"""Curves of the multi-scale problem, and where its spectrum ends."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel


def two_scales(random: np.random.Generator) -> dict[str, Any]:
    """Two scales as the lessons have them, of more strengths and samples than their sliders offer."""
    d = int(random.choice([100, 200, 1000]))
    sizes = dict(d=d, p=int(random.integers(1, d)), kappa=float(10 ** random.uniform(0, 5)))
    return sizes | dict(alpha=int(np.rint(d * 10 ** random.uniform(-1.3, 1.5))) / d)


def any_scales(random: np.random.Generator) -> dict[str, Any]:
    """One to three scales of any order; a quarter of the time as many samples as features."""
    count = int(random.integers(1, 4))
    counts = random.integers(1, 100, count).tolist()
    scales = [[size, float(10 ** random.uniform(-2.5, 0.5))] for size in counts]
    n = sum(counts) if random.random() < 0.25 else int(np.rint(10 ** random.uniform(0, 3)))
    return dict(scales=scales, n=n)


def asked(dynamics: str, random: np.random.Generator) -> dict[str, Any]:
    """A question of seven times, with and without noise and ridge."""
    question = two_scales(random) if random.random() < 0.5 else any_scales(random)
    noise = float(random.uniform(0, 2)) if random.random() < 0.8 else 0.0
    ridge = float(10 ** random.uniform(-6, 1)) if random.random() < 0.4 else 0.0
    times = np.sort(10 ** random.uniform(-2, 7, 7)).tolist()
    question |= dict(dynamics=dynamics, noise=noise, ridge=ridge, times=times)
    if dynamics == "descent":
        steps = np.unique(np.rint(10 ** random.uniform(0, 6.5, 7)))
        at = {
            name: question[name] for name in ("d", "p", "kappa", "alpha", "scales", "n") if name in question
        }
        edge = float(spectrum(**at)["band_edge"].values.max())
        # Up to where descent diverges, half of the time close to one over the edge.
        share = random.uniform(0.4, 0.6) if random.random() < 0.5 else 10 ** random.uniform(-3, -0.001)
        question |= dict(times=steps.tolist(), learning_rate=float(2 * share / (edge + ridge)))
    return question


def spectrum(**question: Any) -> Any:
    """The announced spectrum."""
    return ts.spectrum("multiscale", **_with_pairs(question))


def curve(**question: Any) -> dict[str, Any]:
    """What the front door answers."""
    given = ts.curve(
        "multiscale", route="asymptotic", observable=["parts", "generalisation"], **_with_pairs(question)
    )
    names = ("R", "Q", "excess_risk", "generalisation_error", "bias", "variance", "start")
    return {name: given[name].values for name in names}


def edges(**question: Any) -> dict[str, Any]:
    """Both ends of the spectrum."""
    ends = spectrum(**question)["band_edge"].values
    return dict(lower=ends.min(), upper=ends.max())


def _with_pairs(question: dict[str, Any]) -> dict[str, Any]:
    pairs = [tuple(each) for each in question.get("scales", [])]
    return question | (dict(scales=tuple(pairs)) if pairs else {})


KERNELS = [
    *(
        Kernel("multiscale.curve", "theory/multiscale.js", partial(asked, dynamics), curve)
        for dynamics in ("flow", "descent", "ridge")
    ),
    Kernel("multiscale.edges", "theory/multiscale.js", two_scales, edges),
]
