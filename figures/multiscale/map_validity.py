"""Our own map: where four approximations err by more than 1, 3 and 10 per cent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import charts, legends, levels, maps, regions, style
from teacherstudent.figures.kit.comparison import FEWEST, draws_of
from teacherstudent.figures.multiscale import planes
from teacherstudent.house.grids import Span
from teacherstudent.house.running import run
from teacherstudent.problems.multiscale import PROBLEM

ID = "map-validity"
KAPPAS, ALPHAS = Span(1.0, 100.0, 2), Span(0.3, 3.0, 2)
LEVELS = (0.01, 0.03, 0.1, 0.3)
LEAST, MOST = 1e-3, 1.0
"""Errors are shown between these."""
TIMES = Span(0.3, 1e6, 48)
STEPS = Span(1, 1e6, 32)
LIMIT_DRAWS, LIMIT_CELLS = 12, 9
SPOTS = ((3.0, 0.6), (3.0, 2.0), (30.0, 0.6), (30.0, 2.0))
"""(kappa, alpha) of the simulated spots."""

Setting = Mapping[str, Any]


def excess(dynamics: str, route: str, times: Any, setting: Setting, **more: Any) -> np.ndarray:
    """Excess risk over time; the mean over draws of a sampled route."""
    answer = run("multiscale", dynamics, route, times, **setting, **more)["excess_risk"]
    return (answer.mean("seed") if "seed" in answer.dims else answer).values


def replica(setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    """Ridge regression as printed, and exactly."""
    return excess("ridge", "printed", TIMES, setting), excess("ridge", "asymptotic", TIMES, setting)


def ridge_as_time(setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    """Ridge regression at 1/s, and gradient flow at s."""
    return excess("ridge", "asymptotic", TIMES, setting), excess("flow", "asymptotic", TIMES, setting)


def flow_as_descent(setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    """Gradient flow at s = eta k, and gradient descent at step k with the automatic learning rate."""
    from teacherstudent.theory.multiscale import asymptotic, landmarks
    from teacherstudent.theory.multiscale.spectral_task import spectrum_of

    problem, steps = _problem(setting), np.unique(np.rint(STEPS.values()))
    eta = 1 / spectrum_of(problem).upper_edge()
    exact = asymptotic.descent(problem, steps, learning_rate=eta)["excess_risk"]
    return landmarks.flow_curve(problem).value(np.log(eta * steps)), exact


def _problem(setting: Setting) -> Any:
    return PROBLEM.instance(**setting)


def _times() -> np.ndarray:
    return np.array(TIMES.values())


def large_size(setting: Setting, seeds: Sequence[int] = ()) -> tuple[np.ndarray, np.ndarray]:
    """The limit, and the exact average over draws at the size of simulated spots."""
    sizes = planes.setting(planes.SIZE, setting["n"] / setting["d"]) | {"kappa": setting["kappa"]}
    return excess("flow", "asymptotic", TIMES, setting), excess("flow", "instance", TIMES, sizes, seeds=seeds)


@dataclass(frozen=True)
class Approximation:
    """What is approximated by what; `pair` gives both curves for one cell."""

    name: str
    title: str
    pair: Callable[..., tuple[np.ndarray, np.ndarray]]


APPROXIMATIONS = (
    Approximation("printed", "Printed formula against exact ridge", replica),
    Approximation("proxy", "Ridge 1/s against gradient flow", ridge_as_time),
    Approximation("flow", "Flow against gradient descent", flow_as_descent),
    Approximation("limit", f"Limit against d = {planes.SIZE} ({LIMIT_DRAWS} draws)", large_size),
)

ERROR = {"units": "untrained risk", "symbol": "e", "long_name": "largest error over time"}
AXES = {
    "kappa": {"units": "1", "symbol": "kappa", "long_name": "condition number"},
    "alpha": {"units": "1", "symbol": "alpha", "long_name": "samples per dimension"},
}


def compute(quick: bool) -> Numbers:
    """The largest error over time on each plane, and simulated curves at the spots."""
    seeds = draws_of(ID, quick)
    errors = {rough.name: _errors(rough, seeds) for rough in APPROXIMATIONS}
    return {**errors, "spots": _spots(seeds)}


def _errors(approximation: Approximation, seeds: Sequence[int]) -> xr.Dataset:
    def error(place: Mapping[str, float], **more: Any) -> float:
        setting = {**planes.setting(planes.THEORY_SIZE, place["alpha"]), "kappa": place["kappa"]}
        approximate, exact = approximation.pair(setting, **more)
        apart = np.abs(approximate - exact) / 0.5
        infinite = not np.all(np.isfinite(apart)) or np.any(approximate < 0)
        return float("nan") if infinite else float(np.max(apart))

    if approximation.name == "limit":
        return _drawn(error, seeds[:LIMIT_DRAWS])
    plane = charts.plane_of(("kappa", KAPPAS), ("alpha", ALPHAS))
    return charts.mapped(error, plane, LEVELS, ERROR, AXES, log=True)


def _drawn(error: Callable[..., float], seeds: Sequence[int]) -> xr.Dataset:
    """On a plain grid: what is drawn fluctuates, and has no lines."""
    kappas, alphas = (np.array(Span(span.low, span.high, LIMIT_CELLS).values()) for span in (KAPPAS, ALPHAS))
    values = [[error({"kappa": kappa, "alpha": alpha}, seeds=seeds) for kappa in kappas] for alpha in alphas]
    axes = {"kappa": ("kappa", kappas, AXES["kappa"]), "alpha": ("alpha", alphas, AXES["alpha"])}
    said = {"x": "kappa", "y": "alpha", "x_scale": "log", "y_scale": "log", "value_scale": "log"}
    return xr.Dataset({"value": (("alpha", "kappa"), values, ERROR)}, axes, {**said, "draws": len(seeds)})


def _spots(seeds: Sequence[int]) -> xr.Dataset:
    """Ridge regression and descent simulated at the time where the first two approximations err most.

    z: the exact theory against the simulation; z_printed, z_flow: the approximations.
    """
    rows = []
    for kappa, alpha in SPOTS:
        setting = {**planes.setting(planes.SIZE, alpha), "kappa": kappa}
        printed, exact = replica(setting)
        worst = int(np.argmax(np.abs(printed - exact)))
        time = [TIMES.values()[worst]]
        scores = _scores("ridge", time, setting, seeds, exact[worst], printed[worst])
        rows.append({"kappa": kappa, "alpha": alpha, **scores, "approximation": "printed"})
        proxy, flow = ridge_as_time(setting)
        worst = int(np.argmax(np.abs(proxy - flow)))
        step = [float(np.rint(TIMES.values()[worst] / RATE))]
        stepped = excess("descent", "asymptotic", step, setting, learning_rate=RATE)[0]
        scores = _scores("descent", step, {**setting, "learning_rate": RATE}, seeds, stepped, proxy[worst])
        rows.append({"kappa": kappa, "alpha": alpha, **scores, "approximation": "proxy"})
    return maps.spots(rows, n_seeds=len(seeds), first_seed=seeds[0], d=planes.SIZE)


RATE = 0.02
"""Learning rate of simulated spots, small enough for flow."""


def _scores(
    dynamics: str, times: Any, setting: Setting, seeds: Sequence[int], exact: float, approximate: float
) -> dict[str, float]:
    """z-scores of the simulated excess risk at one time, against both theories."""
    answer = run("multiscale", dynamics, "simulation", times, seeds=seeds, **setting)
    drawn = answer["excess_risk"].values[:, 0]
    return {"z": maps.score(exact, drawn)["z"], "z_approximate": maps.score(approximate, drawn)["z"]}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A plane for each approximation."""
    style.size(canvas, 6.3)
    spots = numbers["spots"]
    for axes, rough in zip(canvas.subplots(2, 2).flat, APPROXIMATIONS, strict=True):
        own = spots.isel(spot=spots["approximation"] == rough.name)
        free = levels.beside(numbers[rough.name], own["kappa"], ABOVE * own["alpha"], ACROSS)
        shown = _plane(axes, free)
        axes.set_title(rough.title)
        _mark(axes, own)
    canvas.suptitle(f"$p/d$ = {planes.FAST_SHARE:g}, $\\sigma_\\epsilon$ = 0, $\\lambda$ = 0")
    bar = canvas.colorbar(
        shown, ax=canvas.axes, label="largest error over time [share of the untrained risk]"
    )
    style.ticks(
        bar.ax.yaxis, [LEAST, *LEVELS, MOST], [f"≤ {LEAST:g}", *map("{:g}".format, LEVELS), f"≥ {MOST:g}"]
    )
    draws = f"d = {planes.SIZE}, {spots.attrs['n_seeds']} draws"
    entries = [
        legends.Entry("error of 1, 3, 10 and 30 % (theory)", regions.LEVEL),
        legends.spot(f"simulated at the largest error ({draws})", "o", ms=7),
        legends.area("the printed risk becomes infinite", "white", hatch="////", ec=regions.UNKNOWN["ec"]),
        legends.Entry(
            "numbers: simulation − theory, simulation − approximation [std. errors]", {"ls": "none"}
        ),
    ]
    legends.draw(canvas, entries)


