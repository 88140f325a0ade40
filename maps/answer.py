"""A map as a dataset: even grid, boundaries, special places, and where it came from."""

from __future__ import annotations

import itertools
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house import catalogue
from teacherstudent.house.cautions import caution, of_points
from teacherstudent.house.declarations import Turns
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.provenance import provenance, values_as_json
from teacherstudent.house.running import given_values, instance_and_options
from teacherstudent.maps.budget import MOST, Budget, Spent
from teacherstudent.maps.chart import Chart, chart_field
from teacherstudent.maps.descents_along import FLAT
from teacherstudent.maps.field import UNKNOWN, Boundary, Field
from teacherstudent.maps.fields import field_of
from teacherstudent.maps.levels import level_lines, round_levels
from teacherstudent.maps.plane import CLOCK, Plane
from teacherstudent.maps.question import Question
from teacherstudent.maps.questions import OF_TURNS
from teacherstudent.maps.regions import Raster, rasterise
from teacherstudent.maps.spot_checks import pairs, spots
from teacherstudent.maps.stopping import MEANINGS, Lows

NINE = (0.0, 0.5, 1.0)
"""Shares of both axes where theory is asked whether it may be off."""


def compute_map(
    question: Question, seeds: Sequence[int] = (), count: int = 0, lows: Lows | None = None
) -> xr.Dataset:
    """The map that a question asks for, with so many spots drawn with those seeds. Raises `InputError`.

    Where boundaries do not explain it, or the field's places are spent before it is finished, an
    `UnconvergedWarning` says what it lacks. Where no place has an answer the `InputError` says why.
    lows: what another map of the same curve over the same plane keeps for this one, and the reverse.

    On an even grid over both parameters `label`, NaN where unknown, or `value`; for each `boundary`
    its points (`boundary_x`, `boundary_y` over `point`, NaN beyond its last), what lies to its `left` and
    `right`, by how much the value jumps there, and its level; for each `special` place where it is and of
    what kind; for each `unknown` place of the adaptive grid why theory is not certain.
    """
    field = field_of(question, lows)
    chart = chart_field(field)
    _demand_answer(question, chart)
    even = rasterise(chart, replace(field, budget=Budget(sys.maxsize)))  # filling counts places of its own
    log = bool(getattr(field, "log", False))
    lines, missing = levels_of(chart, field, even, log)
    answer = xr.Dataset(
        {**_even(question, even, log), **boundaries_of([*chart.boundaries, *lines], question.plane, log)},
        {axis.name: _axis(question, axis.name, even) for axis in (question.plane.x, question.plane.y)},
        _attributes(question, chart, even, log),
    )
    if chart.spent or missing or chart.unexplained or even.found.contradicted:
        answer.attrs["unfinished"] = describe_unresolved(chart, missing, even.found.contradicted)
        warnings.warn(answer.attrs["unfinished"], UnconvergedWarning, stacklevel=2)
    answer = answer.merge(specials_of(chart, question.plane)).merge(_unknown(chart, even, question.plane))
    if not count:
        return answer
    exact = not answer.attrs["approximate"]
    tried = pairs(chart.boundaries, lines, count)
    drawn = spots(question, replace(field, budget=Budget()), tried, count, seeds, exact)
    return answer.merge(drawn).assign_attrs({**answer.attrs, **drawn.attrs})


def _demand_answer(question: Question, chart: Chart) -> None:
    """Raise `InputError` where theory answers nowhere: a map of nothing would look like one."""
    samples = chart.grid.samples.values()
    if any(each.label != UNKNOWN for each in samples):
        return
    ((reason, _),) = Counter(each.reason for each in samples).most_common(1)
    raise InputError("of", question.of, f"a quantity with a value somewhere on the map; here: {reason}")


def describe_unresolved(chart: Chart, missing: Sequence[float], contradicted: int = 0) -> str:
    """What a map does not resolve: as it was given up, or is too fine for the grid."""
    said = []
    if chart.unexplained:
        said.append(
            f"{chart.unexplained} pairs of neighbouring places differ without a boundary between them"
        )
    elif chart.spent:
        said.append("details may be missing")
    if contradicted:
        said.append(f"of the checked places {contradicted} have another label than the map")
    if missing:
        said.append(f"lines at {', '.join(f'{each:.4g}' for each in missing)} are not drawn")
    why = f"given up after {MOST} places" if chart.spent or missing else "finer than the grid"
    return f"{why}: {', '.join(said)}"


def levels_of(chart: Chart, field: Field, even: Raster, log: bool) -> tuple[list[Boundary], list[float]]:
    """The lines of round values, and those of these values that were given up."""
    known = even.values[np.isfinite(even.values)]
    if not known.size:
        return [], []
    levels = round_levels(float(known.min()), float(known.max()), log)
    try:
        lines = level_lines(chart, field, levels, even)
    except Spent:
        return [], [10**each if log else each for each in levels]
    return [Boundary(each.points, 0, 0, 0.0, each.level) for each in lines], []


