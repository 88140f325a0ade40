"""Where an observable is best: what `teacherstudent best` and a notebook both call."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from teacherstudent.api.backwards import json_of, with_times
from teacherstudent.api.curve import Times, seeds_of
from teacherstudent.house import catalogue
from teacherstudent.house.domains import check_flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.provenance import provenance, record_decision, recorded, values_as_json

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.declarations import Problem, Turns
    from teacherstudent.inverse.constraint import Side
    from teacherstudent.inverse.objective import Objective

FORM = "PARAM=LO:HI[:log|lin], up to three of them"
MOST = 3
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
    times: Times = None,
    seeds: int | None = None,
    seed: int | None = None,
    **values: Any,
) -> xr.Dataset:
    """Find where an observable is least over one to three parameters.

    With one or two free parameters, a grid covers the box and is refined around its minima; with three,
    several descents start from a coarse grid.

    Args:
        problem: Id of the problem.
        over: The box: parameters, options or `time` with their ends, such as `{"ridge": (1e-6, 10)}`, or
            texts `PARAM=LO:HI[:log|lin]`. The ridge may begin below 0 if theory has a curve there (`turns`).
        of: The expression to minimise: observables `NAME[:[DYNAMICS/]ROUTE][@TIME|@end]`, numbers and
            + - * / ( ). An observable without `@` is taken at the searched time.
        subject_to: An equality between the searched parameters, such as `"width*time = 1e6"`. A range of
            values, `"width*time = 1e4:1e8:9"`, gives the frontier: the best point for each value.
        largest: Whether to maximise instead.
        dynamics: How the student is trained (default: the first).
        route: How the answer is computed (default: the first that draws nothing).
        times: Recording times, as in `teacherstudent.curve`; `@end` is the last.
        seeds: Number of draws, the same at every point (default 20). Sampled routes only.
        seed: Number of the first draw (default 0). Sampled routes only.
        **values: Parameters and options by name. One parameter may be a list or a grid; then every value has
            an answer.

    Returns:
        Dataset over `minimum`, the best first (`rank` 1). For each searched parameter NAME it has `NAME`, in
            its unit; `NAME_accuracy`; `NAME_stderr` by the jackknife, if a route draws; and `NAME_curvature`,
            the second derivative of the value in NAME, or in log NAME if the search was logarithmic. It also
            has `value`, `value_accuracy` and `value_stderr`; `edge`, the ends of the box that the point
            touches (such a point is no optimum); and `note`, the reason why the point is no smooth minimum.
            The variables `searched_*` hold all computed points. A frontier has `slope`, d log value / d log
            constraint, and `exponent`, the last slope away from the ends of the box, with `exponent_error`.

    Raises:
        InputError: For an unknown name, a box outside a domain, a constraint that no point of the box meets,
            and a box in which nothing has a value.

    Examples:
        >>> import teacherstudent as ts
        >>> question = dict(dynamics="ridge", times=[1e9], n=200, d=100, kappa=1, noise=0.5)
        >>> found = ts.best("multiscale", over={"ridge": (0.01, 100)}, of="excess_risk@end", **question)
        >>> f"{found.ridge.item():.6f}"
        '0.250000'
    """
    from teacherstudent.api.progress import counting
    from teacherstudent.house.running import given_values
    from teacherstudent.inverse.constraint import Box, read_constraint
    from teacherstudent.inverse.objective import TIME
    from teacherstudent.inverse.optimum import as_dataset, doubts, find_announced, find_optimum

    kind = catalogue.find_problem(problem)
    texts, largest = _texts(over), check_flag("largest", largest)
    record_decision("over", texts)
    beyond = _beyond(kind, texts, of, dynamics) if route is None and times is None else None
    dynamics = beyond[0].dynamics if beyond else dynamics
    with _called_here():
        within = [f"{beyond[1].name}=0:1"] if beyond else texts
        asked, sides, rest = _read(problem, within, of, {"dynamics": dynamics, "route": route}, values)
    sides = (beyond[1],) if beyond else sides
    asked = replace(asked, seeds=tuple(seeds_of([each for _, each in asked.clocks.values()], seeds, seed)))
    boxes = [Box(sides)]
    if subject_to is not None:
        spelled = subject_to
        for text, side in zip(texts, sides, strict=True) if isinstance(subject_to, str) else ():
            word = text.partition("=")[0].strip().removeprefix("--")
            spelled = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", side.name, spelled)
        constraint, budgets = read_constraint(spelled, sides)
        boxes = [Box(sides, constraint).meeting(each) for each in budgets]
    swept = {name: value for name, value in rest.items() if isinstance(value, list)}
    points = [dict(zip(swept, each, strict=True)) for each in itertools.product(*swept.values())]
    found = []
    with counting(f"best of {problem}") as announce:
        for i, (point, box) in enumerate(itertools.product(points, boxes)):
            announce(i, len(points) * len(boxes))
            here = replace(asked, values={**rest, **point}, known={})
            with _called_here():
                found.append(
                    find_announced(here, beyond[0], box, largest)
                    if beyond
                    else find_optimum(_timed(here, sides, times), box, largest)
                )
    if not any(each.search.minima for each in found):
        raise InputError("of", of, f"what has a value somewhere in the box ({found[0].lost})")
    groups = [found[i : i + len(boxes)] for i in range(0, len(found), len(boxes))]
    answer = as_dataset(groups, points, asked, _unit(asked))
    said = Counter(line for each in found for line in doubts(each))
    cautions = [
        line if len(found) == 1 else f"in {count} of {len(found)} searches: {line}"
        for line, count in said.items()
    ]
    lost = dict.fromkeys(each.lost for each in found if each.lost)
    fixed = {name: value for name, value in rest.items() if name not in swept}
    names = {side.name for side in sides} - {TIME}
    drawn = {"n_seeds": len(asked.seeds), "first_seed": asked.seeds[0]} if asked.sampled else {}
    stated = provenance(
        kind,
        [each.entry for _, each in asked.clocks.values()],
        of=of,
        over=", ".join(texts),
        subject_to=subject_to or "",
        largest=int(largest),
        dynamics=next((clock.name for clock, _ in asked.clocks.values()), asked.dynamics),
        route=",".join(dict.fromkeys(each.name for _, each in asked.clocks.values())),
        fixed=values_as_json(given_values(asked.parameters(), fixed, {*swept, *names})),
        certified=int(all(each.search.certified for each in found)),
        remarks="; ".join(lost),
        caution="; ".join(filter(None, [*cautions, answer.attrs["caution"]])),
        **drawn,
    )
    return answer.assign_attrs(**stated, kind="best")


def _texts(over: Any) -> list[str]:
    """The box as texts PARAM=LO:HI. Raises `InputError`."""
    if isinstance(over, Mapping):
        pairs = {k: v if isinstance(v, str) else ":".join(map(str, v)) for k, v in over.items() if _ends(v)}
        over = [f"{name}={ends}" for name, ends in pairs.items()] if len(pairs) == len(over) else over
    listed = [over] if isinstance(over, str) else over
    if not isinstance(listed, list | tuple) or not all(isinstance(each, str) for each in listed):
        raise InputError("over", over, FORM)
    texts = [part.strip() for each in listed for part in each.split(",")]
    if not 1 <= len(texts) <= MOST or not all("=" in each for each in texts):
        raise InputError("over", ",".join(texts), FORM)
    return texts


def _beyond(kind: Problem, texts: Sequence[str], of: Any, dynamics: Any) -> tuple[Turns, Side] | None:
    """The curve that theory announces over a parameter, where the box has values below 0; None for others."""
    from teacherstudent.inverse.constraint import Side

    name, _, ends = texts[0].partition("=")
    for each in catalogue.turns() if len(texts) == 1 and isinstance(of, str) else ():
        named = (kind.id, name.strip().removeprefix("--"), of.partition("@")[0], dynamics or each.dynamics)
        with suppress(ValueError):
            low, high = map(float, ends.removesuffix(":lin").split(":"))
            if (each.problem, each.over, each.observable, each.dynamics) == named and low < min(high, 0):
                return each, Side(low, high, name=each.over)
    return None


def _ends(given: Any) -> bool:
    return isinstance(given, str) or (isinstance(given, list | tuple) and len(given) == 2)


@contextmanager
def _called_here() -> Iterator[None]:
    """What `solve` reads is called otherwise here."""
    try:
        yield
    except InputError as error:
        option = {"where": "of", "for": "over"}.get(error.option, error.option)
        domain = error.domain.replace("--for ", "--over ").replace("NAME or NAME=LO", "NAME=LO")
        raise InputError(option, error.value, domain, error.hint) from None


def _read(
    problem: str, texts: Sequence[str], of: str, chosen: Mapping[str, Any], values: Mapping[str, Any]
) -> tuple[Objective, tuple[Side, ...], dict[str, Any]]:
    """The objective, the sides of the box, and the other values, of which one may be a list."""
    from teacherstudent.inverse.asking import read_searched
    from teacherstudent.inverse.constraint import Side
    from teacherstudent.inverse.objective import TIME, objective
    from teacherstudent.inverse.quantity import quantity

    kind = catalogue.find_problem(problem)
    words = [text.partition("=")[0].strip().removeprefix("--") for text in texts]
    timed, wanted = [TIME] if TIME in words else [], quantity(of, kind, "of")
    if not wanted.terms:
        raise InputError("of", of, "an expression with an observable; this expression is a constant")
    if timed and all(each.moment is not None or each.fold for each in wanted.terms):
        raise InputError("of", of, "an expression with an observable without @, at the searched time")
    probe = objective(kind, wanted, timed, values={}, **chosen)
    found, rest = [], dict(values)
    for text in texts:
        searched, rest = read_searched(probe, text, values)
        found.append(Side(**vars(searched.axis), name=searched.name))
    names = [each.name for each in found]
    if len(set(names)) < len(names):
        raise InputError("over", ",".join(texts), "each parameter once")
    for i, name in enumerate(names):
        if name in rest:
            raise InputError(name, str(rest[name]), "absent where it is searched")
        for other in names[:i]:
            if {name, other} & {*probe.parameter(name).instead_of, *probe.parameter(other).instead_of}:
                raise InputError("over", ",".join(texts), f"{name} or {other}: one replaces the other")
    for name, value in rest.items():
        if isinstance(value, Span):
            grid = [round(each) if probe.is_whole(name) else each for each in value.values()]
            rest[name] = list(dict.fromkeys(grid))
    probe.check(names)
    return probe, tuple(found), rest


def _timed(asked: Objective, sides: Sequence[Side], times: Times) -> Objective:
    """The objective with its recording times."""
    ends = {side.name: (side.low, side.high) for side in sides if side.name != "time"}
    corners = [dict(zip(ends, each, strict=True)) for each in itertools.product(*ends.values())]
    made = with_times(asked, corners, times)
    made.check([side.name for side in sides])
    return made


def _unit(asked: Objective) -> str:
    """That of the observable, where the quantity is one."""
    plain = isinstance(asked.quantity.tree, ast.Name | ast.Call)
    names = [each.name for each in asked.quantity.terms]
    return next((each.unit for each in asked.problem.observables if plain and [each.name] == names), "")


def tabular(answer: xr.Dataset) -> xr.Dataset:
    """The minima alone, for a table."""
    names = [name for name in answer.data_vars if answer[name].dims == ("minimum",)]
    return answer[[name for name in names if name != "question"]].drop_vars("minimum")


def as_json(answer: xr.Dataset) -> str:
    """The minima as a JSON list of objects; NaN becomes null."""
    rows = tabular(answer)
    return json_of({str(name): rows[name][i].item() for name in rows} for i in range(rows.sizes["minimum"]))
