"""Fig. 1 of pezeshki2022 ch. 8: what three ways to treat a minority make a linear classifier rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, maps, style
from teacherstudent.figures.kit.comparison import draws_of

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

ID = "ch8-fig1"
SEEDS, QUICK_SEEDS = 8, 3
EPOCHS = (*range(1, 21), 24, 28, 33, 39, 46, 54, 64, 76, 90, 107, 126, 150, 178, 211, 250, 297, 352, 420, 500)
"""Recorded epochs; the last is the published one."""
TEST_EXAMPLES = 2000
SETTING: dict[str, Any] = {}
"""The problem of the paper's code: all defaults."""
METHODS = {
    "erm": "ERM: all examples alike",
    "subg": "SUBG: groups cut to the smallest",
    "rwg": "RWG: groups resampled to balance",
}
CURVES = {
    "training": style.Look("training examples", style.GREEN, "^"),
    "zero": style.Look("tests without noise features, as published", style.BLACK, "o"),
    "fresh": style.Look("tests with fresh noise features", style.ORANGE, "s"),
}
NOISES = ("zero", "fresh")
"""Tests of which theory knows the end."""
ACCURACY = {"units": "1", "symbol": "A_w"}
FEATURES = {"spurious": "gamma_s x_s", "core": "gamma_c x_c"}


def compute(quick: bool) -> Numbers:
    """One data set of accuracies and of a surface for each method, and the limits by theory."""
    ends = {f"limit_{method}_{noise}": limit(method, noise) for method in METHODS for noise in NOISES}
    return {**{method: trained(method, quick) for method in METHODS}, **ends}


def limit(method: str, test_noise: str) -> xr.Dataset:
    """Where theory says that training without weight decay ends."""
    from teacherstudent.house.running import run

    question = {"method": method, "test_noise": test_noise, **SETTING}
    return run("spurious-groups", "descent", "max-margin", (EPOCHS[0], EPOCHS[-1]), **question)


def trained(method: str, quick: bool) -> xr.Dataset:
    """Smallest accuracies of the groups over seeds and epochs, and the mean surface at the best epochs."""
    import numpy as np
    import xarray as xr

    from teacherstudent.house.running import summarise
    from teacherstudent.problems.spurious_groups import PROBLEM
    from teacherstudent.sims.spurious_groups.batches import Rule
    from teacherstudent.sims.spurious_groups.surfaces import GRID, outcome

    problem = PROBLEM.instance(method=method, **SETTING)
    found = outcome(
        problem,
        np.array(EPOCHS),
        Rule(learning_rate=1e-5, momentum=0.9, weight_decay=0.0, group_rate=0.1),
        250,
        test_examples=TEST_EXAMPLES,
        seeds=draws_of(ID, quick, SEEDS, QUICK_SEEDS),
        validation=draws_of(ID, quick, SEEDS, QUICK_SEEDS, "validation"),
    )
    accuracies = {
        name: (("seed", "epoch"), getattr(found, name), ACCURACY | {"long_name": look.label})
        for name, look in CURVES.items()
    }
    epoch = {"units": "epochs", "symbol": "k", "long_name": "epoch"}
    answer = summarise(xr.Dataset(accuracies, {"epoch": ("epoch", list(EPOCHS), epoch)}))
    scales = {"spurious": problem.gamma_spurious, "core": problem.gamma_core}
    coordinates = {
        name: (name, scale * GRID, {"units": "1", "symbol": FEATURES[name], "long_name": f"{name} feature"})
        for name, scale in scales.items()
    }
    mean = 1 / (1 + np.exp(-found.surfaces.mean(axis=0)))
    meaning = {"units": "1", "symbol": "P", "long_name": "probability of class 1 at the mean logit"}
    surface = xr.DataArray(mean, coordinates, ("core", "spurious"), attrs=meaning)
    best = xr.DataArray(np.array(EPOCHS)[found.best], dims="seed", attrs=epoch)
    return answer.assign(probability=surface, best=best).assign_attrs(**scales)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Surfaces above, accuracies below."""
    style.size(canvas, 14.5, 9.4)
    axes = canvas.subplots(2, len(METHODS), height_ratios=(1.5, 1))
    for column, (method, title) in enumerate(METHODS.items()):
        first, last = (f(numbers[method]["best"]) for f in (min, max))
        epochs = f"epoch {int(first)}" + (f" to {int(last)}" if last > first else "")
        axes[0, column].set_title(f"{title}\nbest on validation data: {epochs}", fontsize="medium")
        draw_surface(canvas, axes[0, column], numbers[method])
        for noise in NOISES:
            end = numbers[f"limit_{method}_{noise}"]
            style.theory(axes[1, column], end, "time", "worst_group_accuracy", CURVES[noise], zorder=1)
        draw_accuracies(axes[1, column], numbers[method])
        axes[1, column].tick_params(labelleft=column == 0)
    axes[1, 0].set_ylabel("worst-group accuracy $A_w$ [dimensionless]")
    entries = [legends.simulation(look.label, look, **style.JOINED) for look in CURVES.values()]
    entries.append(legends.theory("theory: direction of largest margin, $n, d \\to \\infty$"))
    legends.draw(canvas, entries, columns=4)


def draw_surface(canvas: Canvas, axes: Axes, answer: xr.Dataset) -> None:
    """Shades between the two classes, as wide as this student's plane needs; the four groups named."""
    from matplotlib.colors import LinearSegmentedColormap

    probability = answer["probability"]
    colours = LinearSegmentedColormap.from_list("classes", (style.ORANGE, "white", style.BLUE))
    reach = 1.25 * float(abs(probability[[0, 0, -1, -1], [0, -1, 0, -1]] - 0.5).max())
    shades = {"cmap": colours, "vmin": 0.5 - reach, "vmax": 0.5 + reach}
    shown = maps.field(axes, probability, "spurious", "core", **shades)
    canvas.colorbar(shown, ax=axes, extend="both", format="%.3f", label=style.axis_label(probability))
    axes.contour(
        probability["spurious"], probability["core"], probability, [0.5], colors="black", linewidths=1.0
    )
    for attribute in (-1, 1):
        for label in (-1, 1):
            group = "majority" if attribute == label else "minority"
            place = attribute * answer.attrs["spurious"], 1.75 * label * answer.attrs["core"]
            words = f"class {label}, {group}".replace("-", "−")
            axes.text(*place, words, ha="center", va="center", bbox=maps.PALE)
    axes.set(xlabel=style.axis_label(probability["spurious"]), ylabel=style.axis_label(probability["core"]))


