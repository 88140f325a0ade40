"""The numbers behind Fig. 3 of pezeshki2022 ch. 2: what both witnesses say of modes and of layers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve, draws_of, on_clock
from teacherstudent.house.grids import Span
from teacherstudent.house.running import summarise
from teacherstudent.problems.linear_network import PROBLEM
from teacherstudent.problems.linear_network import draw as sample

ID = "ch2-fig3"
VALUES, U0, BALANCE = (4.0, 2.5, 1.0), 0.01, 2.0
UNBALANCED = {"singular_values": VALUES[-1:], "balance": BALANCE}
RATES = (8e-3, 4e-3)
"""Of which the second is half the first."""
RESIDUAL = {
    "units": "step-size errors",
    "long_name": "simulation at learning rate 0 minus theory",
    "symbol": "e",
}
CHANGE = {"units": "output", "long_name": "change by half the learning rate", "symbol": "u_fine - u_coarse"}
DENSE, SPARSE = Span(0, 8, 321, "lin"), Span(0, 8, 41, "lin")

INIT, HIDDEN, SMALL_RATE, LAWFUL = 0.01, 3, 1e-3, 4000
RESOLVED = 2e-3
"""Of s: with standard errors below this, the finite scale of the weights would show, not chance."""

STARTS = (
    (0.3, -0.2),
    (-0.5, 0.55),
    (0.02, 0.02),
    (-0.02, -0.02),
    (1.6, -0.3),
    (-1.9, 0.1),
    (0.1, 2.1),
    (-0.6, -2.0),
)
LEVELS = (-4.0, -2.0, -1.0, -0.25, 0.0, 0.25, 1.0, 2.0, 4.0)
EXTENT, PORTRAIT_RATE = 2.4, 0.02
MARKED = (0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 9.0)
"""Flow times at which simulated trajectories are marked."""


def compute(quick: bool) -> Numbers:
    """Decoupled modes at two learning rates, small random weights, and the plane of one mode."""
    seeds = draws_of(ID, quick)
    return {**decoupled(seeds), **random(seeds), **portrait(seeds[0])}


def decoupled(seeds: list[int]) -> Numbers:
    """Theory, simulations, and residuals of their limit in step-size errors: only the frames are random.

    The step-size error of a mode is the largest change over time that halving the learning rate makes.
    Extrapolated to learning rate 0 by that change, the simulation is left with the next order.
    """
    numbers = {}
    for name, values in (("balanced", {"singular_values": VALUES}), ("unbalanced", UNBALANCED)):
        start: dict[str, Any] = {"u0": (U0,), **values}
        flow = Curve("linear-network", "flow", start)
        numbers[f"theory_{name}"] = flow.by("closed-form", DENSE)
        coarse, fine = (simulated(start, rate, seeds[:1]).isel(seed=0) for rate in RATES)
        theory = flow.by("closed-form", fine["time"].values)
        change = fine["u"] - coarse["u"].values
        residual = (fine["u"] + change - theory["u"]) / abs(change).max("time")
        numbers[f"simulation_{name}"] = fine.assign(
            residual=residual.assign_attrs(RESIDUAL), change=change.assign_attrs(CHANGE)
        )
    return numbers


def simulated(start: dict[str, Any], rate: float, seeds: list[int]) -> xr.Dataset:
    """Gradient descent at the sparse flow times, on their clock."""
    steps = [round(t / rate) for t in SPARSE.values()]
    descent = Curve("linear-network", "descent", {**start, "learning_rate": rate})
    return on_clock(descent.by("simulation", steps, seeds), "flow", rate)


def random(seeds: list[int], **shape: int) -> Numbers:
    """Means over draws from small random weights; theory over many draws of its own.

    Residuals are in standard errors that follow from the spread of theory's draws: most of few draws have
    learned a mode late in training, and their own spread then knows nothing of the slow ones.

    `shape` gives numbers of units where they are not the number of modes.
    """
    start = {"singular_values": VALUES, "init": INIT, "hidden": HIDDEN, **shape}
    seen = summarise(simulated(start, SMALL_RATE, seeds))
    others = draws_of(f"{ID}-law", False, LAWFUL)
    by = Curve("linear-network", "flow", start).by
    theory = summarise(by("effective", DENSE, others))
    at = summarise(by("effective", seen["time"].values, others))
    spread = at["u_stderr"] * (1 + len(others) / len(seeds)) ** 0.5
    attrs = {"units": "standard error", "long_name": "simulation minus theory", "symbol": "z"}
    gap = (seen["u"] - at["u"]) / spread
    gap = gap.where(spread > RESOLVED * gap["singular_value"]).assign_attrs(attrs)
    return {"theory_random": theory, "simulation_random": seen.assign(residual=gap)}


def portrait(seed: int) -> Numbers:
    """The plane of a and b at s = 1: field, hyperbolas, ends, and both witnesses' trajectories."""
    from teacherstudent.theory.linear_network import modes, phase_portrait

    grid = np.linspace(-EXTENT, EXTENT, 25)
    da, db = phase_portrait.velocity(grid, grid[:, None], 1.0)
    along, positive = np.linspace(-EXTENT, EXTENT, 121), np.geomspace(1 / EXTENT, EXTENT, 81)
    branches = np.stack([phase_portrait.hyperbola(c, along) for c in LEVELS], axis=1)
    ends = np.stack(phase_portrait.solutions(1.0, positive))
    clock, starts = np.linspace(0, MARKED[-1], 451), np.array(STARTS)
    exact = modes.amplitudes(clock, 1.0, starts[:, :1], starts[:, 1:])
    steps = np.rint(np.array(MARKED) / PORTRAIT_RATE)
    seen = simulated_amplitudes(starts, steps, seed)
    return {
        "field": xr.Dataset({"da": (("b", "a"), da), "db": (("b", "a"), db)}, {"a": grid, "b": grid}),
        "hyperbolas": points(branches, "c").assign_coords(c=list(LEVELS)),
        "ends": points(ends),
        "theory_amplitudes": points(exact, "start", "time").assign_coords(time=clock),
        "simulation_amplitudes": points(seen, "start", "time").assign_coords(time=PORTRAIT_RATE * steps),
    }


def points(values: Any, *dims: str) -> xr.Dataset:
    """Both layers' amplitudes a and b with their names and units; the last axis is `point` unless named."""
    axes = dims if "time" in dims else (*dims, "point")
    columns = {
        symbol: (
            axes,
            array,
            {"symbol": symbol, "units": "√output", "long_name": f"{layer} layer's amplitude"},
        )
        for symbol, layer, array in zip("ab", ("first", "second"), values, strict=True)
    }
    return xr.Dataset(columns)


def simulated_amplitudes(starts: Any, steps: Any, seed: int) -> tuple[Any, Any]:
    """a and b (start, time) along the hidden direction of a trained network with 2 inputs and outputs."""
    from teacherstudent.sims.linear_network.descent import layer_trajectory
    from teacherstudent.sims.linear_network.modes import connectivity_modes

    problem = PROBLEM.instance(singular_values=(1.0,), u0=(0.25,), inputs=2, outputs=2, hidden=3)
    draws = sample(problem, [seed] * len(starts))
    first, second = (2 * layer for layer in draws.weights)  # both gains are 1/2 at u0 = 1/4
    scaled = starts[:, 0, None, None] * first, starts[:, 1, None, None] * second
    hidden = (first @ draws.right)[..., 0]
    layers = layer_trajectory(replace(draws, weights=scaled), steps, PORTRAIT_RATE)
    a, b = (np.einsum("stmh,sh->st", modes, hidden) for modes in connectivity_modes(draws, layers))
    return a, b
