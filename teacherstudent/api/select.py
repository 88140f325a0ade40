"""The method and settings that validation recommends on somebody's own features: `teacherstudent select`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.progress import counting
from teacherstudent.api.sweep import STORE, WORKERS, check_target
from teacherstudent.api.writing import save
from teacherstudent.house import catalogue
from teacherstudent.house.catalogue import announcements, by_id
from teacherstudent.house.domains import Choice, Several, Whole, check_flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of
from teacherstudent.house.parameters import FIRST_SEED, Parameter, pick
from teacherstudent.house.provenance import provenance, recorded, values_as_json
from teacherstudent.house.selections import Selection
from teacherstudent.house.suggestions import did_you_mean

if TYPE_CHECKING:
    import xarray as xr

SETTINGS = Parameter("settings", "", "settings", Whole(1, 100_000), "number of randomly drawn settings", 50)
SEEDS = Parameter("seeds", "n_seeds", "draws", Whole(2, 10_000), "number of trainings of each setting", 5)


@cache
def selections() -> dict[str, Selection]:
    """Every comparison of methods that systems declare, by problem."""
    return by_id(announcements("problems", "SELECTION", deeper=False))


def options_of(asked: Selection) -> tuple[Parameter, ...]:
    """The options of a comparison, without its rows and methods."""
    drawn = (each.parameter for each in asked.searched)
    return (SETTINGS, SEEDS, FIRST_SEED, asked.longest, *asked.fixed, *drawn)


def methods_of(asked: Selection) -> Parameter:
    """The option that names some of the methods."""
    words = _parameter(asked, asked.over).domain
    assert isinstance(words, Choice)
    return Parameter("methods", "", "", Several(words), "methods to compare", words.words)


def rows_of(asked: Selection) -> tuple[Parameter, ...]:
    """The parameter for the rows, followed by the parameters for one table of rows."""
    return tuple(_parameter(asked, name) for name in (asked.rows, *asked.table))


def _parameter(asked: Selection, name: str) -> Parameter:
    return next(each for each in catalogue.find_problem(asked.trained).parameters if each.name == name)


@recorded
def select(
    problem: str,
    *,
    features: Any = None,
    methods: str | Sequence[str] | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    workers: int | None = None,
    **values: Any,
) -> xr.Dataset:
    """Choose a method and its settings on your own frozen features, by its accuracy on the worst group.

    Args:
        problem: Id of the problem whose methods are compared; `teacherstudent select` lists them.
        features: File .npz with the arrays x, y and a of three parts (`x_tr`, `y_tr`, `a_tr`, `x_va`, ...,
            `a_te`), or a mapping with these. With a `table`: names of columns.
        methods: Some of the methods, as a list or separated by commas (default: all seven).
        out: File to write at the end (.nc or .csv), with partial results in `<out>.cells`.
        resume: Whether to continue from these partial results, maybe with more settings, seeds or methods.
        workers: Number of processes on this machine.
        **values: `settings`, the number of settings drawn at random, equal for all methods (default 50);
            `seeds`, trainings of each (default 5), from `seed` on; `epochs` (default 60); `momentum` (default
            0.9). The following are ranges LO:HI from which settings are drawn uniformly in the logarithm:
            `learning_rate`, `weight_decay`, `batch_size`, `jtt_epochs`, `jtt_upweight`. Or one `table`, a
            file or a frame, with the names of its columns `target` (classes) and `attribute`, and maybe
            `split`, `leave_out`, `missing` and `encode`.

    Returns:
        Dataset over `method` and `criterion`: the chosen setting, the mean epoch, the `validation` accuracy
            by which it was chosen, and test accuracies with standard errors over seeds. The criterion `worst
            group` is the criterion of the protocol; `average` is the accuracy on all validation rows, which
            needs no attributes. The attribute `recommended` is the method with the best validation accuracy.

    Raises:
        InputError: For features that cannot be read or used, in one line that says what to change.

    Examples:
        >>> import teacherstudent as ts
        >>> few = dict(settings=2, seeds=2, epochs=2, methods=["erm", "rwg"])
        >>> ts.select("spurious-groups", features="stripes", **few).recommended
        'rwg'
    """
    from teacherstudent.sweeps.engine import fill
    from teacherstudent.sweeps.plan import Plan
    from teacherstudent.sweeps.selection import Criterion, Drawn, chosen, recommended, settings
    from teacherstudent.sweeps.store import Store

    asked = pick("problem", problem, selections())
    named, kind = methods_of(asked), catalogue.find_problem(asked.trained)
    known = {each.name: each for each in (*rows_of(asked), *options_of(asked))}
    for name, value in values.items():
        if name not in known:
            listed = ", ".join(f"--{each.option}" for each in known.values())
            raise InputError(name, value, f"one of {listed}", did_you_mean(name, known, value))
    values = {name: value for name, value in {asked.rows: features, **values}.items() if value is not None}
    if not {asked.rows, asked.table[0]} & {*values}:
        raise InputError(asked.rows, "(missing)", f"given, or --{asked.table[0]}")
    held = {each.name: each.check(values[each.name]) for each in rows_of(asked) if each.name in values}
    given = {each.name: each.check(values.get(each.name, each.default)) for each in options_of(asked)}
    picked = tuple(dict.fromkeys(named.check(named.default if methods is None else methods)))
    instance = kind.instance(**held)
    workers = 1 if workers is None else WORKERS.check(workers)
    path = None if out is None else path_of(out, "out")
    check_target(path, check_flag("resume", resume))

    ranges = {
        each.parameter.name: Drawn(given[each.parameter.name].low, given[each.parameter.name].high, each.kind)
        for each in asked.searched
    }
    columns = settings(ranges, given["settings"], given["seed"])
    axes = {asked.over: tuple(method for method in picked for _ in range(given["settings"]))}
    axes |= {name: column * len(picked) for name, column in columns.items()}
    times = [float(each) for each in range(1, given[asked.longest.name] + 1)]
    seeds = tuple(range(given["seed"], given["seed"] + given["seeds"]))
    route = catalogue.find_route(kind, asked.dynamics, asked.route)
    rows = getattr(instance, asked.rows)
    fixed = {asked.rows: rows, **{each.name: given[each.name] for each in asked.fixed}}

    import numpy as np

    plan = Plan(kind, asked.dynamics, (route,), np.array(times), fixed, axes, True, seeds)
    plan.extent_of_corners().hold(plan.lengths, plan.times.size)
    with Store(path and path.with_name(path.name + STORE)) as store:
        with counting(f"selection for {problem}") as announce:
            fill(plan, store, workers=workers, announce=announce)
        criteria = [Criterion(name, observable) for name, observable in asked.criteria.items()]
        table = chosen(plan, store, asked.over, criteria, asked.told)
        said = provenance(
            kind,
            [route.entry],
            dynamics=asked.dynamics,
            route=asked.route,
            source=route.source,
            fixed=values_as_json({**given, "methods": picked, **held}),
            remarks=kind.remarks(instance),
            n_seeds=given["seeds"],
            recommended=recommended(table, asked.over, next(iter(asked.criteria))),
        )
        answer = table.assign_attrs(said, kind="selection")
        if path is not None:
            save(path, lambda: answer)
    return answer
