"""Why numbers that are computed without fault may still be far off: what a route says of a question.

A limit is exact for infinite sizes, a formula for rows of a certain kind. Only the system knows how far a
question is from that, so its `Route` names the function that says it (`Route.cautions`). The sentences stand
in the answer as its attribute `caution`, and are warned of on standard error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route, load
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import Question


def caution(route: Route, instance: Any, times: np.ndarray | None, options: Mapping[str, Any]) -> str:
    """What the route says of this question in one line, "" where it has no doubt. None: at all times.

    It is an addition to an answer: where it cannot be computed itself, that is what it says. A question that
    is refused has no answer to doubt.
    """
    if not route.cautions:
        return ""
    try:
        said = "; ".join(load(route.cautions)(instance, route.dynamics, times, options))
    except InputError:
        return ""
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        said = f"the size of the error is not known ({error})"
    return f"route {route.name}: {said}" if said else ""


def of_question(question: Question) -> str:
    """The caution of one question that was answered."""
    return caution(question.route, question.instance, question.times, question.options)


def of_curve(problem: str, name: str, instance: Any, times: Iterable[float] = ()) -> str:
    """What is to be said of the turns, at these times, of a curve that theory announces, or of their number.

    Without turns it is said of all training: that there are none.
    """
    own = [each for each in catalogue.turns() if (each.problem, each.name) == (problem, name)]
    if not own or not own[0].route:
        return ""
    route = catalogue.find_route(catalogue.find_problem(problem), own[0].dynamics, own[0].route)
    at = np.array(sorted(times), dtype=float)
    return caution(route, instance, at if at.size else None, {})


def of_points(found: Iterable[tuple[str, str]]) -> str:
    """The first caution of many questions, each with its values in words, and how many questions have one."""
    every = list(found)
    doubted = [(values, said) for values, said in every if said]
    if not doubted:
        return ""
    values, said = doubted[0]
    return f"{said} (so at {values}; {len(doubted)} of {len(every)} points have a caution)"
