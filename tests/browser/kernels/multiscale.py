"""Kernels of the multi-scale problem: its spectrum, its answers and its turns."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.house import catalogue
from teacherstudent.theory import turning
from teacherstudent.theory.multiscale.landmarks import risk_curve
from tests.browser.kernels import Kernel


def inputs(rng: np.random.Generator) -> dict[str, Any]:
    """Sizes and strengths over what lessons 2 to 4 and the explorer offer, and further; up to four scales."""
    if rng.random() < 0.25:
        count = int(rng.integers(1, 5))
        scales = [[int(rng.integers(1, 200)), float(10 ** rng.uniform(-2, 1))] for _ in range(count)]
        d = sum(each[0] for each in scales)
        return {"scales": scales, "n": max(1, round(d * float(np.exp(rng.uniform(np.log(0.1), np.log(10))))))}
    d = int(rng.choice([100, 200, 1000]))
    alpha = 1.0 if rng.random() < 0.1 else float(np.exp(rng.uniform(np.log(0.1), np.log(10))))
    kappa = 1.0 if rng.random() < 0.1 else float(np.exp(rng.uniform(0, np.log(100))))
    return {"alpha": max(1, round(alpha * d)) / d, "d": d, "p": int(rng.integers(1, d)), "kappa": kappa}


def _spectrum_question(rng: np.random.Generator) -> dict[str, Any]:
    question = inputs(rng)
    if rng.random() < 0.5:
        low, high = np.sort(rng.uniform(-7, 1, 2))
        question["eigenvalues"] = np.geomspace(10**low, 10 ** (high + 0.1), 40).tolist()
    return question


def _spectrum(**question: Any) -> dict[str, Any]:
    law = ts.spectrum("multiscale", **question)
    names = ("eigenvalue", "density", "share_below", "band_edge", "zeros")
    return {name: law[name].values for name in names}


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


def _one_scale_question(rng: np.random.Generator) -> dict[str, Any]:
    d = int(rng.choice([100, 1000]))
    alpha = 1.0 if rng.random() < 0.2 else float(np.exp(rng.uniform(np.log(0.1), np.log(10))))
    times = np.geomspace(10 ** rng.uniform(-2, 0), 10 ** rng.uniform(0.5, 12), 10)
    question: dict[str, Any] = {
        "alpha": max(1, round(alpha * d)) / d,
        "scales": [[d, 1.0 if rng.random() < 0.7 else float(10 ** rng.uniform(-1, 1))]],
        "noise": float(rng.uniform(0, 1)),
        "times": [0.0, *times.tolist()],
    }
    if rng.random() < 0.3:
        question |= {"ridge": float(10 ** rng.uniform(-5, 0)), "init": float(rng.uniform(0, 8))}
    return question


def _one_scale(**question: Any) -> dict[str, Any]:
    observable = ["generalisation", "training"]
    curve = ts.curve("multiscale", dynamics="flow", route="quadrature", observable=observable, **question)
    names = ("R", "Q", "excess_risk", "generalisation_error", "training_error")
    return {name: curve[name].values for name in names}


def _printed_question(rng: np.random.Generator) -> dict[str, Any]:
    question = inputs(rng)
    while "scales" in question:
        question = inputs(rng)
    times = [0.0, *np.geomspace(10 ** rng.uniform(-2, 0), 10 ** rng.uniform(3, 7), 30).tolist()]
    dynamics = str(rng.choice(["flow", "ridge"]))
    question |= {"dynamics": dynamics, "times": times if dynamics == "flow" else times[1:]}
    if rng.random() < 0.7:
        question["noise"] = float(rng.uniform(0, 1))
    if rng.random() < 0.3:
        question["ridge"] = float(10 ** rng.uniform(-5, 0))
    return question


def _printed(**question: Any) -> dict[str, Any]:
    curve = ts.curve("multiscale", route="printed", **question)
    return {name: curve[name].values for name in ("R", "Q", "excess_risk")}


SHARPEST = 0.1
"""Bend of a turn as a share of its slope's parts: parts known to 5e-11 move it by that over the share."""


def _turning_question(rng: np.random.Generator) -> dict[str, Any]:
    """Any curve whose turns are sharp: those times are known to 1e-9. Most have one or more."""
    while True:
        question = _turning(rng)
        curve, values = question["curve"], {name: each for name, each in question.items() if name != "curve"}
        found = risk_curve(catalogue.find_problem("multiscale").instance(**values), curve)
        turns = turning.extrema(found)
        if not turns and rng.random() < 0.8:
            continue
        motion = found.at(np.log([each.time for each in turns]))
        if np.all(np.abs(motion.bend) > SHARPEST * motion.size):
            return question


def _turning(rng: np.random.Generator) -> dict[str, Any]:
    curve = str(rng.choice(["flow", "flow", "ridge", "printed"]))
    question = inputs(rng)
    while curve == "printed" and "scales" in question:
        question = inputs(rng)
    if rng.random() < 0.7:
        question["noise"] = float(rng.uniform(0, 0.5))
    if rng.random() < 0.2:
        question["ridge"] = float(10 ** rng.uniform(-6, -1))
    return question | {"curve": curve}


def _turns(**question: Any) -> dict[str, Any]:
    turns = ts.turns("multiscale", **question)
    return {name: turns[name].values for name in ("time", "excess_risk", "is_minimum")}


KERNELS = [
    Kernel(
        "spectrum.of",
        "theory/spectrum.js",
        _spectrum_question,
        _spectrum,
        floor={"share_below": 1e-5, "band_edge": 1e-9},
        why="a share is a difference of numbers of order 1, and an edge at zero is rounding where n = d",
    ),
    *(
        Kernel("multiscale.curve", "theory/multiscale.js", partial(asked, dynamics), curve)
        for dynamics in ("flow", "descent", "ridge")
    ),
    Kernel("multiscale.edges", "theory/multiscale.js", two_scales, edges),
    Kernel("one_scale.flow", "theory/one_scale.js", _one_scale_question, _one_scale),
    Kernel("printed.curve", "theory/printed.js", _printed_question, _printed),
    # Python takes 30 to 60 ms for each, and again as much to draw it.
    Kernel("turns.of", "theory/turns.js", _turning_question, _turns, count=400),
]
