"""Published case: triple descent over samples, split into its causes, of one student and of ten."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

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
PANELS = (("low", 0, 1), ("low", 5, 1), ("low", 5, 10), ("high", 5, 1))
"""Ridge, noise and students, as published."""
LOOKS = {
    "total": style.Look("excess risk $E$", style.BLACK, "o"),
    "bias": style.Look("bias", style.SKY, "v"),
    "initialisation": style.Look("features: alone, and with samples", style.BLUE, "s"),
    "sampling": style.Look("samples alone", style.GREEN, "^"),
    "noise": style.Look("label noise", style.VERMILION, "D"),
}


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
    """A column for each published panel: terms and their sum over n/d, and residuals."""
    panels = []
    for letter, (ridge, noise, students) in zip("abcd", PANELS, strict=True):
        curves: list[Trace] = []
        for term, look in LOOKS.items():
            if term != "noise" or noise:
                name = name_of(term, noise, students)
                curves.append(Trace(look, numbers[f"limit_{ridge}"], y=name))
                curves += setting.drawn_both(numbers, {ridge: look}, "{route}_{}", name)
        who = "1 student" if students == 1 else f"{students} students"
        strength = f"{LAMBDA} = {style.number(RIDGES[ridge])}"
        title = f"({letter}) $\\sigma_\\epsilon$ = {noise}, {who}, {strength}"
        panels.append(Column("psi2", "bias", curves, title, setting.BOTH, log="xy", powers=True, ylim=LIMITS))
    for axes in columns.draw(canvas, 20, 10, panels, shared=True):
        thresholds.draw(axes, {1.0: "$n = d$", WIDTH: "$n = N$"})
    drawn = {route: numbers[f"{route}_low"] for route in SIZES}
    fixed = (
        f"$N/d$ = {WIDTH:g} features per input, activation relu, linear teacher, start at 0, ridge "
        f"$\\lambda$ = {LAMBDA} $n/d$"
    )
    notes = "\n".join(
        setting.off([each], SIZES[route], [f"total_{NOISE:g}_1"], route) for route, each in drawn.items()
    )
    legends.around(
        canvas, list(LOOKS.values()), setting.both(SIZES, drawn), columns=2, fixed=fixed, notes=notes
    )


LAMBDA = "$\\lambda_{\\mathrm{mean}}$"
"""The published ridge."""
LIMITS = (1e-3, 100.0)
"""Of the vertical axis."""

FIGURE = Figure(
    id=ID,
    title="Triple descent over samples, split into its causes",
    caption=(
        "Excess risk of ridge regression on relu features over samples per input n/d, at N/d = 100, split "
        "into bias, the variance due to drawn features (alone, and together with samples), due to drawn "
        "samples alone, and due to label noise. The published case with its four panels; the published "
        "errors are twice these. Noise peaks near n = d, where the linear part of the features overfits: "
        "the nonlinear part is a ridge to it, so that the peak stays finite. At n = N the variance of the "
        "features and the noise peak where the ridge is small. Averaging ten students who share their "
        "samples and draw their own features divides what is due to features by ten: the peak at n = N "
        "melts, that near n = d remains. A large ridge does the same. Filled markers: simulations with "
        "Gaussian features of the same moments, which have the same limit; open: with drawn relu features. "
        "These leave the limit where n is not small beside d^2: the quadratic part of the activation then "
        "has directions of its own, which fit noise. Below, both minus the limit in standard errors. "
        "Without noise: the same draws without the noise terms."
    ),
    paper="dascoli2020triple",
    ref="bias and variances of random features over samples, relu, psi_1 = 100",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        SAMPLES=Span(0.1, 100, 4),
        WIDTH=1.0,
        SIZES={"gaussian-equivalent": 9, "simulation": 9},
        DRAWN={"gaussian-equivalent": (1.0,), "simulation": (1.0,)},
    ),
)