def draw_accuracies(axes: Axes, answer: xr.Dataset) -> None:
    """Means and standard errors over epochs."""
    for name, look in CURVES.items():
        axes.plot(answer["epoch"], answer[name], color=look.colour, **style.JOINED)
        style.simulation(axes, answer, "epoch", name, look)
    axes.set(xscale="log", ylim=(-0.04, 1.06))
    axes.set_xlabel(style.axis_label(answer["epoch"]))


FIGURE = Figure(
    id=ID,
    title="What balancing the groups makes a linear classifier rely on",
    caption=(
        "Two classes, a core feature that tells them apart, a spurious one that does so in four examples "
        "of five and points the wrong way in the minority, and 1200 noise features; 1000 examples, gamma = "
        "(4, 1, 4) for spurious, core and noise, sigma = 0.15, as in the paper's code. Stochastic descent "
        f"on the mean logistic loss (learning rate 1e-5, momentum 0.9, batches of 250), {SEEDS} seeds "
        f"({QUICK_SEEDS} in the quick version), each with data, initial weights and batches of its own. "
        "Above: sigmoid of the mean logit over seeds, each at the last of the recorded epochs at which its "
        "smallest accuracy of the groups is largest on validation data without noise features; for ERM "
        "that accuracy is 0 after the first epochs, and an early epoch wins where the initial weights "
        "happen to be lucky. Where a training example lies nearer than 0.032 (in unscaled features) the "
        "point borrows its noise features, so that speckles show what was memorised; elsewhere there is no "
        "noise. Black: probability 1/2. Shades span what the plane without noise needs, and differ between "
        "panels: stopped early, RWG hardly leaves 1/2. Below: smallest accuracy of the four groups, means "
        f"over seeds, bars one standard error; tests have {TEST_EXAMPLES} examples of each group, and the "
        "smallest of four such shares is 0.01 too small where groups are alike near 1/2. Lines: accuracy "
        "of the direction of largest margin, to which training without weight decay tends, in the limit of "
        "large n and d; RWG shares that of ERM. ERM relies on the spurious feature; SUBG on the core; RWG "
        "on the core until it has memorised the minority, then on the spurious feature as ERM does. 'Good' "
        "hangs on tests without noise features, as published: with fresh ones no method is much above 1/2, "
        "because the logit of the noise is larger than that of the core. The published figure numbers the "
        "quadrants I and II above, III and IV below, from left to right, so that its majority is in 'II "
        "and III'; by the usual numbering that is I and III."
    ),
    paper="pezeshki2022",
    ref="Ch. 8 Fig. 1",
    compute=compute,
    draw=draw,
    no_residuals="theory gives the end of training, which finite training need not reach",
    small=constants(
        __name__, QUICK_SEEDS=2, EPOCHS=(1, 3), TEST_EXAMPLES=10, SETTING={"n": 60, "noise_features": 70}
    ),
)
