"""The answers to a practitioner's questions, each with its error, from the numbers of the page alone."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import beyond, estimators, judging, ridge
from teacherstudent.figures.measured_spectrum.mine.judging import Judged, judged
from teacherstudent.theory.measured_spectrum.per_row import MOST_ROWS
from teacherstudent.theory.measured_spectrum.trust import INVENTED, SURE, UNSURE, second_descent
from teacherstudent.theory.measured_spectrum.window import ENDED

MOST_OF = 0.9
"""Of the target's expressed variance."""

ALIKE = 0.2
"""Share by which the exponents of both halves of a power law may differ from that of the whole."""

RISE = 0.01
"""Relative rise of the error over rows that is called a peak."""

PREDICTED = "95 %: difference of the formulas, or measured difference in this part of training, if larger"
MEASURED = "95 % interval of the mean over subsets, by Student's t"
SIMULTANEOUS = "95 % intervals for all measured times of one size together, by Student's t"
"""What the errors of numbers are, which stand beside them as `error`."""

FEWEST = 12
"""Modes of which a power law is read."""


def facts(answer: xr.Dataset) -> dict[str, Any]:
    """Everything that the page says, as what JSON can hold: numbers, texts, lists, None where unknown."""
    found: dict[str, Any] = _plain(known(answer))
    return found