def _parameter(question: Question, name: str) -> Parameter:
    if name == CLOCK:
        return catalogue.find_problem(question.problem).on_clock(dynamics_of(question)).time
    return next(each for each in catalogue.find_problem(question.problem).parameters if each.name == name)


def _axis(question: Question, name: str, even: Raster) -> tuple[str, np.ndarray, dict[str, Any]]:
    axis = question.plane.x if question.plane.x.name == name else question.plane.y
    values = np.array([axis.value(float(each)) for each in even.along])
    return name, values, _described(_parameter(question, name))


def _described(parameter: Parameter) -> dict[str, Any]:
    return {"units": parameter.unit, "symbol": parameter.symbol, "long_name": parameter.meaning}


def _even(question: Question, even: Raster, log: bool) -> dict[str, Any]:
    plane, asked = (question.plane.y.name, question.plane.x.name), question.of
    if asked == "descents":
        labels = np.where(even.labels == UNKNOWN, np.nan, even.labels)
        said = {"units": "1", "symbol": "", "long_name": f"number of {_counted(question)}"}
        return {"label": (plane, labels, said)}
    values = 10**even.values if log else even.values
    if asked in OF_TURNS:
        return _of_turns(question, plane, even.labels, values)
    name = asked.partition("[")[0]
    kind = catalogue.find_problem(question.problem)
    each = next(each for each in kind.observables if each.name == name)
    return {"value": (plane, values, {"units": each.unit, "symbol": each.symbol, "long_name": each.meaning})}


def _counted(question: Question) -> str:
    """What is counted, in words."""
    if not question.along and question.plane.clock is None:
        return catalogue.of_problem(question.problem, catalogue.counts())[question.curve].counted
    turns = catalogue.of_problem(question.problem, catalogue.turns())[question.curve]
    said = f"descents of the {turns.observable.replace('_', ' ')}"
    if not question.along:
        return f"{said} begun by that time"
    along = question.along
    over = _parameter(question, along.name)
    return f"{said} as {over.symbol or over.name} grows from {along.low:g} to {along.high:g}"


def _of_turns(
    question: Question, plane: tuple[str, str], labels: np.ndarray, values: np.ndarray
) -> dict[str, Any]:
    """The region, where to stop and where not, and the best time or what it gains."""
    kind = catalogue.find_problem(question.problem)
    turns = catalogue.of_problem(question.problem, catalogue.turns())[question.curve]
    risk = next(each for each in kind.observables if each.name == turns.observable)
    clock = kind.on_clock(turns.dynamics).time
    if question.of == "stopping":
        said = {"units": clock.unit, "symbol": clock.symbol, "long_name": "best stopping time"}
    else:
        name = f"{risk.name.replace('_', ' ')} saved by stopping"
        said = {"units": risk.unit, "symbol": risk.symbol, "long_name": name}
        values = np.maximum(values, 0.0)  # between nodes it is interpolated
    regions = np.where(labels == UNKNOWN, np.nan, labels)
    words = {
        "units": "1",
        "long_name": "what is best",
        "meanings": values_as_json({str(label): word for label, word in MEANINGS.items()}),
    }
    return {"region": (plane, regions, words), "value": (plane, values, said)}


def boundaries_of(boundaries: Sequence[Boundary], plane: Plane, log: bool) -> dict[str, Any]:
    """The boundaries as variables of a dataset over `boundary` and `point`, in the parameters' values."""
    longest = max((len(each.points) for each in boundaries), default=0)
    places = np.full((2, len(boundaries), longest), np.nan)
    for i, each in enumerate(boundaries):
        for k, axis in enumerate((plane.x, plane.y)):
            places[k, i, : len(each.points)] = [axis.value(float(share)) for share in each.points[:, k]]
    axes = ("boundary", "point")
    levels = np.array([each.level for each in boundaries], dtype=float)
    return {
        "boundary_x": (axes, places[0], {"long_name": f"{plane.x.name} along a boundary"}),
        "boundary_y": (axes, places[1], {"long_name": f"{plane.y.name} along a boundary"}),
        "left": ("boundary", [each.left for each in boundaries], {"long_name": "label on the left"}),
        "right": ("boundary", [each.right for each in boundaries], {"long_name": "label on the right"}),
        "jump": (
            "boundary",
            np.array([each.jump for each in boundaries], dtype=float),
            {
                "long_name": "jump of log10 of the best time, from left to right",
                "meaning": "the best time jumps (first-order line)",
            },
        ),
        "level": ("boundary", 10**levels if log else levels, {"long_name": "value all along"}),
    }


def specials_of(chart: Chart, plane: Plane) -> xr.Dataset:
    """The special places as a dataset over `special`."""
    rows = [(*plane.values(each.place).values(), each.kind) for each in chart.specials]
    columns = list(zip(*rows, strict=True)) if rows else [(), (), ()]
    return xr.Dataset(
        {
            "special_x": ("special", np.array(columns[0], dtype=float), {"long_name": plane.x.name}),
            "special_y": ("special", np.array(columns[1], dtype=float), {"long_name": plane.y.name}),
            "special_kind": ("special", np.array(columns[2], dtype=object), {"long_name": "what is there"}),
        }
    )


