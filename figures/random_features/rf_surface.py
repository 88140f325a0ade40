"""Our own figure: the risk as a surface over the number of features and time, for one scale and for two."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, maps, residuals, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.random_features import rf_surface_numbers as asked
from teacherstudent.figures.random_features import setting
from teacherstudent.figures.random_features.setting import RISK

WIDTH = asked.WIDTH
AXES = {WIDTH: "Over features, at three times", "time": "Over time, at three widths"}
"""Along which the surface is cut."""
MOMENTS = {"one": ("0.5", "0.3"), "two": ("$\\sqrt{0.99}$", "0.1")}
"""Of the activations, as the legend writes them."""
WORDS = {"one": "one scale", "two": "two scales"}
LETTERS = {"one": "abc", "two": "def"}
DOTTED = ":"
TURNS: dict[str, tuple[str, dict[str, Any]]] = {
    "least_over_time": ("the risk is least over time", {"color": style.ORANGE, "lw": 2.0, "ls": "-"}),
    "largest_over_time": ("largest over time", {"color": style.ORANGE, "lw": 2.0, "ls": DOTTED}),
    f"least_over_{WIDTH}": ("least over features", {"color": style.SKY, "lw": 2.0, "ls": "-"}),
    f"largest_over_{WIDTH}": ("largest over features", {"color": style.SKY, "lw": 2.0, "ls": DOTTED}),
}
"""Lines on which the surface turns, by the name of the slope that is 0 there."""
LIMITS = {"one": (0.2, 5.0), "two": (0.4, 2.0)}
"""Of the risk: at N = n it grows without end."""
SHADES = {"one": (0.24, 2.0), "two": (0.43, 1.0)}
"""Of the risk in colours."""
TICKS = (0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 5)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A row each: surface, slices over width and over time with their residuals."""
    style.size(canvas, 18, 14)
    grid = canvas.add_gridspec(4, 3, height_ratios=2 * residuals.heights(1), width_ratios=[1.3, 1, 1])
    for row, name in enumerate(asked.SURFACES):
        heat = canvas.add_subplot(grid[2 * row : 2 * row + 2, 0])
        draw_surface(heat, numbers[f"surface_{name}"], SHADES[name])
        mark(heat, name)
        heat.set_title(f"({LETTERS[name][0]}) Gradient flow, {WORDS[name]}", pad=12)
        for column, axis in enumerate(AXES, 1):
            place = grid[2 * row : 2 * row + 2, column].subgridspec(2, 1, height_ratios=residuals.heights(1))
            columns.draw_on(canvas, place, [slices(numbers, name, axis)])
    simulated = {name: numbers[f"simulation_{name}"] for name in asked.SURFACES}
    sizes = {name: surface.asked.size for name, surface in asked.SURFACES.items()}
    legends.around(
        canvas,
        setting.by_rows([list(looks(name).values()) for name in asked.SURFACES]),
        [
            *(legends.Entry(words, line) for words, line in TURNS.values()),
            *setting.entries(" and ".join(map(str, sizes.values())), simulated["one"].attrs["n_seeds"]),
        ],
        columns=2,
        above=6,
        fixed="\n".join(fixed(name) for name in asked.SURFACES),
        notes="\n".join(
            f"({LETTERS[name][1]}, {LETTERS[name][2]}) {setting.off([answer], sizes[name])}"
            for name, answer in simulated.items()
        ),
    )


def fixed(name: str) -> str:
    """What is fixed in a row."""
    surface = asked.SURFACES[name]
    values = surface.asked.values
    scales = ", ".join(f"{share:.2g} of strength {sigma:g}" for share, sigma in surface.asked.scales)
    inputs = f", share of the inputs {scales}" if len(surface.asked.scales) > 1 else ""
    return (
        f"({LETTERS[name][0]}–{LETTERS[name][2]}) $n/d$ = {surface.samples:g}{inputs}, linear teacher, "
        f"$\\mu_1$ = {MOMENTS[name][0]}, $\\mu_*$ = {MOMENTS[name][1]}, "
        f"label noise $\\sigma_\\epsilon$ = {values.get('noise', 0.0):g}, "
        f"start $\\sigma_0$ = {values.get('init', 0.0):g}, no ridge, "
        f"learning rate $\\eta$ = {surface.asked.rate:g}, $s = \\eta k$"
    )


