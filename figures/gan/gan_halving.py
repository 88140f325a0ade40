"""Our own figure: how long a point needs to come half of its way to the data, by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.gan import setting
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import Curve, draws_of, mean_and_error, standardised
from teacherstudent.house.grids import Span
from teacherstudent.problems.gan import PROBLEM

ID = "gan-halving"
DISTANCES = Span(0.25, 6, 60, "lin")
REACHED = {"relu": (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0), "fourier": (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)}
"""Distances of simulated points, by kernel: beyond 3 a Gaussian one takes too many steps."""
SIZES = (0.02, 0.01)
"""tau eta: steps of the generator on the clock tau t, extrapolated to none."""
DRAWS = 24
TIMES = 41
"""Recorded ones, between which a run is taken as a line."""
PLACE = {"symbol": "D", "long_name": "distance of the generator point from the data", "units": "input"}
HALVING = {
    "symbol": "tau t_half",
    "long_name": "training time x time to halve the distance",
    "units": "input^2/output^2",
}


def compute(quick: bool) -> Numbers:
    """By kernel: the law over distances, and simulated times at some of them."""
    found: Numbers = {}
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    for kernel, distances in REACHED.items():
        line = np.array(DISTANCES.values())
        found[f"theory_{kernel}"] = _table(line, _law(kernel, line))
        right = xr.DataArray(_law(kernel, np.array(distances)), {"distance": list(distances)}, "distance")
        runs = {size: [_simulated(kernel, each, size, seeds) for each in distances] for size in SIZES}
        large, small = (np.array([_halved(run) for run in runs[size]]).T for size in SIZES)
        # the error of a step is of the order of its size
        extrapolated = xr.DataArray(2 * small - large, {"distance": list(distances)}, ("seed", "distance"))
        mean, error = mean_and_error(extrapolated)
        drawn = _table(np.array(distances), mean.values)
        drawn["time_stderr"] = ("distance", error.values)
        z = standardised(mean - right, error, "theory")
        drawn["z"] = ("distance", z.values, z.attrs)
        found[f"simulation_{kernel}"] = drawn.assign_attrs(runs[SIZES[0]][0].attrs, n_seeds=len(seeds))
    return found


def _table(distances: np.ndarray, times: np.ndarray) -> xr.Dataset:
    return xr.Dataset({"time": ("distance", times, HALVING)}, {"distance": ("distance", distances, PLACE)})


def _law(kernel: str, distances: np.ndarray) -> np.ndarray:
    """Halving times for tau = 1, on whose product with t alone they depend."""
    from teacherstudent.theory.gan.dirac import halving_time

    asked = (PROBLEM.instance(discriminator=kernel, distance=float(each)) for each in distances)
    return np.array([halving_time(each) for each in asked])


def _simulated(kernel: str, distance: float, size: float, seeds: list[int]) -> xr.Dataset:
    """Distances at some steps, to well beyond the halving."""
    values: dict[str, Any] = {
        "discriminator": kernel,
        "distance": distance,
        "width": setting.WIDTH,
        "discriminator_time": setting.TRAINED,
        "discriminator_rate": setting.TRAINED / 2,
        "learning_rate": size / setting.TRAINED,
    }
    last = max(TIMES - 1, np.ceil(1.4 * _law(kernel, np.array([distance]))[0] / size))
    steps = np.rint(np.linspace(0, last, TIMES))
    return Curve(setting.ID, "generator", values).by("simulation", steps * values["learning_rate"], seeds)


def _halved(run: xr.Dataset) -> np.ndarray:
    """tau t at which each draw's distance first is half of its start, (S,), on the line between two times."""
    clocks, far = setting.TRAINED * run["time"].values, run["distance_of_means"].values
    half = far[:, :1] / 2
    first = np.argmax(far < half, axis=1)
    before, after = (np.take_along_axis(far, each[:, None], 1) for each in (first - 1, first))
    share = ((before - half) / (before - after))[:, 0]
    return np.where(first > 0, (1 - share) * clocks[first - 1] + share * clocks[first], np.nan)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Halving times, and their residuals beneath."""
    shown = traces(numbers, setting.LOOKS, "theory_{}", "simulation_{}")
    name = "time to halve the distance $\\tau\\, t_{1/2}$ [input$^2$/output$^2$]"
    columns.draw(
        canvas,
        [Column("distance", "time", shown, residuals={columns.THEORY: "z"}, yname=name, log="y")],
    )
    drawn = numbers[f"simulation_{[*setting.LOOKS][-1]}"]
    draws = drawn.attrs["n_seeds"]
    sizes = " and ".join(f"{size:g}" for size in SIZES)
    entries = [
        legends.theory("theory: closed form for infinite width and small steps"),
        legends.simulation(
            f"simulation: steps $\\tau\\eta$ = {sizes}, extrapolated to 0; {draws} draws ± 1 standard error"
        ),
        legends.band(["a finite width deviates from the limit"]),
    ]
    fixed = (
        "One generator point, one data point; simulated discriminators are redrawn before each step:\n"
        + style.fixed(
            drawn,
            width="units",
            bias="scale of biases",
            length_scale="length scale of waves",
            discriminator_time="training time",
        )
    )
    legends.around(canvas, list(setting.LOOKS.values()), entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="The discriminator's kernel decides how fast a distant point moves to the data",
    caption=(
        "Time in which a generator point halves its distance to the data, over that distance. Before each "
        "step a discriminator is newly drawn and trained for the time tau. The kernel of a relu network "
        "(NTK) has a slope that grows with distance: far beyond the scale of the biases the time is nearly "
        "ln 2. A Gaussian kernel is flat at large distances: the time grows as exp(D^2/2). Lines are closed "
        "forms for infinite width. Markers are simulated networks of finite width; they are omitted at "
        "distances that these networks do not halve. Below: simulation minus theory in standard errors."
    ),
    paper="franceschi2022",
    ref="The role of ReLU; experiment: ours",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        DISTANCES=Span(0.5, 6, 4, "lin"),
        REACHED={"relu": (2.0,), "fourier": (1.0,)},
        SIZES=(0.2, 0.1),
    ),
)
