"""Fig. 4 of pezeshki2022 ch. 2: spectra of the inputs, and the error against alpha over time."""

from __future__ import annotations

from collections.abc import Mapping

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, residuals, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, QUICK_DRAWS
from teacherstudent.figures.multiscale import ch2_fig4_numbers, routes
from teacherstudent.figures.multiscale.ch2_fig4_numbers import (
    ID,
    INIT,
    NOISE,
    RATE,
    SIZE,
    SPECTRA,
    TIMES,
    D,
    compute,
)
from teacherstudent.paper_checks.judging.draws import RESOLVABLE

LAWS = {
    alpha: style.Look(f"left: $\\alpha$ = {alpha:g}", colour, marker)
    for alpha, colour, marker in zip(
        SPECTRA, (style.ORANGE, style.BLACK, style.BLUE), ("<", "h", ">"), strict=True
    )
}
"""Their markers are none of those of times."""
BINS = {"lw": 0.7, "alpha": 0.8}
PRINTED = "printed, Eq. 2.3.22, with its extra factor $\\lambda_i$"


FIXED = (
    f"left: entries of $X$ of variance $1/d$, $d$ = {SIZE}; right: $d$ = {D}, label noise "
    f"$\\sigma_\\epsilon$ = {NOISE:g}, start with weights of standard deviation {INIT:g}, "
    f"learning rate $\\eta$ = {style.number(RATE)}"
)
TOGETHER = (
    "All points of one $\\alpha$ share their draws, and their residuals move together. Those against the law "
    "and the limit also\nhold the finite-size offset, of order $1/d$. Late errors at $\\alpha$ = 1 are "
    "heavy-tailed, as small eigenvalues are."
)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Densities left, errors right, both above their residuals."""
    looks = dict(zip(TIMES, style.ordered_looks([f"right: $s$ = {t:g}" for t in TIMES]), strict=True))
    style.size(canvas, 13, 8.6)
    grid = canvas.add_gridspec(3, 2, height_ratios=residuals.heights(2))
    top = canvas.add_subplot(grid[0, 0])
    draw_spectra(top, canvas.add_subplot(grid[1:, 0], sharex=top), numbers)
    columns.draw_on(canvas, grid, [errors(looks, numbers)], first=1)
    draws = numbers[f"sampled_{SPECTRA[0]:g}"].attrs["n_seeds"]
    legends.around(
        canvas,
        [*LAWS.values(), *looks.values()],
        [
            routes.LIMIT,
            legends.theory("left: its mean over each bin", **BINS),
            legends.approximation(PRINTED),
            legends.draws(draws),
            legends.band(),
        ],
        fixed=FIXED,
        notes=TOGETHER,
    )


def draw_spectra(axes: Axes, below: Axes, numbers: Numbers) -> None:
    """Lines: the law. Markers: mean histograms, below them the distance from the law's bin means."""
    shown = {look: numbers[f"sampled_{alpha:g}"] for alpha, look in LAWS.items()}
    for alpha, look in LAWS.items():
        style.theory(axes, numbers[f"law_{alpha:g}"], "eigenvalue", "density", look)
        axes.stairs(shown[look]["law"], shown[look]["end"], baseline=None, color=look.colour, **BINS)
        style.simulation(axes, shown[look], "eigenvalue", "density", look)
    axes.set(ylim=(0, 1.8), title="Spectra of $XX^T$")
    axes.text(0.98, 0.97, UNSEEN, transform=axes.transAxes, ha="right", va="top", linespacing=1.5)
    axes.tick_params(labelbottom=False)
    first = next(iter(shown.values()))
    axes.set_ylabel(style.axis_label(first["density"]))
    left = {look: sampled["density_minus_law"] for look, sampled in shown.items()}
    residuals.name(below, "sampled −\nlaw\n[std. errors]")
    residuals.draw(below, left, first.attrs["n_seeds"] - 1)
    below.set_xlabel(style.axis_label(first["eigenvalue"]))


UNSEEN = f"""$\\alpha$ = {SPECTRA[0]:g}: a share of {1 - SPECTRA[0]:g} of the eigenvalues is 0 (not drawn)
$\\alpha$ = 1: diverges at 0 like $1/(\\pi\\sqrt{{\\lambda}})$"""


def errors(looks: Mapping[float, style.Look], numbers: Numbers) -> Column:
    """A line for each time, above the residuals."""
    shown = [
        Trace(
            look,
            numbers["theory"].sel(time=time),
            numbers["simulation"].sel(time=time, method="nearest"),
            numbers["printed"].sel(time=time),
        )
        for time, look in looks.items()
    ]
    title, ticks = (
        "Generalisation error after flow time $s$",
        {"x": [0.3, 0.5, 1, 2, 3], "y": [0.3, 0.5, 1, 2, 5]},
    )
    name = "generalisation error"
    return Column("alpha", "generalisation_error", shown, title, routes.BELOW, None, name, ticks, log="xy")


FIGURE = Figure(
    id=ID,
    title="Small eigenvalues at alpha = 1, and the peak of the error that long training raises there",
    caption=(
        "Left: eigenvalues of X X^T, entries of variance 1/N. Lines: Marchenko-Pastur law, Eq. 2.3.30, "
        f"thin steps: its mean over each bin; markers: histograms of drawn spectra at N = {SIZE}, mean of "
        f"{DRAWS} draws ({QUICK_DRAWS} in the quick version), bars one standard error; below, sampled minus "
        "the law's mean of a bin, in standard errors: also the finite-size offset of order 1/N. At alpha = 1 "
        "the density diverges at zero. Right: error on unseen noisy examples (Advani and Saxe: no one-half) "
        f"of students trained for flow time s; noise variance {NOISE**2:g}, teacher 1, start {INIT**2:g}. "
        "Solid: exact limit by an average of Eq. 2.3.14 over the law. The peak at alpha = 1 is there from "
        "s = 100 on; for s up to 5 the error falls with alpha throughout. Dashed: Eq. 2.3.22, whose extra "
        "eigenvalue cancels the divergence: no peak at any time. Markers: gradient descent, learning rate "
        f"{RATE:g}, N = {D}, errors measured on 1000 fresh examples per draw. Below, simulation minus the "
        "exact average given each drawn X, and minus the limit, which adds the finite-size offset; none is "
        f"shown where the standard error is below {RESOLVABLE:g}. Points of one alpha share their draws and "
        "move together. At alpha = 1 and late times errors are heavy-tailed over draws (small eigenvalues), "
        "and so are their residuals. Without an offset all points of a panel would lie inside "
        "the band, in the share of runs that the legend names."
    ),
    paper="pezeshki2022",
    ref="Ch. 2 Fig. 4",
    compute=compute,
    draw=draw,
    small=FEWEST | constants(ch2_fig4_numbers.__name__, ALPHAS=(0.6, 1.5)),
)
