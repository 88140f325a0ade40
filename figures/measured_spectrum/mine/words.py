"""The page in words: the facts as sentences, each number with its error."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import judging
from teacherstudent.figures.measured_spectrum.mine.facts import facts

__all__ = ["facts", "sentences"]

Facts = dict[str, Any]

CONVERSIONS = {
    "sum": "flow time s = learning rate x steps, of 1/2 the squares summed over rows and outputs",
    "mean": "flow time s = learning rate x steps / rows, as your loss is a mean over rows of 1/2 the squares",
    "mse": "flow time s = 2 x learning rate x steps / (rows x outputs), as your loss is a mean over rows and "
    "outputs of the squares",
}


def sentences(answer: xr.Dataset) -> list[list[str]]:
    """What the page says, paragraph by paragraph, each a list of lines."""
    found = facts(answer)
    paragraphs = [
        _rows(found, answer),
        _spectrum(found),
        _predictions(found),
        _doubling(found),
        _descents(found),
        _certificate(found, answer),
        _own(found),
    ]
    return [paragraph for paragraph in paragraphs if paragraph]


def _rows(found: Facts, answer: xr.Dataset) -> list[str]:
    of_rows = json.loads(answer.attrs["fixed"])
    kernel = of_rows.get("kernel")
    if "gram" in of_rows:
        columns = "a given kernel of all rows with all rows, centred"
    else:
        columns = f"{found['columns']} features"
        if found["constant_columns"]:
            columns += f", {found['constant_columns']} of them constant, which say nothing"
        if kernel != "linear":
            columns += f"; of these the {KERNELS[kernel]}, centred"
    scaled = " Each feature is divided by its standard deviation." if found["standardised"] else ""
    what = (
        f"{found['classes']} classes, one output each, 1 for its class and 0 for the others"
        if found["classes"]
        else f"{found['outputs']} output{'s' if found['outputs'] > 1 else ''}"
    )
    share = 100 * found["spectrum"]["expressed_share"]
    return [
        f"{found['rows']} rows of {columns}. Targets: {what}.",
        f"Features and targets are centred by their means over all rows: that is the intercept.{scaled}",
        f"Always predicting the mean has the error {_number(found['spectrum']['target_variance'])}, a mean square "
        f"summed over outputs. Fitted to all rows at once, the features express {share:.3g} % of it.",
    ]  # fmt: skip


KERNELS = {"rbf": "Gaussian kernel", "ntk": "tangent kernel of a ReLU network"}


def _spectrum(found: Facts) -> list[str]:
    of = found["spectrum"]
    line = (
        f"Spectrum: {of['modes']} modes, effective dimension {of['effective_dimension']:.3g}; 90 % of what the "
        f"features express of the targets lies in the first {of['modes_of_most_target']} modes."
    )
    law = of["capacity_exponent"]
    if not law:
        return [f"{line} The eigenvalues follow no power law."]
    return [
        f"{line} The eigenvalues fall like k^-{law['value']:.2g} (between k^-{law['low']:.2g} and "
        f"k^-{law['high']:.2g} along the spectrum)."
    ]


def _predictions(found: Facts) -> list[str]:
    steps = found["learning_rate"] is not None
    clock = "steps" if steps else "s"
    lines = [
        "Prediction for subsets of n rows, the mean over subsets; measured: "
        f"{found['certificate']['subsets']} subsets, tested on the other rows, ± 1 standard error."
    ]
    if steps:
        lines.append(f"Steps of learning rate {found['learning_rate']:g}: {CONVERSIONS[found['loss']]}.")
    else:
        lines.append("s = learning rate x steps of the summed loss (1/2 the squares, over rows and outputs).")
    for each in found["sizes"]:
        ways = sorted({each["stop_time"], each["stop_time_corrected"]})
        when = f"stop at {clock} = {_range(ways)}"
        if steps:
            when = f"stop after {_range(ways)} steps (s = {each['stop_flow_time']:.3g})"
        if each["stops_at_end"]:
            when = f"train to the end: the error still falls at {clock} = {each['stop_time']:.3g}"
        wrong = each["misclassified"]
        rate = f", {_pair(wrong, 100)} % misclassified" if wrong else ""
        late = "" if each["stops_at_end"] else f"; at the end {_pair(each['error_at_end'])}"
        seen = "" if each["stops_at_end"] else f" (measured {_pair(each['measured_at_end'])})"
        lines.append(
            f"  n = {each['n']}: {when}, error {_pair(each['error'])} (measured "
            f"{_pair(each['measured'])}{rate}){late}{seen}"
        )
    return lines


def _doubling(found: Facts) -> list[str]:
    lines = [
        f"  from {each['n']} to {each['to']} rows: the best-stopped error changes by {_pair(each['change'])}"
        for each in found["doubling"]
    ]
    return ["What twice the rows buy:", *lines] if lines else []


def _descents(found: Facts) -> list[str]:
    """Whether a second descent is coming, a line for each size that shows any."""
    lines = []
    for each in found["sizes"]:
        rises = sorted(100 * rise for rise in (each["rise"], each["rise_corrected"]))
        by = f"{rises[0]:.2g} to {rises[1]:.2g} % by the two formulas"
        said = SECOND.get(each["second_descent"], "")
        if said:
            lines.append(f"  n = {each['n']}: {said.format(by=by)}")
    if lines:
        return ["Is a second descent coming?", *lines]
    return ["No second descent is coming at these sizes: the error falls once, then at most rises."]


SECOND = {
    "yes": "yes: the error falls, rises by {by}, and falls again",
    "too small to tell": "none that matters: between two descents the error rises by {by}, less than these are off",
    "not certain": "not certain: between two descents the error rises by {by}, and they do not agree, or the rows "
    "are too uneven for both",
}


def _certificate(found: Facts, answer: xr.Dataset) -> list[str]:
    subsets = found["certificate"]["subsets"]
    lines = [
        f"How far to trust this: theory minus {subsets} measured subsets, largest in each part of the training, "
        "relative; and the spread of the leverages (below .1 rows are even, above .4 too uneven)."
    ]
    for each in found["sizes"]:
        parts = [
            f"{part['regime']} {100 * part['difference']:+.1f} ± {100 * part['stderr']:.1f} % "
            f"(spread {part['spread']:.2f}: {part['verdict']})"
            for part in each["regimes"]
        ]
        lines.append(f"  n = {each['n']}: {'; '.join(parts)}")
    verdict = found["certificate"]["verdict"]
    lines.append(f"Altogether: {verdict}. {MEANING[verdict]}")
    if local := found["certificate"]["localised_modes"]:
        sparse = found["certificate"]["sparse_columns"]
        why = (
            f"; {sparse} columns that are the same in most rows may make them: leave these out"
            if sparse
            else ""
        )
        lines.append(f"{local} of {found['spectrum']['modes']} modes are carried by few rows{why}.")
    lines.append(
        "This compares, it does not promise: new rows must come from where these came, and rows that belong "
        "together (a person, a day) must not be on both sides."
    )
    return lines


MEANING = {
    judging.TRUST: "Every difference, with twice its error, is below 5 %, and the rows are even.",
    judging.BAND: "Take predictions with their errors, not as numbers; more --seeds measure closer.",
    judging.DISTRUST: "Somewhere the theory is off by more than 20 %, or the rows are too uneven for it: there go "
    "by what was measured.",
}


def _own(found: Facts) -> list[str]:
    own = found["own_curve"]
    if not own:
        return []
    lines = [
        f"Your curve, {own['points']} points at n = {own['n']}: its error over the predicted one is "
        f"{own['ratio_median']:.3g} in the median, {own['ratio_low']:.3g} to {own['ratio_high']:.3g}; "
        f"{own['between_formulas']} points lie between the two formulas. One subset scatters by some per cent."
    ]
    converted = {
        "mse": f"Your errors are taken as means over {found['outputs']} outputs, and multiplied by that. "
    }
    lines.append(f"{converted.get(found['loss'], '')}Nothing was fitted or scaled.")
    alike = own["ratio_high"] < 1.15 * own["ratio_low"]
    if alike and abs(np.log(own["ratio_median"])) > np.log(1.3):
        lines.append(
            "A ratio so far from 1 that hardly changes points to another convention: squares halved, or averaged "
            "over outputs (--loss mse)."
        )
    return lines


def _range(values: list[float]) -> str:
    low, high = f"{values[0]:.2g}", f"{values[-1]:.2g}"
    return low if low == high else f"{low} to {high}"


def _number(value: float) -> str:
    return f"{value:.3g}"


def _pair(number: dict[str, float], factor: float = 1.0) -> str:
    """A number with its error, both to the digits that the error has."""
    value, error = factor * number["value"], factor * number["error"]
    if not np.isfinite(value):
        return "unknown"
    if not (np.isfinite(error) and error > 0):
        return f"{value:.3g}"
    digits = max(0, 1 - int(np.floor(np.log10(error))))
    return f"{value:.{digits}f} ± {error:.{digits}f}"