def _unknown(chart: Chart, even: Raster, plane: Plane) -> xr.Dataset:
    from teacherstudent.maps.grid import place_of

    lost = [
        (place_of(node), each.reason) for node, each in chart.grid.samples.items() if each.label == UNKNOWN
    ]
    lost += even.found.lost
    places = [plane.values(place) for place, _ in lost]
    return xr.Dataset(
        {
            "unknown_x": ("unknown", np.array([each[plane.x.name] for each in places], dtype=float)),
            "unknown_y": ("unknown", np.array([each[plane.y.name] for each in places], dtype=float)),
            "reason": ("unknown", np.array([reason for _, reason in lost], dtype=object)),
        }
    )


def _attributes(question: Question, chart: Chart, even: Raster, log: bool) -> dict[str, Any]:
    kind = catalogue.find_problem(question.problem)
    entries, approximate, source, dynamics, route = _origin(question)
    asked = provenance(
        kind,
        entries,
        of=question.of,
        x=question.plane.x.name,
        y=question.plane.y.name,
        x_scale="log" if question.plane.x.log else "linear",
        y_scale="log" if question.plane.y.log else "linear",
        value_scale="log" if log else "linear",
        fixed=values_as_json(_fixed(question)),
        curve=question.curve,
        dynamics=dynamics,
        route=route,
        time=question.time,
        limit=int(question.enlarges),
        **_over(question),
        caution=_caution(question, dynamics, route),
        approximate=approximate,
        source=source,
        samples=len(chart.grid.samples),
        unexplained=int(chart.unexplained),
    )
    return {"kind": "map", **asked, **accuracy_of(even, log)}


def _caution(question: Question, dynamics: str, name: str) -> str:
    """Why theory says that it may be off, at nine places spread over the plane."""
    kind = catalogue.find_problem(question.problem)
    if not name:
        return ""
    route, clock, along = catalogue.find_route(kind, dynamics, name), kind.on_clock(dynamics), question.along
    said = []
    for place in itertools.product(NINE, NINE) if route.cautions else ():
        more = {along.name: along.high} if along else None
        with suppress(InputError):  # values that contradict each other
            values = {**question.drawable(place, more), **dict(question.options)}
            instance, options = instance_and_options(kind, clock, route, values)
            times = np.array([question.moment(place)]) if question.route else None
            words = ", ".join(f"{each} = {value:.4g}" for each, value in question.plane.values(place).items())
            said.append((words, caution(route, instance, times, options)))
    return of_points(said)


def _over(question: Question) -> dict[str, Any]:
    """Over which parameter descents are counted, and how; nothing where it is over training."""
    along = question.along
    if not along:
        return {}
    return {
        "along": along.name,
        "along_low": along.low,
        "along_high": along.high,
        "along_count": along.count,
        "along_scale": "log" if along.log else "linear",
        "flat": FLAT,
        "flat_is": "largest slope over the range, as a share of the value, that counts as flat",
    }


def accuracy_of(even: Raster, log: bool) -> dict[str, Any]:
    """How far interpolated values are from computed ones: nothing where a map has no values."""
    found = even.found
    if not np.isfinite(found.values).any():
        return {}
    return {
        "interpolation_error": found.error,
        "interpolation_error_is": f"the largest at {found.checked} interpolated points that were computed as "
        f"well, as a share of {'the value' if log else 'the range of values'}",
        "points_computed": found.computed,
        "points_unresolved": len(found.lost),
    }


def _fixed(question: Question) -> dict[str, Any]:
    """The values of all parameters and options that are no axes, given or default, as they are declared."""
    kind = catalogue.find_problem(question.problem)
    own = list(kind.parameters)
    if question.route:
        own += kind.on_clock(question.dynamics).options
        own += catalogue.find_route(kind, question.dynamics, question.route).options
    given = {**dict(question.values), **dict(question.options)}
    found = given_values(own, given, swept=question.axes)
    return {each.name: found[each.name] for each in own if each.name in found}


def _turns(question: Question) -> Turns | None:
    """The curve of that name whose turns theory announces."""
    own = {each.name: each for each in catalogue.turns() if each.problem == question.problem}
    return own.get(question.curve)


def dynamics_of(question: Question) -> str:
    """Whose time it is."""
    turns = _turns(question)
    return question.dynamics or (turns.dynamics if turns else "")


def _origin(question: Question) -> tuple[list[str], str, str, str, str]:
    """What computed it, what is approximate about it, its source, and the dynamics and route of the curve."""
    kind = catalogue.find_problem(question.problem)
    if question.route:
        route = catalogue.find_route(kind, question.dynamics, question.route)
        return [route.entry], route.approximate, route.source, route.dynamics, route.name
    turns = _turns(question)
    dynamics, name = (turns.dynamics, turns.route) if turns else ("", "")
    if question.of == "descents" and question.plane.clock is None:
        count = catalogue.of_problem(kind.id, catalogue.counts())[question.curve]
        return [count.entry], count.approximate, count.meaning, dynamics, name
    assert turns
    return [turns.entry], turns.approximate, turns.source, dynamics, name
