"""One curve of a figure by every route: the numbers that a panel and its residual panels draw.

A group of numbers is one curve by one route and keeps that route's provenance. Neither SciPy nor JAX is
imported until numbers are asked for: listing the figures reads this module.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.grids import Span
from teacherstudent.house.running import run, summarise
from teacherstudent.paper_checks.judging.draws import RESOLVABLE
from teacherstudent.paper_checks.judging.evidence import Seeds

Times = Span | Sequence[float]

DRAWS, QUICK_DRAWS = 100, 20

FEWEST = constants(__name__, QUICK_DRAWS=3)
"""What makes a small run of every figure with draws of this module: the fewest with a standard error."""


@dataclass(frozen=True)
class Curve:
    """One question: a problem under one dynamics, with its parameters and options by name."""

    problem: str
    dynamics: str
    values: Mapping[str, Any]

    def by(self, route: str, times: Times, seeds: Sequence[int] | None = None) -> xr.Dataset:
        """The answer of one route. Raises `InputError`."""
        return run(self.problem, self.dynamics, route, times, seeds=seeds, **self.values)

    def told(self, route: str, times: Times, seeds: Sequence[int] | None = None) -> xr.Dataset:
        """The same, NaN without a word where the route tells nothing: that is not drawn."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnconvergedWarning)
            return self.by(route, times, seeds)

    def simulation(self, times: Times, seeds: Sequence[int], against: Mapping[str, str]) -> xr.Dataset:
        """The simulation at these times, as `compared` with routes of theory."""
        return self.compared(self.by("simulation", times, seeds), against)

    def compared(self, drawn: xr.Dataset, against: Mapping[str, str]) -> xr.Dataset:
        """Means over draws, standard errors, and `<name>_minus_<route>`, residuals in standard errors.

        `drawn` is the simulation's answer to this question. `against` holds routes of theory, each with what
        it claims. Against a route that is sampled itself each draw is compared with the claim for that draw:
        the standard error is that of the difference. NaN where it is not `RESOLVABLE`. The claims are
        `<name>_<route>`, their means and `<name>_<route>_stderr` where they are sampled. An observable that
        the route does not give has none.
        """
        times, seeds = drawn["time"].values, drawn["seed"].values.tolist()
        summary = summarise(drawn).assign_attrs(first_seed=seeds[0])
        for route, claim in against.items():
            sampled = find_route(find_problem(self.problem), self.dynamics, route).sampled
            claimed = self.by(route, times, seeds if sampled else None)
            for name in (each for each in drawn.data_vars if each in claimed):
                if sampled:
                    mean, spread = mean_and_error(claimed[name])
                    summary[f"{name}_{route}"], summary[f"{name}_{route}_stderr"] = mean, spread
                    gap, error = mean_and_error(drawn[name] - claimed[name])
                else:
                    summary[f"{name}_{route}"] = claimed[name]
                    gap, error = summary[name] - claimed[name], summary[f"{name}_stderr"]
                summary[f"{name}_minus_{route}"] = standardised(gap, error, claim)
        return summary


def means_minus_limit(drawn: xr.Dataset, limit: xr.Dataset) -> xr.Dataset:
    """Means and errors of draws, and for each observable of the limit `<name>_asymptotic` and `_minus_`."""
    found = summarise(drawn)
    for name in limit.data_vars:
        gap, error = found[name] - limit[name], found[f"{name}_stderr"]
        found[f"{name}_asymptotic"] = limit[name]
        found[f"{name}_minus_asymptotic"] = standardised(gap, error, "limit")
    return found


def draws_minus_theory(
    sample: Any, claimed: Any, like: xr.DataArray, skipna: bool | None = None
) -> xr.Dataset:
    """Draws (S, P) along the one axis of `like`: means by its name, standard errors, residuals `z`.

    claimed: what theory says there, (P,). skipna=False: NaN where any draw is.
    """
    (axis,) = like.dims
    draws = xr.DataArray(sample, dims=("seed", axis))
    mean = draws.mean("seed", skipna=skipna)
    error = draws.std("seed", ddof=1, skipna=skipna) / draws.sizes["seed"] ** 0.5
    gap, name = mean - xr.DataArray(claimed, dims=axis), str(like.name)
    found = {name: mean, f"{name}_stderr": error, "z": standardised(gap, error, "theory")}
    whole = xr.Dataset(found, {axis: like[axis]}, {"n_seeds": len(sample)})
    whole[name].attrs.update(like.attrs)
    return whole


def along(
    name: str, places: Iterable[float], attrs: Mapping[str, Any], ask: Callable[[Any], xr.Dataset]
) -> xr.Dataset:
    """What is asked at each place, along a new first axis of that name."""
    axis = xr.IndexVariable(name, list(places), attrs)
    return xr.concat([ask(place) for place in axis.values.tolist()], axis, combine_attrs="override")


def draws_of(
    figure: str, quick: bool, full: int = DRAWS, few: int | None = None, stream: str = ""
) -> list[int]:
    """The seeds of a figure, which belong to its name: `full` many, or `few` (`QUICK_DRAWS`) if `quick`.

    Another `stream` gives other draws.
    """
    return Seeds(figure)((few or QUICK_DRAWS) if quick else full, stream)


def on_clock(answer: xr.Dataset, dynamics: str, factor: float) -> xr.Dataset:
    """The same answer at `factor` times its times, on the clock of that dynamics of its problem."""
    clock = find_problem(answer.attrs["problem"]).on_clock(dynamics).time
    attrs = {"symbol": clock.symbol, "units": clock.unit, "long_name": clock.meaning}
    return answer.assign_coords(time=("time", factor * answer["time"].values, attrs))


def mean_and_error(draws: Any) -> tuple[Any, Any]:
    """Mean over `seed` of an array or a data set of xarray, and one standard error of it."""
    return draws.mean("seed"), draws.std("seed", ddof=1) / draws.sizes["seed"] ** 0.5


def standardised(gap: xr.DataArray, error: xr.DataArray, claim: str) -> xr.DataArray:
    """Simulation minus a claim in standard errors; NaN where the error is not `RESOLVABLE`."""
    attrs = {"units": "standard error", "long_name": f"simulation minus {claim}", "symbol": "z"}
    return (gap / error.where(error > RESOLVABLE)).assign_attrs(attrs)
