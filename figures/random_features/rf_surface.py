"""Our own figure: the risk as a surface over the number of features and time, for one scale and for two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, maps, residuals, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import Times, draws_of, on_clock
from teacherstudent.figures.random_features import setting
from teacherstudent.figures.random_features.setting import RISK, Setting
from teacherstudent.house.grids import Span

ID = "rf-surface"
WIDTH = "width_per_sample"


@dataclass(frozen=True)
class Surface:
    """A setting with its samples per input, and where its surface is cut.

    widths and span: N/n and flow times of the surface. times: of the slices over width. cuts: N/n of the
    slices over time; these are simulated, and so are `drawn`.
    """

    asked: Setting
    samples: float
    widths: Span
    span: tuple[float, float]
    times: tuple[float, float, float]
    cuts: tuple[float, float, float]
    drawn: tuple[float, ...]


ONE = Surface(
    Setting({"hermite": (0.0, 0.5, 0.3), "init": 2.0, "noise": 0.4}, 60),
    samples=3.0,
    widths=Span(0.05, 10, 80),
    span=(0.1, 1e5),
    times=(1.0, 30.0, 1e4),
    cuts=(0.3, 1.0, 4.0),
    drawn=(0.15, 0.6, 1.6),
)
TWO = Surface(
    Setting(
        {"hermite": (0.0, 0.99**0.5, 0.0, 0.1)},
        100,
        0.02,
        ((0.22, 13.0), (0.78, 1.0)),
    ),
    samples=0.55,
    widths=Span(0.05, 30, 90),
    span=(0.01, 1e5),
    times=(0.3, 3.0, 1e3),
    cuts=(0.5, 1.0, 6.5 / 0.55),
    drawn=(0.2, 2.0, 5.0),
)
SURFACES = {"one": ONE, "two": TWO}
TIMES = 120
"""Of the surface and of the lines over time."""
STAMPS = 9
"""Times of the simulated slices."""


def compute(quick: bool) -> Numbers:
    """Surface, slices over width and over time of each setting, by limit and simulation."""
    seeds = draws_of(ID, quick, 24, setting.FEW)
    return {
        f"{part}_{name}": each
        for name, surface in SURFACES.items()
        for part, each in sliced(surface, seeds).items()
    }


def sliced(surface: Surface, seeds: Sequence[int]) -> Numbers:
    """The numbers of one setting."""
    rate, (low, high) = surface.asked.rate, surface.span
    steps = [each / rate for each in surface.times]
    stamps = sorted({*Span(max(low / rate, 1), high / rate, STAMPS).values(), *steps})

    def over(widths: Iterable[float], dynamics: str, times: Times) -> xr.Dataset:
        answer = setting.along(
            WIDTH, widths, lambda width: surface.asked.limit(dynamics, width * samples, samples, times)
        )
        return answer if dynamics == "flow" else on_clock(answer, "flow", rate)

    def drawn(width: float) -> xr.Dataset:
        return surface.asked.drawn("descent", width * samples, samples, stamps, seeds)

    samples, widths = surface.samples, surface.widths.values()
    whole = over(widths, "flow", Span(low, high, TIMES))[[RISK]]
    simulated = setting.along(WIDTH, sorted({*surface.drawn, *surface.cuts}), drawn)
    return {
        "surface": turned(turned(whole, "time"), WIDTH),
        f"over_{WIDTH}": over(sorted({*widths, *surface.cuts}), "descent", steps),
        "over_time": over(surface.cuts, "descent", Span(max(low / rate, 1), high / rate, TIMES)),
        "simulation": on_clock(simulated, "flow", rate),
    }


def little(surface: Surface) -> Surface:
    """The same, of few places and inputs; all drawn sizes are the same, so that one program trains them."""
    return replace(
        surface,
        asked=replace(surface.asked, size=9),
        samples=1.0,
        widths=Span(0.5, 2, 5),
        cuts=(1.0, 1.02, 1.04),
        drawn=(),
    )


def turned(answer: xr.Dataset, along: str) -> xr.Dataset:
    """The answer with the lines on which its risk turns over the logarithm of that axis.

    `least_over_<along>` and `largest_over_<along>` hold places on both axes, (axis, point), NaN between
    pieces. A line is where the slope is 0; of which kind, the bend there says. Slopes and bends below `FLAT`
    are rounding, where the risk no longer moves.
    """
    from matplotlib.figure import Figure
    from scipy.interpolate import RegularGridInterpolator

    across, axes = next(each for each in (WIDTH, "time") if each != along), [WIDTH, "time"]
    logs = [np.log(answer[name].values) for name in (across, along)]
    values = answer[RISK].transpose(across, along).values
    slope = np.gradient(values, logs[1], axis=1, edge_order=2) / values
    bends = np.gradient(slope, logs[1], axis=1)
    bend = RegularGridInterpolator(logs, bends, bounds_error=False, fill_value=None)  # edges are rounded
    moving = np.ma.masked_where(np.abs(slope) < FLAT, slope)
    lines: list[np.ndarray] = []
    if moving.count() and moving.min() < 0 < moving.max():
        lines = Figure().subplots().contour(*logs[::-1], moving, levels=[0.0]).allsegs[0]
    found = {}
    for kind, sign in (("least", 1), ("largest", -1)):
        pieces = [np.full((1, 2), np.nan)]
        for line in lines:
            kept = sign * bend(line[:, ::-1]) > FLAT
            pieces += [np.where(kept[:, None], np.exp(line), np.nan), pieces[0]]
        points = np.concatenate(pieces)
        name = f"{kind}_over_{along}"
        attrs = {"units": "as the axis", "long_name": f"places on {', '.join(axes)} where the risk is {kind}"}
        ordered = points if along == axes[0] else points[:, ::-1]
        found[name] = (("axis", f"{name}_point"), ordered.T, attrs)
    return answer.assign(found)


FLAT = 1e-7
"""Slopes and bends below this share of the risk, over the logarithm of an axis, are taken for rounding."""


AXES = {WIDTH: "Over features, three times", "time": "Over time, three widths"}
"""Along which the surface is cut."""
MOMENTS = {"one": ("0.5", "0.3"), "two": ("$\\sqrt{0.99}$", "0.1")}
"""Of the activations, as the legend writes them."""
WORDS = {"one": "one scale", "two": "two scales"}
LETTERS = {"one": "abc", "two": "def"}
DOTTED = ":"
TURNS: dict[str, tuple[str, dict[str, Any]]] = {
    "least_over_time": ("smallest risk over time", {"color": style.ORANGE, "lw": 2.0, "ls": "-"}),
    "largest_over_time": ("largest risk over time", {"color": style.ORANGE, "lw": 2.0, "ls": DOTTED}),
    f"least_over_{WIDTH}": ("smallest risk over features", {"color": style.SKY, "lw": 2.0, "ls": "-"}),
    f"largest_over_{WIDTH}": ("largest risk over features", {"color": style.SKY, "lw": 2.0, "ls": DOTTED}),
}
"""Lines on which the surface turns, by the name of the slope that is 0 there."""
LIMITS = {"one": (0.2, 5.0), "two": (0.4, 2.0)}
"""Of the risk: at N = n it grows without end."""
SHADES = {"one": (0.24, 2.0), "two": (0.43, 1.0)}
"""Of the risk in colours."""
TICKS = (0.2, 0.5, 1, 2, 5)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A row each: surface, slices over width and over time with their residuals."""
    heights = 2 * [1.5, 0.8]
    style.size(canvas, sum(heights) + 1.2)
    grid = canvas.add_gridspec(4, 3, height_ratios=heights)
    for row, name in enumerate(SURFACES):
        heat = canvas.add_subplot(grid[2 * row : 2 * row + 2, 0])
        draw_surface(heat, numbers[f"surface_{name}"], SHADES[name])
        mark(heat, name)
        heat.set_title(f"({LETTERS[name][0]}) Gradient flow, {WORDS[name]}", pad=12)
        for column, axis in enumerate(AXES, 1):
            panel = slices(numbers, name, axis)
            axes = residuals.stack(canvas, grid, column, list(panel.residuals), first=2 * row)
            panel.draw(axes)
    simulated = {name: numbers[f"simulation_{name}"] for name in SURFACES}
    sizes = {name: surface.asked.size for name, surface in SURFACES.items()}
    legends.around(
        canvas,
        [look for name in SURFACES for look in looks(name).values()],
        [
            *(legends.Entry(words, line) for words, line in TURNS.values()),
            *setting.entries(" and ".join(map(str, sizes.values())), simulated["one"].attrs["n_seeds"]),
        ],
        fixed="\n".join(fixed(name) for name in SURFACES),
        notes="\n".join(
            f"({LETTERS[name][1]}, {LETTERS[name][2]}) {setting.off([answer], sizes[name])}"
            for name, answer in simulated.items()
        ),
    )


