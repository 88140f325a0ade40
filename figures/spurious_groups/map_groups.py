"""Our own map: where the direction of largest margin serves every group, and where leaving data out helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, maps, style
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.spurious_groups import map_groups_numbers as planes

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

ID = "map-groups"
SEEDS, QUICK_SEEDS = 8, 3
VISIBLE = 1e-4
"""Differences of accuracies up to here have no border drawn: both methods are as good as perfect there."""
COLUMNS = {
    "zero": "ERM, tests without noise features",
    "fresh": "ERM, tests with fresh noise features",
    "gain": "ERM minus SUBG, fresh noise features",
}


def compute(quick: bool) -> Numbers:
    """Both planes by theory, and the simulated spots on both."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    fields = {f"plane_{other}": planes.plane(other) for other in planes.PLANES}
    return {**fields, **{f"spots_{other}": planes.spots(other, seeds) for other in planes.PLANES}}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A row for each plane; columns: tests without noise, tests with it, and the gain over a subset."""
    style.size(canvas, 15.5, 9.6)
    axes = canvas.subplots(len(planes.PLANES), len(COLUMNS), sharex=True, sharey="row")
    for row, other in zip(axes, planes.PLANES, strict=True):
        field = numbers[f"plane_{other}"]
        for panel, (name, title) in zip(row, COLUMNS.items(), strict=True):
            shown = draw_field(panel, field[name], other)
            panel.set_title(f"{title}\n{fixed(other)}", fontsize="medium")
            border = (
                field["gain"].where(abs(field["gain"]) > VISIBLE) if name == "gain" else field["zero"] - 0.5
            )
            panel.contour(
                border["gamma_s"], border[other], border, [0.0], colors="black", linewidths=style.THEORY["lw"]
            )
            if name != "fresh":
                label = style.axis_label(field[name], "gain in accuracy" if name == "gain" else None)
                canvas.colorbar(shown, ax=row[:2] if name == "zero" else panel, label=label)
        maps.mark(row[0], numbers[f"spots_{other}"], "gamma_s", other)
        row[0].set_ylabel(style.axis_label(field[other]))
    style.ticks(axes[-1, 0].yaxis, *ticks("gamma_n"))
    for panel in axes[-1]:
        style.ticks(panel.xaxis, *ticks("gamma_s"))
        panel.set_xlabel(style.axis_label(field["gamma_s"]))
    for panel in axes[-1, 1:]:
        place = planes.PUBLISHED["gamma_s"], planes.PUBLISHED["gamma_n"]
        panel.plot(*place, marker="*", ms=13, mfc="white", mec="black")
    entries = [
        legends.theory("theory: core and spurious feature weigh alike; no gain", style.BLACK),
        legends.spot("simulated: the core weighs more", "^"),
        legends.spot("simulated: the spurious feature weighs more", "v"),
        legends.spot("the published setting", "*", ms=12),
    ]
    legends.draw(canvas, entries, columns=4)


def ticks(name: str) -> tuple[list[float], list[str]]:
    """Powers of two from end to end, and their labels."""
    span = planes.AXES[name]
    values = [2.0**power for power in range(-10, 11) if span.low <= 2.0**power <= span.high]
    return values, [f"{value:g}" if value >= 1 else f"1/{1 / value:g}" for value in values]


def fixed(other: str) -> str:
    """What a plane does not vary, as a title says it."""
    ((name, value),) = planes.PLANES[other].items()
    return f"{style.mathematics(planes.SYMBOLS[name])} = {value:g}"


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
        "black lines of the first two columns, to the left, the core feature weighs more than the spurious "
        "one and every group is better than chance without any balancing: where the spurious feature is "
        "not much stronger than the core, where the minority is large, or where noise is weak, so that the "
        "minority is too dear to memorise. Right: where noise counts in tests, purple is where ERM beats "
        "SUBG, which pays for balance with examples: wherever the spurious feature is weaker than the "
        "core, and where it is stronger if the minority is large or the noise weak; black: no difference, "
        f"but for places where both are perfect to {VISIBLE:g}. Triangles: e_c - e_s, core minus spurious "
        f"weight, after {planes.STEPS} steps of normalised descent on {planes.EXAMPLES} examples, {SEEDS} "
        f"seeds ({QUICK_SEEDS} in the quick version); z is the simulated value minus that of the limit in "
        "standard errors, and holds the offsets of finite size and finite time."
    ),
    paper="pezeshki2022",
    ref="Sect. 8.5.4",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot states its z-score",
    small=constants(__name__, QUICK_SEEDS=2) | planes.SMALL,
)
