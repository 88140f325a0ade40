"""Random features along a ratio of sizes: the numbers and panels that all figures of the system share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.comparison import Curve

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas
    from teacherstudent.figures.kit.comparison import Times

ID = "random-features"
RISK = "excess_risk"
CLAIMS = {"asymptotic": "limit"}
LABEL = "simulation −\nlimit\n[std. errors]"
ENDLESS = 10**6
"""Inputs of the limit, which knows ratios only: so many that no ratio is rounded."""

AXES: dict[str, dict[str, str]] = {
    "width_per_sample": {"long_name": "features per sample", "symbol": "N/n", "units": "features/sample"},
    "psi1": {"long_name": "features per input", "symbol": "N/d", "units": "features/input"},
    "psi2": {"long_name": "samples per input", "symbol": "n/d", "units": "samples/input"},
}
"""Ratios that run along an axis."""
THRESHOLDS: dict[str, Any] = {"color": "0.4", "lw": 0.9, "ls": (0, (1, 2))}
"""The line of a threshold: as many samples as features, or as inputs."""


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
        self, dynamics: str, psi1: float, psi2: float, times: Times, seeds: Sequence[int]
    ) -> xr.Dataset:
        """The simulation at the sizes that are nearest, beside the limit of exactly these sizes."""
        return self.curve(dynamics, psi1, psi2, self.size).simulation(times, seeds, CLAIMS)


def along(name: str, values: Iterable[float], ask: Callable[[float], xr.Dataset]) -> xr.Dataset:
    """What is asked at each value of one of the `AXES`, along that axis."""
    import xarray as xr

    places = list(values)
    axis = xr.IndexVariable(name, places, AXES[name])
    return xr.concat([ask(place) for place in places], axis, combine_attrs="override")


def column(canvas: Canvas, grid: Any, place: int, beside: Sequence[Axes] | None = None) -> list[Axes]:
    """The axes of a panel of curves and of its residuals, logarithmic but for these."""
    axes = residuals.stack(canvas, grid, place, [LABEL], beside)
    axes[0].set(xscale="log", yscale="log")
    return axes


def draw_residuals(axes: Axes, shown: Mapping[style.Look, xr.Dataset], name: str = RISK) -> None:
    """Simulation minus limit of each answer, in standard errors."""
    degrees = min(answer.attrs["n_seeds"] for answer in shown.values()) - 1
    residuals.draw(axes, {look: each[f"{name}_minus_asymptotic"] for look, each in shown.items()}, degrees)


def threshold(axes: Iterable[Axes], places: Mapping[float, str]) -> None:
    """Dotted lines at thresholds, with their words at the foot of the first panel."""
    for i, panel in enumerate(axes):
        for place, words in places.items():
            panel.axvline(place, zorder=0, **THRESHOLDS)
            if i == 0:
                panel.annotate(
                    words,
                    (place, 0.02),
                    (3, 0),
                    xycoords=panel.get_xaxis_transform(),
                    textcoords="offset points",
                    fontsize="small",
                    color="0.3",
                )


def by_rows(rows: Sequence[Sequence[style.Look]]) -> list[style.Look]:
    """Looks of equally long rows in the order in which a legend of so many rows takes them."""
    return [look for column in zip(*rows, strict=True) for look in column]


def entries(size: int | str, draws: int, what: str = "gradient descent") -> list[legends.Entry]:
    """What solid lines, markers and band are."""
    return [
        legends.theory("exact limit n, N, d → ∞"),
        legends.simulation(
            f"simulation: {what} on drawn features, d = {size}, mean of {draws} draws ± 1 standard error"
        ),
        legends.band([f"at d = {size} draws are off the limit"]),
    ]


def off(answers: Iterable[xr.Dataset], size: int, name: str = RISK) -> str:
    """By how much the drawn sizes are off the limit, median and largest, in words."""
    import numpy as np

    known = [
        (each[f"{name}_asymptotic"] / each[name] - 1).values[np.isfinite(each[f"{name}_minus_asymptotic"])]
        for each in answers
    ]
    apart = 100 * abs(np.concatenate(known))
    return (
        f"At d = {size} limit and simulated mean differ by {np.median(apart):.1f} per cent in the median, by "
        f"{apart.max():.0f} at most; each marker is compared with the limit of its own n/d and N/d, rounded."
    )
