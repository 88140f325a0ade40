"""Fig. 1 of pezeshki2022 ch. 6: a gap that x0 alone fills starves the rest, unless outputs are penalised."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error
from teacherstudent.figures.starvation import two_moons
from teacherstudent.problems.starvation import PROBLEM

ID = "ch6-fig1"
SEEDS, QUICK_SEEDS = 10, 4
STEPS = (0, 3, 10, 30, 100, 300, 1000, 3000)
CASES = {
    "overlapping": ("plain", -two_moons.GAP, style.Look("no gap", style.PURPLE, "^")),
    "separable": ("plain", two_moons.GAP, style.Look("gap", style.GREEN, "s")),
    "decoupled": ("decoupled", two_moons.GAP, style.Look("gap, spectral decoupling", style.BLACK, "o")),
}
NAMED = {"overlapping": ((0, 9), "center"), "separable": ((0, 9), "center"), "decoupled": ((9, -3), "left")}
"""Where the last step's name stands, from its marker."""


def compute(quick: bool) -> Numbers:
    """The three cases, and where theory says that spectral decoupling ends."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    numbers = {case: two_moons.trained(recipe, gap, STEPS, seeds) for case, (recipe, gap, _) in CASES.items()}
    return {**numbers, "theory": decoupled_end()}


def decoupled_end() -> xr.Dataset:
    """Every margin ends at m with lambda m = sigma(-m), so its parts lie on a circle of radius m."""
    from teacherstudent.sims.starvation.experiment import RECIPES
    from teacherstudent.theory.starvation import duality, ends

    ridge = 2 * RECIPES["decoupled"].penalty  # c mean(yhat^2) beside a mean loss
    one = PROBLEM.instance(strengths=(1.0,), vectors=((1.0,),), ridge=ridge)
    margin = float(ends.fixed_point(duality.of_decoupling(one)).margins[0])
    angle = np.linspace(0, np.pi / 2, 200)
    parts = {"strong": ("angle", margin * np.cos(angle)), "weak": ("angle", margin * np.sin(angle))}
    return xr.Dataset(parts, {"angle": angle}, {"ridge": ridge, "margin": margin})


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Three surfaces, and the plane of responses."""
    style.size(canvas, 6.2)
    axes = canvas.subplots(2, 2).ravel()
    for panel, (case, (_, gap, look)), letter in zip(axes, CASES.items(), "abc", strict=False):
        title = f"({letter}) {look.label}, $\\Delta$ = {gap:g}".replace("-", "−")
        for metric in ("margin", "bend"):
            title += f"\n{metric} {two_moons.spread(numbers[case][metric])}"
        shown = two_moons.draw_surface(panel, numbers[case], title)
    two_moons.colour_bar(canvas, shown, list(axes), numbers[case]["probability"], shrink=0.72)
    pairs = zip(two_moons.entries(), draw_responses(axes[-1], numbers), strict=True)
    entries = [entry for pair in pairs for entry in pair]
    fixed = two_moons.fixed(numbers[case].attrs["n_seeds"], f"{STEPS[-1]} steps")
    fixed += "; mean over seeds (smallest to largest)"
    legends.around(canvas, [], entries, fixed=fixed)


def draw_responses(axes: Axes, numbers: Numbers) -> list[legends.Entry]:
    """Means over seeds at each recorded step, joined in their order; theory's end as a line.

    Returns the legend's entries.
    """
    for case, (_, _, look) in CASES.items():
        mean, error = mean_and_error(numbers[case][["strong", "weak"]])
        axes.plot(mean["strong"], mean["weak"], color=look.colour, **style.JOINED)
        bars = {"yerr": error["weak"], "xerr": error["strong"], **style.BARS}
        axes.errorbar(mean["strong"], mean["weak"], **bars, **style.marked(look, 6))
        last = mean.isel(step=-1)
        place, (shift, align) = (float(last["strong"]), float(last["weak"])), NAMED[case]
        axes.annotate(f"step {int(last['step'])}", place, shift, textcoords="offset points", ha=align)
    end, reach = numbers["theory"], 1.12 * axes.get_ylim()[1]
    measured = float((mean["strong"][-1] ** 2 + mean["weak"][-1] ** 2) ** 0.5)  # of the last case, decoupled
    axes.plot(end["strong"], end["weak"], color=style.BLACK, **style.THEORY)
    axes.set(xlim=(0, 1.1 * axes.get_xlim()[1]), ylim=(0, reach), box_aspect=1.125)
    axes.set_title("(d) Strong features and all others,\nduring training")
    axes.set_xlabel(f"part of {two_moons.STRONG} strongest features [margin]")
    axes.set_ylabel("part of all other features [margin]")
    ends = (
        f"theory: decoupling ends on a circle of radius {end.attrs['margin']:.2f} "
        f"(simulated: {measured:.2f}); axes have different scales"
    )
    means = {f"{look.label}: mean ± standard error": look for _, _, look in CASES.values()}
    entries = [legends.simulation(label, look, 6) for label, look in means.items()]
    return [*entries, legends.theory(ends, style.BLACK)]


FIGURE = Figure(
    id=ID,
    title="A gap along one axis starves the other feature",
    caption=(
        "Two moons that x0 alone separates (b, c: half-gap Delta = 0.1) or does not (a). Networks of one "
        f"hidden layer of {two_moons.WIDTH} rectified units are trained on {two_moons.EXAMPLES} examples by "
        f"gradient descent (mean logistic loss, learning rate 0.01, momentum 0.9, {STEPS[-1]} steps). A gap "
        "straightens the boundary, although the moons are as curved as before. Spectral decoupling adds "
        "0.003 mean(yhat^2) to the loss and bends the boundary again. Colours: probability of class 1, mean "
        f"over {SEEDS} seeds ({QUICK_SEEDS} in the quick version), which draw data and initial weights; the "
        f"examples shown are those of one seed. {two_moons.METRICS} Margin and bend distinguish (b) from "
        "(c), seed by seed; accuracy and mean margin do not. (d) Root mean square of the part of all "
        f"margins in the {two_moons.STRONG} strongest features of the initial network (Def. 6.3.1; nearly "
        "the linear functions of the input), and in all other features. Means over seeds at steps "
        f"{', '.join(map(str, STEPS))}, bars one standard error. The gap makes the strong features grow and "
        "starves the others. Decoupling limits the strong features and lets the others grow. Line: theory of "
        "decoupling, lambda m = sigma(-m) with lambda = 0.006 for every margin (Eq. 6.3.18); this theory "
        "does not say how the features share the margin."
    ),
    paper="pezeshki2022",
    ref="Ch. 6 Fig. 1",
    compute=compute,
    draw=draw,
    no_residuals="theory gives one distance, which the legend compares with its simulated value",
    small=constants(__name__, QUICK_SEEDS=2, STEPS=(0, 100)) | two_moons.SMALL,
)
