"""Our own maps: the tail index over step size and batch, and over step size and dimension."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.heavy_tails import setting
from teacherstudent.figures.kit import columns, legends, maps, residuals, style
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.grids import Span

ID = "map-tails"
D = 3
BATCHES = tuple(range(1, 11))
DIMENSIONS = tuple(range(1, 11))
STEPS = Span(0.05, 2, 60, "lin")
RATIOS = Span(0.2, 2, 55, "lin")
"""Step sizes over that of infinite variance."""
LINES = {4.0: style.SKY, 2.0: style.BLACK, 1.0: style.VERMILION, 0.0: style.BLUE}
"""Indices whose step sizes are drawn as lines; 0: the largest with a stationary law."""
SPOTS = ((0.38, 1), (0.55, 2), (0.76, 2), (0.8, 4), (1.15, 4), (1.2, 7), (1.45, 7), (0.9, 1), (1.7, 5))
"""Step size and batch of drawn students."""
SLICE = ((0.8, 1), (1.3, 1), (0.9, 3), (1.2, 3), (0.85, 6), (0.95, 8), (1.6, 5))
"""Ratio and dimension."""
DRAWS, CHAINS, TOP, BURN_IN = 16, 2000, 20, 400
LIGHTEST = 8.0
"""Index from which shades are alike."""
RATIO = {"symbol": "eta/eta_var", "long_name": "step size / step size of infinite variance", "units": "1"}


def compute(quick: bool) -> Numbers:
    """Indices and lines of both maps, and drawn students: by their sizes, or by rho where they diverge."""
    from teacherstudent.theory.heavy_tails.exact import critical_rate

    steps, ratios = np.array(STEPS.values()), np.array(RATIOS.values())
    by_batch = np.array([setting.indices(steps, batch=b, d=D) for b in BATCHES])
    by_inputs = np.array([setting.indices(ratios * critical_rate(1, d), batch=1, d=d) for d in DIMENSIONS])
    found = {
        "batch": xr.Dataset(
            {"index": (("batch", "eta"), by_batch, setting.INDEX)},
            {"batch": ("batch", list(BATCHES), setting.BATCH), "eta": ("eta", steps, setting.STEP)},
        ),
        "inputs": xr.Dataset(
            {"index": (("d", "ratio"), by_inputs, setting.INDEX)},
            {"d": ("d", list(DIMENSIONS), setting.DIMENSION), "ratio": ("ratio", ratios, RATIO)},
        ),
    }
    for index in LINES:
        found["batch"][f"line_{index:g}"] = ("batch", [setting.rate_of(index, b, D) for b in BATCHES])
        places = [setting.rate_of(index, 1, d) / critical_rate(1, d) for d in DIMENSIONS]
        found["inputs"][f"line_{index:g}"] = ("d", places)
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    found["drawn_batch"] = maps.spots([_spot(eta, b, D, eta, b, seeds) for eta, b in SPOTS])
    rows = [_spot(r * critical_rate(1, d), 1, d, r, d, seeds) for r, d in SLICE]
    found["drawn_inputs"] = maps.spots(rows)
    for name in ("drawn_batch", "drawn_inputs"):
        found[name].attrs["n_seeds"] = len(seeds)
    return found


def _spot(eta: float, batch: int, d: int, x: float, y: float, seeds: list[int]) -> dict[str, float]:
    """Index by the largest sizes where rho < 0, else rho, against the theory; `stationary` is as measured."""
    exact = setting.ask_stationary_law("exact", [eta], batch=batch, d=d)
    drawn = setting.ask_stationary_law(
        "simulation", [eta], seeds, batch=batch, d=d, chains=CHAINS, top=TOP, burn_in=BURN_IN
    )
    rho = drawn["lyapunov"].values[:, 0]
    measured = maps.score(float(exact["lyapunov"][0]), rho)
    stationary = measured["simulated"] < -3 * measured["stderr"]
    if stationary:
        index = drawn["tail_index"].values[:, 0]
        measured = maps.score(float(exact["tail_index"][0]), index)
    return {"x": x, "y": y, "stationary": float(stationary), **measured}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Maps side by side with lines and spots; residuals of the spots below."""
    from matplotlib.colors import LogNorm

    style.size(canvas, 4.5)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    shades = {"cmap": "cividis", "norm": LogNorm(0.25, LIGHTEST)}
    parts = (("batch", "eta", "batch"), ("inputs", "ratio", "d"))
    shown = None
    for column, (name, x, y) in enumerate(parts):
        axes = residuals.stack(canvas, grid, column, [columns.THEORY])
        each, drawn = numbers[name], numbers[f"drawn_{name}"]
        index = each["index"].fillna(LIGHTEST)  # lighter than is told
        index = index.where(index > 0)
        shown = maps.field(axes[0], index.clip(0.25, LIGHTEST), x, y, **shades)
        for level, colour in LINES.items():
            axes[0].plot(each[f"line_{level:g}"], each[y], color=colour, lw=2, marker=".", ms=4)
        for i in range(drawn.sizes["spot"]):
            _mark(axes[0], drawn.isel(spot=i))
        _residuals(axes[1], drawn)
        axes[0].set_xlim(float(each[x][0]), float(each[x][-1]))
        style.ticks(axes[0].yaxis, each[y].values.tolist())
        axes[0].set_ylabel(style.axis_label(each[y]))
        axes[1].set_xlabel(style.axis_label(each[x]))
        axes[0].set_title((f"(a) $d$ = {D}", "(b) $b$ = 1")[column])
        axes[0].set_facecolor("white")
    label = f"tail index $\\alpha$ (one colour above {LIGHTEST:g}) [dimensionless]"
    bar = canvas.colorbar(shown, ax=canvas.axes, label=label, shrink=0.7)
    style.digits(bar.ax.yaxis, 0.25, LIGHTEST)
    names = {
        4.0: "theory: $\\alpha$ = 4",
        2.0: "theory: $\\alpha$ = 2, infinite variance",
        1.0: "theory: $\\alpha$ = 1, no mean",
    }
    lines = [
        legends.theory(names.get(level, "theory: $\\rho$ = 0, SGD diverges beyond (white)"), colour, lw=2)
        for level, colour in LINES.items()
    ]
    entries = [
        *lines,
        legends.spot("simulation: stationary, Hill's estimate of the index", "o"),
        legends.spot("simulation: measured $\\rho$ not below 0, no index", "X"),
        legends.band(["Hill's estimate is biased above index 2, by some standard errors"]),
    ]
    fixed = (
        "linear regression, inputs of variance 1, new examples at each step; "
        f"{numbers['drawn_batch'].attrs['n_seeds']} draws of {CHAINS} students"
    )
    legends.around(canvas, [], entries, fixed=fixed)


