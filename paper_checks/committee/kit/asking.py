"""Questions put to the routes of the committee machine, and their answers as rows of numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

from teacherstudent.paper_checks.judging.questions import Questions

ID, CLOCK = "committee", "online"
ORDERS = ("R", "Q", "excess_risk")
"""Observables of a student whose second layer is fixed."""

BOTH_LAYERS: dict[str, Any] = {
    "width": 3,
    "teacher_width": 2,
    "learning_rate": 0.6,
    "second_layer_learning_rate": 0.4,
    "noise": 0.3,
    "weight_decay": 0.1,
    "second_layer_weight_decay": 0.05,
    "teacher_overlaps": ((1.0, 0.3), (0.3, 0.8)),
    "initial_overlaps": ((0.2, -0.1), (0.1, 0.3), (-0.2, 0.05)),
    "student_overlaps": ((0.5, 0.1, 0.0), (0.1, 0.6, -0.05), (0.0, -0.05, 0.4)),
    "initial_second_layer": (1.0, 0.7, -0.5),
    "teacher_second_layer": (1.0, -0.8),
}
"""A question without any symmetry: both layers are trained, with noise and both decays."""


QUESTIONS = Questions(ID)
ask = partial(QUESTIONS.answer, CLOCK)
entry = partial(QUESTIONS.entry, CLOCK)
accuracy = partial(QUESTIONS.accuracy, CLOCK)
