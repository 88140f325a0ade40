"""The numbers of the page: spectrum, learning curve, training at a few sizes, and the rows' own answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import measured, own
from teacherstudent.figures.measured_spectrum.mine.asked import Asked, settled
from teacherstudent.figures.measured_spectrum.mine.own import Curve
from teacherstudent.figures.measured_spectrum.mine.stopping import Stop, stop
from teacherstudent.house.tables import Table
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.trust import trust

ERROR, TRAINING = "generalisation_error", "training_error"

SQUARE, COUNT = "output^2", "1"
VARIABLES = {
    "eigenvalue": ("variance of the features along a mode", "lambda_k", "feature^2"),
    "features_share": ("share of the features' variance in the first modes", "", COUNT),
    "target_share": ("share of the target's variance in the first modes", "", COUNT),
    "variance": ("variance of the targets, summed over outputs", "S", SQUARE),
    "residual": ("variance of the targets that no mode expresses", "S_0", SQUARE),
    "localised": ("modes that few rows carry", "", COUNT),
    "sparse": ("columns that few rows tell apart", "", COUNT),
    "stopped": ("error at the best time to stop, by the formula of a pool", "E_g", SQUARE),
    "stopped_corrected": ("error at the best time to stop, corrected by leverages", "E_g", SQUARE),
    "ended": ("error after the longest training, by the formula of a pool", "E_g", SQUARE),
    "ended_corrected": ("error after the longest training, corrected by leverages", "E_g", SQUARE),
    "descents": ("descents of the error during training", "", COUNT),
    "rise": ("largest rise between two descents, relative", "", COUNT),
    "spread_stopped": ("spread of what rows teach, at the best time to stop", "", COUNT),
    "spread_ended": ("spread of what rows teach, after the longest training", "", COUNT),
    "error": ("error on new rows, by the formula of a pool", "E_g", SQUARE),
    "training": ("error on training rows, by the formula of a pool", "E_t", SQUARE),
    "corrected": ("error on new rows, corrected by leverages", "E_g", SQUARE),
    "spread": ("spread of what rows teach", "", COUNT),
    "descents_corrected": ("descents of the error, corrected by leverages", "", COUNT),
    "rise_corrected": ("largest rise between two descents, corrected by leverages", "", COUNT),
    "mode": ("mode", "k", COUNT),
    "n": ("size of the training set", "n", "rows"),
    "size": ("size of the training set", "n", "rows"),
    "step": ("flow time of a step", "eta", "1/curvature"),
}
"""What each variable means, its symbol and its unit."""


@dataclass(frozen=True)
class Question:
    """What was asked, her own curve where she has one, and whether gradient descent is run."""

    asked: Asked
    curve: Curve | None
    simulate: bool


def settle(
    features: Table, targets: Table, *, curve: Path | None = None, simulate: bool = False, **options: Any
) -> Question:
    """A question that can be answered. Raises `InputError`."""
    asked = settled(features, targets, **options)
    return Question(asked, own.read(curve, asked) if curve else None, simulate)


def answered(question: Question) -> xr.Dataset:
    """Everything on the page."""
    asked = question.asked
    parts = [_spectrum(asked), _learning(asked), _training(asked), measured.drawn(asked)]
    if question.simulate:
        parts.append(measured.simulated(asked))
    if question.curve:
        parts.append(own.beside(asked, question.curve))
    return xr.merge(parts, combine_attrs="drop_conflicts").assign_attrs(_attributes(asked))


def _labelled(dims: tuple[str, ...], **values: Any) -> dict[str, Any]:
    """Variables along the same axes, with what they mean."""
    described = {
        name: dict(zip(("long_name", "symbol", "units"), VARIABLES[name], strict=True)) for name in values
    }
    return {name: (dims, value, described[name]) for name, value in values.items()}


def _timed(asked: Asked, name: str, times: Any, dim: str, meaning: str = "") -> dict[str, Any]:
    """Times on the clock of the page along an axis."""
    clock = PROBLEM.on_clock(asked.dynamics).time
    attrs = {"units": clock.unit, "symbol": clock.symbol, "long_name": meaning or clock.meaning}
    return {name: (dim, times, attrs)}


def _spectrum(asked: Asked) -> xr.Dataset:
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


def _learning(asked: Asked) -> xr.Dataset:
    """The error of the best-stopped and of the longest training over the size of the training set."""
    stops, ended, corrected, spread = [], [], [], []
    for n in asked.grid:
        found = asked.answer(n, "asymptotic", asked.times)
        stops.append(_stop(asked, n, found))
        ended.append(float(found[ERROR][-1]))
        moments = np.unique([stops[-1].time, asked.times[-1]])
        other = asked.answer(n, "leverage", moments)[ERROR].values
        corrected.append(other[[0, -1]])
        spread.append(_spread(asked, n, moments)[[0, -1]])
    corrected_at, spread_at = np.transpose(corrected), np.transpose(spread)
    variables = _labelled(
        ("n",),
        stopped=[each.value for each in stops],
        stopped_corrected=corrected_at[0],
        ended=ended,
        ended_corrected=corrected_at[1],
        descents=[each.descents for each in stops],
        rise=[each.rise for each in stops],
        spread_stopped=spread_at[0],
        spread_ended=spread_at[1],
    )
    when = _timed(asked, "stopping", [each.time for each in stops], "n", "best time to stop")
    return xr.Dataset({**variables, **when}, _labelled(("n",), n=list(asked.grid)))


def _stop(asked: Asked, n: int, found: xr.Dataset) -> Stop:
    """The best time to stop, found closer between the recorded times."""
    times, values = found["time"].values, found[ERROR].values
    best = int(np.nanargmin(values))
    low, high = times[max(best - 1, 0)], times[min(best + 1, times.size - 1)]
    between = np.geomspace(max(low, LOWEST * high), high, CLOSER)[1:-1]
    between = np.setdiff1d(np.rint(between) if asked.rate else between, times)
    if between.size and high > 0:
        closer = asked.answer(n, "asymptotic", between)[ERROR].values
        times, values = np.concatenate([times, between]), np.concatenate([values, closer])
        order = np.argsort(times)
        times, values = times[order], values[order]
    return stop(times, values)


CLOSER, LOWEST = 9, 0.1
"""Times at which the best time to stop is sought between recorded ones; how far below the later at most."""


def _training(asked: Asked) -> xr.Dataset:
    """Errors over training at the sizes that are looked at closely, by both formulas."""
    whole, marks = np.array(asked.times), measured.marks(asked)
    exact = [asked.answer(n, "asymptotic", whole) for n in asked.sizes]
    corrected = [asked.answer(n, "leverage", marks)[ERROR].values for n in asked.sizes]
    turned = [stop(marks, each) for each in corrected]
    return xr.Dataset(
        {
            **_labelled(
                ("size", "time"),
                error=[each[ERROR].values for each in exact],
                training=[each[TRAINING].values for each in exact],
            ),
            **_labelled(
                ("size", "mark"),
                corrected=corrected,
                spread=[_spread(asked, n, marks) for n in asked.sizes],
            ),
            **_labelled(
                ("size",),
                descents_corrected=[each.descents for each in turned],
                rise_corrected=[each.rise for each in turned],
                step=[asked.step(n) for n in asked.sizes],
            ),
        },
        {
            **_labelled(("size",), size=list(asked.sizes)),
            **_timed(asked, "time", whole, "time"),
            **_timed(asked, "mark", marks, "mark"),
        },
    )


def _spread(asked: Asked, n: int, times: np.ndarray) -> np.ndarray:
    """How much rows differ in what they teach, at these times, (T,)."""
    return trust(asked.problem(n), asked.step(n) * times).spread


def _attributes(asked: Asked) -> dict[str, Any]:
    problem = asked.problem(asked.sizes[-1])
    own = vars(problem)
    fixed = {name: own[name] for name in dict.fromkeys((*asked.values, "kernel")) if own[name] is not None}
    names = {name: each.name if isinstance(each, Table) else each for name, each in fixed.items()}
    tables = {name: str(each) for name, each in fixed.items() if isinstance(each, Table)}
    classes = problem.outputs if problem.task == "classification" else 0
    return {
        "kind": "mine",
        "dynamics": asked.dynamics,
        "fixed": json.dumps({**names, "sampling": "pool"}),
        "tables": json.dumps(tables),
        "rows": problem.rows,
        "columns": asked.columns,
        "constant": asked.constant,
        "outputs": problem.outputs,
        "classes": classes,
        "standardised": int(asked.standardised),
        "learning_rate": asked.rate or 0.0,
        "loss": asked.loss,
        "n_seeds": len(asked.seeds),
        "first_seed": asked.seeds[0],
    }
