"""Fig. 4 of pezeshki2022 ch. 2: spectra of the inputs, and the error against alpha over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, residuals, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import (
    DRAWS,
    FEWEST,
    QUICK_DRAWS,
    Curve,
    draws_of,
    on_clock,
    standardised,
)
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.grids import Span
from teacherstudent.paper_checks.judging.draws import RESOLVABLE, drawn_mean
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw as sample

ID = "ch2-fig4"

SPECTRA = (0.5, 1.0, 2.0)
SIZE, BINS = 200, 24
EIGENVALUE = {"symbol": "lambda", "units": "curvature", "long_name": "eigenvalue"}
DENSITY = {"symbol": "rho", "units": "1/curvature", "long_name": "density of eigenvalues"}

TIMES = (1.0, 5.0, 20.0, 100.0, 1000.0)
D, NOISE, INIT, RATE = 100, 0.5, 0.5, 1e-3
ALPHAS = (0.3, 0.6, 0.9, 1.0, 1.1, 1.5, 2.5)
FINE = 1000  # dimension that stands for any alpha on the lines, which know ratios only
RATIO = {"symbol": "alpha", "units": "1", "long_name": "examples per parameter, alpha = n/d"}


def compute(quick: bool) -> Numbers:
    """Laws and sampled spectra by alpha, then lines, printed lines and simulated errors by time."""
    seeds = draws_of(ID, quick)
    numbers = {}
    for alpha in SPECTRA:
        numbers[f"law_{alpha:g}"] = law(alpha)
        numbers[f"sampled_{alpha:g}"] = sampled(alpha, seeds)
    samples = sorted({round(FINE * alpha) for alpha in (*Span(0.25, 3.0, 111).values(), *ALPHAS)})
    lines = [errors_at(n) for n in samples]
    simulated = [
        simulation(alpha, [seed + at * len(seeds) for seed in seeds]) for at, alpha in enumerate(ALPHAS)
    ]
    return {
        **numbers,
        "theory": along(lines, [n / FINE for n in samples]),
        "printed": along([printed(n) for n in samples], [n / FINE for n in samples]),
        "simulation": along(simulated, ALPHAS),
    }


def law(alpha: float) -> xr.Dataset:
    """Eq. 2.3.30 within its edges; the share of zeros beside it."""
    from teacherstudent.theory import marchenko_pastur

    low, high = marchenko_pastur.edges(alpha)
    at = low + (high - low) * np.sin(np.linspace(0, np.pi / 2, 200)) ** 2  # dense at both edges
    at = at[at > 0]  # at alpha = 1 the density diverges there
    density = ("eigenvalue", marchenko_pastur.density(alpha, at), DENSITY)
    coordinates = {"eigenvalue": ("eigenvalue", at, EIGENVALUE)}
    return xr.Dataset({"density": density}, coordinates, {"zeros": max(1 - alpha, 0.0)})


def sampled(alpha: float, seeds: Sequence[int]) -> xr.Dataset:
    """Histograms of drawn spectra: means over draws, standard errors, the law's means, and residuals."""
    from scipy import integrate

    from teacherstudent.theory import marchenko_pastur

    draws = sample(PROBLEM.instance(n=round(alpha * SIZE), scales=((SIZE, 1.0),)), seeds)
    eigenvalues = np.linalg.svd(draws.inputs, compute_uv=False) ** 2
    low, high = marchenko_pastur.edges(alpha)
    ends = np.linspace(low, high, BINS + 1)
    inside = np.stack([np.histogram(drawn, ends)[0] for drawn in eigenvalues]) / SIZE

    def density(x: float) -> float:
        return float(marchenko_pastur.density(alpha, np.asarray(x)))

    mass = [integrate.quad(density, *bin)[0] for bin in pairwise(ends)]
    share = drawn_mean(inside)
    mean = xr.DataArray(share.mean, dims="eigenvalue", attrs=DENSITY)
    error = xr.DataArray(share.stderr, dims="eigenvalue")
    width = ends[1] - ends[0]
    return xr.Dataset(
        {
            "density": mean / width,
            "density_stderr": error / width,
            "law": ("eigenvalue", np.asarray(mass) / width, DENSITY),
            "density_minus_law": standardised(mean - mass, error, "law"),
        },
        {
            "eigenvalue": ("eigenvalue", (ends[1:] + ends[:-1]) / 2, EIGENVALUE),
            "end": ("end", ends, EIGENVALUE),
        },
        {"n_seeds": len(seeds), "first_seed": seeds[0]},
    )