ACROSS, ABOVE = (0.7, 1.0, 1.4), 1.15
"""Factors from a spot to places in its words."""


def _plane(axes: Axes, answer: xr.Dataset) -> Any:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, LogNorm

    pale = ListedColormap(colormaps["Blues"](np.linspace(0, 0.75, 256)))  # black lines stay in sight
    shown = maps.field(axes, answer["value"], "kappa", "alpha", cmap=pale, norm=LogNorm(LEAST, MOST))
    if "boundary" in answer.sizes:
        regions.lines(axes, answer)
    if bool(answer["value"].isnull().any()):
        axes.patch.set(hatch=regions.UNKNOWN["hatch"], edgecolor=regions.UNKNOWN["ec"])
    regions.frame(axes, answer)
    axes.set(xlim=(KAPPAS.low, KAPPAS.high), ylim=(ALPHAS.low, ALPHAS.high))
    style.ticks(axes.xaxis, [1, 3, 10, 30, 100])
    style.ticks(axes.yaxis, [0.3, 0.5, 1, 2, 3])
    axes.set(xlabel=planes.KAPPA, ylabel=planes.ALPHA)
    return shown


def _mark(axes: Axes, spots: xr.Dataset) -> None:
    for i in range(spots.sizes["spot"]):
        spot = spots.isel(spot=i)
        place = (float(spot["kappa"]), float(spot["alpha"]))
        axes.plot(*place, **maps.SPOT | {"ms": 7}, marker="o")
        words = f"{float(spot['z']):+.1f}, {float(spot['z_approximate']):+.1f}"
        maps.write(axes, words, place)


