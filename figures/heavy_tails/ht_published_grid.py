"""Our own figure: tail indices on the published grid of step sizes and batches, and on one at few inputs."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.heavy_tails import setting
from teacherstudent.figures.kit import legends, maps, residuals, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error, standardised

ID = "ht-published-grid"
BATCHES = (1, 2, 3, 4, 5, 10, 20)
GRIDS = {
    100: tuple(round(0.02 * k, 2) for k in range(1, 11)),
    3: tuple(round(0.19 * k, 2) for k in range(1, 11)),
}
"""Step sizes by dimension: those of the experiment, and ten over the range of d = 3."""
MEASURED = {100: ((1, 3, 10), (0.02, 0.1, 0.2)), 3: ((1, 3, 10), (0.19, 0.95, 1.9))}
"""Batches and step sizes at which rho is measured."""
DRAWS, CHAINS, BURN_IN = 12, 40, 200
LIGHT, HEAVY, NONE = range(3)
WORDS = ("tail index above 2", "tail index between 0 and 2: heavy tails", "SGD diverges")
COLOURS = ("0.93", style.ORANGE, style.SKY)


def compute(quick: bool) -> Numbers:
    """Verdicts and indices on both grids, and the measured rho beside the exact one."""
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    found: Numbers = {}
    for d, rates in GRIDS.items():
        rows = np.array([setting.indices(rates, batch=b, d=d) for b in BATCHES])
        # an index that is not told is above 1000
        verdict = np.where(rows == 0, NONE, np.where(rows < 2, HEAVY, LIGHT))
        coordinates = {
            "batch": ("batch", list(BATCHES), setting.BATCH),
            "eta": ("eta", list(rates), setting.STEP),
        }
        names = ("batch", "eta")
        data = {"verdict": (names, verdict), "index": (names, rows, setting.INDEX)}
        found[f"grid_{d}"] = xr.Dataset(data, coordinates)
        batches, measured = MEASURED[d]
        for b in batches:
            values = {"batch": b, "d": d}
            exact = setting.ask_stationary_law("exact", measured, **values)["lyapunov"]
            drawn = setting.ask_stationary_law(
                "simulation", measured, seeds, chains=CHAINS, burn_in=BURN_IN, **values
            )
            mean, error = mean_and_error(drawn["lyapunov"])
            rho = {"rho": mean, "rho_stderr": error, "z": standardised(mean - exact, error, "theory")}
            found[f"rho_{d}_{b}"] = xr.Dataset(rho, attrs={"n_seeds": len(seeds)}).rename(time="eta")
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Verdicts by dimension side by side with the index in words; residuals of rho below."""
    style.size(canvas, 3.9)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    looks = style.family(MEASURED[100][0], "$\\rho$ at $b$ = {}")
    for column, (d, rates) in enumerate(GRIDS.items()):
        axes = residuals.stack(canvas, grid, column, ["sim. − theory\n[std. errors]"])
        _verdicts(axes[0], numbers, d)
        drawn = {look: numbers[f"rho_{d}_{b}"] for b, look in looks.items()}
        degrees = next(iter(drawn.values())).attrs["n_seeds"] - 1
        residuals.draw(axes[1], {look: each["z"] for look, each in drawn.items()}, degrees)
        width = rates[1] - rates[0]
        axes[0].set_xlim(rates[0] - 0.6 * width, rates[-1] + 0.6 * width)
        axes[0].set_title(f"({'ab'[column]}) $d$ = {d}" + (": the published grid" if not column else ""))
        axes[1].set_xlabel(style.axis_label(numbers[f"grid_{d}"]["eta"]))
        axes[0].set_ylabel(style.axis_label(numbers[f"grid_{d}"]["batch"]))
    entries = [
        *(legends.area(words, colour) for words, colour in zip(WORDS, COLOURS, strict=True)),
        legends.markers("below: measured $\\rho$ minus exact $\\rho$, in standard errors"),
        legends.band(),
    ]
    fixed = "linear regression, inputs of variance 1, new examples at each step"
    notes = "Each cell shows the exact tail index, or > if it is above 99."
    legends.around(canvas, list(looks.values()), entries, fixed=fixed, notes=notes)


def _verdicts(axes: object, numbers: Numbers, d: int) -> None:
    """Cells by verdict, with the index in each."""
    from matplotlib.axes import Axes
    from matplotlib.colors import ListedColormap

    assert isinstance(axes, Axes)
    each = numbers[f"grid_{d}"]
    rows = np.arange(each.sizes["batch"])
    shown = each["verdict"].assign_coords(batch=rows)
    maps.field(axes, shown, "eta", "batch", cmap=ListedColormap(COLOURS), vmin=-0.5, vmax=2.5)
    for i in rows:
        for eta, index in zip(each["eta"].values, each["index"].values[i], strict=True):
            if index != 0:
                words = f"{index:.{0 if index > 9.95 else 1}f}" if index < 99 else ">"
                axes.text(eta, i, words, ha="center", va="center")
    style.ticks(axes.yaxis, rows.tolist(), [str(b) for b in each["batch"].values])


FIGURE = Figure(
    id=ID,
    title="The published grid contains no tail index between 0 and 2",
    caption=(
        "(a) The 70 step sizes and batch sizes of the published experiment on linear regression, d = 100. "
        "SGD has a tail index above 2, mostly far above, or it diverges; no cell has an index between 0 and "
        "2. An estimator nevertheless gives numbers below 2 if it is applied to diverging iterates. (b) At d "
        "= 3 a similar grid contains heavy tails. Cells show the exact index. Below: measured minus exact "
        "Lyapunov exponent in standard errors; its sign decides whether SGD diverges."
    ),
    paper="gurbuzbalaban2021",
    ref="experiment on linear regression with Gaussian data",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        BATCHES=(1, 3),
        GRIDS={100: (0.02, 0.1), 3: (0.4, 1.0)},
        MEASURED={100: ((1, 3), (0.02, 0.1)), 3: ((1, 3), (0.4, 1.0))},
        CHAINS=20,
        BURN_IN=12,
    ),
)
