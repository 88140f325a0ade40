"""Fig. 2 of pezeshki2022 ch. 8 in miniature: worst-group accuracy during training, method by method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

ID = "ch8-fig2"
SEEDS, QUICK_SEEDS = 8, 3
EPOCHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 19, 23, 28, 34, 42, 51, 63, 77, 100)
TEST_EXAMPLES = 1000
SETTING: dict[str, Any] = {}
"""The problem of the paper's code: all defaults."""


class Setting(NamedTuple):
    """Numbers of the descent, and how a panel calls them."""

    name: str
    learning_rate: float
    weight_decay: float


SETTINGS = (
    Setting("slow", 1e-5, 0.0),
    Setting("plain", 1e-4, 0.0),
    Setting("decayed", 1e-4, 10.0),
    Setting("strongly_decayed", 1e-4, 100.0),
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
ENDS = {
    "erm": "theory: largest margin of all examples, $n, d \\to \\infty$",
    "subg": "theory: largest margin of the subset of SUBG",
}
ROWS = {"worst_group_accuracy": "on tests", "training_worst_group_accuracy": "on training examples"}


def compute(quick: bool) -> Numbers:
    """Means over seeds of every method in every setting, and the two ends by theory."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    means = {
        f"{setting.name}_{method}": trained(method, setting, seeds)
        for setting in SETTINGS
        for method in LOOKS
    }
    return {**means, **{f"limit_{method}": limit(method) for method in ENDS}}


def limit(method: str) -> xr.Dataset:
    """Where theory says that training without weight decay ends."""
    from teacherstudent.house.running import run

    ends = (EPOCHS[0], EPOCHS[-1])
    return run("spurious-groups", "descent", "max-margin", ends, method=method, **SETTING)[list(ROWS)]


def trained(method: str, setting: Setting, seeds: list[int]) -> xr.Dataset:
    """Smallest accuracies of the groups, on tests and on the training examples."""
    from teacherstudent.house.running import run, summarise

    answer = run(
        "spurious-groups", "descent", "simulation", EPOCHS, seeds=seeds,
        method=method, learning_rate=setting.learning_rate, weight_decay=setting.weight_decay,
        test_examples=TEST_EXAMPLES, **SETTING,
    )  # fmt: skip
    return summarise(answer[list(ROWS)])


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each setting, tests above training."""
    style.size(canvas, 15.5, 7.8)
    axes = canvas.subplots(len(ROWS), len(SETTINGS), sharex=True, sharey=True)
    for column, setting in enumerate(SETTINGS):
        rate, decay = map(style.number, (setting.learning_rate, setting.weight_decay))
        axes[0, column].set_title(f"learning rate {rate}, weight decay {decay}", fontsize="medium")
        for panel, name in zip(axes[:, column], ROWS, strict=True):
            answers = {look: numbers[f"{setting.name}_{method}"] for method, look in LOOKS.items()}
            for method in ENDS if setting.weight_decay == 0 else ():
                style.theory(panel, numbers[f"limit_{method}"], "time", name, LOOKS[method], zorder=1)
            draw_curves(panel, answers, name)
        panel.set_xlabel(style.axis_label(numbers[f"{setting.name}_erm"]["time"], "epoch"))
    for panel, place in zip(axes[:, 0], ROWS.values(), strict=True):
        panel.set_ylabel(f"worst-group accuracy $A_w$\n{place} [dimensionless]")
    axes[0, 0].set(xscale="log", ylim=(-0.04, 1.06))
    lines = [legends.theory(label, LOOKS[method].colour) for method, label in ENDS.items()]
    legends.draw(
        canvas, [*(legends.simulation(look.label, look) for look in LOOKS.values()), *lines], columns=5
    )


def draw_curves(axes: Axes, answers: Mapping[style.Look, xr.Dataset], name: str) -> None:
    """Each method's mean over epochs; markers take turns, so that curves on one another can be told apart."""
    stride = 3
    for turn, (look, answer) in enumerate(answers.items()):
        axes.plot(answer["time"], answer[name], color=look.colour, **style.JOINED)
        shown = answer.isel(time=slice(turn % stride, None, stride))
        style.simulation(axes, shown, "time", name, look)


FIGURE = Figure(
    id=ID,
    title="Worst-group accuracy during training, method by method",
    caption=(
        "Smallest accuracy of the four groups for the seven methods of ch. 8.3-8.4, all trained on the "
        "problem of Fig. 1 by the same stochastic descent (momentum 0.9, batches of 250; an epoch of SUBG "
        "is two batches, of the others four or more). Above: on tests without noise features, as "
        f"published; below: on the training examples. Means over {SEEDS} seeds ({QUICK_SEEDS} in the quick "
        "version), bars one standard error; dotted lines join the means, and markers take turns where "
        "curves coincide. Lines: the end without weight decay, the direction of largest margin, which "
        "reweighting does not change and subsampling does, in the limit of large n and d. Only the methods "
        "that know the groups get anywhere: classes are balanced already, so RWY and SUBY are ERM (SUBY "
        "exactly), and the first student of JTT (4 epochs) has memorised most of the minority, so that "
        "repeating its mistakes 4 times balances little. RWG and group DRO are good only for a while, and "
        "a weight decay of 10, the largest that was published, changes nothing. One of 100 keeps the "
        "logits small and RWG near what it first finds, for reweighting then matters to the end; not so "
        "group DRO: the minority, few examples seen often, soon has the smaller loss in training, and the "
        "weights turn to the majority. SUBG stays."
    ),
    paper="pezeshki2022",
    ref="Ch. 8 Fig. 2",
    compute=compute,
    draw=draw,
    no_residuals="theory gives the end of training, which finite training need not reach",
    small=constants(
        __name__,
        QUICK_SEEDS=2,
        SETTINGS=SETTINGS[:2],
        EPOCHS=(1, 3, 6),
        TEST_EXAMPLES=10,
        SETTING={"n": 60, "noise_features": 70},
    ),
)