FIGURE = Figure(
    id=ID,
    title="The largest error of each approximation",
    caption=(
        "Largest error of the excess risk over time, as a share of the untrained risk 1/2, over condition "
        f"number and samples per dimension; p/d = {planes.FAST_SHARE:g}, no noise, no ridge. Lines: "
        "errors of 1, 3, 10 and 30 %. The panels compare the printed formulas with exact ridge regression "
        "(for n < d they may be infinite); ridge 1/s with gradient flow; flow at s = eta k with descent at "
        f"the automatic learning rate; and the limit with the average over {LIMIT_DRAWS} drawn X at d = "
        f"{planes.SIZE}, which includes the fluctuation of that average. Circles: ridge regression and "
        f"gradient descent (learning rate {RATE:g}) simulated at d = {planes.SIZE}, at the time where the "
        "approximation has its largest error. Numbers: z-scores of the simulation against exact theory and "
        "against the approximation, both with the finite-size offset of order 1/d."
    ),
    paper="pezeshki2022",
    ref="Sect. 4.2.3, Eqs. 4.2.11-4.2.16, .2.42-.2.52",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot gives its z-scores",
    small=FEWEST | charts.SMALL | constants(__name__, LIMIT_CELLS=2, SPOTS=SPOTS[:1]),
)
