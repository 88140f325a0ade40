"""The numbers of the page: spectrum, learning curve, training at a few sizes, and the rows' own answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import beyond, estimators, measured, own, ridge
from teacherstudent.figures.measured_spectrum.mine.estimators import Estimator
from teacherstudent.figures.measured_spectrum.mine.own import Curve
from teacherstudent.figures.measured_spectrum.mine.request import Request, settled
from teacherstudent.figures.measured_spectrum.mine.stopping import Stop, descents, stop
from teacherstudent.house.catalogue import find_problem
from teacherstudent.house.parameters import AUTO
from teacherstudent.house.tables import Table
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.data import rows_of
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.trust import trust
from teacherstudent.theory.measured_spectrum.window import after

ERROR, TRAINING, RATE = "generalisation_error", "training_error", "error_rate"

SQUARE, COUNT = "output^2", "1"
VARIABLES = {
    "eigenvalue": ("variance of the features along a mode", "lambda_k", "feature^2"),
    "features_share": ("share of the features' variance in the first modes", "", COUNT),
    "target_share": ("share of the target's variance in the first modes", "", COUNT),
    "variance": ("variance of the targets, summed over outputs", "S", SQUARE),
    "residual": ("variance of the targets that no mode explains", "S_0", SQUARE),
    "localised": ("modes that depend on a few rows", "", COUNT),
    "sparse": ("columns that are constant in most rows", "", COUNT),
    "stopped": ("error at the best stopping time, by the formula of a pool", "E_g", SQUARE),
    "stopped_corrected": ("error at the best stopping time, corrected by leverages", "E_g", SQUARE),
    "ended": ("error after the longest training, by the formula of a pool", "E_g", SQUARE),
    "ended_corrected": ("error after the longest training, corrected by leverages", "E_g", SQUARE),
    "descents": ("descents of the error during training", "", COUNT),
    "rise": ("largest rise between two descents, relative", "", COUNT),
    "error": ("error on new rows, by the formula of a pool", "E_g", SQUARE),
    "training": ("error on training rows, by the formula of a pool", "E_t", SQUARE),
    "corrected": ("error on new rows, corrected by leverages", "E_g", SQUARE),
    "corrected_rate": ("share of new rows that are misclassified, by leverages", "p_err", COUNT),
    "spread": ("spread of the rows' effects", "", COUNT),
    "rise_corrected": ("largest rise between two descents at marks, corrected by leverages", "", COUNT),
    "mode": ("mode", "k", COUNT),
    "n": ("size of the training set", "n", "rows"),
    "size": ("size of the training set", "n", "rows"),
    "unlearned": ("share of the target's explained variance that is learned after the last time", "", COUNT),
    "drift": ("relative change of the error from the last time on, where it has not settled", "", COUNT),
    "step": ("flow time of a step", "eta", "1/curvature"),
}
"""What each variable means, its symbol and its unit."""


@dataclass(frozen=True)
class Question:
    """What was asked, her own curve and estimator where she has one, and whether students are trained."""

    asked: Request
    curve: Curve | None
    estimator: Estimator | None
    simulate: bool


def settle(
    features: Table,
    targets: Table,
    *,
    curve: Path | None = None,
    estimator: Any = None,
    simulate: bool = False,
    **options: Any,
) -> Question:
    """A question that can be answered. Raises `InputError`."""
    known = None if estimator is None else estimators.read(estimator)
    asked = settled(features, targets, **(known.options(options) if known else options))
    hers = own.read(curve, asked) if curve else None
    if hers and options.get("times") in (None, AUTO):
        asked = asked.until(float(hers.times[-1]))
    return Question(asked, hers, known, simulate)


def answer_request(question: Question) -> xr.Dataset:
    """Everything on the page."""
    asked = question.asked
    parts = [
        _spectrum(asked),
        _learning(asked),
        _training(asked),
        measured.drawn(asked),
        ridge.over_ridge(asked),
        beyond.predicted(asked),
    ]
    if question.estimator:
        parts.append(estimators.predicted(asked, question.estimator))
    if question.simulate:
        parts.append(measured.simulated(asked))
    if question.simulate and question.estimator:
        parts.append(estimators.learning_curve(asked, question.estimator))
    if question.curve:
        parts.append(own.beside(asked, question.curve))
    return xr.merge(parts, combine_attrs="drop_conflicts").assign_attrs(_attributes(asked))


def _labelled(dims: tuple[str, ...], **values: Any) -> dict[str, Any]:
    """Variables along the same axes, with what they mean."""
    described = {
        name: dict(zip(("long_name", "symbol", "units"), VARIABLES[name], strict=True)) for name in values
    }
    return {name: (dims, value, described[name]) for name, value in values.items()}


def _timed(asked: Request, name: str, times: Any, dim: str, meaning: str = "") -> dict[str, Any]:
    """Times on the clock of the page along an axis."""
    clock = find_problem(PROBLEM.id).on_clock(asked.dynamics).time
    attrs = {"units": clock.unit, "symbol": clock.symbol, "long_name": meaning or clock.meaning}
    return {name: (dim, times, attrs)}


def _spectrum(asked: Request) -> xr.Dataset:
    """Eigenvalues, and the shares of features and target in the first modes."""
    problem = asked.problem(asked.sizes[0])
    data, unlike = decomposition(problem), trust(problem, np.array([1.0]))
    variance, whole = data.counts * data.eigenvalues, float(data.power.sum() + data.residual)
    modes = _labelled(
        ("mode",),
        eigenvalue=data.eigenvalues,
        features_share=np.cumsum(variance) / variance.sum(),
        target_share=np.cumsum(data.power) / whole,
    )
    numbers = _labelled(
        (), variance=whole, residual=data.residual, localised=unlike.localised, sparse=len(unlike.sparse)
    )
    return xr.Dataset({**modes, **numbers}, _labelled(("mode",), mode=np.arange(1, variance.size + 1)))


def _learning(asked: Request) -> xr.Dataset:
    """The error of the best-stopped and of the longest training over the size of the training set."""
    stops, ended, corrected = [], [], []
    for n in asked.grid:
        found = asked.answer(n, "asymptotic", asked.times)
        stops.append(_stop(asked, n, found, "asymptotic"))
        ended.append(float(found[ERROR][-1]))
        moments = np.unique([stops[-1].time, asked.times[-1]])
        other = asked.answer(n, "leverage", moments)[ERROR].values
        corrected.append(other[[0, -1]])
    corrected_at = np.transpose(corrected)
    variables = _labelled(
        ("n",),
        stopped=[each.value for each in stops],
        stopped_corrected=corrected_at[0],
        ended=ended,
        ended_corrected=corrected_at[1],
        descents=[each.descents for each in stops],
        rise=[each.rise for each in stops],
    )
    when = _timed(asked, "stopping", [each.time for each in stops], "n", "best time to stop")
    return xr.Dataset({**variables, **when}, _labelled(("n",), n=list(asked.grid)))


def _stop(asked: Request, n: int, found: xr.Dataset, route: str) -> Stop:
    """The best time to stop by a route, found closer between the times that it was asked about."""
    times, values = found["time"].values, found[ERROR].values
    best = int(np.nanargmin(values))
    low, high = times[max(best - 1, 0)], times[min(best + 1, times.size - 1)]
    between = np.geomspace(max(low, LOWEST * high), high, CLOSER)[1:-1]
    between = np.setdiff1d(np.rint(between) if asked.rate else between, times)
    if between.size and high > 0:
        closer = asked.answer(n, route, between)[ERROR].values
        times, values = np.concatenate([times, between]), np.concatenate([values, closer])
        order = np.argsort(times)
        times, values = times[order], values[order]
    found_stop = stop(times, values)
    if asked.rate:
        return replace(found_stop, time=max(1.0, float(np.rint(found_stop.time))))
    return found_stop


CLOSER, LOWEST = 9, 0.1
"""Times at which the best time to stop is sought between recorded ones; how far below the later at most."""


def _training(asked: Request) -> xr.Dataset:
    """Errors over training at the sizes that are looked at closely, by both formulas."""
    whole, marks = np.array(asked.times), measured.marks(asked)
    exact = [asked.answer(n, "asymptotic", whole) for n in asked.sizes]
    corrected = [asked.answer(n, "leverage", marks) for n in asked.sizes]
    best = [_stop(asked, n, each, "leverage") for n, each in zip(asked.sizes, corrected, strict=True)]
    when = [each.time for each in best]
    rates = {"corrected_rate": [each[RATE].values for each in corrected]} if RATE in corrected[0] else {}
    later = [after(asked.problem(n), asked.step(n) * asked.times[-1]) for n in asked.sizes]
    return xr.Dataset(
        {
            **_labelled(
                ("size", "time"),
                error=[each[ERROR].values for each in exact],
                training=[each[TRAINING].values for each in exact],
            ),
            **_labelled(
                ("size", "mark"),
                corrected=[each[ERROR].values for each in corrected],
                spread=[_spread(asked, n, marks) for n in asked.sizes],
                **rates,
            ),
            **_labelled(
                ("size",),
                rise_corrected=[descents(each[ERROR].values)[1] for each in corrected],
                step=[asked.step(n) for n in asked.sizes],
                unlearned=[each[0] for each in later],
                drift=[each[1] for each in later],
            ),
            **_timed(asked, "stopping_corrected", when, "size", "best time to stop, corrected by leverages"),
        },
        {
            **_labelled(("size",), size=list(asked.sizes)),
            **_timed(asked, "time", whole, "time"),
            **_timed(asked, "mark", marks, "mark"),
        },
    )


def _spread(asked: Request, n: int, times: np.ndarray) -> np.ndarray:
    """How much rows differ in what they teach, at these times, (T,)."""
    return trust(asked.problem(n), asked.step(n) * times).spread


def _attributes(asked: Request) -> dict[str, Any]:
    problem = asked.problem(asked.sizes[-1])
    own = vars(problem)
    fixed = {
        name: own[name]
        for name in dict.fromkeys((*asked.values, "kernel", "intercept"))
        if own[name] is not None
    }
    if problem.kernel == "rbf":
        fixed["width"] = rows_of(problem).width  # also where it is taken from the rows
    if problem.kernel == "ntk":
        fixed["depth"] = problem.depth
    names = {name: each.name if isinstance(each, Table) else each for name, each in fixed.items()}
    tables = {name: str(each) for name, each in fixed.items() if isinstance(each, Table)}
    classes = problem.outputs if problem.task == "classification" else 0
    return {
        "kind": "mine",
        "dynamics": asked.dynamics,
        "fixed": json.dumps({**names, "sampling": "pool"}),
        "tables": json.dumps(tables),
        "remarks": PROBLEM.remarks(problem),
        "rows": problem.rows,
        "columns": asked.columns,
        "constant": asked.constant,
        "outputs": problem.outputs,
        "classes": classes,
        "standardised": int(problem.standardise),
        "intercept": "column" if problem.bias_column else problem.intercept,
        "learning_rate": asked.rate or 0.0,
        "loss": asked.loss,
        "n_seeds": len(asked.seeds),
        "first_seed": asked.seeds[0],
        "left_out": json.dumps(asked.left_out),
    }