def draw_surface(axes: Axes, surface: xr.Dataset, limits: tuple[float, float]) -> None:
    """Shades with contour lines, and the lines on which the risk turns over either axis."""
    from matplotlib.colors import LogNorm

    risk, width, time = surface[RISK], surface[WIDTH], surface["time"]
    shown = risk.transpose("time", WIDTH).clip(*limits)
    shades = maps.field(axes, shown, WIDTH, "time", cmap="cividis", norm=LogNorm(*limits))
    bar = axes.figure.colorbar(shades, ax=axes, label=style.axis_label(risk), extend="max", aspect=40)
    at = [tick for tick in TICKS if limits[0] <= tick <= limits[1]]
    bar.set_ticks(at, labels=[f"{tick:g}" for tick in at])
    bar.minorticks_off()
    axes.contour(width, time, shown, levels=np.geomspace(*limits, 17)[1:-1], colors="white", linewidths=0.6)
    for name, (_, line) in TURNS.items():
        axes.plot(*surface[name].values, **line)
    axes.set(xscale="log", yscale="log", xlabel=style.axis_label(width))
    for axis in (axes.xaxis, axes.yaxis):
        style.powers(axis)
    axes.set_ylabel(style.axis_label(time))


def looks(name: str) -> dict[tuple[str, float], style.Look]:
    """Of the slices of a row, by the axis across them and their place on it."""
    surface = asked.SURFACES[name]
    _, over_width, over_time = list(LETTERS[name])
    times = style.ordered_looks([f"({over_width}) $s$ = {style.number(each)}" for each in surface.times])
    widths = style.ordered_looks([f"({over_time}) $N/n$ = {each:.3g}" for each in surface.cuts])
    found = {("time", each): look for each, look in zip(surface.times, times, strict=True)}
    return found | {(WIDTH, each): look for each, look in zip(surface.cuts, widths, strict=True)}


def mark(axes: Axes, name: str) -> None:
    """Where the slices lie: their markers on the frame."""
    for (across, place), look in looks(name).items():
        x, y, along = (1.0, place, axes.get_yaxis_transform())
        if across == WIDTH:
            x, y, along = (place, 1.0, axes.get_xaxis_transform())
        shown = {**style.marked(look, 7), "mfc": look.colour}
        axes.plot([x], [y], transform=along, clip_on=False, zorder=5, **shown)


def slices(numbers: Numbers, name: str, axis: str) -> Column:
    """A panel of slices over that axis, and their residuals."""
    lines, marks = numbers[f"over_{axis}_{name}"], numbers[f"simulation_{name}"]
    shown = [
        Trace(look, *(each.sel({across: place}, method="nearest") for each in (lines, marks)))
        for (across, place), look in looks(name).items()
        if across != axis
    ]
    title = f"({LETTERS[name][[*AXES].index(axis) + 1]}) {AXES[axis]}"
    seen = [tick for tick in TICKS if LIMITS[name][0] <= tick <= LIMITS[name][1]]
    return Column(axis, RISK, shown, title, log="xy", powers=True, ylim=LIMITS[name], ticks={"y": seen})


FIGURE = Figure(
    id=asked.ID,
    title="Risk over the number of features and over time: two peaks on one surface",
    caption=(
        "Excess risk of random features trained by gradient flow, over features per sample N/n and flow "
        "time s, in the limit of many samples, features and inputs; parameters of our own. (a-c) Inputs of "
        "one scale, n/d = 3, activation with Hermite moments mu_1 = 0.5 and mu_star = 0.3, initial weights "
        "of standard deviation 2, label noise 0.4: over features the risk has a peak at N = n, which only "
        "time brings out. (d-f) Inputs of two scales (22 per cent are 13 times as strong), n/d = 0.55, an "
        "almost linear activation, zero start, no noise: with many features the risk falls, rises and falls "
        "again over time. White: lines of equal risk; orange and blue: where the risk turns over time and "
        "over features, minima solid, maxima dotted, as far as the risk still moves. Dots on the frame: "
        "where the slices lie. Slices: "
        "gradient descent at the learning rate given; lines its limit, markers simulations on drawn "
        f"nonlinear features with d = {asked.ONE.asked.size} and {asked.TWO.asked.size}; below, simulation "
        "minus limit in standard errors. The limit of infinite sizes is off at these d where there are "
        "draws enough to see it. With two scales the nonlinearity acts as a ridge on the inputs, "
        "mu_star^2/mu_1^2, and must be small for the second descent."
    ),
    paper="mei2022",
    ref="random features in the limit; over training, and inputs of two scales: derived here",
    compute=asked.compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        asked.__name__,
        TIMES=6,
        STAMPS=2,
        SURFACES={name: asked.little(surface) for name, surface in asked.SURFACES.items()},
    ),
)
