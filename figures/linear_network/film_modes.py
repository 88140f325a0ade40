"""Our own film: the modes of a linear network switch on one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers
from teacherstudent.figures.kit import columns, films, legends, residuals, style
from teacherstudent.figures.kit.comparison import DRAWS, QUICK_DRAWS, draws_of
from teacherstudent.figures.linear_network.ch2_fig3 import (
    DENSE,
    HIDDEN,
    INIT,
    NOT_SHOWN,
    SMALL,
    SMALL_RATE,
    VALUES,
    looks,
    random,
    random_modes,
)
from teacherstudent.problems.linear_network import PROBLEM
from teacherstudent.problems.linear_network import draw as sample

ID = "film-modes"
SHAPE = {"inputs": 8, "outputs": 8}
"""More units than modes, so that a map can be seen to be a sum of patterns."""
EVERY = 4
"""Times of theory from one frame to the next."""


def compute(quick: bool) -> Numbers:
    """Strengths by both witnesses over draws, and the whole map of the first draw's network."""
    seeds = draws_of(ID, quick)
    return {**random(seeds, **SHAPE), **maps(seeds[0])}


def maps(seed: int) -> Numbers:
    """The map of one simulated network from inputs to outputs, frame by frame, and its target."""
    from teacherstudent.sims.linear_network.descent import map_trajectory

    problem = PROBLEM.instance(singular_values=VALUES, init=INIT, hidden=HIDDEN, **SHAPE)
    draws = sample(problem, [seed])
    steps = np.rint(np.array(DENSE.values()[::EVERY]) / SMALL_RATE)
    (network,) = map_trajectory(draws, steps, SMALL_RATE)
    target = (draws.left * np.array(VALUES)) @ draws.right.swapaxes(-1, -2)  # Y X^T, after Eq. 2.2.8
    attrs = {"units": "output", "symbol": "W", "long_name": "weight from input to output"}
    axes = ("output", "input")
    return {
        "maps": xr.Dataset({"network": (("time", *axes), network, attrs)}, {"time": steps * SMALL_RATE}),
        "target": xr.Dataset({"target": (axes, target[0], attrs)}),
    }


def film(canvas: Canvas, numbers: Numbers) -> Iterator[None]:
    """Strengths left, above their residuals; right the map that grows, and its target."""
    style.size(canvas, 3.2)
    grid = canvas.add_gridspec(2, 3, height_ratios=residuals.heights(1), width_ratios=[1.9, 1, 1])
    ((strengths, _),) = (panels,) = columns.draw_on(canvas, grid, [random_modes(numbers)])
    exact, simulated = numbers["theory_random"], numbers["simulation_random"]
    strengths.set(ylim=(-0.15, 1.08 * VALUES[0]))
    clocks = exact["time"].values, simulated["time"].values
    reveals = [reveal for panel in panels for reveal in films.unveiled(panel, *clocks)]
    reveals.append(films.clock(strengths, simulated["time"], ".2f", (0.36, 0.72)))
    reveals.append(draw_maps(canvas, [canvas.add_subplot(grid[:, column]) for column in (1, 2)], numbers))
    entries = [
        legends.theory("theory: exact as $\\eta, \\sigma_0 \\to 0$"),
        legends.draws(simulated.attrs["n_seeds"]),
        legends.band(),
    ]
    inputs, outputs = SHAPE.values()
    fixed = (
        f"Two layers: {inputs} white inputs, {HIDDEN} hidden units, {outputs} outputs; "
        f"learning rate $\\eta$ = {SMALL_RATE:g}"
    )
    legends.around(canvas, looks(), entries, fixed=fixed, notes=NOT_SHOWN)
    yield from films.played(reveals, numbers["maps"]["time"].values)


def draw_maps(canvas: Canvas, panels: list[Axes], numbers: Numbers) -> films.Reveal:
    """The simulated map, which moves, beside the target; on one scale, white where there is nothing."""
    maps, target = numbers["maps"], numbers["target"]["target"]
    strongest = float(abs(target).max())
    shades = {"cmap": "PuOr", "vmin": -strongest, "vmax": strongest}
    images = [
        axes.imshow(values, **shades)
        for axes, values in zip(panels, (maps["network"][-1], target), strict=True)
    ]
    for axes, title in zip(panels, ("network's map", "target map"), strict=True):
        axes.set(title=title, xticks=[], yticks=[], xlabel="input unit", ylabel="output unit", frame_on=False)
    canvas.colorbar(images[1], ax=panels, aspect=30, shrink=0.62, label=style.axis_label(target))
    images[0].set_animated(True)
    return lambda now: images[0].set_data(maps["network"].sel(time=now))


FIGURE = Figure(
    id=ID,
    title="A linear network learns its modes one after another, the strongest first",
    caption=(
        f"Gradient descent on two-layer linear networks with {SHAPE['inputs']} white inputs, {HIDDEN} hidden "
        f"and {SHAPE['outputs']} output units. The singular values are "
        f"{', '.join(f'{s:g}' for s in VALUES)}. All weights start random with standard deviation {INIT:g}; "
        f"the learning rate is {SMALL_RATE:g}. Left: strength of each mode over time. Each mode stays near "
        "0, then grows within a time of about 1/s, the strongest first. Line: mean over many draws of the "
        f"solution that starts from the growing part of each draw's weights. Markers: mean of {DRAWS} "
        f"simulated networks ({QUICK_DRAWS} in the quick version), bars one standard error. Below: "
        "simulation minus theory in standard errors. Residuals are omitted where the standard error is so "
        "small that the finite scale of the weights, which theory takes to 0, would show. Right: the map "
        "from inputs to outputs of the first network, and the target map that fits the data. The network's "
        "map is nearly zero at first and gains one pattern (a pair of singular vectors) at a time."
    ),
    paper="pezeshki2022",
    ref="Ch. 2 Fig. 3",
    compute=compute,
    draw=films.still(film),
    film=film,
    small=SMALL,
)
