"""Our own map: where four approximations err by more than 1, 3 and 10 per cent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import maps, style
from teacherstudent.figures.kit.comparison import FEWEST, draws_of
from teacherstudent.figures.multiscale import planes
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

ID = "map-validity"
KAPPAS, ALPHAS = Span(1.0, 100.0, 25), Span(0.3, 3.0, 25)
QUICK_CELLS = 11
"""A side of a plane, in the quick version."""
LEVELS = (0.01, 0.03, 0.1)
TIMES = Span(0.3, 1e6, 48)
STEPS = Span(1, 1e6, 48)
LIMIT_DRAWS, LIMIT_CELLS = 12, 7
SPOTS = ((3.0, 0.6), (3.0, 2.0), (30.0, 0.6), (30.0, 2.0))
"""(kappa, alpha) of the simulated spots."""

Setting = Mapping[str, Any]


def excess(dynamics: str, route: str, times: Any, setting: Setting, **more: Any) -> np.ndarray:
    """Excess risk over time; the mean over draws of a sampled route."""
    from teacherstudent.house.running import run

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
    import numpy as np

    from teacherstudent.problems.multiscale import PROBLEM
    from teacherstudent.theory.multiscale.terms import spectrum_of

    steps = np.unique(np.rint(STEPS.values()))
    eta = 1 / spectrum_of(PROBLEM.instance(**setting)).upper_edge()
    return excess("flow", "asymptotic", eta * steps, setting), excess("descent", "asymptotic", steps, setting)


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
    Approximation("printed", "error of the printed formula against exact ridge", replica),
    Approximation("proxy", "error of ridge 1/s against gradient flow", ridge_as_time),
    Approximation("flow", "error of flow against descent at the automatic rate", flow_as_descent),
    Approximation("limit", f"error of the limit against d = {planes.SIZE}", large_size),
)

ERROR = {"units": "untrained risk", "symbol": "e", "long_name": "largest error over time"}


def compute(quick: bool) -> Numbers:
    """The largest error over time in each cell, and simulated curves at the spots."""
    seeds = draws_of(ID, quick)
    errors = {rough.name: _errors(rough, quick, seeds) for rough in APPROXIMATIONS}
    return {**errors, "spots": _spots(seeds)}


def _errors(approximation: Approximation, quick: bool, seeds: Sequence[int]) -> xr.Dataset:
    import numpy as np
    import xarray as xr

    drawn = approximation.name == "limit"
    cells = LIMIT_CELLS if drawn else QUICK_CELLS if quick else KAPPAS.count
    kappas, alphas = (np.array(Span(span.low, span.high, cells).values()) for span in (KAPPAS, ALPHAS))
    more = {"seeds": seeds[:LIMIT_DRAWS]} if drawn else {}

    def error(kappa: float, alpha: float) -> float:
        setting = {**planes.setting(planes.THEORY_SIZE, alpha), "kappa": kappa}
        approximate, exact = approximation.pair(setting, **more)
        return float(np.max(np.abs(approximate - exact)) / 0.5)

    values = [[error(kappa, alpha) for alpha in alphas] for kappa in kappas]
    attrs = {"draws": LIMIT_DRAWS} if drawn else {}
    return xr.Dataset(
        {"error": (("kappa", "alpha"), values, ERROR)}, {"kappa": kappas, "alpha": alphas}, attrs
    )


def _spots(seeds: Sequence[int]) -> xr.Dataset:
    """Ridge regression and descent simulated at the time where the first two approximations err most.

    z: the exact theory against the simulation; z_printed, z_flow: the approximations.
    """
    import numpy as np

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
    from teacherstudent.house.running import run

    answer = run("multiscale", dynamics, "simulation", times, seeds=seeds, **setting)
    drawn = answer["excess_risk"].values[:, 0]
    return {"z": maps.score(exact, drawn)["z"], "z_approximate": maps.score(approximate, drawn)["z"]}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A plane for each approximation."""
    style.size(canvas, 12.5, 10)
    spots = numbers["spots"]
    for axes, rough in zip(canvas.subplots(2, 2).flat, APPROXIMATIONS, strict=True):
        shown = _plane(axes, numbers[rough.name]["error"])
        axes.set_title(rough.title)
        _mark(axes, spots.isel(spot=spots["approximation"] == rough.name))
    canvas.colorbar(shown, ax=canvas.axes, label="largest error over time [share of the untrained risk]")


def _plane(axes: Axes, error: xr.DataArray) -> Any:
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, LogNorm

    pale = ListedColormap(colormaps["Blues"](np.linspace(0, 0.6, 256)))  # black lines stay in sight
    values = error.transpose("alpha", "kappa").clip(min=1e-4)
    shown = maps.field(axes, values, "kappa", "alpha", cmap=pale, norm=LogNorm(1e-3, 0.5))
    lines = axes.contour(
        error["kappa"], error["alpha"], values, levels=LEVELS, colors="black", linewidths=(1, 1.5, 2)
    )
    axes.clabel(lines, fmt={level: f"{level:.0%}" for level in LEVELS}, fontsize="small")
    axes.set(xscale="log", yscale="log", xlabel=planes.KAPPA, ylabel=planes.ALPHA)
    return shown


def _mark(axes: Axes, spots: xr.Dataset) -> None:
    for i in range(spots.sizes["spot"]):
        spot = spots.isel(spot=i)
        place = (float(spot["kappa"]), float(spot["alpha"]))
        axes.plot(*place, **maps.SPOT | {"ms": 7}, marker="o")
        words = f"exact: z = {float(spot['z']):+.1f}\napproximate: z = {float(spot['z_approximate']):+.1f}"
        left = place[0] < 10
        maps.write(axes, words, place, (8 if left else -8, -4), ha="left" if left else "right")


FIGURE = Figure(
    id=ID,
    title="Where each approximation holds",
    caption=(
        "Largest error of the excess risk over time, as a share of the untrained risk 1/2, at p/d = "
        f"{planes.FAST_SHARE:g} without noise or ridge; lines at 1, 3 and 10 %. The printed "
        "formulas against exact ridge regression; ridge 1/s against gradient flow; flow at s = eta k "
        f"against descent at the automatic rate; the limit against the average of {LIMIT_DRAWS} drawn X "
        f"at d = {planes.SIZE}, which adds the fluctuation of that average. Circles: ridge regression and "
        f"gradient descent (learning rate {RATE:g}) simulated at d = {planes.SIZE} at the time where the "
        "approximation errs most; z-scores of the simulation against the exact theory and against the "
        "approximation, both with the finite-size offset of order 1/d."
    ),
    paper="pezeshki2022",
    ref="Sect. 4.2.3, Eqs. 4.2.11-4.2.16, .2.42-.2.52",
    compute=compute,
    draw=draw,
    no_residuals="each simulated spot states its z-scores",
    small=FEWEST | constants(__name__, QUICK_CELLS=3, LIMIT_CELLS=2, SPOTS=SPOTS[:1]),
)
