"""Table 2 and Fig. 3 of pezeshki2022 ch. 6 in small: what raises the accuracy on reversed colours."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error
from teacherstudent.paper_checks.kept import kept
from teacherstudent.problems.colored_digits import (
    CORNERS,
    FLIPS,
    NOISE,
    RATE,
    RECORDED,
    SCALE,
    SIZES,
    SWITCH,
    TEST_FLIP,
    TRAINING,
)

ID = "colored-digits"
DRAWS, FEW = 4, 3
CHECK = "gs-colored-digits"
"""Whose first draws are shown: they are trained once."""
STEPS = RECORDED
SCALED = f"{SCALE:g}".replace("e-0", "e-")
LOOKS = {
    "no switch": style.Look("mean logistic loss (ERM)", style.BLACK, "o"),
    "script": style.Look(f"published script: both scaled by {SCALED}", style.BLUE, "s"),
    "penalty alone, scaled": style.Look("penalty alone, scaled", style.SKY, "^"),
    "likelihood alone, scaled": style.Look("loss alone, scaled", style.GREEN, "v"),
    "Eq. 6.3.17": style.Look("loss and penalty, Eq. 6.3.17", style.ORANGE, "D"),
    "Eq. 6.3.17, Adam afresh": style.Look("as printed, Adam restarted", style.VERMILION, "P"),
    "Eq. 6.3.17, descent": style.Look("as printed, gradient descent", style.PURPLE, "X"),
}
SHOWN = ("no switch", "script", "Eq. 6.3.17")
"""Of which the four corners are drawn."""
STEP = {"units": "steps", "symbol": "k", "long_name": "step"}
ACCURACY = {"units": "1", "symbol": "A", "long_name": "test accuracy, labels with 25 % noise"}
ENTROPY = {"units": "nat", "symbol": "H", "long_name": "entropy of the prediction"}


def compute(quick: bool) -> Numbers:
    """Accuracies and entropies by variant, corner, step and draw."""
    from teacherstudent.sims.starvation.colored_digits import recorded

    seeds = draws_of(CHECK, quick, DRAWS, FEW)
    runs = [kept(recorded, seed=seed, variants=list(LOOKS), steps=STEPS) for seed in seeds]
    dims = ("variant", "seed", "time", "corner")

    def all_of(part: str) -> np.ndarray:
        return np.stack([each[part] for each in runs], axis=1)

    columns = {
        "accuracy": (dims, all_of("corners"), ACCURACY),
        "entropy": (dims, all_of("entropies"), ENTROPY),
        "training": (dims[:-1], all_of("training"), {**ACCURACY, "long_name": "training accuracy"}),
    }
    axes = {
        "variant": list(LOOKS),
        "seed": list(seeds),
        "time": ("time", list(STEPS), STEP),
        "corner": list(CORNERS),
    }
    return {"networks": xr.Dataset(columns, axes)}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Accuracy on coloured test digits over steps; below, the four corners of three networks."""
    style.size(canvas, 5.7)
    answer = numbers["networks"]
    whole = canvas.add_gridspec(2, 1, height_ratios=[1, 1])
    axes = canvas.add_subplot(whole[0])
    mean, error = mean_and_error(answer["accuracy"].isel(corner=0))
    for name, look in LOOKS.items():
        at, spread = mean.sel(variant=name), error.sel(variant=name)
        axes.plot(at["time"], at, color=look.colour, **style.JOINED)
        axes.errorbar(at["time"], at, yerr=spread, **style.marked(look), **style.BARS)
    for height, shift, words in (
        (1 - NOISE, 0.01, "best accuracy by shape"),
        (1 - TEST_FLIP, -0.05, "accuracy by colour"),
    ):
        axes.axhline(height, color="0.4", lw=0.9, ls=(0, (1, 2)))
        axes.text(0.99, height + shift, words, ha="right", transform=axes.get_yaxis_transform())
    axes.axvline(SWITCH, color="0.4", lw=0.9)
    axes.text(SWITCH - 2, 0.6, "the loss changes", ha="right")
    axes.set(ylim=(0, 0.9), title="Digits whose colours mislead in the test")
    axes.set_xlabel(style.axis_label(answer["time"]))
    axes.set_ylabel(style.axis_label(answer["accuracy"]))
    grid = whole[1].subgridspec(1, len(SHOWN))
    for place, name in enumerate(SHOWN):
        corners(canvas.add_subplot(grid[place]), answer.sel(variant=name), LOOKS[name].label)
    entries = [legends.simulation(f"mean of {answer.sizes['seed']} draws ± 1 standard error")]
    fixed = (
        f"{TRAINING} digits in two colours; units of the layers {', '.join(map(str, SIZES))}; "
        f"Adam, learning rate {RATE:g}"
    )
    notes = "Below: test accuracy at the last step by corner, and the mean entropy of the prediction."
    legends.around(canvas, list(LOOKS.values()), entries, fixed=fixed, notes=notes)


