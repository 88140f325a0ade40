"""The field that a question asks for."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import pick
from teacherstudent.maps.descents_along import Across
from teacherstudent.maps.descents_begun import Begun
from teacherstudent.maps.observed import Observed, wants_log_scale
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.questions import OF_TURNS
from teacherstudent.maps.stopping import STOPS, Lows, Stopped
from teacherstudent.maps.turning import Counted

LOOK = 5
"""Places along a side at which an observable is looked at before its scale is chosen."""


def field_of(question: Question, lows: Lows | None = None) -> Counted | Begun | Across | Stopped | Observed:
    """The field, which remembers what it was asked.

    lows: minima that are known already, of maps of the best time and of its gain over the same plane.
    Raises `InputError` for what the problem's theory does not announce.
    """
    if question.of == "descents":
        curves = {each.name: each for each in catalogue.turns() if each.problem == question.problem}
        if question.along:
            return Across(question, curves[question.curve].observable)
        return _counted(question) if question.plane.clock is None else Begun(question, curves[question.curve])
    if question.of in OF_TURNS:
        return _stopped(question, {} if lows is None else lows)
    name, *entries = re.findall(r"\w+", question.of)
    observed = Observed(question, name, tuple(int(each) - 1 for each in entries))
    return replace(observed, log=wants_log_scale(observed.samples(_looks())), known={})


def _looks() -> list[Place]:
    return [(float(x), float(y)) for x in np.linspace(0, 1, LOOK) for y in np.linspace(0, 1, LOOK)]


def _stopped(question: Question, lows: Lows) -> Stopped:
    curves = catalogue.of_problem(question.problem, catalogue.turns())
    turns = pick("curve", question.curve, curves)
    if not turns.curve:
        named = ", ".join(each.name for each in curves.values() if each.curve)
        raise InputError("curve", turns.name, f"one that theory has as a smooth curve: {named or 'none'}")
    stopped = Stopped(question, turns, question.of == "gain", log=False, lows=lows)
    if question.of == "stopping":
        return replace(stopped, log=True)
    gains = [each for each in stopped.samples(_looks()) if each.label == STOPS]
    return replace(stopped, log=wants_log_scale(gains), known={})


def _counted(question: Question) -> Counted:
    counts = catalogue.of_problem(question.problem, catalogue.counts())
    count = pick("curve", question.curve, counts)
    same = [each for each in catalogue.turns() if (each.problem, each.name) == (count.problem, count.name)]
    return Counted(question, count, next((each for each in same if each.curve), None))
