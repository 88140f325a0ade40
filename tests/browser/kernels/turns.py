"""Where the excess risk of the multi-scale problem turns over training."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from teacherstudent.house import catalogue
from teacherstudent.theory import turning
from teacherstudent.theory.multiscale.landmarks import risk_curve
from tests.browser.kernels import Kernel
from tests.browser.kernels.spectrum import inputs

SHARPEST = 0.1
"""Bend of a turn as a share of its slope's parts: parts known to 5e-11 move it by that over the share."""


def _question(rng: np.random.Generator) -> dict[str, Any]:
    """Any curve whose turns are sharp: those times are known to 1e-9. Most have one or more."""
    while True:
        question = _drawn(rng)
        curve, values = question["curve"], {name: each for name, each in question.items() if name != "curve"}
        found = risk_curve(catalogue.find_problem("multiscale").instance(**values), curve)
        turns = turning.extrema(found)
        if not turns and rng.random() < 0.8:
            continue
        motion = found.at(np.log([each.time for each in turns]))
        if np.all(np.abs(motion.bend) > SHARPEST * motion.size):
            return question


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    curve = str(rng.choice(["flow", "flow", "ridge", "printed"]))
    question = inputs(rng)
    while curve == "printed" and "scales" in question:
        question = inputs(rng)
    if rng.random() < 0.7:
        question["noise"] = float(rng.uniform(0, 0.5))
    if rng.random() < 0.2:
        question["ridge"] = float(10 ** rng.uniform(-6, -1))
    return question | {"curve": curve}


def _answer(**question: Any) -> dict[str, Any]:
    turns = ts.turns("multiscale", **question)
    return {name: turns[name].values for name in ("time", "excess_risk", "is_minimum")}


# Python takes 30 to 60 ms for each, and again as much to draw it.
KERNELS = [Kernel("turns.of", "theory/turns.js", _question, _answer, count=400)]