def fixed(name: str) -> str:
    """What is fixed in a row."""
    surface = SURFACES[name]
    values = surface.asked.values
    scales = ", ".join(f"{share:.2g} of strength {sigma:g}" for share, sigma in surface.asked.scales)
    inputs = f", inputs: {scales}" if len(surface.asked.scales) > 1 else ""
    return (
        f"({LETTERS[name][0]}–{LETTERS[name][2]}) $n/d$ = {surface.samples:g}{inputs}, linear teacher, "
        f"$\\mu_1$ = {MOMENTS[name][0]}, $\\mu_*$ = {MOMENTS[name][1]}, label noise $\\sigma_\\epsilon$ = "
        f"{values.get('noise', 0.0):g}, start $\\sigma_0$ = {values.get('init', 0.0):g}, no ridge, learning "
        f"rate $\\eta$ = {surface.asked.rate:g}, $s = \\eta k$"
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
    surface = SURFACES[name]
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
    id=ID,
    title="The risk peaks over the number of features and over training time",
    caption=(
        "Excess risk of random features trained by gradient flow, over features per sample N/n and flow "
        "time s, in the limit of many samples, features and inputs. (a-c) Inputs of one scale, n/d = 3, "
        "activation with Hermite moments mu_1 = 0.5 and mu_star = 0.3, initial weights of standard "
        "deviation 2, label noise 0.4. Over features the risk has a peak at N = n, which grows with "
        "training time. (d-f) Inputs of two scales (22 per cent are 13 times as strong), n/d = 0.55, an "
        "almost linear activation, zero start, no noise. With many features the risk falls, rises and falls "
        "again over time. White lines: equal risk. Orange lines: turns of the risk over time. Blue lines: "
        "turns over features. Minima are solid, maxima dotted; lines end where the risk no longer changes. "
        "Dots on the frame: places of the slices. Slices: lines are the limit of gradient descent at the "
        f"learning rate given, markers are simulations on drawn nonlinear features with d = {ONE.asked.size} "
        f"and {TWO.asked.size}. Below: simulation minus limit in standard errors. With enough draws the "
        "deviation of these d from the infinite limit is visible. With two scales the nonlinearity acts as "
        "a ridge mu_star^2/mu_1^2 on the inputs; the second descent needs it to be small."
    ),
    paper="mei2022",
    ref="random features in the limit; the formulas over training and for inputs of two scales are derived "
    "here",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        TIMES=6,
        STAMPS=2,
        SURFACES={name: little(surface) for name, surface in SURFACES.items()},
    ),
)
