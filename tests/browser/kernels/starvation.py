"""Two features under the logistic loss, as lesson 5 asks."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np

import teacherstudent as ts
from teacherstudent.theory.starvation import flow as solver
from tests.browser.kernels import Kernel


def ends(random: np.random.Generator) -> dict[str, Any]:
    """Strengths on either side of each other, couplings of either sign, ridges beyond the lesson's."""
    return {
        "s1": float(np.exp(random.uniform(np.log(0.5), np.log(8)))),
        "s2": float(np.exp(random.uniform(np.log(0.5), np.log(5)))),
        "delta": float(random.uniform(-0.95, 0.95)),
        "ridge": float(np.exp(random.uniform(np.log(1e-4), np.log(0.2)))),
    }


def paths(random: np.random.Generator) -> dict[str, Any]:
    """The same, at the lesson's times."""
    return ends(random) | {"times": np.geomspace(0.01, 1000, 21).tolist()}


def flow(dynamics: str, **question: Any) -> dict[str, Any]:
    """z1 and z2 over time, by a solver of tighter tolerances: as it stands it promises 1e-8 only."""
    with patch.multiple(solver, RELATIVE=1e-13, ABSOLUTE=1e-15):
        answer = ts.curve("starvation", dynamics=dynamics, route="theory", **question)
    return {name: answer[name] for name in ("z1", "z2")}


def end(dynamics: str, *names: str, **question: Any) -> dict[str, Any]:
    """Observables of the end, each a number."""
    answer = ts.curve("starvation", dynamics=dynamics, route="fixed-point", times=[1.0], **question)
    return {name: answer[name].item() for name in names}


def primal(**question: Any) -> dict[str, Any]:
    """Under the ridge loss."""
    return flow("primal", **question)


def decoupled(**question: Any) -> dict[str, Any]:
    """Under spectral decoupling."""
    return flow("primal-decoupled", **question)


def primal_end(**question: Any) -> dict[str, Any]:
    """Responses and their derivatives."""
    return end("primal", "z1", "z2", *(f"dz{j}_ds{i}sq" for j in (1, 2) for i in (1, 2)), **question)


def decoupled_end(**question: Any) -> dict[str, Any]:
    """Responses."""
    return end("primal-decoupled", "z1", "z2", **question)


SCRIPT = "theory/starvation.js"
KERNELS = [
    Kernel("starvation.primal", SCRIPT, paths, primal, count=300),
    Kernel("starvation.decoupled", SCRIPT, paths, decoupled, count=300),
    Kernel("starvation.end", SCRIPT, ends, primal_end),
    Kernel("starvation.decoupledEnd", SCRIPT, ends, decoupled_end),
]
