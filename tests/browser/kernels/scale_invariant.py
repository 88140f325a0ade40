"""Students on a sphere: paths and points of rest, for every scheme of lesson 6."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel

SCRIPT = "theory/scale_invariant.js"


def rest_question(random: np.random.Generator) -> dict[str, Any]:
    """Beyond the sliders' ranges in every direction."""
    scheme = str(random.choice(["sgd", "sgd-momentum", "adam", "adamw"]))
    question = dict(
        scheme=scheme,
        learning_rate=float(np.exp(random.uniform(np.log(0.05), np.log(3.0)))),
        ridge=float(np.exp(random.uniform(np.log(0.002), np.log(2.0)))),
        radius0=float(np.exp(random.uniform(np.log(0.4), np.log(3.0)))),
        noise=float(random.uniform(0, 1)),
        d=400,
    )
    return question | (dict(teacher="random", beta2=0.98) if scheme.startswith("adam") else {})


def path_question(random: np.random.Generator) -> dict[str, Any]:
    """As far as the lesson's pictures, and without decay as far as its second exercise."""
    question, last = rest_question(random), 300.0
    if random.uniform() < 0.1:
        question["ridge"], last = 0.0, 1e4
    return question | dict(times=np.geomspace(0.05, last, 41).tolist())


def path(**question: Any) -> dict[str, np.ndarray]:
    """The front door's answer."""
    return _told("theory" if question["scheme"].startswith("sgd") else "averaged", question)


def rest(**question: Any) -> dict[str, np.ndarray]:
    """The same at rest."""
    told = _told("equilibrium", question | dict(times=[1.0]))
    return {name: values[0] for name, values in told.items()}


def _told(route: str, question: dict[str, Any]) -> dict[str, np.ndarray]:
    answer = ts.curve("scale-invariant", dynamics="online", route=route, **question)
    return {str(name): values.values for name, values in answer.data_vars.items()}


KERNELS = [
    Kernel("scale_invariant.online", SCRIPT, path_question, path),
    Kernel("scale_invariant.equilibrium", SCRIPT, rest_question, rest),
]
