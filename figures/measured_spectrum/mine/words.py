"""The page in words: the facts as sentences, each number with its error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import xarray as xr

from teacherstudent.figures.measured_spectrum.mine import judging, questions
from teacherstudent.figures.measured_spectrum.mine.facts import facts, known
from teacherstudent.figures.measured_spectrum.mine.formats import digits, pair, time
from teacherstudent.theory.measured_spectrum.evidence import FEW
from teacherstudent.theory.measured_spectrum.trust import SURE
from teacherstudent.theory.measured_spectrum.window import ENDED

__all__ = ["facts", "sentences"]

Facts = dict[str, Any]
Lines = list[str]

KERNELS = {
    "rbf": "the Gaussian kernel",
    "ntk": "the neural tangent kernel",
    "gram": "a given kernel",
}

CONVERSIONS = {
    "sum": "s = learning rate x steps, for a loss of 1/2 of the squares summed over rows and outputs",
    "mean": "s = learning rate x steps / rows, for a loss of 1/2 of the squares averaged over rows",
    "mse": "s = 2 x learning rate x steps / (rows x outputs), for squares averaged over rows and outputs",
}
"""Flow time of her steps, by what she says of her loss."""

SECOND = {
    "yes": "yes: the error falls, rises by {by}, and falls again",
    "not certain": "not certain: it rises by {by} between two descents; these differ, or rows are too uneven",
    "too small to tell": "too small to judge: it rises by {by} between two descents, less than their error",
}

MEANING = {
    judging.TRUST: "every difference is below 5 % including its 95 % error, and rows are even",
    judging.BAND: "uncertain; use predictions with their ±",
    judging.DISTRUST: "the difference, minus its ±, exceeds 20 %, or rows are too uneven: use measured "
    "values",
}

ALIKE, FAR = 1.5, 1.3
"""Factors: ratios within the first of each other are alike, and beyond the second no scatter of a subset."""


INTERCEPTS = {
    "trained": "An intercept is fitted to the training rows without ridge",
    "pool": "The means over all rows are subtracted from features and targets; this replaces an intercept",
    "none": "There is no intercept, and nothing is centred",
    "column": "A column of ones is added to the raw features, and its weight is learned like the others",
}


def sentences(answer: xr.Dataset) -> list[Lines]:
    """What the page says, paragraph by paragraph, each a list of lines."""
    found = known(answer)
    asked = [
        line
        for said in questions.five_questions(found)
        for line in (said.question, f"  {said.answer} {said.doubt}".rstrip())
    ]
    parts = (_rows, _spectrum, _predictions, _doubling, _descents, _certificate, _simulated, _own)
    return [asked, *(lines for part in parts if (lines := part(found)))]


def _rows(found: Facts) -> Lines:
    columns = f"{found['columns']} features"
    if found["constant_columns"]:
        columns += f", {found['constant_columns']} of them constant and left out"
    if found["kernel"] != "linear":
        columns = f"{columns}, learned with {KERNELS[found['kernel']]}{_shape(found)}"
    if found["kernel"] == "gram":
        columns = KERNELS["gram"]
    count, classes = found["outputs"], found["classes"]
    targets = f"{count} output{'s' if count > 1 else ''}"
    if classes:
        targets = f"{classes} classes, with one output each: 1 for rows of this class, 0 for other rows"
    scaled = ", and each feature is divided by its standard deviation" if found["standardised"] else ""
    variance, share = found["spectrum"]["target_variance"], 100 * found["spectrum"]["expressed_share"]
    remarks = [f"Note: {found['remarks']}."] if found["remarks"] else []
    return [
        f"{found['rows']} rows of {columns}. Targets: {targets}.",
        f"{INTERCEPTS[found['intercept']]}{scaled}.",
        f"Predicting the mean for all rows has the error {digits(variance, 3)} (sum over outputs).",
        f"A fit to all rows explains {share:.3g} % of this error; the features cannot explain the rest.",
        *remarks,
    ]


def _shape(found: Facts) -> str:
    """The one number that a kernel has, also where it was taken from the rows."""
    if found["width"] is not None:
        return f" (width {digits(found['width'], 4)})"
    return f" (depth {found['depth']})" if found["depth"] is not None else ""


def _spectrum(found: Facts) -> Lines:
    of = found["spectrum"]
    lines = [
        f"Spectrum: {of['modes']} modes, effective dimension {of['effective_dimension']:.3g}.",
        f"The first {of['modes_of_most_target']} modes contain 90 % of the explained part of the targets.",
    ]
    if law := of["capacity_exponent"]:
        between = f"between k^-{law['low']:.2g} and k^-{law['high']:.2g} along the spectrum"
        lines.append(f"The eigenvalues fall as k^-{law['value']:.2g} ({between}).")
    return [" ".join(lines)]


def _clock(found: Facts) -> str:
    return "s" if found["learning_rate"] is None else "step"


def _predictions(found: Facts) -> Lines:
    subsets = found["certificate"]["subsets"]
    stepping = found["learning_rate"]
    said = CONVERSIONS[found["loss"]]
    return [
        "Predicted: error on new rows after training on n rows; its ± covers what the subsets showed.",
        f"Measured: mean over {subsets} subsets, trained exactly, tested on other rows. Every ± is 95 %.",
        *_left_out(found["certificate"]),
        f"Flow time: {said}{f'; learning rate {stepping:g}' if stepping else ''}.",
        *(f"  n = {each['n']}: {_prediction(found, each)}" for each in found["sizes"]),
    ]


def _left_out(certificate: Facts) -> Lines:
    """Which sizes are not looked at closely because that would take long, and how to ask for them."""
    if not certificate["sizes_left_out"]:
        return []
    sizes = ", ".join(map(str, certificate["sizes_left_out"]))
    return [f"Omitted because their subsets would take minutes: n = {sizes}. Use --n to include them."]


def _prediction(found: Facts, each: Facts) -> str:
    """When to stop training on rows of one size, and the error then and at the end."""
    seen = f"measured {pair(each['measured'])}"
    if each["error_rate"]:
        rate = each["error_rate"]
        seen += f"; {pair(rate, 100)} % misclassified, measured {pair(rate['measured'], 100)} %"
        seen += f": {rate['verdict']}"
    last = _moment(found, each["end_time"])
    more = f"; {_later(each)}" if each["cut"] else ""
    if each["stops_at_end"] and each["cut"]:
        return (
            f"train longer: the error still falls at {last}, where it is {pair(each['error'])} ({seen}){more}"
        )
    if each["stops_at_end"]:
        return f"train until {last}, where the error has settled: {pair(each['error'])} ({seen})"
    when = f"s = {_range(each['stop_time'], each['stop_time_corrected'])}"
    if found["learning_rate"]:
        steps = _range(each["stop_time"], each["stop_time_corrected"])
        when = f"{steps} steps (s = {time(each['stop_flow_time'])})"
    end = f"at the end, {last}, {pair(each['error_at_end'])} (measured {pair(each['measured_at_end'])})"
    return f"stop at {when}, error {pair(each['error'])} ({seen}); {end}{more}"


def _later(each: Facts) -> str:
    """What happens after the last time, of which nothing else is said."""
    if each["unlearned_at_end"] > ENDED:
        share = f"{100 * each['unlearned_at_end']:.2g} % of the part of the target that features explain"
        return f"at that time {share} is not learned yet; later times are not predicted"
    return f"afterwards the error still changes by {100 * each['drift_at_end']:.2g} % or more"


def _moment(found: Facts, moment: float) -> str:
    """A time on the clock of the page."""
    return f"step {time(moment)}" if found["learning_rate"] else f"s = {time(moment)}"


def _doubling(found: Facts) -> Lines:
    lines = [
        f"  from {each['n']} to {each['to']}: the error at the best stop changes by {pair(each['change'])} "
        f"(measured {pair(each['measured_change'])})"
        for each in found["doubling"]
    ]
    return ["With twice the rows:", *lines] if lines else []


def _descents(found: Facts) -> Lines:
    """Whether a second descent is coming, a line for all sizes of which the same is known."""
    lines = []
    for kind, said in SECOND.items():
        among = [each for each in found["sizes"] if each["second_descent"] == kind]
        rises = [100 * each[name] for each in among for name in ("rise", "rise_corrected")]
        if among:
            by = f"{min(rises):.2g} to {max(rises):.2g} % in the two formulas"
            lines.append(f"  {_at(each['n'] for each in among)}: {said.format(by=by)}")
    if lines:
        return ["Is a second descent coming?", *lines]
    until = "" if found["window"]["settled"] else f" until {_moment(found, found['window']['to'])}"
    return [f"No second descent is coming at these sizes{until}: the error falls once and may then rise."]


def _certificate(found: Facts) -> Lines:
    of = found["certificate"]
    lines = [
        f"How far to trust this: the relative difference between theory and {of['subsets']} subsets at the",
        "least certain time in each part of training, ± 95 % for all times of one size together, and the "
        "largest spread of the rows' effects (0.1: even, 0.4: too uneven).",
    ]
    for each in found["sizes"]:
        parts = [
            f"{part['regime']} {_off(part)} (spread {part['spread']:.2f}: {part['verdict']})"
            for part in each["regimes"]
        ]
        since = each["uneven_from"]
        late = "" if since is None else f"; rows are uneven from {_clock(found)} = {time(since)} on"
        lines.append(f"  n = {each['n']}: {'; '.join(parts)}{late}")
    told: set[str] = set()
    for when, regimes in judging.PARTS.items():
        sizes = _judged(found, regimes)
        if sizes:
            until = f", to {_moment(found, found['window']['to'])}" if judging.AFTER in regimes else ""
            lines.append(
                f"{when}{until}: {'; '.join(f'{verdict} at {_at(n)}' for verdict, n in sizes.items())}."
            )
        told |= set(sizes)
    lines += [f"  {verdict}: {meant}" for verdict, meant in MEANING.items() if verdict in told]
    judged = [part for each in found["sizes"] for part in each["regimes"]]
    if any(part["verdict"] == judging.BAND and part["spread"] < SURE for part in judged):
        lines.append("For even rows, more --seeds make these ± smaller.")
    if of["per_row"]:
        lines.append(
            "For uneven rows, route per-row of `teacherstudent curve` is more accurate but slow: it computes "
            f"the effect of each row (--dynamics {' or '.join(of['per_row'])})."
        )
    if of["localised_modes"]:
        sparse = of["sparse_columns"]
        why = (
            f"; {sparse} columns are constant in most rows, and such modes may vanish without them"
            if sparse
            else ""
        )
        lines.append(
            f"{of['localised_modes']} of {found['spectrum']['modes']} modes depend on a few rows{why}."
        )
    if few := [str(each["n"]) for each in found["sizes"] if each["n"] < FEW]:
        lines.append(
            f"n = {', '.join(few)}: for fewer than {FEW} rows the formulas are wrong by some percent even if "
            "rows are even, because they assume many rows."
        )
    lines.append(
        "This is valid only for new rows from the same source. Rows that belong together (from one person or "
        "one day) may be split here between training and test rows."
    )
    return lines


def _off(part: Facts) -> str:
    """A relative difference with its error; none of numbers that are 0 to rounding."""
    if part["difference"] == 0 == part["error"]:
        return "0 (rounding)"
    return f"{100 * part['difference']:+.1f} ± {100 * part['error']:.1f} %"


def _judged(found: Facts, regimes: tuple[str, ...]) -> dict[str, list[int]]:
    """The sizes of each verdict on these parts of training, the least trusting of each size."""
    sizes: dict[str, list[int]] = {verdict: [] for verdict in MEANING}
    for each in found["sizes"]:
        if said := [part["verdict"] for part in each["regimes"] if part["regime"] in regimes]:
            sizes[judging.overall(said)].append(each["n"])
    return {verdict: n for verdict, n in sizes.items() if n}


def _at(sizes: Iterable[int]) -> str:
    return f"n = {', '.join(map(str, sizes))}"


def _simulated(found: Facts) -> Lines:
    seen = found["simulation"]
    if not seen:
        return []
    off = f"{100 * seen['difference']:+.1f} ± {100 * seen['error']:.1f} %"
    return [
        f"Gradient descent on the subsets, step by step, up to {seen['steps']} steps: the largest relative "
        f"difference from the theory for the same steps is {off}."
    ]


def _own(found: Facts) -> Lines:
    own = found["own_curve"]
    if not own:
        return []
    lines = [
        f"Your curve has {own['points']} points at n = {own['n']}. Its error divided by the prediction is "
        f"{_ratio(own['test'])}; {own['between_formulas']} of the points are between the two formulas.",
        f"Single subsets scatter by {100 * own['scatter']:.2g} % around their mean (one standard deviation).",
    ]
    if own["training"]:
        lines.append(f"Its training error divided by the predicted one is {_ratio(own['training'])}.")
    if own["from_zero"]:
        lines.append("Its first point, at time 0, is not drawn because the time axis is logarithmic.")
    if found["loss"] == "mse":
        lines.append(
            f"Your errors are read as averages over {found['outputs']} outputs and converted to sums."
        )
    lines.append("Nothing was fitted.")
    test = own["test"]
    if test["high"] < ALIKE * test["low"] and not 1 / FAR < test["median"] < FAR:
        lines.append(
            "A nearly constant ratio far from 1 points to another convention: squares that are halved, or "
            "averaged over outputs (--loss mse)."
        )
    return lines


def _ratio(found: dict[str, float]) -> str:
    return f"{found['median']:.3g} in the median ({found['low']:.3g} to {found['high']:.3g})"


def _range(one: float, other: float) -> str:
    low, high = time(min(one, other)), time(max(one, other))
    return low if low == high else f"{low} to {high}"
