"""What a route owes to a question, and the one way to ask it: its answer is held to its declaration.

A route is a function that somebody wrote, so nothing about it is taken on trust: not the names that it
returns, not their shapes, not that they are numbers. The same goes for counts, turns and spectra
(`house.theory_queries`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from teacherstudent.house import memory
from teacherstudent.house.certainty import nan_where, reasons, together
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.domains import Choice, Several
from teacherstudent.house.errors import InputError, OutsideError, RouteError, in_short
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.outside import place_in
from teacherstudent.house.outside.announced import owner_of

LOG = logging.getLogger("teacherstudent")
"""What is computed, for whoever listens (`--verbose` on the command line)."""

Shapes = Mapping[str, tuple[int, ...]]
"""The shape of each observable along its own axes: without those of draws and times."""

Arrays = dict[str, np.ndarray]

BROKEN = (
    AssertionError, AttributeError, ImportError, LookupError, NameError, RuntimeError, SyntaxError, TypeError,
    ValueError,
)  # fmt: skip
"""What a fault in the code of a route raises."""


def expected_shapes(problem: Problem, route: Route, instance: Any, options: Mapping[str, Any]) -> Shapes:
    """The observables that this route gives of this question, in the problem's order, with their shapes.

    Raises `RouteError` where the problem has no coordinate along an axis of one of them.
    """
    sizes = {dim: len(values) for dim, values, *_ in problem.coordinates(instance).values()}
    found: dict[str, tuple[int, ...]] = {}
    observed = problem.observed(instance, options) if problem.observed else None
    for each in problem.observables:
        if observed is not None and each.name not in observed:
            continue
        if route.gives and each.name not in route.gives:
            continue
        for dim in each.dims:
            if dim not in sizes:
                raise RouteError(f"problem {problem.id}: {each.name} has no coordinate along its axis {dim}")
        found[each.name] = tuple(sizes[dim] for dim in each.dims)
    return found


def added_by(clock: Dynamics, routes: Iterable[Route], name: str) -> str:
    """What adds this observable to an answer by one of the routes, as it is typed; empty: nothing does."""
    if not any(not route.gives or name in route.gives for route in routes):
        return ""
    for option in clock.options:
        each = option.domain.each if isinstance(option.domain, Several) else None
        if isinstance(each, Choice) and name in dict(each.others):
            return f"--{option.option} {dict(each.others)[name]} adds it"
    return ""


def ask_route(
    route: Route,
    shapes: Shapes,
    instance: Any,
    times: np.ndarray,
    options: Mapping[str, Any],
    seeds: Sequence[int] | None = None,
) -> Arrays:
    """The route's answer to one question, in float64, each observable over draws (if any), times, own axes.

    Draws are asked for in groups that fit in memory, which changes their numbers by rounding at most.
    shapes: what it owes (`expected_shapes`). Where it breaks down (`ArithmeticError`, `LinAlgError`) all is
    NaN, and where it gives an infinity, or a NaN without a reason, that number is, each with an
    `UnconvergedWarning` that names the route. Raises `RouteError` where names, shapes or types are not those
    declared, and `InputError` where the route refuses the question.
    """
    drawn = (len(seeds),) if seeds else ()
    leading = (*drawn, times.size)
    parts = run_interruptibly(lambda: memory.groups_that_fit(route, shapes, instance, times, options, seeds))
    began = time.perf_counter()
    drawn_in = f", {len(seeds)} draws in {len(parts)} groups" if seeds else ""
    LOG.info("route %s: %d times%s", route.id, times.size, drawn_in)

    def of(part: Sequence[int] | None) -> Arrays:
        own = {"seeds": part} if part else {}
        size = (len(part), times.size) if part else leading
        return checked_answer(
            route, shapes, size, lambda: route.function()(instance, times, **options, **own)
        )

    try:
        if len(parts) == 1:
            return of(*parts)
        with together():
            answers = [of(part) for part in parts]
        return {name: np.concatenate([answer[name] for answer in answers]) for name in shapes}
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        why = ": ".join([type(error).__name__, *map(str, error.args[-1:])])  # the last says it in words
        zeros = {name: np.zeros((*leading, *own)) for name, own in shapes.items()}
        return nan_where(True, f"route {route.id} broke down ({why})", zeros)
    finally:
        LOG.info("route %s: took %.3g s", route.id, time.perf_counter() - began)


def checked_answer(
    route: Route, shapes: Shapes, leading: tuple[int, ...], answer: Callable[[], Mapping[str, Any]]
) -> Arrays:
    """What `answer` computes for that route, held to what it owes.

    leading: numbers of draws (where any) and times. Warns and raises as `ask_route` does, but lets
    `ArithmeticError` and `LinAlgError` pass. A NaN is explained where the route gave a reason for that point
    of that observable (`house.certainty.Reason.covers`).
    """
    with reasons() as given:
        try:
            arrays = run_interruptibly(answer)
        except (InputError, MissingExtra, RouteError, np.linalg.LinAlgError):
            raise
        except BROKEN as error:
            said = f"{type(error).__name__}: {in_short(str(error))}"
            if owner := owner_of(route.entry):
                file, line = place_in(owner.folder, error) or (owner.folder, 0)
                raise OutsideError(f"route {route.id} failed ({said}; {file}, line {line})") from error
            raise RouteError(f"route {route.id} failed ({said})") from error
    try:
        _hold_names(route, shapes, arrays)
        found = {name: _real(route, name, arrays[name], (*leading, *own)) for name, own in shapes.items()}
    except RouteError as error:
        raise (OutsideError if owner_of(route.entry) else RouteError)(str(error)) from None
    for name, values in found.items():
        own = tuple(range(len(leading), values.ndim))
        infinite = np.isinf(values)
        explained = [reason.covers(name, shapes, leading) for reason in given]
        unsaid = np.any(np.isnan(values), axis=own) & ~np.any([np.zeros(leading, bool), *explained], axis=0)
        points = np.any(infinite, axis=own) | unsaid
        if points.any():
            nan_where(points, f"route {route.id}: {name} is not finite", values)
            found[name] = np.where(infinite, np.nan, values)
    return found


def _hold_names(route: Route, shapes: Shapes, arrays: Mapping[str, Any]) -> None:
    if not isinstance(arrays, Mapping):
        raise RouteError(f"route {route.id} gives {type(arrays).__name__}, not arrays by name")
    strays = ", ".join(str(name) for name in arrays if name not in shapes)
    missing = ", ".join(name for name in shapes if name not in arrays)
    if strays or missing:
        wrong = " and ".join(filter(None, (strays and f"gives {strays}", missing and f"lacks {missing}")))
        raise RouteError(f"route {route.id} {wrong}: its declaration promises {', '.join(shapes)}")


def _real(route: Route, name: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(float), np.nan)
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise RouteError(f"route {route.id} gives {name} with rows of different lengths") from None
    if array.dtype.kind not in "iuf":
        raise RouteError(f"route {route.id} gives {name} as {array.dtype}, not as real numbers")
    if array.shape != shape:
        raise RouteError(f"route {route.id} gives {name} in shape {array.shape}, not {shape}")
    return array.astype(np.float64, copy=False)
