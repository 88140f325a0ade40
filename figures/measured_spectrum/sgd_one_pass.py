"""One pass over fresh rows of a power law: error over examples at several learning rates."""

from __future__ import annotations

from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of
from teacherstudent.house.grids import Span

ID = "sgd-one-pass"
ERROR = "generalisation_error"
MODES = 100
LAWS: dict[str, dict[str, Any]] = {
    "rough": {"capacity": 1.5, "source": 0.2},
    "smooth": {"capacity": 1.5, "source": 0.6},
}
NOISE = 0.3
RATES = (0.003, 0.03, 0.3)
"""Of single examples: n = 1, so that this is the learning rate of a mean over the batch."""
DENSE, SPARSE = Span(1, 1e5, 150), Span(1, 3e4, 14)
SEEDS = 20
AGAINST = {"asymptotic": "exact mean"}
BELOW = {"sim. − mean\n[std. errors]": "{y}_minus_asymptotic"}
LABELS = ("examples seen $k$ [steps]", "error beyond label noise [output$^2$]")


def compute(quick: bool) -> Numbers:
    """Each law at each learning rate."""
    seeds = draws_of(ID, quick, SEEDS)
    numbers: Numbers = {}
    for name, law in LAWS.items():
        for rate in RATES:
            values = {**law, "size": MODES, "n": 1, "noise": NOISE, "batch": 1, "learning_rate": rate}
            curve = Curve("measured-spectrum", "sgd", values)
            numbers[f"exact_{name}_{rate:g}"] = curve.by("asymptotic", DENSE)
            numbers[f"simulation_{name}_{rate:g}"] = curve.simulation(SPARSE, seeds, AGAINST)
    return numbers


def beyond_noise(answer: xr.Dataset) -> xr.Dataset:
    """The error without the noise of the labels that it is measured on."""
    return answer.assign({ERROR: (answer[ERROR] - NOISE**2).assign_attrs(answer[ERROR].attrs)})


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each law: error over examples, and residuals."""
    looks, panels = style.family(RATES, "$\\eta$ = {:g}"), []
    beyond = {name: beyond_noise(answer) for name, answer in numbers.items()}
    for letter, (name, law) in zip("ab", LAWS.items(), strict=True):
        shown = traces(beyond, looks, f"exact_{name}_{{}}", f"simulation_{name}_{{}}")
        title = f"({letter}) {name} target, source $r$ = {law['source']:g}"
        panels.append(Column("time", ERROR, shown, title, BELOW, *LABELS, log="xy"))
    columns.draw(canvas, panels, shared=True)
    drawn = beyond[f"simulation_{name}_{RATES[0]:g}"]
    entries = [
        legends.theory("exact mean at this size"),
        legends.draws(drawn.attrs["n_seeds"]),
        legends.band(),
    ]
    fixed = (
        f"power law of {MODES} modes, capacity 1.5, one example a step, label noise "
        f"$\\sigma_\\epsilon$ = {NOISE:g}"
    )
    legends.around(canvas, [*looks.values()], entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="In one pass, a large learning rate learns early but stays noisy; a small one ends at a lower "
    "error",
    caption=(
        "Mean squared error on new rows, minus the variance of their label noise, over examples seen. "
        "Stochastic gradient descent uses every example once, one per step, on Gaussian rows with a "
        "power-law spectrum (lambda_k = k^-1.5, 100 modes). The target is rough in (a) and smooth in (b). A "
        "large learning rate needs fewer examples but ends on a floor, which rises with the learning rate "
        "and the label noise. A small learning rate learns later and ends at a lower error. Solid: exact "
        f"mean over draws at this size. Markers: simulation, mean of {SEEDS} draws, bars one standard "
        "error. Below: simulation minus exact mean in standard errors."
    ),
    paper="paquette2021",
    ref="one pass over a power law",
    compute=compute,
    draw=draw,
    small=FEWEST
    | constants(__name__, MODES=10, RATES=(0.03, 0.3), DENSE=Span(1, 100, 4), SPARSE=Span(1, 50, 3)),
)
