"""App. Fig. 2 of pezeshki2022: common regularisers on the two moons, beside spectral decoupling."""

from __future__ import annotations

from dataclasses import dataclass

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error
from teacherstudent.figures.starvation import two_moons

ID = "app-fig2"
SEEDS, QUICK_SEEDS = 5, 2
STEPS, LONGER = 3000, 10_000


@dataclass(frozen=True)
class Case:
    """A recipe, what it is called, and whether it runs for longer than the rest."""

    recipe: str
    title: str
    longer: bool = False

    @property
    def steps(self) -> int:
        """Steps of training."""
        return LONGER if self.longer else STEPS


CASES = (
    Case("plain", "no regularisation"),
    Case("plain", "training longer", longer=True),
    Case("weight decay", "weight decay"),
    Case("dropout", "dropout"),
    Case("batch normalisation", "batch normalisation"),
    Case("Adam, slow", "Adam, rate 0.0001"),
    Case("Adam, fast", "Adam, rate 0.003"),
    Case("decoupled", "spectral decoupling"),
)


def compute(quick: bool) -> Numbers:
    """One recipe after the other, on the same data."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    return {
        case.title: two_moons.trained(case.recipe, two_moons.GAP, (0, case.steps), seeds) for case in CASES
    }


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Surfaces in two rows; below them both metrics, seed by seed."""
    style.size(canvas, 6.4)
    grid = canvas.add_gridspec(3, 4, height_ratios=[1, 1, 0.72])
    values = numbers[CASES[-1].title]["margin"]
    panels = [canvas.add_subplot(grid[i // 4, i % 4]) for i in range(len(CASES))]
    for i, (axes, case) in enumerate(zip(panels, CASES, strict=True)):
        shown = two_moons.draw_surface(axes, numbers[case.title], f"({'abcdefgh'[i]}) {case.title}")
        axes.tick_params(labelleft=i % 4 == 0, labelbottom=i >= 4)
        axes.set(**({} if i >= 4 else {"xlabel": ""}), **({"ylabel": ""} if i % 4 else {}))
    two_moons.colour_bar(canvas, shown, panels, numbers[case.title]["probability"])
    margins, bends = canvas.add_subplot(grid[2, :2]), canvas.add_subplot(grid[2, 2:])
    draw_metric(margins, numbers, "margin")
    draw_metric(bends, numbers, "bend")
    margins.set_yticks(range(len(CASES)), [case.title for case in CASES])
    bends.set_yticks(range(len(CASES)), [])
    entries = [
        legends.markers("one seed", size=5),
        legends.Entry("mean (bar: ± standard error)", {**MEAN, "color": style.ANY.colour}),
        legends.area("range of all seeds of spectral decoupling", "0.9"),
    ]
    fixed = two_moons.fixed(
        values.sizes["seed"], f"half-gap {two_moons.GAP:g}, {STEPS} steps ({LONGER} in b)"
    )
    legends.around(canvas, [], [*two_moons.entries(), *entries], fixed=fixed)


def draw_metric(axes: Axes, numbers: Numbers, metric: str) -> None:
    """A row for each recipe: its seeds, their mean with its standard error; shaded, decoupling's range."""
    reference = numbers[CASES[-1].title][metric]
    axes.axvspan(float(reference.min()), float(reference.max()), color="0.9", lw=0)
    axes.axvline(float(reference.min()), color="0.6", lw=0.8)
    for row, case in enumerate(CASES):
        values = numbers[case.title][metric]
        look = style.Look("", style.BLACK if case is CASES[-1] else style.BLUE, "o")
        axes.plot(values, [row] * values.size, **style.marked(look, 5))
        mean, error = mean_and_error(values)
        axes.errorbar(float(mean), row, xerr=float(error), color=look.colour, **MEAN)
    axes.set(xlim=(0, None), ylim=(len(CASES) - 0.5, -0.5))
    axes.set_xlabel(style.axis_label(values))


MEAN = {"ls": "none", "marker": "|", "ms": 14}


FIGURE = Figure(
    id=ID,
    title="Common regularisers do not bend the boundary as spectral decoupling does",
    caption=(
        "The two moons with a gap, half-gap Delta = 0.1, and the network of Ch. 6 Fig. 1. It is trained for "
        f"{STEPS} steps ({LONGER} in b) by gradient descent with learning rate 0.01 and momentum 0.9 unless "
        "stated otherwise: weight decay 0.01, dropout of 0.7 of the hidden units, batch normalisation, "
        f"Adam; and spectral decoupling, 0.003 mean(yhat^2). Colours: mean over {SEEDS} seeds ({QUICK_SEEDS} "
        f"in the quick version), which draw data and initial weights. {two_moons.METRICS} No theory covers "
        "these recipes. No other recipe reaches the margin or the bend of any seed of spectral decoupling; "
        "Adam is the closest. Such a comparison needs long training: after 1000 steps the margins of Adam at "
        "rate 0.003 still overlap with those of spectral decoupling. The paper trains for 10 000 steps "
        "throughout."
    ),
    paper="pezeshki2022",
    ref="App. Fig. 2",
    compute=compute,
    draw=draw,
    no_residuals="simulation only: no theory covers these recipes",
    small=constants(
        __name__,
        STEPS=100,
        LONGER=200,
        CASES=tuple(case for case in CASES if case.recipe in ("plain", "decoupled")),
    )
    | two_moons.SMALL,
)
