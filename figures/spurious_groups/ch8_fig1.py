"""Fig. 1 of pezeshki2022 ch. 8: what three ways to treat a minority make a linear classifier rely on."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, maps, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error
from teacherstudent.house.running import run, summarise
from teacherstudent.problems.spurious_groups import PROBLEM

ID = "ch8-fig1"
SEEDS, QUICK_SEEDS = 8, 3
EPOCHS = (*range(1, 21), 24, 28, 33, 39, 46, 54, 64, 76, 90, 107, 126, 150, 178, 211, 250, 297, 352, 420, 500)
"""Recorded epochs; the last is the published one."""
TEST_EXAMPLES = 2000
RULE = {"learning_rate": 1e-5, "momentum": 0.9, "weight_decay": 0.0, "group_rate": 0.1}
BATCH = 250
SETTING: dict[str, Any] = {}
"""The problem of the paper's code: all defaults."""
METHODS = {
    "erm": "ERM: all examples",
    "subg": "SUBG: balanced subset",
    "rwg": "RWG: balanced resampling",
}
CURVES = {
    "training": style.Look("training examples", style.GREEN, "^"),
    "zero": style.Look("tests without noise features (as published)", style.BLACK, "o"),
    "fresh": style.Look("tests with fresh noise features", style.ORANGE, "s"),
}
NOISES = ("zero", "fresh")
"""Tests of which theory knows both directions of `LINES`."""
LINES = {
    "max-margin": legends.theory("theory: largest margin (end of training), $n, d \\to \\infty$"),
    "initial-gradient": legends.approximation("theory: first gradient, $n, d \\to \\infty$"),
}
SOLVED = 3
"""Draws whose direction of largest margin is solved exactly."""
FINEST = 1e-3
"""Colours are linear in P - 1/2 up to here, and logarithmic beyond."""
EXACT = style.Look("exact", style.ORANGE, "D", filled=True)
ACCURACY = {"units": "1", "symbol": "A_w"}
FEATURES = {"spurious": "gamma_s x_s", "core": "gamma_c x_c"}


def compute(quick: bool) -> Numbers:
    """One data set of accuracies and of a surface for each method, and the limits by theory."""
    lines = {
        f"{route}_{method}_{noise}": by(route, method, noise)
        for route in LINES
        for method in METHODS
        for noise in NOISES
    }
    exact = {f"solved_{method}": solved(method, quick) for method in ("erm", "subg")}
    exact["solved_rwg"] = exact["solved_erm"]  # the same examples, however often each is drawn
    return {**{method: trained(method, quick) for method in METHODS}, **lines, **exact}


def by(route: str, method: str, test_noise: str) -> xr.Dataset:
    """Where theory says that training without weight decay begins and ends."""
    question = {"method": method, "test_noise": test_noise, **SETTING}
    return run("spurious-groups", "descent", route, (EPOCHS[0], EPOCHS[-1]), **question)


def solved(method: str, quick: bool) -> xr.Dataset:
    """Accuracy with fresh noise of the exact direction of largest margin, over some of the trained draws."""
    from teacherstudent.paper_checks.spurious_groups.kit.hard_margin import drawn_limits
    from teacherstudent.theory.spurious_groups.accuracy import worst_group_accuracy

    problem = PROBLEM.instance(method=method, test_noise="fresh", **SETTING)
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)[:SOLVED]
    spurious, core, noise, *_ = drawn_limits(problem, seeds).T
    accuracy = worst_group_accuracy(spurious, core, noise, problem.feature_std)
    attrs = ACCURACY | {"long_name": "worst-group accuracy at the largest margin of the drawn examples"}
    return xr.Dataset({"fresh": ("seed", accuracy, attrs)}, {"seed": seeds})


