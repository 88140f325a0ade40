"""Committee machines with all units alike: overlaps and excess risk over time, as lesson 9 asks."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np

import teacherstudent as ts
from teacherstudent.theory.committee import integration, ode
from teacherstudent.theory.committee.integration import Patience
from tests.browser.kernels import Kernel

SCRIPT = "theory/committee.js"
SHARP, RESTING = Patience(1e-12, 200_000), 1e-11
"""Of Python's steps here, and how near to its point of rest it puts a path there. The front door's usual
steps are a hundred times as rough, and it jumps the last 1e-8: it declares 1e-7."""


def question(random: np.random.Generator) -> dict[str, Any]:
    """Over the ranges of the sliders, with the times of the lesson's picture."""
    return dict(
        width=(width := int(random.integers(2, 4))),
        teacher_width=width,
        learning_rate=float(random.uniform(0.25, 2.25)),
        overlap=0.0 if random.uniform() < 0.2 else float(np.exp(random.uniform(np.log(0.01), np.log(0.4)))),
        noise=0.0 if random.uniform() < 0.2 else float(random.uniform(0.02, 0.4)),
        second_layer_learning_rate=float(random.choice([0.0, 0.5])),
        times=[*np.linspace(0, random.uniform(50, 400), 41).tolist(), 1e4],
    )


def path(**question: Any) -> dict[str, np.ndarray]:
    """The front door's answer, of smaller steps and without its jump to the point of rest."""
    sharper = mock.patch.dict(ode.PATIENCE, erf=SHARP), mock.patch.object(integration, "RESTING", RESTING)
    with sharper[0], sharper[1]:
        answer = ts.curve("committee", dynamics="online", route="asymptotic", **question)
    R, Q = answer["R"].values, answer["Q"].values
    return dict(
        R=R[:, 0, 0],
        S=R[:, 0, 1],
        Q=Q[:, 0, 0],
        C=Q[:, 0, 1],
        v=answer["second_layer"].values[:, 0],
        excess_risk=answer["excess_risk"].values,
    )


KERNELS = [
    Kernel(
        "committee.path",
        SCRIPT,
        question,
        path,
        count=10,  # of some seconds each: Python's steps are short
        floor=dict.fromkeys(("R", "S", "Q", "C", "v", "excess_risk"), 1.0),
        why="S, C and, without noise, the excess risk come to rest at 0; a state is held as a whole",
    )
]