def setting(n: int, d: int) -> dict[str, Any]:
    """The problem of one panel at that size."""
    observable = ("generalisation",)
    return {"n": n, "scales": ((d, 1.0),), "noise": NOISE, "init": INIT, "observable": observable}


def errors_at(n: int) -> xr.Dataset:
    """The exact limit of gradient flow by quadrature."""
    return Curve("multiscale", "flow", setting(n, FINE)).by("quadrature", TIMES)


def printed(n: int) -> xr.Dataset:
    """Eq. 2.3.22 of the thesis at the same times."""
    from teacherstudent.paper_checks.multiscale.fresh_examples import printed_generalisation

    problem = PROBLEM.instance(n=n, scales=((FINE, 1.0),), noise=NOISE, init=INIT)
    answer = errors_at(n)[["generalisation_error"]]
    attrs = {**answer.attrs, "route": "printed", "source": "pezeshki2022 Eq. 2.3.22"}
    values = ("time", printed_generalisation(problem, np.array(TIMES)), answer["generalisation_error"].attrs)
    return answer.assign(generalisation_error=values).assign_attrs(attrs)


def simulation(alpha: float, seeds: Sequence[int]) -> xr.Dataset:
    """Errors on fresh inputs along descent, on the clock s = eta k, with residuals of two kinds."""
    curve = Curve("multiscale", "descent", {**setting(round(alpha * D), D), "learning_rate": RATE})
    return on_clock(routes.simulated(curve, [round(s / RATE) for s in TIMES], seeds), "flow", RATE)


def along(answers: Sequence[xr.Dataset], alphas: Sequence[float]) -> xr.Dataset:
    """Answers side by side on a new first axis alpha."""
    axis = xr.Variable("alpha", list(alphas), RATIO)
    whole = xr.concat(answers, axis, combine_attrs="drop_conflicts", coords="minimal", compat="override")
    return whole.assign_attrs(noise=NOISE, init=INIT)


LAWS = {
    alpha: style.Look(f"left: $\\alpha$ = {alpha:g}", colour, marker)
    for alpha, colour, marker in zip(
        SPECTRA, (style.ORANGE, style.BLACK, style.BLUE), ("<", "h", ">"), strict=True
    )
}
"""Their markers are none of those of times."""
BIN_LINE = {"lw": 0.7, "alpha": 0.8}
PRINTED = "printed, Eq. 2.3.22, with its extra factor $\\lambda_i$"


