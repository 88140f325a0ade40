"""Linear regression on the user's data: any covariance, target and time.

The data are P measured rows of features phi and targets y. Features are not scaled. A student yhat =
phi.w_hat + b is trained on n rows by a loss that is a SUM over the n rows and over outputs, L = 1/2 sum |y -
yhat|^2 + ridge/2 |w_hat|^2, from weights N(0, init^2). Errors are means over rows of squares WITHOUT the
half, summed over outputs; label noise, N(0, noise^2) on each output of each row, is part of them.

The intercept b has one entry per output. "trained": b is fitted with the weights, on the same n rows and
labels, without ridge. Features and labels are then centred by the means of the training rows, at all times,
so b is optimal for the current weights. "pool": both are centred by the means of all P rows, including test
rows, and b is known and free of label noise. "none": b = 0, and nothing is centred. A bias column is one more
feature, equal to 1 in every row; its weight is a b that is penalised, initialised and trained like every
weight. The means of a law are zero. Rows that are seen once (batches of fresh data) have no training mean and
use the known one.

Only the *spectrum* of the data matters: the eigenvalues lambda_k of the covariance phi^T phi/P, their
multiplicities, the power of the target in each, theta_k^2 lambda_k (a mean square, summed over outputs), and
the *residual*, the mean square of what no linear function of the features expresses. For a student the
residual is noise: it remains in the error on test rows for any number of training rows.

Rows come from arrays, from a kernel on arrays (its features replace theirs and are also centred; for a bias
column 1 is added; the kernel is computed on rows that are not centred), or from a law. Laws: modes that are
listed, or the power law of Caponnetto and De Vito (2007) in the form of Cui et al. (2021), lambda_k =
k^-capacity and theta_k^2 lambda_k = k^-(1 + 2 source capacity), k = 1 ... size. Nothing is normalised: the
first eigenvalue and the first power are 1. In the terms of Caponnetto and De Vito b = capacity and c = 2
source.

Sampling "pool" draws n rows without replacement from the P and tests on the other P - n. "population" draws
Gaussian rows of features and targets together, with the same second moments; the test is then the exact mean
over such rows. "new-rows" is about any number n of rows from the same source, of which the measured rows are
an independent sample. Results can then only be predicted, not drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from teacherstudent.house.declarations import Linear, Observable, Problem
from teacherstudent.house.parameters import AUTO
from teacherstudent.problems.batches import FRESH
from teacherstudent.problems.extras import asked
from teacherstudent.problems.measured_spectrum.building import build, remarks
from teacherstudent.problems.measured_spectrum.instance import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.intercept import batch_remarks
from teacherstudent.problems.measured_spectrum.parameters import PARAMETERS, SCATTERED
from teacherstudent.problems.measured_spectrum.sources import BUNDLED

_PREDICTED = {
    "generalisation_error_stderr": ("sigma(E_g)", "standard error of the prediction from one set of rows"),
    "generalisation_error_leave_one_out": ("E_loo", "leave-one-out prediction, a second estimate"),
    "generalisation_error_scatter": (
        "s(E_g)",
        "standard deviation of the squared error between training sets of n Gaussian rows",
    ),
}
"""What is predicted of new rows beside the error: symbol and meaning."""

_error = partial(Observable, nonnegative=True, best="least")


def _observed(problem: MeasuredSpectrum, options: Mapping[str, Any]) -> tuple[str, ...]:
    told = problem.task == "classification" and problem.sampling == "pool"
    if problem.sampling == "new-rows":
        return ("generalisation_error", *_PREDICTED)
    seen = options.get("data") != FRESH  # else no row is learned from twice
    return (
        "generalisation_error",
        *(("training_error",) if seen else ()),
        *(("error_rate",) if told else ()),
        *asked(SCATTERED, options),
    )


def _no_error(problem: MeasuredSpectrum, times: Any, options: Mapping[str, Any]) -> str:
    """That a prediction of flow comes without its error."""
    return "" if problem.sampling != "new-rows" else "for flow, the standard error of a prediction is unknown"


def _total_ridge(problem: MeasuredSpectrum, times: Any, options: Mapping[str, Any]) -> str:
    """What the ridge is in all, where it is not 1/time alone."""
    ends = dict.fromkeys((float(times[0]), float(times[-1])))
    said = " to ".join(f"{problem.ridge + 1 / time:g} at time {time:g}" for time in ends)
    return f"ridge = --ridge + 1/time: {said}" if problem.ridge else ""


_ROWS = {"features": "wine", "targets": "wine", "n": 20, "noise": 0.1, "ridge": 0.1}
_LAW = {"n": 12, "modes": ((4, 1.0, 0.6), (6, 0.1, 0.4)), "noise": 0.3, "ridge": 0.1, "init": 0.2}

PROBLEM = Problem(
    id="measured-spectrum",
    title="Your own data: learning curves for any covariance, target and time",
    source="deterministic equivalents for any spectrum and target",
    question="How does the test error on my own data depend on rows, training time and ridge?",
    parameters=PARAMETERS,
    linear=Linear(
        refused={"langevin": "the effect of thermal noise is known only for multiscale"},
        times=AUTO,
        remarks={"sgd": batch_remarks, "flow": _no_error, "ridge": _total_ridge},
    ),
    observables=(
        _error(
            "generalisation_error",
            "E_g",
            "output^2",
            "squared error outside the training set, with label noise, summed over outputs, no factor 1/2",
        ),
        _error("training_error", "E_t", "output^2", "squared training error, summed over outputs"),
        _error(
            "error_rate",
            "p_err",
            "1",
            "share of rows outside the training set whose largest output is not their class; if m outputs "
            "tie, each counts 1/m",
        ),
        *(Observable(name, symbol, "output^2", said) for name, (symbol, said) in _PREDICTED.items()),
    ),
    build=build,
    observed=_observed,
    remarks=remarks,
    examples=(
        _LAW,
        {**_LAW, "batch": 3, "data": "replacement"},
        _ROWS,
        {**_ROWS, "batch": 3, "data": "replacement"},
        {**_ROWS, "sampling": "population"},
        {"features": "wine", "targets": "wine", "kernel": "rbf", "n": 30, "task": "regression"},
        {**_LAW, "intercept": "trained", "batch": 3, "data": "replacement"},
        {**_ROWS, "intercept": "pool"},
        {**_ROWS, "bias_column": True, "batch": 3, "data": "replacement", "init": 0.01},
    ),
    convention="training loss: half the squared error summed over rows and outputs, plus ridge/2 |w_hat|^2",
)

__all__ = ["BUNDLED", "PROBLEM", "MeasuredSpectrum"]
