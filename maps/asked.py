"""The field that a question asks for."""

from __future__ import annotations

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import pick
from teacherstudent.maps.field import Field
from teacherstudent.maps.question import Question
from teacherstudent.maps.turning import Counted


def field_of(question: Question) -> Field:
    """The field. Raises `InputError` for what the problem's theory does not announce."""
    counts = catalogue.of_problem(question.problem, catalogue.counts())
    count = pick("curve", question.curve, counts)
    turns = [each for each in catalogue.turns() if (each.problem, each.name) == (count.problem, count.name)]
    return Counted(question, count, next((each for each in turns if each.curve), None))
