"""The numbers of `sphere-effective-rate`: seven schemes on a noisy stream, with and after their theory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve, draws_of, standardised
from teacherstudent.house.grids import Span
from teacherstudent.house.running import summarise

ID = "sphere-effective-rate"
D, NOISE, BETA2 = 200, 1.0, 0.99
SEEDS, QUICK_SEEDS = 16, 5
END = 100.0
LINES, RECORDS = Span(0.1, END, 120), Span(0.1, END, 11)
SHOWN = ("radius", "effective_learning_rate")


@dataclass(frozen=True)
class Case:
    """A scheme with its learning rate and ridge, and the route of theory that knows it."""

    scheme: str
    learning_rate: float
    ridge: float

    @property
    def route(self) -> str:
        """Exact for SGD's variants; second moments replaced by their means for Adam's."""
        return "theory" if self.scheme.startswith("sgd") else "averaged"

    @property
    def curve(self) -> Curve:
        """The question."""
        values: dict[str, Any] = {"d": D, "noise": NOISE, "teacher": "random"}
        own = {"scheme": self.scheme, "learning_rate": self.learning_rate, "ridge": self.ridge}
        memory = {} if self.scheme.startswith("sgd") else {"beta2": BETA2}
        return Curve("scale-invariant", "online", {**values, **own, **memory})


CASES = (
    Case("sgd", 1.0, 0.1),
    Case("sgd-momentum", 0.1, 0.5),
    Case("sgd-mrt", 0.1, 0.5),
    Case("adam", 0.3, 1.0),
    Case("adamw", 0.3, 0.5),
    Case("adam-s", 0.3, 1.0),
    Case("adam-srt", 0.3, 1.0),
)


def compute(quick: bool) -> Numbers:
    """For each scheme the theory over time, its equilibrium, and the mean of simulated draws."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    numbers = {}
    for case in CASES:
        numbers[f"theory_{case.scheme}"] = case.curve.by(case.route, LINES)
        numbers[f"equilibrium_{case.scheme}"] = case.curve.by("equilibrium", (END,))
        numbers[f"simulation_{case.scheme}"] = simulation(case, seeds)
    averaged = [case for case in CASES if case.route == "averaged"]
    rates = xr.concat([left_out_of_rates(numbers[f"theory_{case.scheme}"]) for case in averaged], "scheme")
    largest = rates.max("scheme")
    radii = xr.full_like(largest, max(left_out_of_radii(case.scheme == "adamw") for case in averaged))
    attrs = {"units": "per cent", "long_name": "an estimate of what averaging leaves out, largest of schemes"}
    numbers["left_out"] = xr.Dataset(
        {
            "radius": radii.assign_attrs(attrs, symbol="b_r"),
            "effective_learning_rate": largest.assign_attrs(attrs, symbol="b"),
        }
    )
    return numbers


def simulation(case: Case, seeds: Sequence[int]) -> xr.Dataset:
    """Means and standard errors over draws, and their residuals in standard errors."""
    summary = summarise(case.curve.by("simulation", RECORDS, seeds)).assign_attrs(first_seed=seeds[0])
    claim = case.curve.by(case.route, RECORDS)
    for name in SHOWN:
        gap, error = summary[name] - claim[name], summary[f"{name}_stderr"]
        summary[f"{name}_minus_theory"] = standardised(gap, error, "theory")
        for part, values in (("off", gap), ("off_stderr", error)):
            attrs = {
                "units": "per cent",
                "long_name": f"{name}, simulation over theory minus 1",
                "symbol": "o",
            }
            summary[f"{name}_{part}"] = (100 * values / claim[name]).assign_attrs(attrs)
    return summary


VARIANCE = 4 * (1 - BETA2)
"""Relative variance of a second moment v, which remembers 1/(1 - beta2) steps.

An entry of the gradient is label noise times an input, both normal, so that E g^4 = 9 (E g^2)^2, and the
variance is 8 (1 - beta2)/2."""


def left_out_of_rates(theory: xr.Dataset) -> xr.DataArray:
    """An estimate of what averaging v leaves out of effective rates, per cent: how v fluctuates, and its lag.

    A rate goes like v^(-1/2), whose mean exceeds that at the mean of v by 3/8 of the relative variance. In t
    the lag of v is 1/(d (1 - beta2)), and changes sqrt v by that times its slope; rate r^2 sqrt v is constant
    once Eq. 9's 1/(1 - beta1^(k+1)) is taken off.
    """
    import json

    beta1 = json.loads(theory.attrs["instance"])["beta1"]
    settled = 1 - beta1 ** (np.rint(theory["time"] * D) + 1)
    logarithm = -np.log(theory["effective_learning_rate"] * settled * theory["radius"] ** 2)
    slope = abs(logarithm.differentiate("time"))
    return 100 * (3 / 8 * VARIANCE + slope / (D * (1 - BETA2)))


def left_out_of_radii(decoupled: bool) -> float:
    """An estimate of what averaging v leaves out of a radius at rest, per cent; before, it builds up.

    Growth goes like g^2/v. Its mean is larger by the relative variance of v, and smaller by twice that, for v
    holds the share 1 - beta2 of g^2 itself: a covariance of 8 (1 - beta2). Decay by L2 goes like v^(-1/2),
    larger by 3/8 of the variance, and balances growth at r^3 ~ growth/decay; decoupled decay does not see v
    and does so at r^2 ~ growth.
    """
    return 100 * VARIANCE * (1 / 2 if decoupled else (1 + 3 / 8) / 3)
