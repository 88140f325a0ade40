"""Fig. 4 of pezeshki2022 ch. 4: trajectories in the plane of R and Q, and their risk over time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure
from teacherstudent.figures.kit import style
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

ID = "ch4-fig4"
SETTING = {"n": 110, "d": 100, "p": 70, "learning_rate": 0.25}
KAPPAS = (1.0, 7.0, 12.0, 30.0, 100.0, 1e3, 1e5)
SIMULATED = (7.0, 100.0, 1e5)
DENSE, SPARSE = (0.0, *Span(1, 1e7, 300).values()), Span(1, 1e7, 22)
FINE = 2 * DRAWS
"""Draws, more than elsewhere: trajectories lie closer together than curves over time."""


def compute(quick: bool) -> Numbers:
    """Every trajectory in the limit; some simulated, with the printed approximation beside them."""
    seeds = draws_of(ID, quick, FINE)
    numbers: Numbers = {}
    for kappa in KAPPAS:
        curve = Curve("multiscale", "descent", {**SETTING, "kappa": kappa})
        name = f"kappa_{kappa:g}"
        if kappa in SIMULATED:
            numbers |= routes.answers(name, curve, DENSE, SPARSE, seeds)
        else:
            numbers[f"asymptotic_{name}"] = curve.by("asymptotic", DENSE)
    return {**numbers, "plane": plane(numbers["asymptotic_kappa_1"]), "landmarks": landmarks(numbers)}


def plane(answer: xr.Dataset) -> xr.Dataset:
    """The excess risk of every (R, Q) by Eq. 4.2.6, and the least Q that an R allows."""
    import numpy as np
    import xarray as xr

    R = xr.DataArray(np.linspace(0, 1.05, 106), dims="R", attrs=answer["R"].attrs)
    Q = xr.DataArray(np.linspace(0, 1.4, 141), dims="Q", attrs=answer["Q"].attrs)
    risk = ((1 - 2 * R + Q) / 2).transpose("Q", "R")  # Eq. 4.2.6
    least = R**2  # Cauchy-Schwarz in Eq. 4.2.7, |w|^2 = d
    return xr.Dataset(
        {
            "excess_risk": risk.assign_attrs(answer["excess_risk"].attrs),
            "least_Q": least.assign_attrs(answer["Q"].attrs),
        },
        {"R": R, "Q": Q},
    )


def landmarks(numbers: Numbers) -> xr.Dataset:
    """The caption's points: A, least risk at the largest kappa; B, its end; C, the end at kappa = 1."""
    import xarray as xr

    unlearned, learned = numbers[f"asymptotic_kappa_{KAPPAS[-1]:g}"], numbers["asymptotic_kappa_1"]
    points = [
        unlearned.isel(time=unlearned["excess_risk"].values.argmin()),
        unlearned.isel(time=-1),
        learned.isel(time=-1),
    ]
    columns = {
        name: ("point", [float(point[name]) for point in points], learned[name].attrs)
        for name in ("time", "R", "Q", "excess_risk")
    }
    return xr.Dataset(columns, {"point": ["A", "B", "C"]})


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The plane left; right the curves and their residuals."""
    E = "excess_risk"
    looks = {
        f"kappa_{kappa:g}": look if kappa in SIMULATED else replace(look, marker="")
        for kappa, look in routes.looks_of(KAPPAS).items()
    }
    grid = routes.layout(canvas, 2, 13, 7.2)
    left = canvas.add_subplot(grid[:, 0])
    axes = routes.stack(canvas, grid, 1)
    background(canvas, left, numbers["plane"])
    routes.draw_curves(left, numbers, looks, "Q", "R")
    simulated = routes.draw_column(axes, numbers, looks, E)
    mark(left, axes[0], numbers["landmarks"])
    axes[0].set(ylim=(-0.01, 0.5), title="Excess risk over time")
    axes[0].set_xscale("log", nonpositive="mask")  # step 0 stands in the plane only
    axes[0].set_ylabel(style.axis_label(numbers["asymptotic_kappa_1"][E]))
    routes.legend(canvas, looks.values(), simulated, PRINTED)


def background(canvas: Canvas, axes: Axes, plane: xr.Dataset) -> None:
    """Contours of the excess risk; what no student can reach is hatched."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    pale = ListedColormap(colormaps["Greys"](np.linspace(0, 0.4, 256)))
    levels = np.linspace(0, 1.2, 13)
    filled = axes.contourf(plane["R"], plane["Q"], plane["excess_risk"].clip(min=0), levels, cmap=pale)
    canvas.colorbar(filled, ax=axes, aspect=40, label=style.axis_label(plane["excess_risk"]))
    axes.fill_between(plane["R"], 0, plane["least_Q"], fc="white", ec="0.75", hatch="//", lw=0)
    axes.text(0.8, 0.25, "impossible:\n$Q < R^2$", ha="center", va="center", bbox=dict(fc="white", ec="none"))
    axes.plot(plane["R"], plane["least_Q"], color="0.4", lw=0.8)
    axes.set(xlim=(0, 1.05), ylim=(0, 1.4), title="Trajectories from the origin")
    axes.set_xlabel(style.axis_label(plane["R"]))
    axes.set_ylabel(style.axis_label(plane["Q"]))


def mark(plane: Axes, curves: Axes, points: xr.Dataset) -> None:
    """The letters of the caption, in both panels."""
    box = {"boxstyle": "circle,pad=0.15", "fc": "white", "ec": "0.2", "lw": 0.8}
    away = {"A": ((16, -16), (0, -24)), "B": ((-22, 8), (-4, -24)), "C": ((0, 22), (-16, 20))}
    for name, shifts in away.items():
        at = points.sel(point=name)
        for axes, x, y, shift in ((plane, "R", "Q", shifts[0]), (curves, "time", "excess_risk", shifts[1])):
            axes.annotate(
                name, (float(at[x]), float(at[y])), xytext=shift, textcoords="offset points", bbox=box,
                ha="center", va="center", arrowprops={"arrowstyle": "-", "color": "0.2", "lw": 0.8}, zorder=5,
            )  # fmt: skip


PRINTED = "printed, Eqs. 4.2.11–4.2.16, with ridge $1/(\\eta k)$ for time"

FIGURE = Figure(
    id=ID,
    title="Two descents in the plane of alignment and norm",
    caption=(
        "Left: alignment R and modulated norm Q during gradient descent from zero (the origin), over the "
        "excess risk 1/2 (1 - 2R + Q); hatched, Q < R^2, which no student can reach. Right: the excess risk "
        "along the same trajectories against the step k. n = 110, d = 100, 70 features of strength 1 and 30 "
        "of strength 1/kappa, no label noise, no ridge, learning rate 0.25 for all, so that a step is "
        "as long on every curve. A: least risk at kappa = 1e5; B: the end of that trajectory, fast features "
        "learned and the slow ones acting as noise; C: the end for smaller kappa, all features learned. "
        "kappa = 7, 100 and 1e5 are simulated. At kappa = 7 the exact risk rises again after its first "
        "descent, and the printed one does not. "
        + routes.reading(
            "gradient descent on drawn data", "with ridge regression at 1/(eta k) in the place of time", FINE
        )
    ),
    paper="pezeshki2022",
    ref="Fig. 4",
    compute=compute,
    draw=draw,
    small=FEWEST,
)
