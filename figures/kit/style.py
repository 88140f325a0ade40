"""The shared look. Solid: theory. Markers with bars: simulation. Dashed: the printed approximation.

Colours are told apart by the colour-blind and by their lightness alone; each curve also has a
marker of its own. Axes are named from the attributes of the numbers, so that no label can
contradict its data. matplotlib is imported only by what draws.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.gridspec import GridSpec

BLACK, BLUE, ORANGE = "#000000", "#0072B2", "#E69F00"  # Okabe and Ito; lightness 0, 46 and 71
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREEK = ("alpha", "eta", "gamma", "kappa", "lambda", "rho", "sigma", "tau")
RESIDUALS = {
    "instance": "simulation −\nexact given X\n[std. errors]",
    "asymptotic": "simulation −\nlimit\n[std. errors]",
}
"""The kinds of residual panels, top to bottom, and how each is called on its axis."""

HEIGHTS = (3.4, *(1.0 for _ in RESIDUALS))
"""Relative heights of a curve panel and the residual panels below it."""


@dataclass(frozen=True)
class Look:
    """How one curve is told from the others."""

    label: str
    colour: str
    marker: str


def ordered_looks(labels: Sequence[str]) -> list[Look]:
    """Looks for an ordered family, light to dark, at most as many as there are markers."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    shades = [0.8 * (1 - i / max(len(labels) - 1, 1)) for i in range(len(labels))]
    colours = [to_hex(colormaps["viridis"](shade)) for shade in shades]
    return [Look(*each) for each in zip(labels, colours, MARKERS[: len(labels)], strict=True)]


def number(value: float) -> str:
    """A number in a label: 1e5 or 1e-5 as a power of ten, those near 1 as they are."""
    mantissa, _, exponent = f"{value:.0e}".partition("e")
    return f"$10^{{{int(exponent)}}}$" if mantissa == "1" and abs(int(exponent)) > 3 else f"{value:g}"


def mathematics(symbol: str) -> str:
    """A plain symbol as mathtext: Greek names become letters, long subscripts upright."""
    upright = re.sub(r"_([A-Za-z]{2,})", r"_{\\mathrm{\1}}", symbol)
    greek = re.sub(rf"(?<![A-Za-z\\])({'|'.join(GREEK)})(?![A-Za-z])", r"\\\1", upright)
    return f"${greek}$"


def axis_label(values: xr.DataArray, name: str | None = None) -> str:
    """Name, symbol and unit from the attributes; `name` stands for a `long_name` that is too long.

    A unit of 1 reads dimensionless.
    """
    symbol, unit = values.attrs["symbol"], values.attrs["units"]
    name, defined, value = (name or values.attrs["long_name"].split(",")[0]).partition(f" {symbol} = ")
    shown = mathematics(f"{symbol} = {value}" if defined else symbol)
    unit = "dimensionless" if unit == "1" else re.sub(r"\^(\w+)", r"$^{\1}$", unit)
    return f"{name} {shown} [{unit}]"


def layout(canvas: Canvas, columns: int, inches: tuple[float, float]) -> GridSpec:
    """A grid of columns, each of a curve panel above one residual panel of each kind."""
    canvas.set_size_inches(inches)
    canvas.set_layout_engine("constrained")
    return canvas.add_gridspec(1 + len(RESIDUALS), columns, height_ratios=HEIGHTS)


def stack(canvas: Canvas, grid: GridSpec, column: int, beside: Sequence[Axes] | None = None) -> list[Axes]:
    """The axes of one column, top to bottom, on one time axis; they share heights with `beside`."""
    axes: list[Axes] = []
    for row in range(grid.nrows):
        share = {"sharex": axes[0]} if axes else {}
        if beside:
            share["sharey"] = beside[row]
        axes.append(canvas.add_subplot(grid[row, column], **share))
        axes[-1].tick_params(labelbottom=row == grid.nrows - 1, labelleft=not beside)
    if not beside:
        for panel, name in zip(axes[1:], RESIDUALS.values(), strict=True):
            panel.set_ylabel(name, fontsize="small")
    return axes