def _plain(value: Any) -> Any:
    """A value without NaN, which JSON does not know."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def known(answer: xr.Dataset) -> dict[str, Any]:
    """The same, with NaN for numbers that are unknown."""
    sizes = [_of_size(answer, size) for size in answer["size"].values.tolist()]
    end = float(answer["time"][-1])
    return {
        "id": answer.attrs["problem"],
        "features": json.loads(answer.attrs["fixed"]).get("features"),
        "gram": json.loads(answer.attrs["fixed"]).get("gram"),
        "targets": json.loads(answer.attrs["fixed"])["targets"],
        "rows": int(answer.attrs["rows"]),
        "columns": int(answer.attrs["columns"]),
        "constant_columns": int(answer.attrs["constant"]),
        "kernel": json.loads(answer.attrs["fixed"])["kernel"],
        "width": json.loads(answer.attrs["fixed"]).get("width"),
        "depth": json.loads(answer.attrs["fixed"]).get("depth"),
        "standardised": bool(answer.attrs["standardised"]),
        "intercept": answer.attrs["intercept"],
        "outputs": int(answer.attrs["outputs"]),
        "classes": int(answer.attrs["classes"]) or None,
        "dynamics": answer.attrs["dynamics"],
        "learning_rate": float(answer.attrs["learning_rate"]) or None,
        "loss": answer.attrs["loss"],
        "remarks": answer.attrs["remarks"],
        "spectrum": _spectrum(answer),
        "window": {"from": float(answer["time"][0]), "to": end, "settled": not any(e["cut"] for e in sizes)},
        "sizes": sizes,
        "doubling": _doubling(sizes),
        "more_rows": {"predictions": beyond.facts(answer), "refused": answer.attrs["ahead_refused"]},
        "ridge": ridge.best(answer),
        "estimator": estimators.facts(answer),
        "peak": _peak(answer),
        "end_time": float(answer["time"][-1]),
        "certificate": {
            "subsets": int(answer.attrs["n_seeds"]),
            "sizes_left_out": json.loads(answer.attrs["left_out"]),
            "rule": {
                "kind": SIMULTANEOUS,
                judging.TRUST: f"|difference| + error <= {judging.CLOSE:g} and spread < {SURE:g}",
                judging.BAND: f"else |difference| - error <= {judging.NEAR:g} and spread < {INVENTED:g}",
                judging.DISTRUST: "else",
            },
            "localised_modes": int(answer["localised"]),
            "sparse_columns": int(answer["sparse"]),
            "per_row": _per_row(answer, sizes),
            "until_stop": _altogether(sizes, (judging.BEFORE, judging.AT)),
            "after_stop": _altogether(sizes, (judging.AFTER,)),
        },
        "simulation": _simulation(answer),
        "own_curve": _own(answer),
    }


def _peak(answer: xr.Dataset) -> dict[str, Any] | None:
    """Where the error after long training is largest after it has risen over rows; None where it only falls.

    at_end: whether that is with the most rows that are looked at.
    """
    ended = answer["ended"].values
    known = np.where(np.isfinite(ended), ended, -np.inf)  # where it diverges no route has a number
    least = np.fmin.accumulate(np.where(np.isfinite(ended), ended, np.inf))
    risen = np.where(known > (1 + RISE) * least, known, -np.inf)
    at = int(np.argmax(risen))
    if risen[at] == -np.inf:
        return None
    return {"n": int(answer["n"][at]), "error": float(ended[at]), "at_end": at == ended.size - 1}


def _altogether(sizes: list[dict[str, Any]], regimes: tuple[str, ...]) -> str | None:
    """The least trusting verdict on these parts of the training; None where no size has any."""
    found = [each["verdict"] for size in sizes for each in size["regimes"] if each["regime"] in regimes]
    return judging.overall(found) if found else None


def _per_row(answer: xr.Dataset, sizes: list[dict[str, Any]]) -> list[str]:
    """The dynamics for which the route that goes row by row is offered: where rows are uneven, and few."""
    uneven = any(each["uneven_from"] is not None for each in sizes)
    return sorted(name for name, most in MOST_ROWS.items() if uneven and answer.attrs["rows"] <= most)


def _spectrum(answer: xr.Dataset) -> dict[str, Any]:
    values, share = answer["eigenvalue"].values, answer["target_share"].values
    expressed = float(share[-1])
    relative = values / values.max()  # of huge or tiny values float64 does not hold the squares
    return {
        "modes": values.size,
        "effective_dimension": float(relative.sum() ** 2 / np.sum(relative**2)),
        "target_variance": float(answer["variance"]),
        "expressed_share": expressed,
        "modes_of_most_target": 1 + int(np.searchsorted(share, MOST_OF * expressed)),
        "capacity_exponent": _capacity(values),
    }


def _capacity(values: np.ndarray) -> dict[str, float] | None:
    """The exponent of lambda_k = k^-a beyond the first modes, and those of both halves of that range, where
    they are alike; None where no power law fits."""
    k = np.arange(1.0, values.size + 1)
    first, last = 3, values.size // 2
    if last - first < FEWEST:
        return None
    middle = int(np.sqrt(first * last))
    exponents = [
        -float(np.polyfit(np.log(k[low:high]), np.log(values[low:high]), 1)[0])
        for low, high in ((first, last), (first, middle), (middle, last))
        if high - low > 2
    ]
    whole, *halves = exponents
    if len(halves) < 2 or whole <= 0 or max(abs(each - whole) for each in halves) > ALIKE * whole:
        return None
    return {"value": whole, "low": min(exponents), "high": max(exponents)}


def _of_size(answer: xr.Dataset, size: int) -> dict[str, Any]:
    regimes = judged(answer, size)
    by_name = {each.regime: each for each in regimes}
    here, along = answer.sel(size=size), answer.sel(n=size)
    marks = answer["mark"].values
    stop = float(along["stopping"])
    last = marks[-1] <= stop
    nearest, single = judging.nearest_mark(answer, size), judging.factors(answer)[0]
    at, end = by_name[judging.AT], by_name.get(judging.AFTER, by_name[judging.AT])
    return {
        "n": size,
        "stop_time": stop,
        "stop_flow_time": stop * float(here["step"]),
        "stop_time_corrected": float(here["stopping_corrected"]),
        "stops_at_end": bool(last),
        "error": _predicted(along["stopped"], along["stopped_corrected"], at),
        "end_time": float(marks[-1]),
        "unlearned_at_end": float(here["unlearned"]),
        "drift_at_end": float(here["drift"]),
        "cut": max(float(here["unlearned"]), float(here["drift"])) > ENDED,
        "error_at_end": _predicted(along["ended"], along["ended_corrected"], end),
        "measured": _measured(here, "measured", nearest, single),
        "measured_at_end": _measured(here, "measured", -1, single),
        "error_rate": judging.at_stop(answer, size),
        "descents": int(along["descents"]),
        "rise": float(along["rise"]),
        "rise_corrected": float(here["rise_corrected"]),
        "second_descent": _second(along, here, judging.at_marks(answer).sel(size=size), end),
        "regimes": [vars(each) for each in regimes],
        "uneven_from": _first_over(marks, here["spread"].values),
    }


def _first_over(marks: np.ndarray, spread: np.ndarray) -> float | None:
    """From which time on rows are too unlike for the corrected formula; None where never."""
    over = np.flatnonzero(~(spread < UNSURE))
    return float(marks[over[0]]) if over.size else None


def _predicted(pool: xr.DataArray, corrected: xr.DataArray, by: Judged) -> dict[str, Any]:
    """A prediction with its error: how far the formulas differ, or what was measured, whichever is more."""
    value = float(judging.preferred(pool, corrected))
    apart = abs(float(pool) - float(corrected)) if np.isfinite(corrected) else 0.0
    return _number(value, max(apart, by.bound * value), PREDICTED)


def _measured(here: xr.Dataset, name: str, place: int, factor: float) -> dict[str, Any] | None:
    """A mean over subsets with its error, so many standard errors."""
    if name not in here:
        return None
    return _number(float(here[name][place]), factor * float(here[f"{name}_stderr"][place]), MEASURED)


def _number(value: float, error: float, kind: str) -> dict[str, Any]:
    """A number with its error, and what kind of error that is."""
    return {"value": value, "error": error, "kind": kind}


def _second(along: xr.Dataset, here: xr.Dataset, pool: xr.DataArray, by: Judged) -> str:
    """Whether a second descent is coming, as far as the formulas, off by so much, can tell."""
    rise = max(float(along["rise"]), float(here["rise_corrected"]))
    if rise == 0:
        return "no"
    if rise <= by.bound:
        return "too small to tell"
    sure = second_descent(pool.values, here["corrected"].values, here["spread"].values, by.bound)
    return "yes" if sure else "not certain"


def _doubling(sizes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What twice the rows change in the best-stopped error, for every pair of sizes a factor of two apart."""
    found = []
    for one in sizes:
        for other in sizes:
            if 2 * one["n"] <= other["n"] <= 2 * one["n"] + 1:
                change = other["error"]["value"] - one["error"]["value"]
                error = float(np.hypot(other["error"]["error"], one["error"]["error"]))
                seen = other["measured"]["value"] - one["measured"]["value"]
                scatter = float(np.hypot(other["measured"]["error"], one["measured"]["error"]))
                found.append(
                    {
                        "n": one["n"],
                        "to": other["n"],
                        "change": _number(change, error, PREDICTED),
                        "measured_change": _number(seen, scatter, MEASURED),
                    }
                )
    return found


