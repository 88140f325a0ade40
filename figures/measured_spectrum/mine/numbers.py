"""The numbers of the page: spectrum, learning curve, training at a few sizes, and the rows' own answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import measured, own
from teacherstudent.figures.measured_spectrum.mine.asked import Asked, settled
from teacherstudent.figures.measured_spectrum.mine.stopping import Stop, descents, stop
from teacherstudent.house.tables import Table
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.trust import trust

ERROR, TRAINING = "generalisation_error", "training_error"
UNIT = "output^2"


def answered(
    features: Table,
    targets: Table,
    *,
    curve: Path | None = None,
    simulate: bool = False,
    **options: Any,
) -> xr.Dataset:
    """Everything on the page. Raises `InputError`."""
    asked = settled(features, targets, **options)
    hers = own.read(curve, asked) if curve else None
    parts = [_spectrum(asked)]
    parts.append(_learning(asked))
    parts.append(_training(asked))
    parts.append(measured.drawn(asked))
    if simulate:
        parts.append(measured.simulated(asked))
    if hers is not None:
        parts.append(own.beside(asked, hers))
    return xr.merge(parts, combine_attrs="drop_conflicts").assign_attrs(_attributes(asked))


def described(
    values: Any, dims: str | tuple[str, ...], meaning: str, symbol: str, units: str = UNIT
) -> tuple[Any, Any, dict[str, str]]:
    """A variable with what its axis says."""
    return dims, values, {"units": units, "symbol": symbol, "long_name": meaning}


def _spectrum(asked: Asked) -> xr.Dataset:
    """Eigenvalues, and the shares of features and target in the first modes."""
    problem = asked.problem(asked.sizes[0])
    data, unlike = decomposition(problem), trust(problem, np.array([1.0]))
    variance = data.counts * data.eigenvalues
    whole = float(data.power.sum() + data.residual)
    return xr.Dataset(
        {
            "eigenvalue": described(
                data.eigenvalues, "mode", "variance of the features along a mode", "lambda_k", "feature^2"
            ),
            "features_share": described(
                np.cumsum(variance) / variance.sum(), "mode", "share of the features' variance", "", "1"
            ),
            "target_share": described(
                np.cumsum(data.power) / whole, "mode", "share of the target's variance", "", "1"
            ),
            "variance": described(whole, (), "variance of the targets, summed over outputs", "S"),
            "localised": described(unlike.localised, (), "modes that few rows carry", "", "1"),
            "sparse": described(len(unlike.sparse), (), "columns that few rows tell apart", "", "1"),
            "residual": described(data.residual, (), "variance of the targets that no mode expresses", "S_0"),
        },
        {
            "mode": (
                "mode",
                np.arange(1, variance.size + 1),
                {"units": "1", "symbol": "k", "long_name": "mode"},
            )
        },
    )


def _learning(asked: Asked) -> xr.Dataset:
    """The error of the best-stopped and of the longest training over the size of the training set."""
    stops, corrected, ended, spread = [], [], [], []
    for n in asked.grid:
        found = asked.answer(n, "asymptotic", asked.times)
        best = _stop(asked, n, found)
        stops.append(best)
        ends = [best.time, asked.times[-1]]
        ends = ends if ends[0] < ends[1] else ends[-1:]
        other = asked.answer(n, "leverage", ends)[ERROR].values
        corrected.append((other[0], other[-1]))
        ended.append(float(found[ERROR][-1]))
        spread.append(_spread(asked, n, ends)[[0, -1]])
    counts = [each.descents for each in stops]
    rises = [each.rise for each in stops]
    along = ("n",)
    return xr.Dataset(
        {
            "stopped": described([each.value for each in stops], along, "error at the best time to stop", "E_g"),
            "stopped_corrected": described([each[0] for each in corrected], along, "the same by leverages", "E_g"),
            "ended": described(ended, along, "error after the longest training", "E_g"),
            "ended_corrected": described([each[1] for each in corrected], along, "the same by leverages", "E_g"),
            "stopping": _timed(asked, [each.time for each in stops], along, "best time to stop"),
            "descents": described(counts, along, "descents of the error during training", "", "1"),
            "rise": described(rises, along, "largest rise before a later descent, of the error before it", "", "1"),
            "spread_stopped": described([each[0] for each in spread], along, "spread of leverages when stopped", "", "1"),
            "spread_ended": described([each[1] for each in spread], along, "spread of leverages at the end", "", "1"),
        },
        {"n": ("n", list(asked.grid), {"units": "rows", "symbol": "n", "long_name": "size of the training set"})},
    )  # fmt: skip


def _stop(asked: Asked, n: int, found: xr.Dataset) -> Stop:
    """The best time to stop, found closer between the recorded times."""
    times, values = found["time"].values, found[ERROR].values
    best = int(np.nanargmin(values))
    low, high = times[max(best - 1, 0)], times[min(best + 1, times.size - 1)]
    if low < high:
        between = np.geomspace(max(low, 0.1 * high), high, 9)[1:-1]
        between = np.unique(np.rint(between)) if asked.rate else between
        between = np.setdiff1d(between, times)
        if between.size:
            closer = asked.answer(n, "asymptotic", between)[ERROR].values
            times, values = np.concatenate([times, between]), np.concatenate([values, closer])
            order = np.argsort(times)
            times, values = times[order], values[order]
    return stop(times, values)


def _training(asked: Asked) -> xr.Dataset:
    """Errors over training at the sizes that are looked at closely, by both formulas."""
    whole, marks = np.array(asked.times), measured.marks(asked)
    exact = [asked.answer(n, "asymptotic", whole) for n in asked.sizes]
    corrected = [asked.answer(n, "leverage", marks) for n in asked.sizes]
    spread = [_spread(asked, n, marks) for n in asked.sizes]
    over, at = ("size", "time"), ("size", "mark")
    count = [descents(marks, each[ERROR].values) for each in corrected]
    return xr.Dataset(
        {
            "error": described([each[ERROR].values for each in exact], over, "error on new rows", "E_g"),
            "training": described([each[TRAINING].values for each in exact], over, "error on training rows", "E_t"),
            "corrected": described([each[ERROR].values for each in corrected], at, "error on new rows by leverages", "E_g"),
            "training_corrected": described([each[TRAINING].values for each in corrected], at, "error on training rows by leverages", "E_t"),
            "spread": described(spread, at, "spread of the leverages", "", "1"),
            "descents_corrected": described([each[0] for each in count], ("size",), "descents by leverages", "", "1"),
            "rise_corrected": described([each[1] for each in count], ("size",), "largest rise by leverages", "", "1"),
        },
        {
            "size": ("size", list(asked.sizes), {"units": "rows", "symbol": "n", "long_name": "size of the training set"}),
            "time": _timed(asked, whole, ("time",)),
            "mark": _timed(asked, marks, ("mark",)),
            "step": ("size", [asked.step(n) for n in asked.sizes], {"units": "1/curvature", "symbol": "eta", "long_name": "flow time of a step"}),
        },
    )  # fmt: skip


def _spread(asked: Asked, n: int, times: Any) -> np.ndarray:
    """How unequal the leverages are at these times, (T,)."""
    return trust(asked.problem(n), asked.step(n) * np.asarray(times, dtype=float)).spread


def _timed(
    asked: Asked, times: Any, dims: tuple[str, ...], meaning: str = ""
) -> tuple[Any, Any, dict[str, str]]:
    clock = PROBLEM.on_clock(asked.dynamics).time
    said = meaning or clock.meaning
    return dims, times, {"units": clock.unit, "symbol": clock.symbol, "long_name": said}


def _attributes(asked: Asked) -> dict[str, Any]:
    problem = asked.problem(asked.sizes[-1])
    own = vars(problem)
    fixed = {name: own[name] for name in asked.values if own[name] is not None}
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
