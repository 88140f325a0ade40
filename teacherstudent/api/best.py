"""Where an observable is best: what `teacherstudent best` and a notebook both call."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from teacherstudent.api.curve import recording_times, seeds_of
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import SPACINGS, Span, in_digits
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.provenance import provenance, record_decision, recorded, values_as_json
from teacherstudent.house.ranges import OrGrid, ends_of
from teacherstudent.house.synonyms import ambiguous_word, by_name, parameters_meant

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.inverse.constraint import Box, Searched
    from teacherstudent.inverse.objective import Objective
    from teacherstudent.inverse.optimum import Optimum

FORM = "PARAM=LO:HI[:log|lin], up to three, separated by commas"
MOST = 3
TIME = "time"

Over = Mapping[str, Any] | str | Sequence[str]


@recorded
def best(
    problem: str,
    *,
    over: Over,
    of: str,
    subject_to: str | None = None,
    largest: bool = False,
    dynamics: str | None = None,
    route: str | None = None,
    times: str | Span | Sequence[float] | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    **values: Any,
) -> xr.Dataset:
    """Find where an observable is least over one to three parameters.

    Args:
        problem: Id of the problem.
        over: The box: each searched parameter, option or `time` with its ends, `{"ridge": (1e-6, 10)}`, or texts
            `PARAM=LO:HI[:log|lin]`. Axes that begin above 0 are logarithmic unless said otherwise.
        of: What is least: observables at a moment, `excess_risk@end`, `excess_risk@100`, combined by
            + - * / and numbers; without a moment at the time that is searched.
        subject_to: An equality of products, powers and sums of the searched parameters, `width*time = 1e6`. A
            range, `width*time = 1e4:1e8:9:log`, asks for the frontier: the best for each value.
        largest: Whether the largest value is best.
        dynamics: How the student is trained (default: the first that has the observable).
        route: The route (default: the first that draws nothing).
        times: Recording times, as in `teacherstudent.curve`; `@end` is the last.
        seeds: Draws of a sampled route (default 20), the same at every point.
        seed: Number of the first draw.
        **values: Other parameters and options by name; a grid or a list gives an answer for each value.

    Returns:
        Dataset over the swept parameters and `minimum`, the best first; for a frontier over `constraint`. Of each
            searched parameter NAME, in its unit: `NAME`, `NAME_accuracy` (to this its place is known),
            `NAME_stderr` of drawn routes (jackknife over seeds), `NAME_curvature` (second derivative of the value
            by it, by its logarithm where the axis is logarithmic). `value`, `value_accuracy`, `value_stderr`.
            `edge` names the ends of the box at which the point is: then it is no optimum. `note` says what else
            is odd. The attributes say what was searched and where there was no answer. A frontier has `slope`,
            d log value / d log constraint, and attributes `exponent` and `exponent_error`.

    Raises:
        InputError: For an unknown name, a box outside the domain, a constraint that no point of the box meets, and
            an objective that has no value anywhere.

    Examples:
        >>> import teacherstudent as ts
        >>> found = ts.best("multiscale", over={"ridge": (0.1, 1e3)}, of="excess_risk@end", noise=0.5,
        ...                 dynamics="ridge", times=[1e9], kappa=1)
        >>> f"{found.ridge[0].item():.3f}"
        '25.000'
    """
    from teacherstudent.api.progress import counting
    from teacherstudent.inverse.constraint import read_constraint
    from teacherstudent.inverse.optimum import find_optimum

    kind = catalogue.find_problem(problem)
    texts = _texts(over)
    record_decision("over", texts)
    asked = {"dynamics": dynamics, "route": route, "times": times, "seeds": seeds, "seed": seed}
    boxed, swept, objectives = _objectives(kind, texts, of, asked, values)
    axes = [_axis(each, objectives[0]) for each in boxed]
    constraint, budgets = None, None
    if subject_to is not None:
        words = {each[0]: each[1] for each in boxed}
        for word, name in words.items():
            if isinstance(subject_to, str):
                subject_to = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", name, subject_to)
        constraint, budgets = read_constraint(subject_to, axes)
    from teacherstudent.inverse.constraint import Box

    box = Box(tuple(axes), constraint)
    boxes = [box]
    if constraint is not None:
        boxes = [box.meeting(each) for each in budgets or [constraint.value]]
    with counting(f"best of {problem}") as announce:
        found: list[list[Optimum]] = []
        for objective in objectives:
            found.append([])
            for each in boxes:
                found[-1].append(find_optimum(objective, each, largest))
                announce(sum(map(len, found)), len(objectives) * len(boxes))
    return _answer(kind, objectives, swept, boxes, budgets, found, of, subject_to, texts)


def _texts(over: Any) -> list[str]:
    """The box as texts PARAM=LO:HI. Raises `InputError`."""
    if isinstance(over, Mapping):
        found = []
        for name, ends in over.items():
            pair = not isinstance(ends, str) and isinstance(ends, Sequence) and len(ends) == 2
            found.append(f"{name}={ends[0]}:{ends[1]}" if pair else f"{name}={ends}")
        over = found
    listed = over.split(",") if isinstance(over, str) else over
    if not isinstance(listed, list | tuple) or not all(isinstance(each, str) for each in listed):
        raise InputError("over", over, FORM)
    texts = [part for each in listed for part in each.split(",")]
    if not 1 <= len(texts) <= MOST:
        raise InputError("over", ",".join(texts), f"one to three parameters: {FORM}")
    return texts


def _boxed(kind: Problem, texts: Sequence[str]) -> list[tuple[str, str, list[str]]]:
    """Of each text the word for the parameter, its name, and what stands behind the equals sign."""
    every = [*kind.parameters, *(option for clock in kind.dynamics for option in clock.options)]
    every += [option for route in catalogue.routes() if route.problem == kind.id for option in route.options]
    names = {each.name for each in every} | {TIME}
    found = []
    for text in texts:
        word, equals, ends = text.partition("=")
        word, parts = word.strip().removeprefix("--"), ends.split(":")
        name = word.replace("-", "_")
        if not word or not equals or not 2 <= len(parts) <= 3 or parts[2:] not in ([], *([s] for s in SPACINGS)):
            raise InputError("over", text, FORM)
        meant = [] if name in names else parameters_meant(name, list(dict.fromkeys(every)))
        if len({each.name for each in meant}) > 1:
            raise ambiguous_word("over", text, meant)
        found.append((word, meant[0].name if meant else name, parts))
    if len({name for _, name, _ in found}) < len(found):
        raise InputError("over", ",".join(texts), "each parameter once")
    return found


def _axis(boxed: tuple[str, str, list[str]], objective: Objective) -> Searched:
    """The axis of a searched parameter. Raises `InputError`."""
    from teacherstudent.inverse.constraint import Searched

    word, name, (low, high, *spacing) = boxed
    text = f"{word}={':'.join((low, high, *spacing))}"
    ends = ends_of(objective.parameter(name).domain)
    if ends is None:
        raise InputError("over", text, f"of a parameter that is a number: {name} is not")
    try:
        first, last = ends.parse(low), ends.parse(high)
        if not first < last or (spacing == ["log"] and first <= 0):
            raise ValueError("no range")
    except ValueError:
        within = f"PARAM=LO:HI with LO < HI (LO > 0 for log), ends of {name} {ends.describe()}"
        raise InputError("over", text, within) from None
    log = first > 0 if not spacing else spacing == ["log"]
    return Searched(name, first, last, log, objective.is_whole(name))


def _objectives(
    kind: Problem, texts: Sequence[str], of: str, asked: Mapping[str, Any], values: Mapping[str, Any]
) -> tuple[list[tuple[str, str, list[str]]], dict[str, list[Any]], list[Objective]]:
    """What is searched, what is swept, and the objective at each of the swept values. Raises `InputError`."""
    from teacherstudent.inverse.objective import objective
    from teacherstudent.inverse.quantity import END, quantity

    boxed = _boxed(kind, texts)
    names = [name for _, name, _ in boxed]
    every = [*kind.parameters, *(option for clock in kind.dynamics for option in clock.options)]
    every += [option for route in catalogue.routes() if route.problem == kind.id for option in route.options]
    values = {k: v for k, v in by_name(tuple(dict.fromkeys(every)), values).items() if v is not None}
    for name in names:
        if name in values:
            raise InputError(name, values[name], "absent where it is searched")
        own = next((each for each in every if each.name == name), None)
        for other in values:
            if own and (other in own.instead_of or name in _instead(every, other)):
                raise InputError(other, values[other], f"absent where {name} is searched, which replaces it")
    read = {name: _several(every, name, value) for name, value in values.items()}
    swept = {name: value for name, value in read.items() if isinstance(value, list)}
    found = []
    wanted = quantity(of, kind, "of")
    for combination in itertools.product(*swept.values()):
        one = {**read, **dict(zip(swept, combination, strict=True))}
        try:
            made = objective(kind, wanted, names, dynamics=asked["dynamics"], route=asked["route"], values=one)
            routes = [route for _, route in made.clocks.values()]
            drawn = seeds_of(routes, asked["seeds"], asked["seed"])
            made = replace(made, seeds=tuple(drawn))
            for clock in dict.fromkeys(clock for clock, _ in made.clocks.values()):
                if asked["times"] is not None or any(each.moment == END or each.fold for each in wanted.terms):
                    made = replace(made, times={**made.times, clock.name: _times(clock, asked["times"])})
        except InputError as error:
            raise InputError("of", of, error.domain, error.hint) if error.option == "where" else error
        found.append(made)
    return boxed, swept, found


def _instead(parameters: Sequence[Parameter], name: str) -> tuple[str, ...]:
    return next((each.instead_of for each in parameters if each.name == name), ())


def _several(every: Sequence[Parameter], name: str, value: Any) -> Any:
    """A value, or a list of those that are swept."""
    parameter = next((each for each in every if each.name == name), None)
    if parameter is None:
        return value  # refused with the others by the objective
    read = replace(parameter, domain=OrGrid(parameter.domain)).check(value)
    if not isinstance(read, Span):
        return read
    whole = isinstance(parameter.domain, Whole)
    return list(dict.fromkeys(round(each) if whole else each for each in read.values()))


def _times(clock: Any, times: Any) -> tuple[float, ...]:
    from teacherstudent.house.running import time_grid

    recorded = recording_times(times, clock)
    if isinstance(recorded, str):
        raise InputError("times", recorded, "given as numbers: the times of each point would be others")
    return tuple(time_grid(clock, recorded).tolist())


def _answer(
    kind: Problem,
    objectives: Sequence[Objective],
    swept: Mapping[str, list[Any]],
    boxes: Sequence[Box],
    budgets: Sequence[float] | None,
    found: Sequence[Sequence[Optimum]],
    of: str,
    subject_to: str | None,
    texts: Sequence[str],
) -> xr.Dataset:
    import numpy as np
    import xarray as xr

    objective = objectives[0]
    last = "constraint" if budgets else "minimum"
    rows = [
        [each.search.minima[0] if each.search.minima else None for each in one]
        if budgets
        else list(one[0].search.minima)
        for one in found
    ]
    if not any(each for row in rows for each in row):
        why = found[0][0].lost or "no point has a value"
        raise InputError("of", of, f"a number somewhere in the box ({why})")
    count = max(map(len, rows))
    shape = [len(each) for each in swept.values()]
    dims = (*swept, last)

    def table(get: Any, empty: Any = np.nan) -> Any:
        flat = [
            [get(row[i]) if i < len(row) and row[i] else empty for i in range(count)] for row in rows
        ]
        return np.array(flat).reshape(*shape, count)

    drawn = objective.sampled
    names = boxes[0].names
    variables: dict[str, Any] = {}
    for i, name in enumerate(names):
        parameter = objective.parameter(name)
        said = {"units": parameter.unit or "1", "symbol": parameter.symbol}
        variables[name] = dims, table(lambda m, i=i: m.point[i]), {**said, "long_name": parameter.meaning}
        more = {"accuracy": lambda m, i=i: m.error[i]}
        if drawn:
            more["stderr"] = lambda m, i=i: np.nan if m.stderr is None else m.stderr[i]
        for what, get in more.items():
            named = {"accuracy": "accuracy of the place", "stderr": "standard error over the draws"}[what]
            variables[f"{name}_{what}"] = dims, table(get), {**said, "long_name": f"{named}, {name}"}
        log = boxes[0].axes[i].log
        bent = f"second derivative of the value by {f'the logarithm of {name}' if log else name}"
        curved = table(lambda m, i=i: np.nan if m.curvature is None else m.curvature[i])
        variables[f"{name}_curvature"] = dims, curved, {"units": "value", "long_name": bent}
    unit = _unit(kind, objective)
    variables["value"] = dims, table(lambda m: m.value), {"units": unit, "symbol": of, "long_name": of}
    variables["value_accuracy"] = dims, table(lambda m: m.value_error), {"units": unit, "long_name": f"accuracy of {of}"}
    if drawn:
        error = f"standard error of {of} over {len(objective.seeds)} seeds"
        variables["value_stderr"] = dims, table(lambda m: m.value_stderr), {"units": unit, "long_name": error}
    variables["edge"] = dims, table(lambda m: ", ".join(m.ends), ""), {"long_name": "ends of the box at which it is"}
    variables["note"] = dims, table(lambda m: m.note, ""), {"long_name": "what else is odd there"}
    coordinates: dict[str, Any] = {
        name: (name, given, _attributes(objective.parameter(name))) for name, given in swept.items()
    }
    if budgets:
        text = boxes[0].constraint.text if boxes[0].constraint else ""
        coordinates[last] = last, list(budgets), {"units": "1", "long_name": text, "symbol": text}
    else:
        coordinates[last] = last, np.arange(1, count + 1), {"units": "1", "long_name": "minima, the lowest first"}
    optima = [each for one in found for each in one]
    doubts = list(dict.fromkeys(doubt for each in optima for doubt in each.doubts))
    lost = list(dict.fromkeys(each.lost for each in optima if each.lost))
    asked = {
        "of": of,
        "over": ", ".join(texts),
        "subject_to": subject_to or "",
        "dynamics": objective.dynamics,
        "route": objective.route,
        "fixed": values_as_json({k: v for k, v in objective.values.items() if k not in swept}),
        "searched": sum(len(each.search.points) for each in optima),
        "certified": int(all(each.search.certified for each in optima)),
        "lost": "; ".join(lost),
        "remarks": "; ".join(lost),
        "caution": "; ".join(doubts),
    }
    routes = [route.entry for _, route in objective.clocks.values()]
    answer = xr.Dataset(variables, coordinates, provenance(kind, routes, **asked))
    if drawn:
        answer = answer.assign_attrs(n_seeds=len(objective.seeds), first_seed=objective.seeds[0])
    return answer.assign_attrs(kind="best")


def _unit(kind: Problem, objective: Objective) -> str:
    """That of the one observable that is meant; empty for what is combined."""
    terms = objective.quantity.terms
    units = {each.name: each.unit for each in kind.observables}
    return units.get(terms[0].name, "") if len(terms) == 1 and isinstance(objective.quantity.tree, ast.Name) else ""


def _attributes(parameter: Parameter) -> dict[str, str]:
    return {"units": parameter.unit or "1", "symbol": parameter.symbol, "long_name": parameter.meaning}