def _own(answer: xr.Dataset) -> dict[str, Any] | None:
    """Her curve over the prediction, at all of her times, and how single subsets scatter."""
    if "own" not in answer:
        return None
    pool, corrected, own = (answer[name].values for name in ("own_predicted", "own_corrected", "own"))
    preferred = np.where(np.isfinite(corrected), corrected, pool)
    inside = (own >= np.fmin(pool, corrected)) & (own <= np.fmax(pool, corrected))
    first = answer.isel(size=0)
    known = first["measured"].where(first["measured"] > 0)
    scatter = first["measured_stderr"] / known * np.sqrt(answer.attrs["n_seeds"])
    training = None
    if "own_training" in answer:
        training = _ratio(answer["own_training"].values, answer["own_training_predicted"].values)
    return {
        "n": int(answer["size"][0]),
        "points": own.size,
        "test": _ratio(own, preferred),
        "training": training,
        "between_formulas": int(inside.sum()),
        "from_zero": bool(answer["own_time"][0] == 0),
        "scatter": float(scatter.median()),
        "best_time": float(answer["own_time"].values[int(np.argmin(own))]),
    }


def _ratio(own: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    known = predicted > 0
    if not known.any():
        return dict.fromkeys(("median", "low", "high"), np.nan)
    ratio = own[known] / predicted[known]
    return {"median": float(np.median(ratio)), "low": float(ratio.min()), "high": float(ratio.max())}


def _simulation(answer: xr.Dataset) -> dict[str, Any] | None:
    """The largest relative difference of theory, at the same steps, from gradient descent."""
    if "simulated" not in answer or not bool(answer["simulated"].notnull().any()):
        return None
    theory = judging.preferred(answer["simulated_formula"], answer["simulated_corrected"])
    theory = theory.where(theory > 0)
    difference = (1 - answer["simulated"] / theory).values.ravel()
    error = (judging.factors(answer)[1] * answer["simulated_stderr"] / theory).values.ravel()
    worst = int(np.nanargmax(np.abs(difference)))
    return {
        "steps": int(answer["simulated_steps"].max()),
        "difference": float(difference[worst]),
        "error": float(error[worst]),
        "kind": SIMULTANEOUS,
    }
