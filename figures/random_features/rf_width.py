"""Our own figure: the peak over the number of features, and what ridge and early stopping make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.random_features import setting
from teacherstudent.figures.random_features.setting import RISK, Setting
from teacherstudent.house.grids import Span

ID = "rf-width"
SAMPLES = 3.0
"""n/d."""
ASKED = Setting({"activation": "relu", "noise": 0.5}, 80)
RATE = ASKED.rate
WIDTHS = Span(0.1, 6, 60)
NEAR = (0.9, 0.95, 0.97, 0.985, 0.995, 1.0, 1.005, 1.015, 1.03, 1.05, 1.1)
"""N/n of the lines; more near the peak."""
DRAWN = (0.1, 0.25, 0.5, 0.8, 1.25, 2.0, 4.0)
RIDGES = (1e-6, 1e-3, 1e-2, 1.0)
STOPS = (1e6, 1e3, 100.0, 1.0)
"""Flow times."""
SEARCHED = Span(1e-3, 1e3, 121)
"""Ridges among which the best is searched, and inverse flow times."""


def compute(quick: bool) -> Numbers:
    """Risk over N/n at some ridges and the best, and at some times and the best: limit and simulation."""
    seeds = draws_of(ID, quick, 30, setting.FEW)
    ridges = {f"ridge_{i}": 1 / each for i, each in enumerate(RIDGES)}
    steps = {f"stop_{i}": each / RATE for i, each in enumerate(STOPS)}
    return over_width("ridge", ridges, seeds) | over_width("descent", steps, seeds)


def over_width(dynamics: str, times: dict[str, float], seeds: Sequence[int]) -> Numbers:
    """Limit and simulation over N/n at each of the times, and where the limit's risk is least in time."""
    family = next(iter(times)).partition("_")[0]
    scale = 1.0 if dynamics == "ridge" else 1 / RATE
    searched = np.unique(np.round(scale * np.array(SEARCHED.values()), 0 if dynamics == "descent" else 12))
    searched = searched[searched > 0]

    def best(ratio: float) -> xr.Dataset:
        found = ASKED.limit(dynamics, ratio * SAMPLES, SAMPLES, searched)
        return found.isel(time=int(found[RISK].argmin("time")))

    def limit(ratio: float) -> xr.Dataset:
        return ASKED.limit(dynamics, ratio * SAMPLES, SAMPLES, sorted(times.values()))

    def drawn(ratio: float) -> xr.Dataset:
        stop = float(best(ratio)["time"])
        found = ASKED.drawn(dynamics, ratio * SAMPLES, SAMPLES, sorted({*times.values(), stop}), seeds)
        return found.sel(time=[*times.values(), stop]).assign_coords(time=[*times, f"{family}_best"])

    widths = sorted({*WIDTHS.values(), *NEAR})
    lines = setting.along("width_per_sample", widths, limit)
    marks = setting.along("width_per_sample", DRAWN, drawn)
    numbers = {f"limit_{name}": lines.sel(time=time) for name, time in times.items()}
    numbers[f"limit_{family}_best"] = setting.along("width_per_sample", widths, best)
    return numbers | {
        f"simulation_{name}": marks.sel(time=name, drop=True) for name in (*times, f"{family}_best")
    }


def looks() -> dict[str, style.Look]:
    """Light to dark: from none to much of either, and the best."""
    ridges = [f"(a) $\\lambda$ = {style.number(each)}" for each in RIDGES]
    stops = [f"(b) $s$ = {style.number(each)}" for each in STOPS]
    best = {"ridge": "(a) best $\\lambda$ at each $N$", "stop": "(b) best $s$ at each $N$"}
    found: dict[str, style.Look] = {}
    for family, labels in (("ridge", ridges), ("stop", stops)):
        found |= {f"{family}_{i}": look for i, look in enumerate(style.ordered_looks(labels))}
        found[f"{family}_best"] = style.Look(best[family], style.VERMILION, "P")
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for ridge and one for stopping: risk over N/n, and residuals."""
    shown = looks()
    titles = {
        "ridge": "(a) Ridge regression",
        "stop": "(b) Gradient descent from 0",
    }
    families = {
        family: {name: look for name, look in shown.items() if name.startswith(family)} for family in titles
    }
    panels = [
        Column(
            "width_per_sample",
            RISK,
            traces(numbers, families[family], "limit_{}", "simulation_{}"),
            title,
            log="xy",
            powers=True,
            ylim=LIMITS,
            ticks={"x": (0.1, 0.2, 0.5, 1, 2, 5)},
        )
        for family, title in titles.items()
    ]
    for axes in columns.draw(canvas, panels, shared=True):
        thresholds.draw(axes, {1.0: "$N = n$"})
    some = numbers["simulation_ridge_0"]
    simulated = [numbers[name] for name in numbers if name.startswith("simulation_")]
    legends.around(
        canvas,
        [look for family in families.values() for look in family.values()],
        setting.entries(ASKED.size, some.attrs["n_seeds"], "ridge regression (a), gradient descent (b)"),
        fixed=f"$n/d$ = {SAMPLES:g} samples per input, activation relu, linear teacher, label noise "
        f"$\\sigma_\\epsilon$ = {ASKED.values['noise']:g}; (b) no ridge, start at 0, learning rate $\\eta$ "
        f"= {RATE:g}, $s = \\eta k$",
        notes=setting.off(simulated, ASKED.size),
    )


LIMITS = (0.04, 40.0)
"""Of the vertical axis: without ridge the peak has no end."""

FIGURE = Figure(
    id=ID,
    title="Ridge or early stopping removes the peak of double descent over features",
    caption=(
        "Excess risk of random features over features per sample N/n, in the limit of many samples, "
        f"features and inputs; n/d = {SAMPLES:g}, relu features, a linear teacher and label noise 0.5. (a) "
        "Ridge regression. With a very small ridge the risk is largest where features and samples are equal "
        "in number, and falls with more features. The peak shrinks as the ridge grows. With the best ridge "
        f"at each width, the risk only falls. (b) Gradient descent from zero (learning rate {RATE:g}). With "
        "early stopping the risk has no peak. Markers: simulations on drawn nonlinear features with d = "
        f"{ASKED.size}; the best ridge and time are those of the limit. Below: simulation minus limit in "
        "standard errors. With enough draws the deviation at this d from the infinite limit is visible."
    ),
    paper="mei2022",
    ref="Theorem 2; parameters are ours; the formulas over training are derived here",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        WIDTHS=Span(0.2, 5, 5),
        DRAWN=(1.0, 1.02),
        SAMPLES=1.0,
        ASKED=replace(ASKED, size=9),
        SEARCHED=Span(1e-2, 1e2, 7),
    ),
)