FIXED = (
    f"left: entries of $X$ of variance $1/d$, $d$ = {SIZE}; right: $d$ = {D}, label noise "
    f"$\\sigma_\\epsilon$ = {NOISE:g}, initial weights of standard deviation {INIT:g}, "
    f"learning rate $\\eta$ = {style.number(RATE)}"
)
TOGETHER = (
    "Points of one $\\alpha$ share their draws, so residuals are correlated. Residuals against law and limit "
    "include the\nfinite-size offset, of order $1/d$. At $\\alpha$ = 1 small eigenvalues "
    "make late errors heavy-tailed."
)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Densities left, errors right, both above their residuals."""
    looks = dict(zip(TIMES, style.ordered_looks([f"right: $s$ = {t:g}" for t in TIMES]), strict=True))
    style.size(canvas, 4.7)
    grid = canvas.add_gridspec(3, 2, height_ratios=residuals.heights(2))
    top = canvas.add_subplot(grid[0, 0])
    draw_spectra(top, canvas.add_subplot(grid[1:, 0], sharex=top), numbers)
    columns.draw_on(canvas, grid, [errors(looks, numbers)], first=1)
    draws = numbers[f"sampled_{SPECTRA[0]:g}"].attrs["n_seeds"]
    entries = [
        routes.LIMIT,
        legends.theory("left: mean of the law over each bin", **BIN_LINE),
        legends.approximation(PRINTED),
        legends.draws(draws),
        legends.band(),
    ]
    legends.around(canvas, [*LAWS.values(), *looks.values()], entries, fixed=FIXED, notes=TOGETHER)


def draw_spectra(axes: Axes, below: Axes, numbers: Numbers) -> None:
    """Lines: the law. Markers: mean histograms, below them the distance from the law's bin means."""
    shown = {look: numbers[f"sampled_{alpha:g}"] for alpha, look in LAWS.items()}
    for alpha, look in LAWS.items():
        style.theory(axes, numbers[f"law_{alpha:g}"], "eigenvalue", "density", look)
        axes.stairs(shown[look]["law"], shown[look]["end"], baseline=None, color=look.colour, **BIN_LINE)
        style.simulation(axes, shown[look], "eigenvalue", "density", look)
    axes.set(ylim=(0, 1.8), title="Spectra of $XX^T$")
    axes.text(0.98, 0.97, UNSEEN, transform=axes.transAxes, ha="right", va="top", linespacing=1.5)
    axes.tick_params(labelbottom=False)
    first = next(iter(shown.values()))
    axes.set_ylabel(style.axis_label(first["density"]))
    left = {look: sampled["density_minus_law"] for look, sampled in shown.items()}
    residuals.name(below, "sim. − law\n[std. errors]")
    residuals.draw(below, left, first.attrs["n_seeds"] - 1)
    below.set_xlabel(style.axis_label(first["eigenvalue"]))


UNSEEN = f"""$\\alpha$ = {SPECTRA[0]:g}: a share of {1 - SPECTRA[0]:g} of the
eigenvalues is 0 (not drawn)
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
        "Error after flow time $s$",
        {"x": [0.3, 0.5, 1, 2, 3], "y": [0.3, 0.5, 1, 2, 5]},
    )
    name = "generalisation error"
    return Column("alpha", "generalisation_error", shown, title, routes.BELOW, None, name, ticks, log="xy")


FIGURE = Figure(
    id=ID,
    title="At alpha = 1 the eigenvalues are small, and long training makes the error peak",
    caption=(
        "Left: density of the eigenvalues of X X^T, whose entries have variance 1/N. Lines: "
        "Marchenko-Pastur law, Eq. 2.3.30. Thin steps: mean of the law over each bin. Markers: histograms "
        f"of drawn spectra at N = {SIZE}, mean of {DRAWS} draws ({QUICK_DRAWS} in the quick version), bars "
        "one standard error. Below: drawn spectra minus the law's mean over the bin, in standard errors, "
        "including the finite-size offset of order 1/N. At alpha = 1 the density diverges at zero. Right: "
        "error on unseen noisy examples (without the factor one-half, as in Advani and Saxe) over alpha, "
        f"for students trained for flow time s. The noise variance is {NOISE**2:g}, the teacher's 1, the "
        f"initial one {INIT**2:g}. Solid: exact limit, the average of Eq. 2.3.14 over the law. The error has "
        "a peak at alpha = 1 from s = 100 on; up to s = 5 it only falls with alpha. Dashed: Eq. 2.3.22. "
        "The extra factor lambda_i in the printed formula cancels the divergence, so the printed curve has "
        "no peak at any time. Markers: gradient descent, "
        f"learning rate {RATE:g}, N = {D}, with errors measured on 1000 fresh examples per draw. Below: "
        "simulation minus the exact average given each drawn X, and minus the limit, which includes the "
        f"finite-size offset. Residuals are omitted where the standard error is below {RESOLVABLE:g}. Points "
        "of one alpha share their draws and are correlated. At alpha = 1 and late times, small eigenvalues "
        "vary strongly between draws, so errors and their residuals are heavy-tailed."
    ),
    paper="pezeshki2022",
    ref="Ch. 2 Fig. 4",
    compute=compute,
    draw=draw,
    small=FEWEST | constants(__name__, ALPHAS=(0.6, 1.5)),
)
