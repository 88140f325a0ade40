"""Our own map: where four approximations err by more than 1, 3 and 10 per cent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Figure
from teacherstudent.figures.kit import maps
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

ID = "map-validity"
KAPPAS, ALPHAS = Span(1.0, 100.0, 25), Span(0.3, 3.0, 25)
QUICK_CELLS = 11
"""A side of a plane, in the quick version."""
LEVELS = (0.01, 0.03, 0.1)
TIMES = Span(0.3, 1e6, 48)
STEPS = Span(1, 1e6, 48)
SIZE = 100
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
    """The limit, and the exact average over draws of d = 100."""
    sizes = maps.setting(SIZE, setting["n"] / setting["d"]) | {"kappa": setting["kappa"]}
    return excess("flow", "asymptotic", TIMES, setting), excess("flow", "instance", TIMES, sizes, seeds=seeds)


@dataclass(frozen=True)
class Approximation:
    """What is approximated by what; `pair` gives both curves for one cell."""

    name: str
    title: str
    pair: Callable[..., tuple[np.ndarray, np.ndarray]]


APPROXIMATIONS = (
    Approximation("printed", "printed replica for exact ridge", replica),
    Approximation("proxy", "ridge 1/s for gradient flow", ridge_as_time),
    Approximation("flow", "flow for descent at the automatic rate", flow_as_descent),
    Approximation("limit", f"large size for d = {SIZE}", large_size),
)

ERROR = {"units": "untrained risk", "symbol": "e", "long_name": "largest error over time"}


def compute(quick: bool) -> dict[str, xr.Dataset]:
    """The largest error over time in each cell, and simulated curves at the spots."""
    seeds = draws_of(ID, quick)
    numbers = {each.name: _errors(each, quick, seeds) for each in APPROXIMATIONS}
    return {**numbers, "spots": _spots(seeds)}


def _errors(approximation: Approximation, quick: bool, seeds: Sequence[int]) -> xr.Dataset:
    import numpy as np
    import xarray as xr

    drawn = approximation.name == "limit"
    cells = LIMIT_CELLS if drawn else QUICK_CELLS if quick else KAPPAS.count
    kappas, alphas = (np.array(Span(each.low, each.high, cells).values()) for each in (KAPPAS, ALPHAS))
    more = {"seeds": seeds[:LIMIT_DRAWS]} if drawn else {}

    def error(kappa: float, alpha: float) -> float:
        approximate, exact = approximation.pair(
            {**maps.setting(maps.THEORY_SIZE, alpha), "kappa": kappa}, **more
        )
        return float(np.max(np.abs(approximate - exact)) / 0.5)

    values = [[error(kappa, alpha) for alpha in alphas] for kappa in kappas]
    attrs = {"draws": LIMIT_DRAWS} if drawn else {}
    return xr.Dataset(
        {"error": (("kappa", "alpha"), values, ERROR)}, {"kappa": kappas, "alpha": alphas}, attrs
    )


def _spots(seeds: Sequence[int]) -> xr.Dataset:
    """Ridge regression and descent simulated where each first approximation errs most in time.

    z: the exact theory against the simulation; z_printed, z_flow: the approximations.
    """
    import numpy as np
    import xarray as xr

    rows = []
    for kappa, alpha in SPOTS:
        setting = {**maps.setting(SIZE, alpha), "kappa": kappa}
        printed, exact = replica(setting)
        worst = int(np.argmax(np.abs(printed - exact)))
        time = [TIMES.values()[worst]]
        drawn = _drawn("ridge", time, setting, seeds)
        rows.append({
            "kappa": kappa, "alpha": alpha, "z": (drawn[0] - exact[worst]) / drawn[1],
            "z_approximate": (drawn[0] - printed[worst]) / drawn[1], "approximation": "printed",
        })  # fmt: skip
        proxy, flow = ridge_as_time(setting)
        worst = int(np.argmax(np.abs(proxy - flow)))
        step = [float(np.rint(TIMES.values()[worst] / RATE))]
        drawn = _drawn("descent", step, setting, seeds, learning_rate=RATE)
        stepped = excess("descent", "asymptotic", step, setting, learning_rate=RATE)[0]
        rows.append({
            "kappa": kappa, "alpha": alpha, "z": (drawn[0] - stepped) / drawn[1],
            "z_approximate": (drawn[0] - proxy[worst]) / drawn[1], "approximation": "proxy",
        })  # fmt: skip
    columns = {name: ("spot", [row[name] for row in rows]) for name in rows[0]}
    return xr.Dataset(columns, attrs={"n_seeds": len(seeds), "first_seed": seeds[0], "d": SIZE})


RATE = 0.02
"""Learning rate of simulated spots, small enough for flow."""


def _drawn(
    dynamics: str, times: Any, setting: Setting, seeds: Sequence[int], **more: Any
) -> tuple[float, float]:
    """Mean and standard error of the simulated excess risk at one time."""
    import numpy as np

    from teacherstudent.house.running import run

    values = run("multiscale", dynamics, "simulation", times, seeds=seeds, **setting, **more)[
        "excess_risk"
    ].values
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(seeds)))


def draw(canvas: Canvas, numbers: Mapping[str, xr.Dataset]) -> None:
    """One plane an approximation."""
    canvas.set_size_inches((12.5, 10))
    canvas.set_layout_engine("constrained")
    for axes, each in zip(canvas.subplots(2, 2).flat, APPROXIMATIONS, strict=True):
        shown = _plane(axes, numbers[each.name]["error"])
        axes.set_title(each.title)
        spots = numbers["spots"]
        _mark(axes, spots.isel(spot=spots["approximation"] == each.name))
    canvas.colorbar(shown, ax=canvas.axes, label="largest error over time [share of the untrained risk]")


def _plane(axes: Axes, error: xr.DataArray) -> Any:
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, LogNorm

    pale = ListedColormap(colormaps["Blues"](np.linspace(0, 0.6, 256)))  # black lines stay in sight
    values = error.transpose("alpha", "kappa").clip(min=1e-4)
    shown = axes.pcolormesh(
        error["kappa"], error["alpha"], values, shading="nearest", cmap=pale, norm=LogNorm(1e-3, 0.5)
    )
    lines = axes.contour(
        error["kappa"], error["alpha"], values, levels=LEVELS, colors="black", linewidths=(1, 1.5, 2)
    )
    axes.clabel(lines, fmt={level: f"{level:.0%}" for level in LEVELS}, fontsize="small")
    axes.set(xscale="log", yscale="log", xlabel="condition number $\\kappa$ [dimensionless]")
    axes.set_ylabel("samples per dimension $\\alpha = n/d$ [dimensionless]")
    return shown


def _mark(axes: Axes, spots: xr.Dataset) -> None:
    for i in range(spots.sizes["spot"]):
        at = spots.isel(spot=i)
        place = (float(at["kappa"]), float(at["alpha"]))
        axes.plot(*place, ls="none", marker="o", ms=7, mfc="white", mec="black", mew=1.3)
        axes.annotate(
            f"exact: z = {float(at['z']):+.1f}\napproximate: z = {float(at['z_approximate']):+.1f}", place,
            xytext=(8 if place[0] < 10 else -8, -4), textcoords="offset points", fontsize="x-small",
            ha="left" if place[0] < 10 else "right",
            bbox={"fc": "white", "ec": "none", "alpha": 0.85, "pad": 0.8},
        )  # fmt: skip


FIGURE = Figure(
    id=ID,
    title="Where each approximation holds",
    caption=(
        "Largest error of the excess risk over time, as a share of the untrained risk 1/2, at p/d = "
        f"{maps.FAST_SHARE:g} without noise or ridge; lines at 1, 3 and 10 %. The printed replica "
        "formulas against exact ridge regression; ridge 1/s against gradient flow; flow at s = eta k "
        f"against descent at the automatic rate; the limit against the average of {LIMIT_DRAWS} drawn X "
        f"at d = {SIZE}, which adds the fluctuation of that average. Circles: ridge regression and "
        f"gradient descent (learning rate {RATE:g}) simulated at d = {SIZE} at the time where the "
        "approximation errs most; z-scores of the simulation against the exact theory and against the "
        "approximation, both with the finite-size offset of order 1/d."
    ),
    paper="pezeshki2022",
    ref="Sect. 4.2.3, Eqs. 4.2.11-4.2.16, .2.42-.2.52",
    compute=compute,
    draw=draw,
)
