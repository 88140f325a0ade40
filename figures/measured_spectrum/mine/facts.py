"""The answers to a practitioner's questions, each with its error, from the numbers of the page alone."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import judging
from teacherstudent.figures.measured_spectrum.mine.judging import Judged, judged
from teacherstudent.theory.measured_spectrum.trust import INVENTED

MOST_OF = 0.9
"""Of the target's expressed variance."""

ALIKE = 0.2
"""Share by which the exponents of both halves of a power law may differ from that of the whole."""

FEWEST = 12
"""Modes of which a power law is read."""


def facts(answer: xr.Dataset) -> dict[str, Any]:
    """Everything that the page says, as what JSON can hold: numbers, texts, lists, None where unknown."""
    sizes = [_of_size(answer, size) for size in answer["size"].values.tolist()]
    return {
        "id": answer.attrs["problem"],
        "features": json.loads(answer.attrs["fixed"]).get("features"),
        "targets": json.loads(answer.attrs["fixed"])["targets"],
        "rows": int(answer.attrs["rows"]),
        "columns": int(answer.attrs["columns"]),
        "constant_columns": int(answer.attrs["constant"]),
        "standardised": bool(answer.attrs["standardised"]),
        "outputs": int(answer.attrs["outputs"]),
        "classes": int(answer.attrs["classes"]) or None,
        "dynamics": answer.attrs["dynamics"],
        "learning_rate": float(answer.attrs["learning_rate"]) or None,
        "loss": answer.attrs["loss"],
        "spectrum": _spectrum(answer),
        "sizes": sizes,
        "doubling": _doubling(sizes),
        "certificate": {
            "subsets": int(answer.attrs["n_seeds"]),
            "localised_modes": int(answer["localised"]),
            "sparse_columns": int(answer["sparse"]),
            "verdict": judging.overall([each["verdict"] for each in sizes]),
        },
        "own_curve": _own(answer),
    }


def _spectrum(answer: xr.Dataset) -> dict[str, Any]:
    values, share = answer["eigenvalue"].values, answer["target_share"].values
    expressed = float(share[-1])
    return {
        "modes": values.size,
        "effective_dimension": float(values.sum() ** 2 / np.sum(values**2)),
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
    nearest = int(np.argmin(np.abs(np.log(np.maximum(marks, 1e-300) / max(stop, 1e-300)))))
    at, end = by_name[judging.AT], by_name.get(judging.AFTER, by_name[judging.AT])
    corrected = here["corrected"].values
    return {
        "n": size,
        "stop_time": stop,
        "stop_flow_time": stop * float(here["step"]),
        "stop_time_corrected": float(marks[int(np.nanargmin(corrected))]),
        "stops_at_end": bool(last),
        "error": _predicted(along["stopped"], along["stopped_corrected"], along["spread_stopped"], at),
        "error_at_end": _predicted(along["ended"], along["ended_corrected"], along["spread_ended"], end),
        "measured": _measured(here, "measured", nearest),
        "measured_at_end": _measured(here, "measured", -1),
        "misclassified": _measured(here, "measured_rate", nearest),
        "descents": int(along["descents"]),
        "descents_corrected": int(here["descents_corrected"]),
        "rise": float(along["rise"]),
        "rise_corrected": float(here["rise_corrected"]),
        "second_descent": _second(along, here, end),
        "regimes": [{**vars(each), "verdict": each.verdict} for each in regimes],
        "verdict": judging.overall([each.verdict for each in regimes]),
    }


def _predicted(
    pool: xr.DataArray, corrected: xr.DataArray, spread: xr.DataArray, by: Judged
) -> dict[str, float]:
    """A prediction with its error: how far the formulas differ, or what was measured, whichever is more."""
    value = float(judging.preferred(pool, corrected, spread))
    apart = abs(float(pool) - float(corrected)) if np.isfinite(corrected) else 0.0
    return {"value": value, "error": max(apart, by.bound * value)}


def _measured(here: xr.Dataset, name: str, place: int) -> dict[str, float] | None:
    """A mean over subsets with its standard error."""
    if name not in here:
        return None
    return {
        "value": float(here[name][place]),
        "error": float(here[f"{name}_stderr"][place]),
    }


def _second(along: xr.Dataset, here: xr.Dataset, by: Judged) -> str:
    """Whether a second descent is coming: both formulas must show it, by more than they are off, where rows
    are even enough."""
    rises = float(along["rise"]), float(here["rise_corrected"])
    if max(rises) == 0:
        return "no"
    if max(rises) <= by.bound:
        return "too small to tell"
    even = float(here["spread"].max()) < INVENTED
    return "yes" if even and min(rises) > by.bound else "not certain"


def _doubling(sizes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What twice the rows change in the best-stopped error, for every pair of sizes a factor of two apart."""
    found = []
    for one in sizes:
        for other in sizes:
            if 2 * one["n"] <= other["n"] <= 2 * one["n"] + 1:
                change = other["error"]["value"] - one["error"]["value"]
                error = float(np.hypot(other["error"]["error"], one["error"]["error"]))
                found.append({"n": one["n"], "to": other["n"], "change": {"value": change, "error": error}})
    return found


def _own(answer: xr.Dataset) -> dict[str, Any] | None:
    """Her curve over the prediction, at all of her times."""
    if "own" not in answer:
        return None
    pool, corrected = answer["own_predicted"].values, answer["own_corrected"].values
    ratio = answer["own"].values / np.where(np.isfinite(corrected), corrected, pool)
    inside = (answer["own"].values >= np.fmin(pool, corrected)) & (
        answer["own"].values <= np.fmax(pool, corrected)
    )
    return {
        "n": int(answer["size"][0]),
        "points": ratio.size,
        "ratio_median": float(np.median(ratio)),
        "ratio_low": float(ratio.min()),
        "ratio_high": float(ratio.max()),
        "between_formulas": int(inside.sum()),
        "best_time": float(answer["own_time"].values[int(np.argmin(answer["own"].values))]),
    }
