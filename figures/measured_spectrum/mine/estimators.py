"""An estimator of scikit-learn as a question about ridge regression, and its own learning curve.

`Ridge`, `LinearRegression`, and a `Pipeline` of `StandardScaler` and one of these are known by their
settings. Nothing of an estimator is run but by `learning_curve`, which fits copies of it to subsets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine.judging import factors
from teacherstudent.figures.measured_spectrum.mine.request import Request
from teacherstudent.figures.measured_spectrum.mine.ridge import ERROR, at_ridge
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import importing_extra
from teacherstudent.house.interruptible import run_in_new_process
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.theory.measured_spectrum.decomposition import decomposition

TAKEN = "Ridge, LinearRegression, or Pipeline of StandardScaler and one of these, of scikit-learn"

RIDGELESS = 1e-9
"""Ridge that stands for none, relative to the weakest mode: the error differs by that share."""

LONG = 1e10
"""Multiplications from which on a fit runs in a process of its own: SciPy's solvers, which it calls, hold
Python's lock, so that no signal would be heard for seconds."""

Splits = Sequence[tuple[np.ndarray, np.ndarray]]
"""Training and test rows of each subset."""


@dataclass(frozen=True)
class Estimator:
    """What an estimator does: `alpha` is the total ridge, 0 of `LinearRegression`, which leaves out
    directions weaker than `cut` times the strongest.

    fitted: the object itself. said: its settings in words.
    """

    alpha: float
    cut: float
    fit_intercept: bool
    standardise: bool
    fitted: Any
    said: str

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the page with what it stands for. Raises `InputError` where they say otherwise."""
        own = {
            "intercept": "trained" if self.fit_intercept else "none",
            "standardise": self.standardise or None,
        }
        for name, value in own.items():
            if given.get(name) not in (None, value):
                raise InputError(name, given[name], f"{value}, as in --estimator, or omitted")
        task = given.get("task") if given.get("task") != "auto" else None
        return {**given, **own, "task": task or "regression"}


def read(estimator: Any) -> Estimator:
    """What an estimator of scikit-learn does. Raises `InputError` for others, and settings that differ."""
    steps = getattr(estimator, "steps", None)
    parts = [part for _, part in steps] if steps else [estimator]
    names = [_name(part) for part in parts]
    if names[-1] not in ("Ridge", "LinearRegression") or names[:-1] not in ([], ["StandardScaler"]):
        raise InputError("estimator", " > ".join(names), TAKEN)
    settings = parts[-1].get_params()
    alpha = settings.get("alpha", 0.0)
    if settings.get("positive"):
        raise InputError(
            "estimator", f"{names[-1]}(positive=True)", "without positive: weights have either sign"
        )
    if np.ndim(alpha) or not alpha >= 0:
        raise InputError("estimator", f"Ridge(alpha={alpha})", "with one alpha of 0 or more")
    scaler: Mapping[str, Any] = parts[0].get_params() if len(parts) > 1 else {}
    if scaler.get("with_mean") and not settings["fit_intercept"]:
        domain = "with fit_intercept=True, or with_mean=False: centred features need an intercept"
        raise InputError("estimator", " > ".join(names), domain)
    scaled = bool(scaler.get("with_std"))
    said = f"{names[-1]}(alpha={alpha:g})" if names[-1] == "Ridge" else f"{names[-1]}()"
    return Estimator(
        float(alpha),
        float(settings.get("tol", 0.0)) if names[-1] == "LinearRegression" else 0.0,
        bool(settings["fit_intercept"]),
        scaled,
        estimator,
        f"{'StandardScaler > ' * scaled}{said}",
    )


def _name(part: Any) -> str:
    """The class of a part, where scikit-learn defines it; any other is named with its module."""
    kind = type(part)
    return kind.__name__ if kind.__module__.startswith("sklearn.") else f"{kind.__module__}.{kind.__name__}"


def predicted(asked: Request, estimator: Estimator) -> xr.Dataset:
    """Its error over the size of the training set, (n,), by both formulas.

    Raises `InputError` where the estimator leaves out directions that these rows have.
    """
    strengths = np.sqrt(decomposition(asked.problem(asked.sizes[-1])).eigenvalues)
    if (weakest := strengths[-1] / strengths[0]) < estimator.cut:
        domain = f"with tol below {weakest:.2g}: it drops weaker directions, which theory keeps"
        cure = "put StandardScaler before it, or rescale columns of large numbers"
        raise InputError("estimator", f"LinearRegression(tol={estimator.cut:g})", domain, cure)
    found: dict[str, list[float]] = {"asymptotic": [], "leverage": []}
    for n in asked.grid:
        for route, values in found.items():
            values.append(float(at_ridge(asked, n, route, [_total(asked, n, estimator)])[ERROR][0]))
    said = {"units": "output^2", "symbol": "E_g"}
    names = {"asymptotic": "estimator_error", "leverage": "estimator_corrected"}
    how = {"asymptotic": "by the formula of a pool", "leverage": "corrected by leverages"}
    return xr.Dataset(
        {
            names[route]: (("n",), values, {**said, "long_name": f"error of {estimator.said}, {how[route]}"})
            for route, values in found.items()
        },
        {"n": ("n", list(asked.grid))},
        {"estimator": estimator.said, "alpha": estimator.alpha},
    )


def _total(asked: Request, n: int, estimator: Estimator) -> float:
    """The total ridge that the estimator has; a tiny one where it has none."""
    return estimator.alpha or RIDGELESS * n * float(decomposition(asked.problem(n)).eigenvalues[-1])


def learning_curve(asked: Request, estimator: Estimator) -> xr.Dataset:
    """Its errors by `sklearn.model_selection.learning_curve`, (size,), on the subsets that are drawn here.

    Fits copies of the estimator on the rows as they were given. Errors are summed over outputs.
    """
    means, errors = [], []
    for n in asked.sizes:
        problem = asked.problem(n)
        assert problem.features is not None
        assert problem.targets is not None
        targets = problem.targets.values
        chosen = draw(problem, asked.seeds).chosen
        assert chosen is not None  # as of every pool
        splits = [(rows, np.setdiff1d(np.arange(problem.rows), rows)) for rows in chosen]
        rows = problem.features.values
        one = targets[:, 0] if targets.shape[1] == 1 else targets
        job = partial(_scores, estimator.fitted, rows, one, n, splits)
        scores = run_in_new_process(job) if n * rows.shape[1] * min(n, rows.shape[1]) > LONG else job()
        found = -scores[0] * targets.shape[1]
        means.append(found.mean())
        errors.append(found.std(ddof=1) / np.sqrt(found.size))
    said = {"units": "output^2", "symbol": "E_g", "long_name": f"error of {estimator.said}, by scikit-learn"}
    return xr.Dataset(
        {
            "estimator_measured": (("size",), means, said),
            "estimator_measured_stderr": (("size",), errors, {**said, "long_name": "standard error of that"}),
        }
    )


def _scores(fitted: Any, rows: np.ndarray, targets: np.ndarray, n: int, splits: Splits) -> np.ndarray:
    with importing_extra("estimator"):
        from sklearn.model_selection import learning_curve as curve

    means = "neg_mean_squared_error"
    found: np.ndarray = curve(fitted, rows, targets, train_sizes=[n], cv=splits, scoring=means)[2]
    return found


def facts(answer: xr.Dataset) -> dict[str, Any] | None:
    """Its predicted error at each size that is looked at closely, and what scikit-learn measured there."""
    if "estimator_error" not in answer:
        return None
    single, found = factors(answer)[0], []
    for size in answer["size"].values.tolist():
        along = answer.sel(n=size)
        pool, corrected = (float(along[f"estimator_{name}"]) for name in ("error", "corrected"))
        value = corrected if np.isfinite(corrected) else pool
        measured, error = None, abs(value - pool)
        if "estimator_measured" in answer:
            seen = answer.sel(size=size)
            scatter = single * float(seen["estimator_measured_stderr"])
            measured = {"value": float(seen["estimator_measured"]), "error": scatter}
            error = max(error, abs(value - measured["value"]) + scatter)
        found.append({"n": size, "error": {"value": value, "error": error}, "measured": measured})
    return {"said": answer.attrs["estimator"], "ridge": float(answer.attrs["alpha"]), "sizes": found}
