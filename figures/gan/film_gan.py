"""Our own film: points of a generator on their way to a ring of data, by two kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.gan import setting
from teacherstudent.figures.kit import films, legends, residuals, style
from teacherstudent.figures.kit.comparison import Curve, draws_of
from teacherstudent.problems.gan import PROBLEM
from teacherstudent.problems.gan.data import points

ID = "film-gan"
CLOUD: dict[str, Any] = {
    "target": "ring",
    "n": 12,
    "particles": 12,
    "distance": 2.0,
    "spread": 0.6,
    "length_scale": 0.4,
}
SIZE = 0.02
"""tau eta: a step of the generator on the clock tau t."""
LAST = 400
"""Steps."""
FRAMES, DRAWN = 101, 11
"""Times of lines, which are those of the film, and of markers with errors."""
DRAWS = 24
LABEL = "sim. − theory\n[std. errors]"
DATA = style.Look("data", style.BLACK, "x")


def compute(quick: bool) -> Numbers:
    """By kernel: the points of the first draw by theory and simulation, and distances of means over draws."""
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    rate = SIZE / setting.TRAINED
    dense, few = (np.rint(np.linspace(0, LAST, count)) * rate for count in (FRAMES, DRAWN))
    found: Numbers = {}
    for kernel in setting.LOOKS:
        curve = Curve(
            setting.ID,
            "generator",
            {
                **CLOUD,
                "discriminator": kernel,
                "width": setting.WIDTH,
                "discriminator_time": setting.TRAINED,
                "discriminator_rate": setting.TRAINED / 2,
                "learning_rate": rate,
            },
        )
        theory, simulated = (curve.by(route, dense, seeds) for route in ("steps", "simulation"))
        found[f"paths_{kernel}"] = theory[["position"]].isel(seed=0)
        found[f"points_{kernel}"] = simulated[["position"]].isel(seed=0)
        found[f"theory_{kernel}"] = theory[["distance_of_means"]].mean("seed", keep_attrs=True)
        drawn = simulated[["distance_of_means"]].sel(time=few)
        found[f"simulation_{kernel}"] = curve.compared(drawn, {"steps": "theory"})
    # the data of a ring are the same in all draws
    ring = points(PROBLEM.instance(**CLOUD), seeds[:1]).data[0]
    return {**found, "data": xr.Dataset({"place": (("point", "coordinate"), ring)})}


def film(canvas: Canvas, numbers: Numbers) -> Iterator[None]:
    """Distances of means left, above their residuals; the points right, by both kernels."""
    style.size(canvas, 5.5)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    means, below = panels = residuals.stack(canvas, grid, 0, [LABEL])
    shown = {}
    for kernel, look in setting.LOOKS.items():
        drawn, line = numbers[f"simulation_{kernel}"], numbers[f"theory_{kernel}"]
        style.theory(means, line, "time", "distance_of_means", look)
        style.simulation(means, drawn, "time", "distance_of_means", look)
        shown[look] = drawn["distance_of_means_minus_steps"]
    draws = drawn.attrs["n_seeds"]
    residuals.draw(below, shown, draws - 1)
    means.set_ylim(bottom=0)
    means.set_ylabel(style.axis_label(line["distance_of_means"], "distance of means"))
    below.set_xlabel(style.axis_label(line["time"]))
    clocks = line["time"].values, drawn["time"].values
    reveals = [reveal for panel in panels for reveal in films.unveiled(panel, *clocks)]
    reveals.append(films.clock(means, line["time"], ".1f", (0.4, 0.55)))
    stacked = grid[:, 1].subgridspec(2, 1)
    places = [canvas.add_subplot(stacked[row, 0]) for row in (0, 1)]
    for axes, kernel in zip(places, setting.LOOKS, strict=True):
        reveals += _moving(axes, kernel, numbers)
    places[0].set_xlabel("")  # it has the axis of the panel below
    places[0].tick_params(labelbottom=False)
    for axes in places:
        axes.set(xlim=_reach(numbers, 0), ylim=_reach(numbers, 1))
    fixed = style.fixed(
        numbers["simulation_relu"],
        width="units",
        n="data points on a ring",
        particles="generator points",
        bias="scale of biases",
        length_scale="length scale of waves",
        discriminator_time="training time",
        learning_rate="step",
    )
    legends.around(
        canvas,
        list(setting.LOOKS.values()),
        [
            legends.theory("theory: infinite width, same steps; right: paths of one draw"),
            legends.draws(draws),
            legends.markers("right: simulated points of that draw", size=6),
            legends.markers("right: data", DATA, 7),
            legends.band(["a finite width deviates from the limit"]),
        ],
        fixed=fixed.replace(", scale of", ",\nscale of"),
    )
    yield from films.played(reveals, line["time"].values)


def _reach(numbers: Numbers, axis: int) -> tuple[float, float]:
    """What both panels of points show of a coordinate: all places at all times, and a margin."""
    seen = [
        numbers[f"{name}_{kernel}"]["position"] for name in ("paths", "points") for kernel in setting.LOOKS
    ]
    ends = [float(end(each[..., axis])) for each in seen for end in (np.min, np.max)]
    low, high = min(-1.0, *ends), max(1.0, *ends)
    return low - 0.15, high + 0.15


def _moving(axes: Axes, kernel: str, numbers: Numbers) -> list[films.Reveal]:
    """The data, each point's path by theory, which grows, and its simulated place now."""
    look = setting.LOOKS[kernel]
    paths, points = numbers[f"paths_{kernel}"]["position"], numbers[f"points_{kernel}"]["position"]
    axes.plot(*numbers["data"]["place"].values.T, **style.marked(DATA, 7))
    for i in range(paths.sizes["particle"]):
        axes.plot(*paths.isel(particle=i).values.T[:2], color=look.colour, **{**style.THEORY, "lw": 1.1})
    reveals = films.unveiled(axes, paths["time"].values, np.empty(0))
    (now,) = axes.plot(*points.isel(time=-1).values.T[:2], **style.marked(look, 6), animated=True, zorder=4)
    name, unit = style.mathematics("x"), paths.attrs["units"]
    axes.set(aspect="equal", title=look.label, xlabel=f"first coordinate {name}$_1$ [{unit}]")
    axes.set_ylabel(f"second coordinate {name}$_2$ [{unit}]")

    def move(time: float) -> None:
        now.set_data(*points.sel(time=time).values.T[:2])

    return [*reveals, move]


FIGURE = Figure(
    id=ID,
    title="The discriminator's kernel decides whether generator points reach the data",
    caption=(
        "Points of a generator move to data on a ring. Before each step a discriminator is newly drawn and "
        "trained. Left: distance between the mean of the points and the mean of the data, averaged over "
        "draws. Lower left: simulation minus theory in standard errors. Right: paths of the points in one "
        "draw. The kernel of a relu network has a nonzero slope at every distance, so all points reach the "
        "data. The length of the Gaussian kernel is smaller than the gap, so data attract only nearby "
        "points, and distant points only repel each other."
    ),
    paper="franceschi2022",
    ref="The role of ReLU; experiment: ours",
    compute=compute,
    draw=films.still(film),
    film=film,
    small=setting.FEWEST
    | constants(__name__, CLOUD=CLOUD | {"n": 3, "particles": 3}, LAST=20, FRAMES=21, DRAWN=3),
)