def corners(axes: Axes, answer: xr.Dataset, title: str) -> None:
    """The accuracy of each corner as a shade, with its entropy."""
    last = answer.isel(time=-1)
    mean, error = mean_and_error(last["accuracy"])
    entropy = last["entropy"].mean("seed")
    order = [[1, 0], [3, 2]]  # gray and coloured digits above gray and coloured blanks
    axes.imshow(
        [[float(mean[i]) for i in row] for row in order], cmap="cividis", vmin=0, vmax=1, aspect="auto"
    )
    for y, row in enumerate(order):
        for x, i in enumerate(row):
            words = f"{float(mean[i]):.2f} ± {float(error[i]):.2f}\nentropy\n{float(entropy[i]):.2f} nat"
            shade = "white" if float(mean[i]) < 0.5 else "black"
            axes.text(x, y, words, ha="center", va="center", color=shade)
    axes.set_xticks([0, 1], ["gray", "coloured"])
    axes.set_yticks([0, 1], ["digit", "blank"])
    axes.set_xlabel("colour of the test images")
    axes.set_ylabel("shape of the test images")
    axes.set_title(title.partition(":")[0])


FIGURE = Figure(
    id=ID,
    title="On coloured digits, spectral decoupling gains only because the script scales its loss",
    caption=(
        "Networks are trained by the protocol of the published script on scikit-learn's digits. Labels say "
        f"whether a digit is 5 or more, flipped with probability {NOISE:g}. Colours equal the label, flipped "
        f"with probability {FLIPS[0]:g} or {FLIPS[1]:g} in training and {TEST_FLIP:g} in the test. Above: "
        f"test accuracy over steps; the loss changes at step {SWITCH}. The script multiplies the whole loss "
        f"by {SCALED}, so Adam's old second moments make its steps small. Strong directions then shrink for "
        "some time, and the accuracy exceeds that of the printed loss, Eq. 6.3.17. With the printed loss, "
        "every optimiser ends at a network that follows the colour (check gs-colour-optimum). If only the "
        "penalty is scaled, the gain is the same; if only the loss is scaled, there is no gain. Below: the "
        "four corners of ch. 6, Fig. 3; blanks have one shade, as published. The networks of ERM and of the "
        "script follow the colour of blanks in most draws, ERM's most clearly. Without colour the script's "
        "network classifies digits no better than the network it started from, so it learns no shape. Means "
        f"of {DRAWS} draws ({FEW} in the quick version), bars one standard error. The article's task has "
        "50,000 images and switches at step 450."
    ),
    paper="pezeshki2022",
    ref="Ch. 6 Table 2, Fig. 3",
    compute=compute,
    draw=draw,
    no_residuals="simulation only: no theory gives these accuracies; dotted: the best accuracy from colour "
    "or shape alone",
    small=constants(
        __name__, FEW=2, STEPS=(2, SWITCH, SWITCH + 2), LOOKS={name: LOOKS[name] for name in SHOWN}
    ),
)
