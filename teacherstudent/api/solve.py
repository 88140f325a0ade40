"""Where an answer reaches a level: what `teacherstudent solve` and a notebook both call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from teacherstudent.api.backwards import json_of, with_times
from teacherstudent.api.curve import Times, seeds_of
from teacherstudent.house import catalogue
from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.provenance import note, provenance, recorded, values_as_json

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.declarations import Problem
    from teacherstudent.inverse.asking import Condition, Searched
    from teacherstudent.inverse.objective import Objective
    from teacherstudent.inverse.roots import Axis
    from teacherstudent.inverse.solved import Solved

ACCURACY = Parameter(
    "accuracy",
    "",
    "relative",
    Number(1e-12, 0.1),
    "relative half width of the brackets (default: 1e-8, or 1e-5 if a route draws)",
)


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

    The range is scanned, more densely where the quantity bends or is near the level. Two evaluated points
    enclose each crossing.

    Args:
        problem: Id of the problem.
        where: `QUANTITY = VALUE` or `QUANTITY = QUANTITY`; several conditions as a list are solved
            separately. A quantity combines observables `NAME[:[DYNAMICS/]ROUTE][@TIME|@end]`, parameters and
            numbers by + - * / ( ), as in `"training_error@end / excess_risk@end = 2"`. An observable without
            `@` is taken at the searched time. `@end` is the last of `times`; `min(NAME)` and `max(NAME)` are
            over all times. `descents` is the number of descents of a `curve`, `slope` its slope over log
            time.
        for_: The unknown, `NAME` or `NAME=LO:HI[:log|lin]`: a parameter, an option or `"time"`. Not needed if
            a parameter is given as LO:HI. Without a range, the recorded times are searched; for a parameter,
            the whole domain, or three decades on both sides of the default (for a whole number, a factor of
            100).
        dynamics: How the student is trained (default: the first; over time the first that is continuous).
        route: How the answer is computed (default: the first that draws nothing).
        times: Recording times, as in `teacherstudent.curve` (default: the range, if time is searched).
        seeds: Number of draws, the same at every point (default 20). Sampled routes only.
        seed: Number of the first draw (default 0). Sampled routes only.
        curve: Curve of `descents` and `slope` (default: the first that the theory announces).
        accuracy: Relative half width of the brackets (default 1e-8, or 1e-5 if a route draws). The brackets
            are wider where rounding hides the sign. For whole numbers the bracket is two neighbours, and the
            root is the first number that reaches or passes the level.
        **values: Parameters and options by name, as in `teacherstudent.curve`. One parameter may be a list or
            a grid; then every value has its own roots.

    Returns:
        Dataset over `root`, in order: the root, under the name of the unknown; the bracket `low`, `high` and
            its relative half width `accuracy`; the quantity `below` and `above`; its `direction`; and `kind`:
            "crossing", "jump", or "start" and "end" of an interval at the level. If a route draws, `stderr`
            is the standard error of the quantity at the root divided by its slope. Near misses are over
            `touch`, poles and intervals without values over `gap`, all evaluated points over `sample`;
            `question` is the number of the condition or of the value in a list. The dataset is empty if the
            level is not reached.

    Raises:
        InputError: For a malformed condition, an unknown name, a value outside its domain, and a range in
            which nothing has a value.

    Examples:
        >>> import teacherstudent as ts
        >>> question = dict(dynamics="flow", where="excess_risk@end = 0.1")
        >>> found = ts.solve("multiscale", for_="noise=0.01:1", **question)
        >>> f"{found.noise.item():.6f}, {found.direction.item()}"
        '0.346070, rising'
    """
    from teacherstudent.inverse.asking import conditions
    from teacherstudent.inverse.solved import sentences

    kind = catalogue.find_problem(problem)
    solved: list[Solved] = []
    for condition in conditions(where, kind):
        chosen = {"dynamics": dynamics, "route": route, "curve": curve}
        solved += _solved(kind, condition, for_, chosen, times, (seeds, seed), accuracy, values)
    first = solved[0]
    if not any(each.has_values for each in solved):
        raise InputError(
            "where", first.condition.text, f"a quantity with values in the range: {first.reason}"
        )
    seen = list(sentences(solved))
    for line in seen:
        note(kind.id, line)
    return _assembled(kind, solved).assign_attrs(seen="\n".join(seen), kind="solve")


