"""How fast the plateau is left over the learning rate, and the largest learning rate over the width."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.committee.setting import question_of
from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace, traces

if TYPE_CHECKING:
    from teacherstudent.theory.committee.plateau import Plateau

ID = "cm-rates"
WIDTHS = (2, 3, 4)
SHARES = 19
"""Learning rates of each line, evenly spread up to the largest."""
MEASURED = (0.2, 0.4, 0.6, 0.8)
"""Shares of the largest learning rate at which the rate is measured in the equations."""
APART = 1e-4
"""How far from the plateau the measured ones start."""
UNITS = (1, 2, 3, 4, 6, 8, 12, 16)
OFF = 0.01
"""What is shown as the bound of measured rates, relatively."""
TITLES = (
    "(a) Escape is fastest at a moderate rate",
    "(b) Largest rate that finds the teacher",
)
AXES = {
    "share": {"symbol": "eta/eta_c", "long_name": "learning rate / largest one", "units": "1"},
    "units": {"symbol": "K", "long_name": "units in student and in teacher", "units": "units"},
}
ESCAPE = {"symbol": "l", "long_name": "escape rate", "units": "1/time"}
LARGEST = {"symbol": "eta_c", "long_name": "largest learning rate", "units": "1/output^2"}


def compute(quick: bool) -> Numbers:
    """Rates of escape from the plateau and as measured, and largest learning rates."""
    from teacherstudent.theory.committee.plateau import critical_rate, plateau

    numbers = {}
    for K in WIDTHS:
        largest = critical_rate(K)
        shares = np.linspace(0.02, 0.98, SHARES)
        numbers[f"escape_{K}"] = table(
            "share", shares, {"l": (ESCAPE, [plateau(K, each * largest).escape_rate for each in shares])}
        )
        points = [plateau(K, each * largest) for each in MEASURED]
        found = [measured(K, each * largest, at) for each, at in zip(MEASURED, points, strict=True)]
        apart = (np.array(found) / [at.escape_rate for at in points] - 1) / OFF
        numbers[f"measured_{K}"] = table("share", MEASURED, {"l": (ESCAPE, found), "apart": ({}, apart)})
    exact = np.array([critical_rate(K) for K in UNITS])
    printed = np.sqrt(3) * np.pi / (np.array(UNITS) - 1 + 3 / np.sqrt(5))
    columns = {"exact": (LARGEST, exact), "printed": (LARGEST, printed)}
    numbers["largest"] = table("units", UNITS, {**columns, "apart": ({}, (printed / exact - 1) / OFF)})
    return numbers


def table(axis: str, places: Iterable[float], columns: dict[str, Any]) -> xr.Dataset:
    """Columns, each with its attributes, along one of the `AXES`."""
    return xr.Dataset(
        {name: (axis, values, attrs) for name, (attrs, values) in columns.items()},
        {axis: (axis, list(places), AXES[axis])},
    )


def measured(K: int, rate: float, point: Plateau) -> float:
    """The growth of ln(R_ii - R_ij) in the equations, from the plateau with that much more of R_ii."""
    times = np.array([1.0, 2.0]) / point.escape_rate
    one = np.eye(K)
    start = {
        "initial_overlaps": (point.R + APART * (one - 1 / K)).tolist(),
        "student_overlaps": (point.C + (point.Q - point.C) * one).tolist(),
    }
    question = {"width": K, "teacher_width": K, "learning_rate": rate, **start}
    R = question_of(**question).by("asymptotic", times)["R"].values
    gap = np.log(R[:, 0, 0] - R[:, 0, 1])
    return float((gap[1] - gap[0]) / (times[1] - times[0]))


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Escape rates on the left, largest rates on the right, each above its residuals."""
    looks = style.family(WIDTHS, "(a) $K = M$ = {}")
    one = style.Look("(b) exact: root of a determinant", style.BLACK, "o")
    other = style.Look("(b) printed formula", style.VERMILION, "s")
    largest = numbers["largest"]
    exact, printed = (largest[[name]].rename({name: "eta_c"}) for name in ("exact", "printed"))
    found = [Trace(one, exact, exact, judged=False), Trace(other, rough=printed, rest=largest["apart"])]
    over, above = "measured over\nlinearised − 1\n[%]", "printed over\nexact − 1\n[%]"
    panels = [
        Column(
            "share",
            "l",
            traces(numbers, looks, "escape_{}", "measured_{}"),
            TITLES[0],
            {over: "apart"},
            bounded=-1.0,
        ),
        Column(
            "units",
            "eta_c",
            found,
            TITLES[1],
            {above: "apart"},
            ticks={"x": UNITS, "y": (0.3, 0.5, 1, 2, 4)},
            log="xy",
            bounded=-1.0,
        ),
    ]
    (left, _), _ = columns.draw(canvas, panels)
    left.axhline(0, color="0.4", lw=0.8)
    entries = [
        legends.theory("exact in the limit d → ∞: the equations of the overlaps, linearised"),
        legends.markers("measured in the full equations, from the plateau perturbed by 0.0001"),
        legends.approximation("printed: $\\sqrt{3} \\pi/(K - 1 + 3/\\sqrt{5})$", style.VERMILION),
        legends.bound("within 1 %"),
    ]
    fixed = "erf units, $T_{mn} = \\delta_{mn}$, second layers 1 and fixed, no label noise, no decay"
    legends.around(canvas, [*looks.values(), one], entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title=(
        "Learning leaves the plateau fastest at a moderate rate, and above a largest rate never finds the "
        "teacher"
    ),
    caption=(
        "A student with K erf units learns online from a teacher with K units, for infinite dimension d. "
        "(a) The rate at which units leave the plateau and specialise, over the learning rate in units of "
        "the largest one. For small learning rates the escape rate is proportional to the learning rate; at "
        "a larger one it has a maximum. Markers show the growth of R_ii - R_ij in a solution of the full "
        "equations. (b) The learning rate above which the state of perfect learning is unstable. The exact "
        "value (solid) is a root of a determinant. The printed formula (dashed) is exact only at K = 1; for "
        "larger K its error is below one per cent."
    ),
    paper="saad1995",
    ref="symmetric phase and largest learning rate",
    compute=compute,
    draw=draw,
    small=constants(__name__, SHARES=3, MEASURED=(0.4,), WIDTHS=(2,), UNITS=(1, 2)),
)