def _mark(axes: Axes, spot: xr.Dataset) -> None:
    """The measured index, or that there is none."""
    stationary = bool(spot["stationary"])
    place = float(spot["x"]), float(spot["y"])
    axes.plot(*place, **maps.SPOT, marker="o" if stationary else "X", zorder=6)
    words = f"{float(spot['simulated']):.1f}" if stationary else "diverges"
    maps.write(axes, words, place)


def _residuals(axes: Axes, drawn: xr.Dataset) -> None:
    looks = {1.0: style.Look("", style.BLACK, "o"), 0.0: style.Look("", style.BLACK, "X")}
    shown = {}
    for kind, look in looks.items():
        kept = drawn.isel(spot=(drawn["stationary"] == kind).values)
        if kept.sizes["spot"]:
            shown[look] = kept["z"].assign_coords(spot=kept["x"].values)
    residuals.draw(axes, shown, drawn.attrs["n_seeds"] - 1)


FIGURE = Figure(
    id=ID,
    title="The tail index over step size, batch size and dimension",
    caption=(
        "Tail index of the stationary distribution of SGD on Gaussian data. (a) The axes are step size and "
        "batch size, at d = 3. (b) The axes are the number of inputs, and the step size divided by the step "
        "size at which the variance becomes infinite, for b = 1. Tails are heavy between the line alpha = "
        "2, which has a closed form, and the line rho = 0, beyond which SGD diverges. In (b) this band "
        "becomes narrow as inputs are added, so only small numbers of inputs are shown. Spots are simulated "
        "students. A spot shows the index estimated from the largest distances to the teacher. If the "
        "Lyapunov exponent is not below 0, there is no index, and the spot shows this instead. Below: "
        "measured minus exact index (or exponent, where there is no index) in standard errors."
    ),
    paper="gurbuzbalaban2021",
    ref="regimes of step size, batch and dimension; parameters: ours",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        BATCHES=(1, 2),
        DIMENSIONS=(1, 2),
        STEPS=Span(0.2, 0.8, 3, "lin"),
        RATIOS=Span(0.5, 1.5, 3, "lin"),
        SPOTS=((0.38, 1), (0.9, 1)),
        SLICE=((0.8, 1), (4.5, 1)),
        CHAINS=200,
        TOP=10,
        BURN_IN=100,
    ),
)
