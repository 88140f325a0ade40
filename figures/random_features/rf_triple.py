"""Published case: triple descent over samples, split into its causes, of one student and of ten."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.random_features import setting
from teacherstudent.figures.random_features.setting import Setting
from teacherstudent.house.grids import Span

ID = "rf-triple"
WIDTH = 100.0
"""N/d."""
RIDGES = {"high": 1e-3, "low": 1e-5}
"""The published ridge of the mean loss at features of variance 1: ours over n/d. From large to small."""
NOISE = 5.0
VALUES = {"activation": "relu", "noise": NOISE, "observable": ("parts",)}
SAMPLES = Span(0.1, 1e4, 76)
"""n/d of the lines; n = d and n = N are among them."""
SIZES = {"gaussian-equivalent": 10, "simulation": 30}
DRAWN = {
    "gaussian-equivalent": (0.3, 1.0, 3.0, 10.0, 30.0, 100.0),
    "simulation": (0.3, 1.0, 3.0, 10.0),
}
"""n/d of what is drawn. Features of many more samples than inputs need more inputs than these."""
DRAWS = {"gaussian-equivalent": 8, "simulation": 6}
STUDENTS = (1, 10)
LOOKS = {
    "total": style.Look("excess risk $E$", style.BLACK, "o"),
    "noise": style.Look("label noise", style.VERMILION, "D"),
    "bias": style.Look("bias", style.SKY, "v"),
    "initialisation": style.Look("features", style.BLUE, "s"),
}
"""Causes of the risk of one student, of those that are computed."""
NAMED = {
    "total": (0.1, (2, 26)),
    "noise": (300.0, (5, 4)),
    "bias": (2.2, (5, 2)),
    "initialisation": (1e3, (0, 5)),
}
"""Where their names stand: n/d, and points off the curve."""
REMEDIES = {
    ("low", 1): style.Look("one student", style.BLACK, "o"),
    ("low", 10): style.Look("average of ten", style.GREEN, "^"),
    ("high", 1): style.Look("larger ridge", style.PURPLE, "P"),
}
"""Ridge and students of the risks that are compared."""
PLACES = ((4, 1), (4, -1), (4, 1))
"""Points by which their names are drawn off their ends."""


def name_of(term: str, noise: int, students: int) -> str:
    """A variable's: what does not depend on noise or students has neither in its name."""
    match term:
        case "total":
            return f"total_{noise}_{students}"
        case "initialisation" | "noise":
            return f"{term}_{students}"
    return term


def causes(answer: xr.Dataset) -> xr.Dataset:
    """The published terms from the parts, of one student and of the average of several.

    What features cause, alone or with something else, is averaged over students, who share their samples
    only. Without noise the risk is that of the same draws without its noise terms.
    """
    found = {"bias": answer["bias"] + answer["unlearnable"], "sampling": answer["variance_samples"]}
    for k in STUDENTS:
        features = answer["variance_features"] + answer["variance_features_samples"]
        found[f"initialisation_{k}"] = features / k
        found[f"noise_{k}"] = answer["variance_noise"] + answer["variance_features_noise"] / k
        found[f"total_0_{k}"] = found["bias"] + found["sampling"] + found[f"initialisation_{k}"]
        found[f"total_{NOISE:g}_{k}"] = found[f"total_0_{k}"] + found[f"noise_{k}"]
    attrs = answer["excess_risk"].attrs
    return answer[[]].assign({name: values.assign_attrs(attrs) for name, values in found.items()})