def _solved(
    kind: Problem,
    condition: Condition,
    for_: str | None,
    chosen: Mapping[str, Any],
    times: Times,
    drawn: tuple[int | None, int | None],
    accuracy: float | None,
    values: Mapping[str, Any],
) -> Iterator[Solved]:
    """What is found for one condition, at each value of what is given several times."""
    from teacherstudent.inverse.asking import read_searched
    from teacherstudent.inverse.objective import TIME, objective
    from teacherstudent.inverse.solved import search

    clocks = {
        TIME,
        *(each.time.symbol for each in kind.dynamics),
    }  # of symbols it is said: did you mean time?
    timed = isinstance(for_, str) and for_.partition("=")[0].strip().removeprefix("--") in clocks
    probe = objective(kind, condition.quantity, [TIME] if timed else [], values={}, **chosen)
    seeded = tuple(seeds_of([route for _, route in probe.clocks.values()], *drawn))
    searched, rest = read_searched(probe, for_, values)
    swept = [(word, each) for word, each in rest.items() if isinstance(each, list | Span)]
    wanted = None if accuracy is None else ACCURACY.check(accuracy)
    for name, grid in swept or [("", [None])]:
        listed = grid.values() if isinstance(grid, Span) else grid
        for value in dict.fromkeys(map(round, listed) if name and probe.is_whole(name) else listed):
            own = {**rest, name: value} if name else rest
            asked = replace(probe, values=own, seeds=seeded, known={})
            asked.check([searched.name])
            asked, axis = _timed(asked, searched, times)
            yield search(condition, replace(searched, axis=axis), asked, (name, value), wanted)


def _timed(asked: Objective, searched: Searched, times: Times) -> tuple[Objective, Axis]:
    """The objective with its recording times, and the range, which may be theirs."""
    from teacherstudent.inverse.objective import TIME

    axis, timed = searched.axis, searched.name == TIME
    own = axis.grid(50) if timed and times is None and searched.given else None
    corners = [{}] if timed else [{searched.name: end} for end in (axis.low, axis.high)]
    asked = with_times(asked, corners, times, own)
    if timed and not searched.given and asked.clocks:
        low, *_, high = (grid := asked.every_time()) * 2
        low = low or grid[len(grid) > 1]
        if not low < high:
            raise InputError("times", times, "two or more times, which enclose the search")
        axis = replace(axis, low=low, high=high, log=high >= 10 * low)
    return asked, axis


ROOT = {
    "low": "evaluated point below, on one side of the level",
    "high": "evaluated point above, on the other side",
    "accuracy": "half width of the bracket, relative to the value",
    "stderr": "standard error of the quantity over its slope",
    "direction": "whether the quantity rises or falls there",
    "below": "quantity at low",
    "above": "quantity at high",
    "kind": "how the level is reached",
    "residual": "quantity at the value, minus the level",
}
"""The columns of a root, after its value."""


