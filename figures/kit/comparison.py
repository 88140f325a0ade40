"""One curve of a figure by every route: the numbers that a panel and its residual panels draw.

A group of numbers is one curve by one route and keeps that route's provenance. Nothing heavy is
imported until numbers are asked for: listing the figures reads this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.domains import Span

    Times = Span | Sequence[float]

DRAWS, QUICK_DRAWS = 100, 20
RESOLVABLE = 1e-9
"""Standard errors below this drown in rounding and in the contour's error: no residual there."""


@dataclass(frozen=True)
class Curve:
    """One question: a problem under one dynamics, with its parameters and options by name."""

    problem: str
    dynamics: str
    values: Mapping[str, Any]

    def by(self, route: str, times: Times, seeds: Sequence[int] | None = None) -> xr.Dataset:
        """The answer of one route. Raises `InputError`."""
        from teacherstudent.house.running import run

        return run(self.problem, self.dynamics, route, times, seeds=seeds, **self.values)

    def answers(self, dense: Times, sparse: Times, seeds: Sequence[int]) -> dict[str, xr.Dataset]:
        """The limit (`asymptotic`), what the paper prints (`printed`) and the `simulation`."""
        lines = {route: self.by(route, dense) for route in ("asymptotic", "printed")}
        return {**lines, "simulation": self.simulation(sparse, seeds)}

    def simulation(self, times: Times, seeds: Sequence[int]) -> xr.Dataset:
        """Means over draws, standard errors, and residuals of two kinds in standard errors.

        `<name>_minus_instance`: each draw against the exact average given its X; what remains
        is the fluctuation of teacher and noise. `<name>_minus_asymptotic`: the mean against the
        limit; it also holds the finite-size offset. NaN where the error is not `RESOLVABLE`.
        """
        from teacherstudent.house.running import summarise

        drawn = self.by("simulation", times, seeds)
        instance, limit = self.by("instance", times, seeds), self.by("asymptotic", times)
        summary = summarise(drawn).assign_attrs(first_seed=seeds[0])
        for name in drawn.data_vars:
            gap = drawn[name] - instance[name]
            error = gap.std("seed", ddof=1) / len(seeds) ** 0.5
            summary[f"{name}_minus_instance"] = standardised(gap.mean("seed"), error, "exact given X")
            gap, error = summary[name] - limit[name], summary[f"{name}_stderr"]
            summary[f"{name}_minus_asymptotic"] = standardised(gap, error, "limit n, d -> infinity")
        return summary


def draws_of(figure: str, quick: bool, finer: int = 1) -> list[int]:
    """The seeds of a figure: they belong to its name. `finer` times as many unless `quick`."""
    from teacherstudent.paper_checks.judging.evidence import Seeds

    return Seeds(figure)(QUICK_DRAWS if quick else DRAWS * finer)


def reading(simulated: str, dashed: str, finer: int = 1) -> str:
    """The part of a caption that every comparison shares: what each mark is."""
    return (
        f"Solid: exact limit n, d -> infinity. Markers: {simulated}, mean of {DRAWS * finer} draws "
        f"({QUICK_DRAWS} in the quick version), bars one standard error of the mean. Dashed: the printed "
        f"approximation, Eqs. 4.2.11-4.2.16, {dashed}. Below, simulation minus theory in standard errors: "
        "against the exact average given each drawn X (draw by draw, so that only the teacher fluctuates), "
        "and against the limit, which adds the finite-size offset of order 1/d. Points of one panel share "
        "their draws and move together; none is shown where the standard error is below "
        f"{RESOLVABLE:g}. The band would hold all points of a panel, with the probability that the legend "
        "names, if there were no offset."
    )


def standardised(gap: xr.DataArray, error: xr.DataArray, claim: str) -> xr.DataArray:
    """Simulation minus a claim in standard errors; NaN where the error is not `RESOLVABLE`."""
    attrs = {"units": "standard error", "long_name": f"simulation minus {claim}", "symbol": "z"}
    return (gap / error.where(error > RESOLVABLE)).assign_attrs(attrs)