def compute(quick: bool) -> Numbers:
    """All terms over n/d for both ridges, by the limit, and drawn by both routes."""

    def over(samples: Iterable[float], ask: Callable[..., xr.Dataset]) -> xr.Dataset:
        def at(psi2: float) -> xr.Dataset:
            inverse = [1 / (psi2 * ridge) for ridge in RIDGES.values()]
            return ask("ridge", WIDTH, psi2, inverse).assign_coords(time=[*RIDGES])

        return setting.along("psi2", samples, at)

    answers = {"limit": over(SAMPLES.values(), lambda *question: causes(Setting(VALUES, 1).limit(*question)))}
    for route, size in SIZES.items():
        drawn = partial(
            Setting(VALUES, size).drawn,
            seeds=draws_of(ID, quick, DRAWS[route], setting.FEW),
            also=causes,
            route=route,
        )
        answers[route] = over(DRAWN[route], drawn)
    return {
        f"{kind}_{ridge}": answer.sel(time=ridge, drop=True)
        for kind, answer in answers.items()
        for ridge in RIDGES
    }


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The causes of one student's risk, and the risk of three ways to train; residuals below."""

    def curve(ridge: str, name: str, look: style.Look) -> list[Trace]:
        lines = Trace(look, numbers[f"limit_{ridge}"], y=name)
        return [lines, *setting.drawn_both(numbers, {ridge: look}, "{route}_{}", name)]

    noise = int(NOISE)
    causes = {name_of(term, noise, 1): look for term, look in LOOKS.items()}
    risks = {(ridge, f"total_{noise}_{students}"): look for (ridge, students), look in REMEDIES.items()}
    shared: dict[str, Any] = {"residuals": setting.BOTH, "log": "xy", "ylim": LIMITS, "xlim": ENDS}
    shared["ticks"] = {"x": TICKS}
    left = [trace for name, look in causes.items() for trace in curve("low", name, look)]
    right = [trace for (ridge, name), look in risks.items() for trace in curve(ridge, name, look)]
    titles = "(a) Label noise causes both peaks", "(b) Averaging removes only the peak at $n = N$"
    panels = [Column("psi2", "bias", *each, **shared) for each in zip((left, right), titles, strict=True)]
    both = columns.draw(canvas, panels, shared=True)
    for axes in both:
        thresholds.draw(axes, {1.0: "$n = d$", WIDTH: "$n = N$"}, 0.97)
    for (name, look), (at, shift) in zip(causes.items(), NAMED.values(), strict=True):
        style.name(both[0][0], numbers["limit_low"], "psi2", name, look, at, shift)
    for ((ridge, name), look), shift in zip(risks.items(), PLACES, strict=True):
        style.name(both[1][0], numbers[f"limit_{ridge}"], "psi2", name, look, SAMPLES.high, shift)
    drawn = {route: numbers[f"{route}_low"] for route in SIZES}
    fixed = (
        f"$N/d$ = {WIDTH:g} features per input, activation relu, linear teacher, $\\sigma_\\epsilon$ = "
        f"{NOISE:g}, start at 0, ridge $\\lambda$ = {LAMBDA} $n/d$, {LAMBDA} = "
        f"{style.number(RIDGES['low'])} (larger: {style.number(RIDGES['high'])})"
    )
    legends.around(canvas, [], setting.both(SIZES, drawn), fixed=fixed)


LAMBDA = "$\\lambda_{\\mathrm{mean}}$"
"""The published ridge."""
LIMITS, ENDS = (1e-3, 1000.0), (0.06, 3e6)
"""Of both axes; names stand on the right."""
TICKS = (0.1, 1, 10, 100, 1000, 10000)

FIGURE = Figure(
    id=ID,
    title="Triple descent: averaging ten students removes the peak at n = N, not the peak at n = d",
    caption=(
        "Excess risk of ridge regression on relu features over samples per input n/d, at N/d = 100 features "
        "per input and label noise 5; the published errors are twice these. (a) One student: the risk, and "
        "its parts due to label noise, to the bias and to the drawn features. The part of the features "
        "includes their interaction with samples. The part due to samples alone is as small as the bias and "
        "is not shown. The part due to label noise has a peak near n = d, where the linear part of the "
        "features overfits. The nonlinear part acts as a ridge, so that this peak stays finite. At n = N "
        "the part due to label noise has a second peak. (b) Averaging ten students who share their samples "
        "and draw their own features divides the part due to features by ten: the peak at n = N disappears, "
        "but the peak near n = d remains. A larger ridge has the same effect. Filled markers: simulations "
        "with Gaussian features of the same moments, which have the same limit. Open markers: simulations "
        "with drawn relu features, which deviate from the limit where n is not small compared with d^2: the "
        "quadratic part of the activation then has separate directions, which fit noise. Below: both "
        "simulations minus the limit, in standard errors."
    ),
    paper="dascoli2020triple",
    ref="bias and variances of random features over samples, relu, psi_1 = 100",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        SAMPLES=Span(0.1, 1e4, 16),
        SIZES={"gaussian-equivalent": 9, "simulation": 9},
        DRAWN={"gaussian-equivalent": (1.0,), "simulation": (1.0,)},
    ),
)
