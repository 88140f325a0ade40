"""The method and settings that validation recommends on somebody's own features: `teacherstudent select`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.progress import counting
from teacherstudent.api.sweep import STORE, WORKERS, check_target
from teacherstudent.api.writing import save
from teacherstudent.house import catalogue
from teacherstudent.house.domains import Choice, Number, Several, Whole, flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of
from teacherstudent.house.nearest import meant
from teacherstudent.house.parameters import FIRST_SEED, Parameter, pick
from teacherstudent.house.provenance import provenance, recorded, valued
from teacherstudent.house.ranges import Between

if TYPE_CHECKING:
    import xarray as xr

TRAINED = {"spurious-groups": "frozen-groups"}
"""Problems whose methods are chosen among, and the problem that trains them on somebody's own features."""

DYNAMICS, ROUTE, OVER = "descent", "simulation", "method"
WORST, AVERAGE = "worst group", "average"
CRITERIA = {WORST: "validation_worst_group_accuracy", AVERAGE: "validation_average_accuracy"}
"""What chooses among settings, as the table calls it, and the observable."""
TOLD = ("worst_group_accuracy", "average_accuracy")
"""Test accuracies that the table gives."""

POSITIVE = Number(0, low_open=True)
SEARCHED = {
    "learning_rate": Parameter(
        "learning_rate", "eta", "1/curvature of the mean loss", Between(POSITIVE), "step sizes", "1e-4:0.1"
    ),
    "weight_decay": Parameter(
        "weight_decay", "lambda", "curvature of the mean loss", Between(POSITIVE), "weight decays", "1e-5:0.1"
    ),
    "batch_size": Parameter(
        "batch_size", "B", "examples", Between(Whole(1)), "batch sizes, powers of two", "8:128"
    ),
    "jtt_epochs": Parameter(
        "jtt_epochs",
        "T",
        "epochs",
        Between(Whole(1)),
        "just train twice: epochs of the first training",
        "1:20",
    ),
    "jtt_upweight": Parameter(
        "jtt_upweight", "lambda_up", "1", Between(Whole(1)), "just train twice: repeats of a mistake", "2:50"
    ),
}
"""What is drawn: uniformly in its logarithm between two ends."""

KINDS = {"batch_size": "power of two", "jtt_epochs": "whole", "jtt_upweight": "whole"}
"""Of those that are not any number."""

SETTINGS = Parameter("settings", "", "settings", Whole(1, 100_000), "settings that are drawn", 50)
SEEDS = Parameter("seeds", "n_seeds", "draws", Whole(2, 10_000), "trainings of each setting", 5)
EPOCHS = Parameter(
    "epochs", "k", "epochs", Whole(1, 100_000), "longest training; every epoch is looked at", 60
)
MOMENTUM = Parameter("momentum", "mu", "1", Number(0, 1, high_open=True), "momentum of all trainings", 0.9)
OPTIONS = (SETTINGS, SEEDS, FIRST_SEED, EPOCHS, MOMENTUM, *SEARCHED.values())


def methods_of(problem: str) -> Parameter:
    """The option that names some of the methods."""
    kind = catalogue.find_problem(pick("problem", problem, TRAINED) and TRAINED[problem])
    words = next(each for each in kind.parameters if each.name == OVER).domain
    assert isinstance(words, Choice)
    return Parameter("methods", "", "", Several(words), "methods that are compared", words.words)


def features_of(problem: str) -> Parameter:
    """The parameter that holds the features."""
    kind = catalogue.find_problem(TRAINED[problem])
    return next(each for each in kind.parameters if each.name == "features")


@recorded
def select(
    problem: str,
    *,
    features: Any,
    methods: str | Sequence[str] | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    workers: int | None = None,
    **values: Any,
) -> xr.Dataset:
    """Choose method and settings on your own frozen features, by the accuracy of the worst validation group.

    problem: `spurious-groups`. features: a file .npz with arrays x, y and a of three parts (`x_tr`, `y_tr`,
    `a_tr`, `x_va`, ..., `a_te`), or a mapping with these. `methods`: some of the seven, all unless given.
    `values`: `settings` drawn at random, the same for all methods (50), `seeds` trainings of each (5) from
    `seed` on, of `epochs` epochs (60) with `momentum` (0.9); and as LO:HI, what is drawn uniformly in its
    logarithm: `learning_rate`, `weight_decay`, `batch_size`, `jtt_epochs`, `jtt_upweight`.
    `out` (.nc or .csv) is written at the end, with partial results beside it in `<out>.cells`; `resume`
    continues from these, also with more settings, seeds or methods. `workers` processes share the work.

    Returns a dataset over `method` and `criterion`: the chosen setting, the mean epoch, the `validation`
    accuracy that chose, and test accuracies with standard errors over seeds. Criterion `worst group` is
    that of the protocol; `average` needs no attributes of validation rows. Attribute `recommended` is the
    method with the best validation. Raises `InputError`.

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

    named = methods_of(problem)
    kind = catalogue.find_problem(TRAINED[problem])
    known = {each.name: each for each in OPTIONS}
    for name, value in values.items():
        if name not in known:
            listed = ", ".join(f"--{each.option}" for each in OPTIONS)
            raise InputError(name, value, f"one of {listed}", meant(name, known, value))
    given = {
        name: each.check(each.default if values.get(name) is None else values[name])
        for name, each in known.items()
    }
    picked = tuple(dict.fromkeys(named.check(named.default if methods is None else methods)))
    rows = features_of(problem).check(features)
    workers = 1 if workers is None else WORKERS.check(workers)
    path = None if out is None else path_of(out, "out")
    check_target(path, flag("resume", resume))

    ranges = {name: Drawn(given[name].low, given[name].high, KINDS.get(name, "number")) for name in SEARCHED}
    columns = settings(ranges, given["settings"], given["seed"])
    axes = {OVER: tuple(method for method in picked for _ in range(given["settings"]))}
    axes |= {name: column * len(picked) for name, column in columns.items()}
    epochs = [float(each) for each in range(1, given["epochs"] + 1)]
    seeds = tuple(range(given["seed"], given["seed"] + given["seeds"]))
    route = catalogue.find_route(kind, DYNAMICS, ROUTE)
    fixed = {"features": rows, "momentum": given["momentum"]}

    import numpy as np

    plan = Plan(kind, DYNAMICS, (route,), np.array(epochs), fixed, axes, True, seeds)
    plan.extent_of_corners().hold(plan.lengths, plan.times.size)
    with Store(path and path.with_name(path.name + STORE)) as store:
        with counting(f"selection for {problem}") as announce:
            fill(plan, store, workers=workers, announce=announce)
        criteria = [Criterion(name, observable) for name, observable in CRITERIA.items()]
        table = chosen(plan, store, OVER, criteria, TOLD)
        said = provenance(
            kind,
            [route.entry],
            dynamics=DYNAMICS,
            route=ROUTE,
            source=route.source,
            fixed=valued({**given, "methods": picked, "features": rows}),
            n_seeds=given["seeds"],
            recommended=recommended(table, OVER, WORST),
        )
        answer = table.assign_attrs(said, kind="selection")
        if path is not None:
            save(path, lambda: answer)
    return answer
