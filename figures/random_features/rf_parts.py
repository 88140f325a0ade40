"""Our own figure: what the risk is made of, over features and over time."""

from __future__ import annotations

from dataclasses import replace

import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import draws_of, on_clock
from teacherstudent.figures.random_features import setting
from teacherstudent.figures.random_features.setting import Setting
from teacherstudent.house.grids import Span

ID = "rf-parts"
ASKED = Setting(
    {
        "activation": "relu",
        "teacher_hermite": (0.0, 1.0, 0.4),
        "noise": 0.5,
        "init": 1.0,
        "ridge": 0.002,
        "observable": ("parts",),
    },
    50,
)
SAMPLES = 2.0
"""n/d."""
LATE = 1e3
"""Flow time at which features are counted."""
WIDTHS = Span(0.2, 20, 121)
"""N/d of the areas; of training: N = n."""
DRAWN = (0.3, 0.6, 1.2, 2.0, 3.5, 7.0, 14.0)
TIMES, STAMPS = Span(0.1, 1e4, 60), Span(0.15, 5e3, 8)
"""Flow times of areas and of simulations."""
PARTS = {
    "bias": style.Look("bias", "0.35", "o"),
    "unlearnable": style.Look("nonlinear part of the teacher", "0.75", "s"),
    "variance_samples": style.Look("samples", style.GREEN, "^"),
    "variance_features": style.Look("features", style.SKY, "D"),
    "variance_features_samples": style.Look("features × samples", style.BLUE, "v"),
    "variance_noise": style.Look("label noise", style.ORANGE, "P"),
    "variance_features_noise": style.Look("features × label noise", style.VERMILION, "X"),
    "variance_start": style.Look("initial weights", style.PURPLE, "p"),
}
"""From below."""


def stacked(answer: xr.Dataset) -> xr.Dataset:
    """The parts, and `upto_<part>`, the sum of it and of those below."""
    found = answer[[*PARTS]]
    total = 0 * answer["excess_risk"]
    for name in PARTS:
        total = (total + answer[name]).assign_attrs(answer["excess_risk"].attrs)
        found[f"upto_{name}"] = total
    return found


def compute(quick: bool) -> Numbers:
    """Parts over N/d late in training, and over time at N = n, by limit and simulation."""
    seeds, rate = draws_of(ID, quick, 24, setting.FEW), ASKED.rate
    late, times = [LATE / rate], Span(TIMES.low / rate, TIMES.high / rate, TIMES.count)
    stamps = Span(STAMPS.low / rate, STAMPS.high / rate, STAMPS.count)

    def limit(psi1: float) -> xr.Dataset:
        return stacked(ASKED.limit("descent", psi1, SAMPLES, late)).isel(time=0)

    def drawn(psi1: float) -> xr.Dataset:
        return ASKED.drawn("descent", psi1, SAMPLES, late, seeds, stacked).isel(time=0)

    trained = {
        "limit_time": stacked(ASKED.limit("descent", SAMPLES, SAMPLES, times)),
        "simulation_time": ASKED.drawn("descent", SAMPLES, SAMPLES, stamps, seeds, stacked),
    }
    return {
        "limit_psi1": setting.along("psi1", WIDTHS.values(), limit),
        "simulation_psi1": setting.along("psi1", DRAWN, drawn),
        **{name: on_clock(answer, "flow", rate) for name, answer in trained.items()},
    }


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column over features and one over time: parts stacked, and their residuals."""
    titles = {
        "psi1": f"(a) Over features, at $s$ = {style.number(LATE)}",
        "time": "(b) Over time, at $N = n$",
    }
    panels = []
    for x, title in titles.items():
        limit, drawn = numbers[f"limit_{x}"], numbers[f"simulation_{x}"]
        curves = [
            Trace(look, limit, drawn, y=f"upto_{name}", residual=f"{name}_minus_asymptotic", line={"lw": 1.0})
            for name, look in PARTS.items()
        ]
        ends = float(limit[x][0]), float(limit[x][-1])
        panels.append(Column(x, "", curves, title, log="x", powers=True, xlim=ends, ylim=(0.0, TOP)))
    left, right = columns.draw(canvas, panels, shared=True)
    for axes, x in ((left[0], "psi1"), (right[0], "time")):
        edges = [numbers[f"limit_{x}"][f"upto_{name}"] for name in PARTS]
        for look, low, high in zip(PARTS.values(), [0 * edges[0], *edges], edges, strict=False):
            axes.fill_between(high[x], low, high, color=look.colour, alpha=0.35, lw=0)
    thresholds.draw(left, {SAMPLES: "$N = n$"}, 0.96)
    drawn = numbers["simulation_time"]
    draws = drawn.attrs["n_seeds"]
    values = ASKED.values
    legends.around(
        canvas,
        list(PARTS.values()),
        setting.entries(ASKED.size, draws),
        fixed=f"$n/d$ = {SAMPLES:g}, activation relu, "
        f"teacher $u + {values['teacher_hermite'][2]:g}\\,(u^2 - 1)/\\sqrt{{2}}$, "
        f"label noise $\\sigma_\\epsilon$ = {values['noise']:g}, start $\\sigma_0$ = {values['init']:g}, "
        f"ridge $\\lambda$ = {values['ridge']:g}, learning rate $\\eta$ = {ASKED.rate:g}, $s = \\eta k$",
        notes=setting.off([drawn], ASKED.size, ["upto_variance_start"]),
    )


TOP = 1.6
"""Of the vertical axis."""

FIGURE = Figure(
    id=ID,
    title="The peak of the risk at N = n comes from interactions of features with samples and noise",
    caption=(
        f"Excess risk of random features trained by gradient descent, n/d = {SAMPLES:g}. The risk is split "
        "into bias, the nonlinear part of the teacher, and the variances due to drawn samples, features, "
        "label noise, initial weights and their interactions. The areas are stacked, so the upper edge is "
        "the risk. (a) The parts at a late time, over features per input. The peak at N = n consists of "
        "interactions of features with samples and with noise; an average over features removes them. (b) "
        "The parts over time at N = n. The bias and the part due to initial weights fall; the variances "
        f"rise. Lines: limit. Markers: simulated estimates of the same sums with d = {ASKED.size}, from "
        "products of students who share only some of the draws. Below: simulation minus limit of each part, "
        "in standard errors. With enough draws the deviation at this d from the infinite limit is visible."
    ),
    paper="dascoli2020",
    ref="the risk split by its causes; interactions of features and samples are separate",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        WIDTHS=Span(0.5, 8, 4),
        DRAWN=(1.0, 1.02),
        SAMPLES=1.0,
        ASKED=replace(ASKED, size=9),
        TIMES=Span(0.1, 100, 4),
        STAMPS=Span(0.1, 100, 3),
    ),
)
