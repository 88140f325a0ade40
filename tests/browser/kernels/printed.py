"""The replica formulas of the multi-scale problem as printed."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel
from tests.browser.kernels.spectrum import inputs


def _question(rng: np.random.Generator) -> dict[str, Any]:
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


def _answer(**question: Any) -> dict[str, Any]:
    curve = ts.curve("multiscale", route="printed", **question)
    return {name: curve[name].values for name in ("R", "Q", "excess_risk")}


KERNELS = [Kernel("printed.curve", "theory/printed.js", _question, _answer)]