def trained(method: str, quick: bool) -> xr.Dataset:
    """Smallest accuracies of the groups over seeds and epochs, and the mean surface at the best epochs."""
    from teacherstudent.sims.group_descent import Rule
    from teacherstudent.sims.spurious_groups.surfaces import GRID, outcome

    problem = PROBLEM.instance(method=method, **SETTING)
    found = outcome(
        problem,
        np.array(EPOCHS),
        Rule(**RULE),
        BATCH,
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
    style.size(canvas, 5.2)
    axes = canvas.subplots(2, len(METHODS), height_ratios=(1.5, 1))
    strongest = max(float(corners(numbers[method]["probability"]).max()) for method in METHODS)
    for column, (method, title) in enumerate(METHODS.items()):
        epochs = chosen(numbers[method]["best"].values)
        axes[0, column].set_title(f"{title}\nvalidation: {epochs}")
        shown = draw_surface(axes[0, column], numbers[method], strongest)
        draw_accuracies(axes[1, column], numbers, method)
        for panel in axes[:, column]:
            panel.tick_params(labelleft=column == 0)
    probability = numbers[method]["probability"]
    axes[0, 0].set_ylabel(style.axis_label(probability["core"]))
    axes[1, 0].set_ylabel("worst-group accuracy $A_w$ [dimensionless]")
    bar = canvas.colorbar(shown, ax=axes[0], extend="both", aspect=30, label=style.axis_label(probability))
    steps = [step for step in (0.001, 0.01, 0.1) if step < strongest]
    style.ticks(bar.ax.yaxis, [0.5 + side for step in (0, *steps) for side in {step, -step}])
    entries = [legends.simulation(look.label, look, **style.JOINED) for look in CURVES.values()]
    entries += [
        *LINES.values(),
        legends.simulation(
            f"exact largest margin of {numbers['solved_erm'].sizes['seed']} drawn sets", EXACT, 7
        ),
    ]
    said = fixed(numbers["max-margin_erm_zero"], numbers["erm"])
    legends.around(canvas, [], entries, fixed=said, notes=unfinished(numbers))


def unfinished(numbers: Numbers) -> str:
    """Which methods have not fitted all training examples at the last epoch."""
    wrong = {title: 1 - float(numbers[method]["training"][-1]) for method, title in METHODS.items()}
    late = [f"{title.partition(':')[0]} {share:.0%}" for title, share in wrong.items() if share > 0.01]
    said = f"Share of one group's training examples misclassified at epoch {EPOCHS[-1]}: {', '.join(late)}."
    return said if late else ""


def fixed(theory: xr.Dataset, simulated: xr.Dataset) -> str:
    """What all panels share."""
    scales = style.fixed(
        theory, n="Examples", minority="minority share", noise_features="noise features",
        gamma_spurious="scales", gamma_core="", gamma_noise="", feature_std="spread of features",
    )  # fmt: skip
    rates = f"learning rate {style.number(RULE['learning_rate'])}, momentum {RULE['momentum']:g}"
    seeds = simulated.attrs["n_seeds"]
    return f"{scales}\n{rates}, batches of {BATCH}, no weight decay; {seeds} seeds: means ± 1 standard error"


def chosen(epochs: np.ndarray) -> str:
    """The epochs that validation chooses: where they are few, how many seeds have each."""
    values, counts = np.unique(epochs, return_counts=True)
    if len(values) == 1:
        return f"epoch {values[0]}"
    if len(values) > 2:
        return f"epochs {values[0]} to {values[-1]}"
    few = [f"{value} ({count} of {len(epochs)} seeds)" for value, count in zip(values, counts, strict=True)]
    return f"epoch {' or '.join(few)}"


def corners(probability: xr.DataArray) -> xr.DataArray:
    """How far from 1/2 the plane without noise is at its corners."""
    return abs(probability[[0, 0, -1, -1], [0, -1, 0, -1]] - 0.5)


def draw_surface(axes: Axes, answer: xr.Dataset, strongest: float) -> Any:
    """Shades between the two classes, one scale for all students; the four groups named."""
    from matplotlib.colors import FuncNorm, LinearSegmentedColormap

    probability = answer["probability"]
    colours = LinearSegmentedColormap.from_list("classes", (style.ORANGE, "white", style.BLUE))
    scale = FuncNorm((stretched, relaxed), vmin=0.5 - strongest, vmax=0.5 + strongest)
    shown = maps.field(axes, probability, "spurious", "core", cmap=colours, norm=scale)
    axes.contour(
        probability["spurious"], probability["core"], probability, [0.5], colors="black", linewidths=1.0
    )
    for attribute in (-1, 1):
        for label in (-1, 1):
            group = "majority" if attribute == label else "minority"
            place = attribute * answer.attrs["spurious"], 1.65 * label * answer.attrs["core"]
            words = f"class {label},\n{group}".replace("-", "−")
            axes.text(*place, words, ha="center", va="center", bbox=maps.PALE)
    axes.set_xlabel(style.axis_label(probability["spurious"]))
    return shown


def stretched(probability: Any) -> Any:
    """Sign times logarithm of the distance from 1/2, in units of `FINEST`; linear below that."""
    return np.arcsinh((np.asarray(probability) - 0.5) / FINEST)


def relaxed(stretched: Any) -> Any:
    """The inverse of `stretched`."""
    return 0.5 + FINEST * np.sinh(np.asarray(stretched))


def draw_accuracies(axes: Axes, numbers: Numbers, method: str) -> None:
    """Both directions of theory, means and standard errors over epochs, and the exact end of some draws."""
    answer, name = numbers[method], "worst_group_accuracy"
    for noise in NOISES:
        style.theory(axes, numbers[f"max-margin_{method}_{noise}"], "time", name, CURVES[noise], zorder=1)
        style.approximation(axes, numbers[f"initial-gradient_{method}_{noise}"], "time", name, CURVES[noise])
    end, error = map(float, mean_and_error(numbers[f"solved_{method}"]["fresh"]))
    axes.errorbar(2 * EPOCHS[-1], end, yerr=error, **style.marked(EXACT, 7), **style.BARS)
    for name, look in CURVES.items():
        axes.plot(answer["epoch"], answer[name], color=look.colour, **style.JOINED)
        style.simulation(axes, answer, "epoch", name, look)
    axes.set(xscale="log", ylim=(-0.04, 1.06))
    style.powers(axes.xaxis)
    axes.set_xlabel(style.axis_label(answer["epoch"]))


FIGURE = Figure(
    id=ID,
    title="Only balanced subsets make a linear classifier rely on the core feature to the end",
    caption=(
        "Two classes with a core feature that separates them, a spurious feature that does so in four "
        "examples of five and points the wrong way in the minority, and 1200 noise features. 1000 examples, "
        "gamma = (4, 1, 4) for spurious, core and noise, sigma = 0.15, as in the paper's code. Stochastic "
        f"descent on the mean logistic loss (learning rate 1e-5, momentum 0.9, batches of 250); {SEEDS} "
        f"seeds ({QUICK_SEEDS} in the quick version), each of which draws data, initial weights and "
        "batches. Above: sigmoid of the mean logit over seeds. Each seed uses the last recorded epoch at "
        "which its worst-group accuracy is largest on validation data without noise features. For ERM this "
        "validation accuracy is 0 after the first epochs, so an early epoch is chosen if the initial "
        "weights happen to be good. Points closer than 0.032 (in unscaled features) to a training example "
        "have its noise features, so speckles show what was memorised; other points have no noise. Black: "
        f"probability 1/2. All panels share one colour scale, linear within {FINEST:g} of 1/2 and "
        "logarithmic beyond. If training stops early, RWG stays close to 1/2. Below: worst-group accuracy, "
        f"means over seeds, bars one standard error. Tests have {TEST_EXAMPLES} examples of each group; "
        "where all groups are near 1/2, the smallest of four measured shares is too small by 0.01. Lines: "
        "accuracy in the limit of large n and d, for the direction of the gradient at weights 0, where "
        "training begins (dashed), and for the direction of largest margin, where training without weight "
        "decay ends (solid; RWG has the same end as ERM). After 500 epochs ERM and RWG are still far from "
        "the direction of largest margin: unlike this direction, they misclassify training examples. Finite "
        f"size does not explain the distance: the exact direction of largest margin of {SOLVED} drawn data "
        "sets (diamonds) agrees with the limit. ERM relies on the spurious feature, SUBG on the core "
        "feature. RWG relies on the core until it has memorised the minority, then on the spurious feature "
        "like ERM. 'Good' requires tests without noise features, as published: with fresh ones no method is "
        "much above 1/2, because the logit of the noise exceeds the logit of the core feature. The "
        "published figure numbers the quadrants I and II above, III and IV below, from left to right. The "
        "majority that it places in 'II and III' is in quadrants I and III by the usual numbering."
    ),
    paper="pezeshki2022",
    ref="Ch. 8 Fig. 1",
    compute=compute,
    draw=draw,
    no_residuals="theory gives the beginning and the end of training, and finite training may not reach "
    "the end",
    small=constants(
        __name__, QUICK_SEEDS=2, EPOCHS=(1, 3), TEST_EXAMPLES=10, SETTING={"n": 60, "noise_features": 70}
    ),
)
