"""What the figures of the two moons share: training by a recipe, and drawing the decision surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, constants
from teacherstudent.figures.kit import legends, maps, style

GAP = 0.1
"""Half of the published gap between the classes, Delta."""
EXAMPLES, WIDTH = 300, 500
"""Training examples and hidden units, as published."""
SMALL = constants(__name__, EXAMPLES=30, WIDTH=40)
STRONG = 3
"""Features that are linear in the input: two slopes and a constant. They are the strongest ones."""
THINNED = 2
"""Every such grid line of a surface is kept: 0.04 apart, far below what a picture shows."""

ATTRIBUTES = {
    "probability": ("P", "1", "probability of class 1"),
    "logit": ("yhat", "logit", "output of one seed's network"),
    "margin": ("r", "input", "smallest margin"),
    "bend": ("b", "input", "bend of the boundary"),
    "strong": ("z_strong", "margin", "root mean square part of the margins in strong features"),
    "weak": ("z_weak", "margin", "root mean square part of the margins in other features"),
    "x0": ("x_0", "input", "across the gap"),
    "x1": ("x_1", "input", "along the gap"),
    "step": ("k", "step", "step of training"),
}


def trained(recipe: str, gap: float, steps: Sequence[int], seeds: Sequence[int]) -> xr.Dataset:
    """Networks of one recipe, a seed each: their surfaces after the last step, margins, responses.

    The probability is the mean over seeds of sigma(yhat). Examples are those of the first seed.
    """
    from teacherstudent.sims.starvation.experiment import GRID, RECIPES, two_moons_outcome

    found = two_moons_outcome(
        RECIPES[recipe], gap=gap, steps=steps, seeds=seeds, examples=EXAMPLES, width=WIDTH
    )
    grid, surfaces = GRID[::THINNED], found.surfaces[:, ::THINNED, ::THINNED]

    def carried(responses: np.ndarray) -> np.ndarray:
        return np.sqrt(np.sum(responses**2, axis=-1) / EXAMPLES)

    columns = {
        "probability": (("x1", "x0"), np.mean((1 + np.tanh(surfaces / 2)) / 2, axis=0)),
        "logit": (("seed", "x1", "x0"), surfaces.astype(np.float32)),
        "margin": ("seed", found.margin),
        "bend": ("seed", found.bend),
        "strong": (("seed", "step"), carried(found.responses[..., :STRONG])),
        "weak": (("seed", "step"), carried(found.responses[..., STRONG:])),
        "examples": (("example", "axis"), found.inputs[0]),
        "labels": ("example", found.labels[0]),
    }
    answer = xr.Dataset(
        columns,
        {"x0": grid, "x1": grid, "seed": list(seeds), "step": list(steps)},
        {"recipe": recipe, "gap": gap, "width": WIDTH, "n_seeds": len(seeds), "first_seed": seeds[0]},
    )
    for name, (symbol, unit, meaning) in ATTRIBUTES.items():
        answer[name].attrs.update(symbol=symbol, units=unit, long_name=meaning)
    return answer


def spread(values: xr.DataArray) -> str:
    """Mean over seeds, and the smallest and the largest."""
    return f"{float(values.mean()):.3f} ({float(values.min()):.3f} to {float(values.max()):.3f})"


def draw_surface(axes: Axes, answer: xr.Dataset, title: str) -> Any:
    """Mean probability as shade; mean boundary, each seed's boundary, one seed's examples.

    Returns what a colour bar needs.
    """
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("classes", ("#f5cf7f", "white", "#7fb8d8"))
    shown = maps.field(axes, answer["probability"], "x0", "x1", cmap=colours, vmin=0, vmax=1)
    for logit in answer["logit"]:
        axes.contour(answer["x0"], answer["x1"], logit, [0.0], **_contour(ONE))
    axes.contour(answer["x0"], answer["x1"], answer["probability"], [0.5], **_contour(MEAN))
    for label, look in CLASSES.items():
        own = answer["examples"][answer["labels"] == label]
        axes.plot(own[:, 0], own[:, 1], **points(look))
    axes.set(aspect="equal", xlim=(-1.6, 1.6), ylim=(-1.8, 1.8))
    axes.set_title(title)
    axes.set_xlabel(style.axis_label(answer["x0"]))
    axes.set_ylabel(style.axis_label(answer["x1"]))
    return shown


CLASSES = {-1.0: style.Look("class −1", style.ORANGE, "o"), 1.0: style.Look("class 1", style.BLUE, "s")}


def points(look: style.Look) -> dict[str, Any]:
    """How the examples of a class are drawn."""
    return {"ls": "none", "marker": look.marker, "ms": 3, "mfc": look.colour, "mec": "black", "mew": 0.3}


MEAN, ONE = {"color": "black", "lw": 2.2}, {"color": "0.35", "lw": 0.6}
"""Boundaries: of the mean probability, and of each seed."""


def _contour(line: Mapping[str, Any]) -> dict[str, Any]:
    return {"colors": line["color"], "linewidths": line["lw"]}


def entries() -> list[legends.Entry]:
    """What stands on a surface."""
    examples = {f"examples of {look.label}": points(look) | {"ms": 5} for look in CLASSES.values()}
    lines = {"boundary of the mean probability": MEAN, "boundary of each seed": ONE}
    return [legends.Entry(label, drawn) for label, drawn in (examples | lines).items()]


def colour_bar(canvas: Canvas, shown: Any, axes: Any, probability: xr.DataArray, **where: Any) -> None:
    """Of the mean probabilities in these panels."""
    label = style.axis_label(probability, "mean probability of class 1,")
    canvas.colorbar(shown, ax=axes, label=label, aspect=40, **where)


def fixed(seeds: int, steps: str) -> str:
    """What all panels share, and what both metrics are."""
    return (
        f"{EXAMPLES} examples, one hidden layer of {WIDTH} rectified units, {steps}; {seeds} seeds\n"
        "margin: smallest distance of an example to the boundary; bend: standard deviation of the boundary's "
        "$x_0$ over $|x_1| \\leq 1$"
    )


METRICS = (
    "The margin is the smallest distance of a training example to its network's boundary, negative if an "
    "example is on the wrong side. The bend is the standard deviation of the boundary's x0 over |x1| <= 1. "
    "Margin and bend are in units of the input, as mean over seeds (smallest to largest)."
)
