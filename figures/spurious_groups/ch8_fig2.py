"""Fig. 2 of pezeshki2022 ch. 8 in miniature: worst-group accuracy during training, method by method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.running import run, summarise

ID = "ch8-fig2"
SEEDS, QUICK_SEEDS = 8, 3
EPOCHS = (1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 22, 30, 42, 58, 77, 100)
TEST_EXAMPLES = 1000
SETTING: dict[str, Any] = {}
"""The problem of the paper's code: all defaults."""


class Setting(NamedTuple):
    """Numbers of the descent, and how a panel calls them."""

    name: str
    learning_rate: float
    weight_decay: float
    known: tuple[str, ...] = ()
    """Routes of theory to where it begins or ends."""


SETTINGS = (
    Setting("slow", 1e-5, 0.0, ("initial-gradient", "max-margin")),
    Setting("plain", 1e-4, 0.0, ("max-margin",)),
    Setting("decayed", 1e-4, 10.0),
    Setting("strongly_decayed", 1e-4, 100.0, ("initial-gradient",)),
)
LOOKS = {
    "erm": style.Look("ERM", style.BLACK, "o"),
    "rwy": style.Look("RWY", style.SKY, "v"),
    "suby": style.Look("SUBY", style.PURPLE, "P"),
    "jtt": style.Look("JTT", "#999933", "X"),
    "gdro": style.Look("gDRO", style.GREEN, "D"),
    "rwg": style.Look("RWG", style.ORANGE, "s"),
    "subg": style.Look("SUBG", style.BLUE, "^"),
}
BLIND = ("erm", "rwy", "suby", "jtt")
"""Methods that do not know the groups."""
BEST = style.Look("best of ERM, RWY, SUBY, JTT (tests)", "0.5", "*")
KNOWN = ("erm", "rwg", "subg")
"""Methods of which theory is drawn."""
ROUTES = {
    "max-margin": (
        style.theory,
        legends.theory("theory: end without weight decay (largest margin)"),
    ),
    "initial-gradient": (
        style.approximation,
        legends.approximation("theory: beginning, and end under strong decay (first gradient)"),
    ),
}
ROWS = {"worst_group_accuracy": "on tests", "training_worst_group_accuracy": "on training examples"}


def compute(quick: bool) -> Numbers:
    """Means over seeds of every method in every setting, and the two directions of theory."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    means = {
        f"{setting.name}_{method}": trained(method, setting, seeds)
        for setting in SETTINGS
        for method in LOOKS
    }
    lines = {f"{route}_{method}": by(route, method) for route in ROUTES for method in KNOWN}
    return means | lines


def by(route: str, method: str) -> xr.Dataset:
    """A direction of theory, which does not change in time."""
    ends = (EPOCHS[0], EPOCHS[-1])
    return run("spurious-groups", "descent", route, ends, method=method, **SETTING)[list(ROWS)]


def trained(method: str, setting: Setting, seeds: list[int]) -> xr.Dataset:
    """Smallest accuracies of the groups, on tests and on the training examples."""
    answer = run(
        "spurious-groups", "descent", "simulation", EPOCHS, seeds=seeds,
        method=method, learning_rate=setting.learning_rate, weight_decay=setting.weight_decay,
        test_examples=TEST_EXAMPLES, **SETTING,
    )  # fmt: skip
    return summarise(answer[list(ROWS)])


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each setting, tests above training."""
    style.size(canvas, 4.4)
    axes = canvas.subplots(len(ROWS), len(SETTINGS), sharex=True, sharey="row")
    for column, setting in enumerate(SETTINGS):
        lacking = "" if setting.known else ": no theory"
        rate, decay = map(style.number, (setting.learning_rate, setting.weight_decay))
        axes[0, column].set_title(f"rate {rate}, decay {decay}{lacking}")
        tests, training = axes[:, column]
        for panel, name in ((tests, "worst_group_accuracy"), (training, "training_worst_group_accuracy")):
            for route in setting.known:
                line, _ = ROUTES[route]
                for method in KNOWN:
                    line(panel, numbers[f"{route}_{method}"], "time", name, LOOKS[method])
        answers = {method: numbers[f"{setting.name}_{method}"] for method in LOOKS}
        draw_tests(tests, answers)
        same = [method for method in LOOKS if method != "suby" or not draws_are_identical(numbers)]
        draw_curves(
            training, {LOOKS[method]: answers[method] for method in same}, "training_worst_group_accuracy"
        )
        training.set_xlabel(style.axis_label(answers["erm"]["time"], "epoch"))
    for panel, place in zip(axes[:, 0], ROWS.values(), strict=True):
        panel.set_ylabel(f"worst-group accuracy $A_w$\n{place} [dimensionless]")
    axes[0, 0].set(xscale="log", ylim=(-0.04, 1.06))
    style.powers(axes[0, 0].xaxis)
    axes[1, 0].set_ylim(top=1.03)
    legends.around(canvas, curves(numbers), [entry for _, entry in ROUTES.values()], fixed=fixed(numbers))


