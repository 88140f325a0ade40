"""Where an answer reaches a level: what `teacherstudent solve` and a notebook both call."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from teacherstudent.api.curve import Times, recording_times, seeds_of, times_of_questions
from teacherstudent.house import catalogue
from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span, in_digits
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.provenance import note, provenance, recorded, values_as_json

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.declarations import Problem
    from teacherstudent.inverse.asking import Condition, Searched
    from teacherstudent.inverse.objective import Objective
    from teacherstudent.inverse.roots import Found, Root

ACCURACY = Parameter(
    "accuracy",
    "",
    "relative",
    Number(1e-12, 0.1),
    "relative half width of the brackets (default: 1e-8, or 1e-5 where a route draws)",
)

SAMPLES, SAMPLES_DRAWN, SAMPLES_COUNTED, SAMPLES_TIME = 65, 17, 33, 257
"""Points that are looked at first: of a parameter, where a route draws, of a dear count, and of time."""

BESIDE = 0.05
"""Relative distance to both sides over which the slope of what is drawn is taken."""

MOST_TOLD = 3
"""Near misses, or gaps, that are told one by one."""


@recorded
def solve(
    problem: str,
    *,
    where: str | Sequence[str],
    for_: str | None = None,
    dynamics: str | None = None,
    route: str | None = None,
    times: Times = None,
    seeds: int | None = None,
    seed: int | None = None,
    curve: str | None = None,
    accuracy: float | None = None,
    **values: Any,
) -> xr.Dataset:
    """Find every value of a parameter, or every time, at which an answer reaches a level.

    The range is scanned, more closely where the quantity bends or comes near to the level, and each change of
    side is enclosed between two evaluated points.

    Args:
        problem: Id of the problem.
        where: `QUANTITY = VALUE` or `QUANTITY = QUANTITY`; several as a list, each solved by itself. A
            quantity is made of observables `NAME[:[DYNAMICS/]ROUTE][@TIME|@end]`, of parameters and numbers,
            by + - * / ( ), as `"training_error@end / excess_risk@end = 2"`. Without `@` the moment is the
            time that is searched. `@end` is the last of `times`; `min(NAME)` and `max(NAME)` are over all of
            them. `descents` and `slope` are what the theory announces of a `curve`: the number of descents,
            and the slope over the logarithm of time.
        for_: What is searched: `NAME` or `NAME=LO:HI[:log|lin]`, a parameter, an option, or `"time"`. May be
            absent where a parameter is given as LO:HI. Without a range: the recorded times, or else the
            whole domain, or three decades on both sides of the default.
        dynamics: How the student is trained (default: the first; over time the first that is continuous).
        route: How the answer is computed (default: the first that draws nothing).
        times: Recording times, as in `teacherstudent.curve` (default: where time is searched, its range).
        seeds: Number of draws, the same at every point (default 20). Sampled routes only.
        seed: Number of the first draw (default 0). Sampled routes only.
        curve: Curve of `descents` and `slope` (default: the first that the theory announces).
        accuracy: Relative half width of the brackets (default 1e-8, or 1e-5 where a route draws). They are
            wider where rounding hides the side, and are two neighbours of whole numbers.
        **values: Parameters and options by name, as in `teacherstudent.curve`. One may be a list or a grid:
            then each of its values is solved for.

    Returns:
        Dataset over `root`, in order: the value, under the name of what is searched; the bracket `low`,
            `high` and its relative half width `accuracy`; the quantity `below` and `above`; its `direction`;
            and `kind`: "crossing", "jump", or "start" and "end" of a stretch at the level. Where a route
            draws, `stderr` is the standard error of the quantity there over its slope. Near misses are over
            `touch`, stretches without values and poles over `gap`, all evaluated points over `sample`;
            `question` tells which condition, and which value of a list, each belongs to. It is empty if the
            level is not reached.

    Raises:
        InputError: For what is no condition, an unknown name, a value outside its domain, and a range in
            which nothing has a value.

    Examples:
        >>> import teacherstudent as ts
        >>> question = dict(dynamics="flow", where="excess_risk@end = 0.1")
        >>> found = ts.solve("multiscale", for_="noise=0.01:1", **question)
        >>> f"{found.noise.item():.6f}, {found.direction.item()}"
        '0.346070, rising'
    """
    from teacherstudent.inverse.asking import conditions

    kind = catalogue.find_problem(problem)
    solved: list[_Solved] = []
    for condition in conditions(where, kind):
        chosen = {"dynamics": dynamics, "route": route, "curve": curve}
        solved += _solved(kind, condition, for_, chosen, times, (seeds, seed), accuracy, values)
    first = solved[0]
    for each in solved:
        if each.searched.name != first.searched.name:
            raise InputError("for", str(for_), "given where conditions would be solved for different names")
    if not any(each.has_values for each in solved):
        raise InputError(
            "where", first.condition.text, f"a quantity with values in the range: {first.reason}"
        )
    answer = _assembled(kind, solved)
    for line in answer.attrs["seen"].split("\n"):
        note(kind.id, line)
    return answer


@dataclass(frozen=True)
class _Solved:
    """One question, with what was found."""

    condition: Condition
    searched: Searched
    asked: Objective
    swept: tuple[str, Any] | None
    accuracy: float
    found: Found

    @property
    def has_values(self) -> bool:
        """Whether any point has a value."""
        return any(math.isfinite(each) for each in self.found.values)

    @property
    def reason(self) -> str:
        """Why there is none in the middle of the range."""
        (middle,) = self.asked([{self.searched.name: self.searched.axis.place(0.5)}])
        return middle.reason

    def label(self, several: bool) -> str:
        """Which of several questions it is, in words."""
        parts = [self.condition.text] if several else []
        if self.swept:
            name, value = self.swept
            parts.append(f"{name} = {in_digits(value) if isinstance(value, float) else value}")
        return ", ".join(parts)


def _solved(
    kind: Problem,
    condition: Condition,
    for_: str | None,
    chosen: Mapping[str, str | None],
    times: Times,
    drawn: tuple[int | None, int | None],
    accuracy: float | None,
    values: Mapping[str, Any],
) -> Iterator[_Solved]:
    from teacherstudent.inverse.asking import read_searched
    from teacherstudent.inverse.objective import TIME, objective
    from teacherstudent.inverse.roots import Height, find_roots

    timed = isinstance(for_, str) and for_.partition("=")[0].strip().removeprefix("--") == TIME
    probe = objective(kind, condition.quantity, [TIME] if timed else [], values={}, **chosen)
    seeded = seeds_of([route for _, route in probe.clocks.values()], *drawn)
    searched, rest = read_searched(probe, for_, values)
    name, level = searched.name, condition.level
    swept = next(((word, each) for word, each in rest.items() if isinstance(each, list | Span)), None)
    usual = 1e-5 if probe.sampled else 1e-8
    wanted = usual if accuracy is None else ACCURACY.check(accuracy)
    samples = SAMPLES_DRAWN if probe.sampled else SAMPLES_TIME if name == TIME else SAMPLES
    samples = SAMPLES_COUNTED if condition.quantity.stepped else samples
    for value in _several(probe, swept):
        own = {**rest, swept[0]: value} if swept else rest
        asked = replace(probe, values=own, seeds=tuple(seeded), known={})
        asked.check([name])
        asked, axis = _timed(asked, searched, times)

        def heights(places: Sequence[float], asked: Objective = asked) -> list[Height]:
            return [
                Height(each.value - level, each.rounding, each.reason)
                for each in asked([{name: place} for place in places])
            ]

        found = find_roots(
            heights,
            axis,
            accuracy=wanted,
            samples=samples,
            stepped=condition.quantity.stepped,
            minimise=3 if probe.sampled else 20,
        )
        here = (swept[0], value) if swept else None
        yield _Solved(condition, replace(searched, axis=axis), asked, here, wanted, found)


def _several(probe: Objective, swept: tuple[str, Any] | None) -> Sequence[Any]:
    if swept is None:
        return [None]
    name, grid = swept
    if isinstance(grid, Span):
        grid = [round(each) for each in grid.values()] if probe.is_whole(name) else grid.values()
    return list(dict.fromkeys(grid))


def _timed(asked: Objective, searched: Searched, times: Times) -> tuple[Objective, Any]:
    """The objective with its recording times, and the range, which may be theirs."""
    from teacherstudent.house.running import instance_and_options, time_grid
    from teacherstudent.inverse.objective import TIME

    axis, recorded = searched.axis, {}
    for clock, route in dict.fromkeys(asked.clocks.values()):
        grid: Any = axis.grid(50) if searched.name == TIME and times is None and searched.given else None
        grid = recording_times(times, clock) if grid is None else grid
        if isinstance(grid, str):
            ends = [{}] if searched.name == TIME else [{searched.name: end} for end in (axis.low, axis.high)]
            questions = []
            for end in ends:
                whole = {k: round(v) if asked.is_whole(k) else v for k, v in end.items()}
                own = asked.own({**asked.values, **whole}, clock, route, set())
                questions.append(instance_and_options(asked.problem, clock, route, own))
            grid, _ = times_of_questions(asked.problem, clock, questions)
        recorded[clock.name] = tuple(time_grid(clock, grid).tolist())
    if searched.name == TIME and not searched.given and recorded:
        grid = next(iter(recorded.values()))
        low = grid[0] or grid[min(1, len(grid) - 1)]
        if not low < grid[-1]:
            raise InputError("times", times, "two times or more, between which is searched")
        axis = replace(axis, low=low, high=grid[-1], log=grid[-1] >= 10 * low)
    return replace(asked, times={**asked.times, **recorded}, known={}), axis


def _assembled(kind: Problem, solved: Sequence[_Solved]) -> xr.Dataset:
    """Everything that was found as one dataset."""
    import numpy as np
    import xarray as xr

    from teacherstudent.house.running import given_values
    from teacherstudent.inverse.objective import TIME

    first = solved[0]
    parameter, name = first.searched.parameter, first.searched.name
    several = len({each.condition.text for each in solved}) > 1
    rows = [(i, root, each) for i, each in enumerate(solved) for root in each.found.roots]
    touches = [(i, touch) for i, each in enumerate(solved) for touch in each.found.touches]
    gaps = [(i, gap) for i, each in enumerate(solved) for gap in each.found.gaps]
    place = {"units": parameter.unit, "symbol": parameter.symbol, "long_name": parameter.meaning}
    drawn = {"stderr": [_stderr(each, root) for _, root, each in rows]} if first.asked.sampled else {}
    levels = np.array([each.condition.level for _, _, each in rows])
    columns: dict[str, Any] = {
        name: [root.value for _, root, _ in rows],
        "low": [root.low for _, root, _ in rows],
        "high": [root.high for _, root, _ in rows],
        "accuracy": [root.accuracy for _, root, _ in rows],
        **drawn,
        "direction": ["rising" if root.rising else "falling" for _, root, _ in rows],
        "below": np.array([root.below for _, root, _ in rows]) + levels,
        "above": np.array([root.above for _, root, _ in rows]) + levels,
        "kind": [root.kind if root.certified else "end of range" for _, root, _ in rows],
        "residual": [_residual(each, root) for _, root, each in rows],
    }
    said = {
        name: place,
        "low": {**place, "long_name": "evaluated point below, on one side of the level"},
        "high": {**place, "long_name": "evaluated point above, on the other side"},
        "accuracy": {"units": "1", "long_name": "half width of the bracket, relative to the value"},
        "stderr": {**place, "long_name": "standard error of the quantity over its slope"},
        "direction": {"long_name": "whether the quantity rises or falls there"},
        "below": {"long_name": "quantity at low"},
        "above": {"long_name": "quantity at high"},
        "kind": {"long_name": "how the level is reached"},
        "residual": {"long_name": "quantity at the value, minus the level"},
    }
    variables = {
        key: ("root", np.asarray(each, dtype=str if key in ("direction", "kind") else float), said[key])
        for key, each in columns.items()
    }
    coordinates: dict[str, Any] = {"root": ("root", np.arange(1, len(rows) + 1))}
    if several:
        coordinates["where"] = ("root", np.array([each.condition.text for *_, each in rows], dtype=str))
    if first.swept:
        coordinates[first.swept[0]] = ("root", np.array([each.swept[1] for *_, each in rows if each.swept]))
    counted = [len(each.found.places) for each in solved]
    beside = {
        "root_question": ("root", [i for i, *_ in rows]),
        "condition": ("question", np.array([each.condition.text for each in solved], dtype=str)),
        "label": ("question", np.array([each.label(several) for each in solved], dtype=str)),
        "quantity": ("question", np.array([each.asked.quantity.text for each in solved], dtype=str)),
        "level": ("question", [each.condition.level for each in solved]),
        "resolution": ("question", [each.found.resolution for each in solved]),
        "touch_at": ("touch", [touch.value for _, touch in touches]),
        "touch_distance": ("touch", [touch.distance for _, touch in touches]),
        "touch_question": ("touch", [i for i, _ in touches]),
        "gap_low": ("gap", [gap.low for _, gap in gaps]),
        "gap_high": ("gap", [gap.high for _, gap in gaps]),
        "gap_reason": ("gap", np.array([gap.reason for _, gap in gaps], dtype=str)),
        "gap_question": ("gap", [i for i, _ in gaps]),
        "sample_at": ("sample", np.concatenate([each.found.places for each in solved]), place),
        "sample_value": (
            "sample",
            np.concatenate([each.found.values + each.condition.level for each in solved]),
        ),
        "sample_question": ("sample", np.repeat(np.arange(len(solved)), counted)),
    }
    asked = first.asked
    routes = dict.fromkeys(route for each in solved for _, route in each.asked.clocks.values())
    clocks = list(dict.fromkeys(clock.name for each in solved for clock, _ in each.asked.clocks.values()))
    varied = ({name} - {TIME}) | {each.swept[0] for each in solved if each.swept}
    given = {key: each for key, each in asked.values.items() if key not in varied}
    fixed = given_values(asked.parameters(), given, varied)
    more = {"n_seeds": len(asked.seeds), "first_seed": asked.seeds[0]} if asked.sampled else {}
    attributes = provenance(
        kind,
        [route.entry for route in routes],
        dynamics=clocks[0] if len(clocks) == 1 else "",
        route=",".join(dict.fromkeys(route.name for route in routes)),
        fixed=values_as_json(fixed),
        parameter=name,
        log=int(first.searched.axis.log),
        rounded=_rounded(rows, name),
        seen="\n".join(_sentences(solved, several)),
        **more,
    )
    return xr.Dataset({**variables, **beside}, coordinates, attributes).assign_attrs(kind="solve")


def _stderr(solved: _Solved, root: Root) -> float:
    """The standard error of the quantity at a root over its slope, from differences with the same draws."""
    name, asked, axis = solved.searched.name, solved.asked, solved.searched.axis
    step = max(BESIDE * abs(root.value), 1.0 if axis.whole else 0.0)
    low, high = max(axis.low, root.value - step), min(axis.high, root.value + step)
    here, below, above = asked([{name: place} for place in (root.value, low, high)])
    slope = (above.value - below.value) / (high - low)
    return abs(here.stderr / slope) if slope else math.inf


def _rounded(rows: Sequence[tuple[int, Root, _Solved]], name: str) -> str:
    """That the first root is one of a ratio which whole counts round; "" where nothing is rounded."""
    from teacherstudent.house.rounding import describe_rounding, rounded_values

    for _, root, each in rows:
        kind = each.asked.problem
        known = {parameter.name for parameter in kind.parameters}
        if name not in known or each.searched.axis.whole:
            return ""
        given = {key: value for key, value in each.asked.values.items() if key in known}
        instance = kind.instance(**{**given, name: root.value})
        return describe_rounding([rounded_values(kind, {name: root.value}, instance)])
    return ""


def _residual(solved: _Solved, root: Root) -> float:
    """The quantity at the root minus the level; NaN between whole numbers."""
    if solved.searched.axis.whole and root.value != round(root.value):
        return math.nan
    (here,) = solved.asked([{solved.searched.name: root.value}])
    return here.value - solved.condition.level


def _sentences(solved: Sequence[_Solved], several: bool) -> Iterator[str]:
    """What must be known of the search, a line each."""
    from teacherstudent.inverse.asking import described

    first = solved[0]
    axis, name = first.searched.axis, first.searched.name
    worst = max(each.found.resolution for each in solved)
    apart = f"{100 * math.expm1(worst):.2g} %" if axis.log else in_digits(float(f"{worst:.2g}"))
    count = min(len(each.found.places) for each in solved)
    default = "" if first.searched.given else f" (a default; --for {name}=LO:HI sets it)"
    missed = f"roots less than {apart} apart may be missed" if worst else "every whole number"
    yield f"{name} was searched from {described(axis)}{default}, at {count} points or more: {missed}"
    if axis.whole:
        yield f"{name} is whole: low and high are the neighbours between which the level is passed"
    for each in solved:
        label = each.label(several)
        for line in _seen(each):
            yield f"{label}: {line}" if label else line


def _seen(solved: _Solved) -> Iterator[str]:
    """What is to be said of one question."""
    import numpy as np

    found, level, name = solved.found, solved.condition.level, solved.searched.name
    if not solved.has_values:
        yield f"no point of the range has a value: {solved.reason}"
        return
    values = found.values + level
    finite = np.isfinite(values)
    if not found.roots:
        near = int(np.nanargmin(np.abs(found.values)))
        low, high = values[finite].min(), values[finite].max()
        yield (
            f"the level {level:g} is not crossed: values are between {low:.6g} and {high:.6g}, the nearest "
            f"{values[near]:.6g} at {name} = {found.places[near]:.6g}"
        )
    worst = max((root.accuracy for root in found.roots if root.kind == "crossing"), default=0.0)
    if worst > 2 * solved.accuracy and not solved.searched.axis.whole:
        yield f"an accuracy of {worst:.2g} is the best possible: rounding hides the side of nearer values"
    touches = [
        f"touches the level at {name} = {each.value:.6g}"
        if each.distance == 0
        else f"comes within {each.distance:.2g} of the level at {name} = {each.value:.6g}, and turns back"
        for each in found.touches
    ]
    gaps = [
        f"from {name} = {each.low:.6g} to {each.high:.6g}: {each.reason}"
        + ("; the two sides of it are on different sides of the level" if each.changes else "")
        for each in found.gaps
    ]
    for lines in (touches, gaps):
        yield from lines[:MOST_TOLD]
        if len(lines) > MOST_TOLD:
            yield f"and {len(lines) - MOST_TOLD} more such places"


def tabular(answer: xr.Dataset) -> xr.Dataset:
    """The roots alone, for a table."""
    names = [name for name, each in answer.data_vars.items() if each.dims == ("root",)]
    columns = [name for name in answer.coords if name != "root"]
    kept = [name for name in names if name not in ("root_question", "residual")]
    return answer.reset_coords(columns)[[*columns, *kept]]


def as_json(answer: xr.Dataset) -> str:
    """Roots, near misses and gaps as a JSON list of objects, each with its `kind`."""
    name = answer.attrs["parameter"]
    found = []
    for i in range(answer.sizes["root"]):
        row = answer.isel(root=i)
        columns = [key for key, each in answer.variables.items() if each.dims == ("root",) and key != "root"]
        fields = {str(key): _plain(row[key].item()) for key in columns if key not in (name, "root_question")}
        found.append(
            {"id": name, "value": row[name].item(), **fields, **_which(answer, row["root_question"])}
        )
    for i in range(answer.sizes["touch"]):
        row = answer.isel(touch=i)
        fields = {"value": row["touch_at"].item(), "distance": row["touch_distance"].item()}
        found.append({"id": name, "kind": "touch", **fields, **_which(answer, row["touch_question"])})
    for i in range(answer.sizes["gap"]):
        row = answer.isel(gap=i)
        fields = {key: row[f"gap_{key}"].item() for key in ("low", "high", "reason")}
        found.append({"id": name, "kind": "gap", **fields, **_which(answer, row["gap_question"])})
    return json.dumps(found, indent=2)


def _which(answer: xr.Dataset, number: xr.DataArray) -> dict[str, Any]:
    asked = answer.isel(question=int(number))
    return {name: asked[name].item() for name in ("condition", "level", "resolution")}


def _plain(value: Any) -> Any:
    """A value as JSON knows it: null for what is no number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