def theory(axes: Axes, answer: xr.Dataset, x: str, y: str, look: Look, **line: object) -> None:
    """The exact limit: a solid line."""
    axes.plot(answer[x], answer[y], color=look.colour, **{"lw": 1.6, **line})


def printed(axes: Axes, answer: xr.Dataset, x: str, y: str, look: Look) -> None:
    """The printed approximation: a dashed line."""
    axes.plot(answer[x], answer[y], color=look.colour, lw=1.1, dashes=(4, 2.5))


def simulation(axes: Axes, answer: xr.Dataset, x: str, y: str, look: Look) -> None:
    """Means over draws, each with one standard error up and down (and sideways where x has one)."""
    errors = {"yerr": answer[f"{y}_stderr"], "xerr": answer.get(f"{x}_stderr")}
    axes.errorbar(answer[x], answer[y], **errors, **marked(look), **BARS)


BARS = {"elinewidth": 1.1, "capsize": 2.0}


def marked(look: Look, size: float = 4.5) -> dict[str, object]:
    """Markers filled white, so that the line below stays in sight."""
    return {"ls": "none", "marker": look.marker, "ms": size, "color": look.colour, "mfc": "white", "mew": 1.1}


def residuals(axes: Sequence[Axes], answers: Mapping[Look, xr.Dataset], y: str, x: str = "time") -> None:
    """Residuals of every curve of a column in standard errors over `x`, panel by panel.

    The band is the two-sided quantile of `paper_checks.judging.agreement` for all points of a panel.
    """
    from teacherstudent.paper_checks.judging.agreement import quantile

    for panel, kind in zip(axes, RESIDUALS, strict=True):
        shown = {look: answer[f"{y}_minus_{kind}"] for look, answer in answers.items()}
        points = sum(int(values.count()) for values in shown.values())
        degrees = min(answer.attrs["n_seeds"] for answer in answers.values()) - 1
        band = quantile(points, degrees)
        panel.axhspan(-band, band, color="0.9", lw=0)
        panel.axhline(0, color="0.4", lw=0.8)
        for look, values in shown.items():
            panel.plot(values[x], values, **marked(look, 3.5))
        furthest = max(band, *(float(abs(values).max()) for values in shown.values()))
        reach = max(1.15 * furthest, panel.get_ylim()[1])  # a panel beside it may reach further
        panel.set_ylim(-reach, reach)


def legend(canvas: Canvas, axes: Axes, looks: Sequence[Look], sample: xr.Dataset, dashed: str | None) -> None:
    """Above the panels each curve, below them what lines, markers and band are: nothing is hidden.

    `axes` holds the key's own marker, `sample` is any simulated curve, `dashed` names those lines
    (None: there are none).
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    from teacherstudent.paper_checks.judging.agreement import FALSE_ALARM

    curves = [
        Line2D([], [], color=look.colour, marker=look.marker, mfc="white", ms=5, label=look.label)
        for look in looks
    ]
    canvas.legend(handles=curves, loc="outside upper center", ncols=len(curves), frameon=False)
    grey = {**marked(Look("", "0.3", "o")), **BARS}
    draws = sample.attrs["n_seeds"]
    lines = [Line2D([], [], color="0.3", lw=1.6, label="exact limit $n, d \\to \\infty$")]
    if dashed:
        lines.append(Line2D([], [], color="0.3", lw=1.1, dashes=(4, 2.5), label=dashed))
    key = [
        lines[0],
        axes.errorbar([], [], yerr=[], label=f"simulation: mean of {draws} draws ± 1 standard error", **grey),
        *lines[1:],
        Patch(color="0.9", label=f"all residuals of a panel, with probability {1 - FALSE_ALARM:.2%}"),
    ]
    canvas.legend(handles=key, loc="outside lower center", ncols=2, frameon=False)
