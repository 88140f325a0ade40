"""Our own: seven methods on frozen features of striped digits, over epochs, and where they end."""

from __future__ import annotations

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import Curve, draws_of, mean_and_error
from teacherstudent.problems.frozen_groups.stripes import TRAINING, UNITS

ID = "frozen-methods"
DRAWS, FEW = 8, 4
EPOCHS = (1, 2, 4, 8, 15, 30, 60, 120)
SETTING = {"learning_rate": 0.01, "batch_size": 32, "weight_decay": 0.01}
LOOKS = {
    "erm": style.Look("all examples (ERM)", style.BLACK, "o"),
    "suby": style.Look("class-balanced subset", style.SKY, "v"),
    "rwy": style.Look("class-balanced batches", style.BLUE, "^"),
    "jtt": style.Look("just train twice", "#999999", "P"),
    "subg": style.Look("group-balanced subset", style.ORANGE, "s"),
    "rwg": style.Look("group-balanced batches", style.VERMILION, "D"),
    "gdro": style.Look("group DRO", style.PURPLE, "X"),
}
ENDING = ("erm", "suby", "rwy", "subg", "rwg")
"""Methods whose loss is a mean, and so has one minimum."""
SHOWN = {"worst_group_accuracy": "Worst group", "test_accuracy": "All test examples"}


def compute(quick: bool) -> Numbers:
    """Every method over epochs, draw by draw, and the minima of mean losses."""
    seeds = draws_of(ID, quick, DRAWS, FEW)
    found: Numbers = {}
    for method in LOOKS:
        asked = Curve("frozen-groups", "descent", {**SETTING, "method": method})
        found[f"simulation_{method}"] = asked.by("simulation", EPOCHS, seeds)
        if method in ENDING:
            found[f"optimum_{method}"] = asked.by("optimum", EPOCHS[-1:], seeds)
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Accuracies of the worst group and of all rows; at the right edge the minima."""
    style.size(canvas, 3.4)
    some = numbers[f"simulation_{next(iter(LOOKS))}"]
    for axes, (name, words) in zip(canvas.subplots(1, len(SHOWN)), SHOWN.items(), strict=True):
        for method, look in LOOKS.items():
            over_epochs(axes, numbers[f"simulation_{method}"][name], look)
            if f"optimum_{method}" in numbers:
                end, _ = mean_and_error(numbers[f"optimum_{method}"][name])
                axes.axhline(float(end[0]), xmin=0.85, color=look.colour, **style.APPROXIMATION)
        axes.set(xscale="log", title=words, xlim=(0.9, 300))
        style.ticks(axes.xaxis, [1, 10, 100])
        axes.set_xlabel(style.axis_label(some["time"]))
        axes.set_ylabel(style.axis_label(some[name]))
    entries = [
        legends.simulation(f"simulation: mean of {some.sizes['seed']} draws ± 1 standard error"),
        legends.approximation("approximation: minimum of the method's mean loss, the end of training"),
    ]
    fixed = style.fixed(
        some, None, learning_rate="learning rate", batch_size="batch", weight_decay="weight decay"
    )
    legends.around(canvas, list(LOOKS.values()), entries, fixed=fixed)


def over_epochs(axes: Axes, values: xr.DataArray, look: style.Look) -> None:
    """Means over draws with their standard errors, joined."""
    mean, error = mean_and_error(values)
    axes.plot(mean["time"], mean, color=look.colour, **style.JOINED)
    axes.errorbar(mean["time"], mean, yerr=error, **style.marked(look), **style.BARS)


FIGURE = Figure(
    id=ID,
    title="Balancing groups helps the worst group more than balancing classes",
    caption=(
        f"A last layer is trained on {UNITS} frozen random features of scikit-learn's digits under stripes. "
        f"The groups have {', '.join(str(count) for row in TRAINING for count in row)} training examples. "
        "Markers show the test accuracy over epochs, for the worst group (left) and for all test examples "
        "(right). Dashed lines at the right edge show the minimum of the loss with this weight decay, for "
        "methods whose loss is a mean. Gradient descent with this step size stays near that minimum. "
        "Methods that balance groups reach a higher worst-group accuracy than methods that balance "
        "classes. Draws "
        f"differ only in their batches and subsets. Means of {DRAWS} draws ({FEW} in the quick version)."
    ),
    paper="pezeshki2022",
    ref="Ch. 8 Fig. 2, Table 2",
    compute=compute,
    draw=draw,
    no_residuals="the theory describes the end of training, and the epochs shown are earlier",
    small=constants(__name__, FEW=2, EPOCHS=(1, 2), LOOKS={name: LOOKS[name] for name in ("erm", "gdro")}),
)
