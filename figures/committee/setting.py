"""Committee machines over time: the numbers and panels that all figures of the system share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit import legends
from teacherstudent.figures.kit.comparison import Curve, Times, means_minus_limit

ID, CLOCK = "committee", "online"
RISK = "excess_risk"
FEW = 3
"""Draws of the quick version of every figure."""

EQUAL: dict[str, tuple[str, str]] = {
    "R_own": ("R_ii", "overlap with the matching teacher unit"),
    "R_other": ("R_ij", "overlap with another teacher unit"),
    "Q_own": ("Q_ii", "squared norm of a unit"),
    "Q_other": ("Q_ij", "overlap of two student units"),
}
"""Means over units that are alike: symbols and meanings."""


def question_of(**values: Any) -> Curve:
    """A question."""
    return Curve(ID, CLOCK, values)


def of_equals(answer: xr.Dataset) -> xr.Dataset:
    """The excess risk, and means of R and Q over diagonals and over the rest, by the names of `EQUAL`."""
    found = {}
    for name, (symbol, meaning) in EQUAL.items():
        values = answer[name[0]]
        rows, columns = values.dims[-2:]
        other = answer[rows] != answer[columns].rename({columns: columns})
        chosen = other if name.endswith("other") else ~other
        attrs = {"symbol": symbol, "long_name": meaning, "units": "1"}
        found[name] = values.where(chosen).mean([rows, columns]).assign_attrs(attrs)
    return xr.Dataset({**found, RISK: answer[RISK]}, attrs=answer.attrs)


def drawn(
    curve: Curve,
    times: Times,
    seeds: Sequence[int],
    route: str = "simulation",
    of: Callable[[xr.Dataset], xr.Dataset] = of_equals,
) -> xr.Dataset:
    """Of what `of` makes of draws: means, errors, `<name>_asymptotic` and `<name>_minus_asymptotic`."""
    return means_minus_limit(of(curve.by(route, times, seeds)), of(curve.by("asymptotic", times)))


def entries(numbers: Numbers, size: int, what: str = "online steps") -> list[legends.Entry]:
    """What solid lines, markers and band are."""
    draws = next(each.attrs["n_seeds"] for each in numbers.values() if "n_seeds" in each.attrs)
    return [
        legends.theory("exact limit d → ∞: equations of the overlaps"),
        legends.simulation(f"simulation: {what}, d = {size}, mean of {draws} draws ± 1 standard error"),
        legends.band([f"draws at d = {size} deviate from the limit"]),
    ]
