"""Random features along a ratio of sizes: the numbers and panels that all figures of the system share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.figures.kit import comparison, legends, style
from teacherstudent.figures.kit.columns import LIMIT, Trace, traces
from teacherstudent.figures.kit.comparison import Curve, Times, means_minus_limit

ID = "random-features"
RISK = "excess_risk"
ROUTES = ("gaussian-equivalent", "simulation")
BOTH = {
    "Gauss. − limit\n[std. errors]": "{y}_minus_asymptotic",
    LIMIT: "{y}_minus_asymptotic",
}
"""The residual panel of each of these."""
FEW = 6
"""Draws of the quick version of every figure."""
FEWEST = constants(__name__, FEW=3)
"""What makes a small run of every figure: the fewest draws with a standard error."""
ENDLESS = 10**6
"""Inputs of the limit, which knows ratios only: so many that no ratio is rounded."""

AXES: dict[str, dict[str, str]] = {
    "width_per_sample": {"long_name": "features per sample", "symbol": "N/n", "units": "features/sample"},
    "psi1": {"long_name": "features per input", "symbol": "N/d", "units": "features/input"},
    "psi2": {"long_name": "samples per input", "symbol": "n/d", "units": "samples/input"},
}
"""Ratios that run along an axis."""


@dataclass(frozen=True)
class Setting:
    """What stays fixed while sizes and times change.

    values: parameters by name, without sizes. size: inputs of drawn data. rate: of gradient descent. scales:
    share of the inputs and strength, scale by scale.
    """

    values: Mapping[str, Any]
    size: int
    rate: float = 0.05
    scales: tuple[tuple[float, float], ...] = ((1.0, 1.0),)

    def curve(self, dynamics: str, psi1: float, psi2: float, size: int = ENDLESS) -> Curve:
        """The question at these ratios, with so many inputs."""
        scales = tuple((round(share * size), sigma) for share, sigma in self.scales)
        options = {"learning_rate": self.rate} if dynamics == "descent" else {}
        return Curve(ID, dynamics, {**self.values, **options, "psi1": psi1, "psi2": psi2, "scales": scales})

    def limit(self, dynamics: str, psi1: float, psi2: float, times: Times) -> xr.Dataset:
        """The limit at these ratios."""
        return self.curve(dynamics, psi1, psi2).by("asymptotic", times)

    def drawn(
        self,
        dynamics: str,
        psi1: float,
        psi2: float,
        times: Times,
        seeds: Sequence[int],
        also: Callable[[xr.Dataset], xr.Dataset] = lambda answer: answer,
        route: str = "simulation",
    ) -> xr.Dataset:
        """What a sampled route draws at the sizes that are nearest, beside the limit of exactly these sizes.

        Of what `also` makes of an answer: means, standard errors, `<name>_asymptotic` and `<name>_minus_`.
        """
        curve = self.curve(dynamics, psi1, psi2, self.size)
        return means_minus_limit(also(curve.by(route, times, seeds)), also(curve.by("asymptotic", times)))


def along(name: str, values: Iterable[float], ask: Callable[[float], xr.Dataset]) -> xr.Dataset:
    """What is asked at each value of one of the `AXES`, along that axis."""
    return comparison.along(name, values, AXES[name], ask)


def drawn_both(
    numbers: Mapping[str, xr.Dataset], looks: Mapping[Any, style.Look], group: str, y: str = ""
) -> list[Trace]:
    """Filled markers of one of `BOTH`, open ones of the other, each for a residual panel of its own.

    group: the name of its numbers, where {route} stands for the route, and {} for the member.
    """
    return [
        replace(each, look=replace(each.look, filled=route != "simulation"), y=y, panel=place)
        for place, route in enumerate(ROUTES)
        for each in traces(numbers, looks, drawn=group.replace("{route}", route))
        if each.drawn is not None
    ]


def entries(size: int | str, draws: int, what: str = "gradient descent") -> list[legends.Entry]:
    """What solid lines, markers and band are."""
    return [
        legends.theory("exact limit n, N, d → ∞"),
        legends.simulation(
            f"simulation: {what} on drawn features, d = {size}, mean of {draws} draws ± 1 standard error"
        ),
        legends.band([f"draws at d = {size} deviate from the limit"]),
    ]


def both(sizes: Mapping[str, int], drawn: Mapping[str, xr.Dataset]) -> list[legends.Entry]:
    """What lines, both kinds of markers and bands are."""
    words = {"gaussian-equivalent": "Gaussian equivalents", "simulation": "drawn features"}
    looks = {"gaussian-equivalent": replace(style.ANY, filled=True), "simulation": style.ANY}
    return [
        legends.theory("exact limit n, N, d → ∞"),
        *(
            legends.simulation(
                f"simulation: {words[route]}, d = {sizes[route]}, mean of {drawn[route].attrs['n_seeds']} "
                "draws ± 1 standard error",
                look,
            )
            for route, look in looks.items()
        ),
        legends.band(["draws of these sizes deviate from the limit"]),
    ]


def off(
    answers: Iterable[xr.Dataset], size: int, names: Sequence[str] = (RISK,), route: str = "simulation"
) -> str:
    """By how much the drawn sizes are off the limit, median and largest, in words."""
    apart = np.concatenate(
        [
            (each[f"{name}_asymptotic"] / each[name] - 1)
            .where(each[f"{name}_minus_asymptotic"].notnull())
            .values.ravel()
            for each in answers
            for name in names
        ]
    )
    words = {"gaussian-equivalent": "Gaussian equivalents", "simulation": "drawn features"}
    return (
        f"At d = {size} the limit differs from the mean of {words[route]} by "
        f"{100 * np.nanmedian(abs(apart)):.1f} per cent in the median, by {100 * np.nanmax(abs(apart)):.0f} "
        "at most."
    )