def _assembled(kind: Problem, solved: Sequence[Solved]) -> xr.Dataset:
    """Everything that was found as one dataset."""
    import numpy as np
    import xarray as xr

    from teacherstudent.house.running import given_values

    first, asked = solved[0], solved[0].asked
    parameter, name = first.searched.parameter, first.searched.name
    several = len({each.condition.text for each in solved}) > 1
    place = {"units": parameter.unit, "symbol": parameter.symbol, "long_name": parameter.meaning}
    names = {
        "root": (name, *ROOT, "where", "swept", "root_question"),
        "touch": ("touch_at", "touch_distance", "touch_question"),
        "gap": ("gap_low", "gap_high", "gap_reason", "gap_question"),
        "question": ("condition", "quantity", "label", "level", "resolution"),
        "sample": ("sample_at", "sample_value", "sample_question"),
    }
    rows: dict[str, list[tuple[Any, ...]]] = {dim: [] for dim in names}
    for i, each in enumerate(solved):
        found, level, text = each.found, each.condition.level, each.condition.text
        rows["root"] += [(*each.row(root), text, each.swept[1], i) for root in found.roots]
        rows["touch"] += [(touch.value, touch.distance, i) for touch in found.touches]
        rows["gap"] += [(gap.low, gap.high, gap.reason, i) for gap in found.gaps]
        rows["question"].append(
            (text, each.asked.quantity.text, each.label(several), level, found.resolution)
        )
        rows["sample"] += [(x, y + level, i) for x, y in zip(found.places, found.values, strict=True)]
    texts = ("direction", "kind", "where", "gap_reason", "condition", "quantity", "label")
    types: dict[str, Any] = {**dict.fromkeys(texts, str), "swept": None}
    found_by_name: dict[str, Any] = {}
    for dim, keys in names.items():
        for key, column in zip(
            keys, zip(*rows[dim], strict=True) if rows[dim] else [()] * len(keys), strict=True
        ):
            said = place if key in (name, "low", "high", "stderr", "sample_at") else {}
            said = {**said, **({"long_name": ROOT[key]} if key in ROOT else {})}
            dtype = types.get(key, int if key.endswith("_question") else float)
            found_by_name[key] = (dim, np.array(column, dtype=dtype), said)
    where, swept = found_by_name.pop("where"), found_by_name.pop("swept")
    if not asked.sampled:
        del found_by_name["stderr"]
    coordinates: dict[str, Any] = {"root": ("root", np.arange(1, len(rows["root"]) + 1))}
    coordinates |= {"where": where} if several else {}
    coordinates |= {first.swept[0]: swept} if first.swept[0] else {}
    pairs = list(dict.fromkeys(pair for each in solved for pair in each.asked.clocks.values()))
    clocks = list(dict.fromkeys(clock.name for clock, _ in pairs))
    routes = list(dict.fromkeys(route for _, route in pairs))
    varied = {name, first.swept[0]} & {each.name for each in asked.parameters()}
    given = {key: each for key, each in asked.values.items() if key not in varied}
    attributes = provenance(
        kind,
        [route.entry for route in routes],
        dynamics=clocks[0] if len(clocks) == 1 else "",
        route=",".join(dict.fromkeys(route.name for route in routes)),
        fixed=values_as_json(given_values(asked.parameters(), given, varied)),
        parameter=name,
        log=int(first.searched.axis.log),
        rounded=next((each.rounded() for each in solved if each.found.roots), ""),
        **({"n_seeds": len(asked.seeds), "first_seed": asked.seeds[0]} if asked.sampled else {}),
    )
    return xr.Dataset(found_by_name, coordinates, attributes)


def tabular(answer: xr.Dataset) -> xr.Dataset:
    """The roots alone, for a table."""
    names = [name for name, each in answer.data_vars.items() if each.dims == ("root",)]
    columns = [name for name in answer.coords if name != "root"]
    kept = [name for name in names if name not in ("root_question", "residual")]
    return answer.reset_coords(columns)[[*columns, *kept]]


def as_json(answer: xr.Dataset) -> str:
    """Roots, near misses and gaps as a JSON list of objects, each with a `kind`."""
    name, listed = answer.attrs["parameter"], []
    about = answer[["condition", "level", "resolution"]].to_dataframe().to_dict("records")
    for dim in ("root", "touch", "gap"):
        own = [key for key, each in answer.variables.items() if each.dims == (dim,) and key != dim]
        short = {key: str(key).removeprefix(f"{dim}_") for key in own}
        called = {key: "value" if short[key] in (name, "at") else short[key] for key in own}
        for i in range(answer.sizes[dim]):
            row = {called[key]: answer[key][i].item() for key in own}
            listed.append({"id": name, "kind": dim, **row, **about[row.pop("question")]})
    return json_of(listed)