def draws_are_identical(numbers: Numbers) -> bool:
    """Whether subsampling the classes left everything as it was, as where they are balanced."""
    return all(numbers[f"{setting.name}_suby"].equals(numbers[f"{setting.name}_erm"]) for setting in SETTINGS)


def curves(numbers: Numbers) -> list[legends.Entry]:
    """What markers are, each method once."""
    same = draws_are_identical(numbers)
    looks = dict(LOOKS)
    if same:
        looks["erm"] = replace(looks["erm"], label="ERM and SUBY (identical)")
        del looks["suby"]
    return [legends.simulation(look.label, look, **style.JOINED) for look in (BEST, *looks.values())]


def fixed(numbers: Numbers) -> str:
    """What all panels share."""
    answer = numbers[f"{SETTINGS[0].name}_erm"]
    scales = style.fixed(
        answer, n="Examples", minority="minority share", noise_features="noise features",
        gamma_spurious="scales", gamma_core="", gamma_noise="", feature_std="spread of features",
    )  # fmt: skip
    rule = style.fixed(answer, momentum="momentum", batch_size="batches")
    seeds = answer.attrs["n_seeds"]
    return f"{scales}\n{rule}; tests without noise features; {seeds} seeds: means ± 1 standard error"


def draw_tests(axes: Axes, answers: Mapping[str, xr.Dataset]) -> None:
    """Each method that knows the groups, and the best at each epoch of those that do not: they coincide."""
    knowing = {LOOKS[method]: answer for method, answer in answers.items() if method not in BLIND}
    draw_curves(axes, {BEST: best_of_the_blind(answers), **knowing}, "worst_group_accuracy")


def best_of_the_blind(answers: Mapping[str, xr.Dataset]) -> xr.Dataset:
    """At each epoch, of the methods that do not know the groups, the best on tests."""
    blind = xr.concat([answers[method] for method in BLIND], "method")
    return blind.isel(method=blind["worst_group_accuracy"].argmax("method"))


def draw_curves(axes: Axes, answers: Mapping[style.Look, xr.Dataset], name: str) -> None:
    """Each method's mean over epochs."""
    for look, answer in answers.items():
        axes.plot(answer["time"], answer[name], color=look.colour, **style.JOINED)
        style.simulation(axes, answer, "time", name, look)


FIGURE = Figure(
    id=ID,
    title="Only methods that know the groups raise the worst-group accuracy",
    caption=(
        "Worst-group accuracy over epochs for the seven methods of ch. 8.3-8.4, all trained on the problem "
        "of Fig. 1 by the same stochastic descent (momentum 0.9, batches of 250; an epoch has two "
        "batches for SUBG, and four or more for the other methods). Above: accuracy on tests without noise "
        f"features, as published. Below: accuracy on the training examples. Means over {SEEDS} seeds "
        f"({QUICK_SEEDS} in the quick version), bars one standard error; dotted lines join the means. Above, "
        "the four methods that do not know the groups coincide at 0, so only the best of them is drawn. "
        "Solid lines: limit of large n and d for the end without weight decay, the direction of largest "
        "margin. Reweighting does not change this direction; subsampling does. Dashed: direction of the "
        "first gradient. Training begins near this direction, and ends near it if a decay keeps the logits "
        "small. Classes are balanced already, so RWY and SUBY equal ERM (SUBY exactly). The first student "
        "of JTT (4 epochs) has memorised most of the minority, so repeating the mistakes of this student 4 "
        "times hardly balances the groups. RWG and group DRO are good only temporarily; a weight decay of "
        "10, the largest published value, does not change this. A decay of 100 keeps the logits small, so "
        "reweighting matters to the end and RWG stays near its first direction. Group DRO leaves its first "
        "direction: the few examples of the minority are seen often and soon have the smaller training "
        "loss, so the group weights turn to the majority. SUBG stays near its first direction."
    ),
    paper="pezeshki2022",
    ref="Ch. 8 Fig. 2",
    compute=compute,
    draw=draw,
    no_residuals="theory gives the beginning and the end of training, and finite training may not reach "
    "the end",
    small=constants(
        __name__,
        QUICK_SEEDS=2,
        SETTINGS=SETTINGS[:2],
        EPOCHS=(1, 3, 6),
        TEST_EXAMPLES=10,
        SETTING={"n": 60, "noise_features": 70},
    ),
)
