"""The field that a question asks for."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import pick
from teacherstudent.maps.field import Field
from teacherstudent.maps.observed import Observed, spread
from teacherstudent.maps.question import Question
from teacherstudent.maps.turning import Counted

LOOK = 5
"""Places along a side at which an observable is looked at before its scale is chosen."""


@lru_cache(maxsize=8)
def field_of(question: Question) -> Field:
    """The field; the same one, with what it remembers, for the same question.

    Raises `InputError` for what the problem's theory does not announce.
    """
    if question.of == "descents":
        return _counted(question)
    name, *entries = re.findall(r"\w+", question.of)
    kind = catalogue.find_problem(question.problem)
    axes = next(each.dims for each in kind.observables if each.name == name)
    del axes
    observed = Observed(question, name, tuple(int(each) - 1 for each in entries))
    looks = [(float(x), float(y)) for x in np.linspace(0, 1, LOOK) for y in np.linspace(0, 1, LOOK)]
    return replace(observed, log=spread(observed.samples(looks)), known={})


def _counted(question: Question) -> Counted:
    counts = catalogue.of_problem(question.problem, catalogue.counts())
    count = pick("curve", question.curve, counts)
    same = [each for each in catalogue.turns() if (each.problem, each.name) == (count.problem, count.name)]
    return Counted(question, count, next((each for each in same if each.curve), None))
