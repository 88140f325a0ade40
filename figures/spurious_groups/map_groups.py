"""Our own map: where the direction of largest margin serves every group, and where leaving data out helps."""

from __future__ import annotations

from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import charts, legends, maps, style
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.spurious_groups import map_groups_numbers as planes

ID = "map-groups"
SEEDS, QUICK_SEEDS = 8, 3
COLUMNS = {
    "zero": "ERM, tests without noise features",
    "fresh": "ERM, tests with fresh noise features",
    "gain": "ERM minus SUBG, fresh noise features",
}


def compute(quick: bool) -> Numbers:
    """Both planes by theory, and the simulated spots on both."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    found: Numbers = {}
    for other in planes.PLANES:
        found[f"plane_{other}"] = planes.plane(other)
        for column in planes.LINES:
            found[f"{column}_{other}"] = planes.line(other, column, found[f"plane_{other}"])
        found[f"spots_{other}"] = planes.spots(other, seeds)
    return found


LINES: dict[str, dict[str, Any]] = {
    "lead": {"color": style.BLACK, "lw": 1.8},
    "gain": {"color": style.VERMILION, "lw": 1.8, "ls": (0, (5, 1.5))},
}
SHOWN = {"zero": ("lead",), "fresh": ("lead",), "gain": ("lead", "gain")}
"""The lines of each column."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A row for each plane; columns: tests without noise, tests with it, and the gain over a subset."""
    style.size(canvas, 15.5, 10.2)
    axes = canvas.subplots(len(planes.PLANES), len(COLUMNS), sharex=True, sharey="row")
    for row, other in zip(axes, planes.PLANES, strict=True):
        field = numbers[f"plane_{other}"]
        for panel, (name, title) in zip(row, COLUMNS.items(), strict=True):
            shown = draw_field(panel, field[name], other)
            panel.set_title(f"{title}\n{fixed(other)}", fontsize="medium")
            for line in SHOWN[name]:
                where = numbers[f"{line}_{other}"]
                panel.plot(where["gamma_s"], where[other], **LINES[line])
            if name != "fresh":
                label = style.axis_label(field[name], "gain in accuracy" if name == "gain" else None)
                canvas.colorbar(shown, ax=row[:2] if name == "zero" else panel, label=label)
        maps.mark(row[0], numbers[f"spots_{other}"], "gamma_s", other)
        row[0].set_ylabel(style.axis_label(field[other]))
        span = planes.AXES[other]
        row[0].set_ylim(span.low, span.high)
    style.ticks(axes[0, 0].yaxis, [planes.AXES["minority"].low, 0.1, 0.2, 0.3, 0.4, 0.5])
    style.ticks(axes[-1, 0].yaxis, *ticks("gamma_n"))
    for panel in axes[-1]:
        style.ticks(panel.xaxis, *ticks("gamma_s"))
        panel.set_xlabel(style.axis_label(field["gamma_s"]))
        panel.set_xlim(planes.AXES["gamma_s"].low, planes.AXES["gamma_s"].high)
    for panel in axes[-1, 1:]:
        place = planes.PUBLISHED["gamma_s"], planes.PUBLISHED["gamma_n"]
        panel.plot(*place, marker="*", ms=13, mfc="white", mec="black")
    spots = numbers[f"spots_{other}"]
    lines = [legends.Entry(f"theory: {words}", LINES[name]) for name, words in planes.LINES.items()]
    entries = [
        *lines,
        legends.spot(
            f"simulated: the core weighs more (n = {planes.EXAMPLES}, {spots.attrs['n_seeds']} draws)", "^"
        ),
        legends.spot("simulated: the spurious feature weighs more", "v"),
        legends.spot("the published setting", "*", ms=12),
        legends.Entry("z: simulation − limit [std. errors], with finite size and time", {"ls": "none"}),
    ]
    legends.draw(canvas, entries, columns=3)


def ticks(name: str) -> tuple[list[float], list[str]]:
    """Powers of two from end to end, and their labels."""
    span = planes.AXES[name]
    values = [2.0**power for power in range(-10, 11) if span.low <= 2.0**power <= span.high]
    return values, [f"{value:g}" if value >= 1 else f"1/{1 / value:g}" for value in values]


def fixed(other: str) -> str:
    """What a plane does not vary, as a title says it."""
    ((name, value),) = planes.PLANES[other].items()
    fixed = f"{style.mathematics(planes.SYMBOLS[name])} = {value:g}"
    return f"{fixed}, {planes.RATIO:g} noise features an example, $\\sigma$ = {planes.SIGMA:g}"


def draw_field(axes: Axes, values: xr.DataArray, other: str) -> Any:
    """Shades of an accuracy, or of a difference: linear below one per cent, logarithmic beyond."""
    from matplotlib.colors import Normalize, SymLogNorm

    gain = values.name == "gain"
    axes.set(xscale="log", yscale="linear" if other == "minority" else "log")
    shades = ("PuOr", SymLogNorm(0.01, vmin=-1, vmax=1)) if gain else ("viridis", Normalize(0, 1))
    return maps.field(axes, values, "gamma_s", other, **dict(zip(("cmap", "norm"), shades, strict=True)))


FIGURE = Figure(
    id=ID,
    title="Where ERM is good after all",
    caption=(
        "Smallest accuracy of the four groups in the direction of largest margin, to which logistic "
        "regression without weight decay tends, on all examples (ERM, and RWG, RWY, which tend to the "
        "same) or on a subset with groups as large as the smallest (SUBG), in the limit of large n and d "
        "by convex Gaussian comparison. Core, spurious and noise features have the scales gamma_c, "
        f"gamma_s, gamma_n; {planes.RATIO:g} noise features per example, sigma = {planes.SIGMA:g}, noise of "
        "standard deviation 1. Only ratios of scales matter. Upper row: over the share of the minority, at "
        "gamma_n = gamma_c; lower row: over the scale of the noise, at the published minority. Beyond the "
        "black lines, to the left, the core feature weighs more than the spurious "
        "one and every group is better than chance without any balancing: where the spurious feature is "
        "not much stronger than the core, where the minority is large, or where noise is weak, so that the "
        "minority is too dear to memorise. Right: where noise counts in tests, purple is where ERM beats "
        "SUBG, which pays for balance with examples: wherever the spurious feature is weaker than the "
        "core, and where it is stronger if the minority is large or the noise weak; red, dashed: no "
        f"difference, but for places where both are perfect to {planes.VISIBLE:g}. Triangles: e_c - e_s, "
        f"core minus spurious weight, after {planes.STEPS} steps of normalised descent on "
        f"{planes.EXAMPLES} examples, {SEEDS} "
        f"seeds ({QUICK_SEEDS} in the quick version); z is the simulated value minus that of the limit in "
        "standard errors, and holds the offsets of finite size and finite time."
    ),
    paper="pezeshki2022",
    ref="Sect. 8.5.4",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot states its z-score",
    small=constants(__name__, QUICK_SEEDS=2) | charts.SMALL | planes.SMALL,
)
