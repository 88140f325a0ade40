"""Our own: radius and effective learning rate of seven schemes, towards their predicted equilibria."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.comparison import Curve, draws_of, standardised
from teacherstudent.house.grids import Span
from teacherstudent.house.running import summarise

ID = "sphere-effective-rate"
D, NOISE, BETA2 = 200, 1.0, 0.99
SEEDS, QUICK_SEEDS = 16, 5
END = 100.0
LINES, RECORDS = Span(0.1, END, 120), Span(0.1, END, 11)
SHOWN = ("radius", "effective_learning_rate")


@dataclass(frozen=True)
class Case:
    """A scheme with its learning rate and ridge, and the route of theory that knows it."""

    scheme: str
    learning_rate: float
    ridge: float

    @property
    def route(self) -> str:
        """Exact for SGD's variants; second moments replaced by their means for Adam's."""
        return "theory" if self.scheme.startswith("sgd") else "averaged"

    @property
    def curve(self) -> Curve:
        """The question."""
        values: dict[str, Any] = {"d": D, "noise": NOISE, "teacher": "random"}
        own = {"scheme": self.scheme, "learning_rate": self.learning_rate, "ridge": self.ridge}
        memory = {} if self.scheme.startswith("sgd") else {"beta2": BETA2}
        return Curve("scale-invariant", "online", {**values, **own, **memory})


CASES = (
    Case("sgd", 1.0, 0.1),
    Case("sgd-momentum", 0.1, 0.5),
    Case("sgd-mrt", 0.1, 0.5),
    Case("adam", 0.3, 1.0),
    Case("adamw", 0.3, 0.5),
    Case("adam-s", 0.3, 1.0),
    Case("adam-srt", 0.3, 1.0),
)


def compute(quick: bool) -> Numbers:
    """For each scheme the theory over time, its equilibrium, and the mean of simulated draws."""
    seeds = draws_of(ID, quick, SEEDS, QUICK_SEEDS)
    numbers = {}
    for case in CASES:
        numbers[f"theory_{case.scheme}"] = case.curve.by(case.route, LINES)
        numbers[f"equilibrium_{case.scheme}"] = case.curve.by("equilibrium", (END,))
        numbers[f"simulation_{case.scheme}"] = simulation(case, seeds)
    averaged = [case for case in CASES if case.route == "averaged"]
    rates = xr.concat([left_out_of_rates(numbers[f"theory_{case.scheme}"]) for case in averaged], "scheme")
    largest = rates.max("scheme")
    radii = xr.full_like(largest, max(left_out_of_radii(case.scheme == "adamw") for case in averaged))
    attrs = {"units": "per cent", "long_name": "estimated error of averaging, largest of the schemes"}
    numbers["left_out"] = xr.Dataset(
        {
            "radius": radii.assign_attrs(attrs, symbol="b_r"),
            "effective_learning_rate": largest.assign_attrs(attrs, symbol="b"),
        }
    )
    return numbers


def simulation(case: Case, seeds: Sequence[int]) -> xr.Dataset:
    """Means and standard errors over draws, and their residuals in standard errors."""
    summary = summarise(case.curve.by("simulation", RECORDS, seeds)).assign_attrs(first_seed=seeds[0])
    claim = case.curve.by(case.route, RECORDS)
    for name in SHOWN:
        gap, error = summary[name] - claim[name], summary[f"{name}_stderr"]
        summary[f"{name}_minus_theory"] = standardised(gap, error, "theory")
        for part, values in (("off", gap), ("off_stderr", error)):
            attrs = {
                "units": "per cent",
                "long_name": f"{name}, simulation over theory minus 1",
                "symbol": "o",
            }
            summary[f"{name}_{part}"] = (100 * values / claim[name]).assign_attrs(attrs)
    return summary


VARIANCE = 4 * (1 - BETA2)
"""Relative variance of a second moment v, which remembers 1/(1 - beta2) steps.

An entry of the gradient is label noise times an input, both normal, so that E g^4 = 9 (E g^2)^2, and the
variance is 8 (1 - beta2)/2."""


def left_out_of_rates(theory: xr.Dataset) -> xr.DataArray:
    """An estimate of what averaging v leaves out of effective rates, per cent: how v fluctuates, and its lag.

    A rate goes like v^(-1/2), whose mean exceeds that at the mean of v by 3/8 of the relative variance. In t
    the lag of v is 1/(d (1 - beta2)), and changes sqrt v by that times its slope; rate r^2 sqrt v is constant
    once Eq. 9's 1/(1 - beta1^(k+1)) is taken off.
    """
    import json

    beta1 = json.loads(theory.attrs["instance"])["beta1"]
    settled = 1 - beta1 ** (np.rint(theory["time"] * D) + 1)
    logarithm = -np.log(theory["effective_learning_rate"] * settled * theory["radius"] ** 2)
    slope = abs(logarithm.differentiate("time"))
    return 100 * (3 / 8 * VARIANCE + slope / (D * (1 - BETA2)))


def left_out_of_radii(decoupled: bool) -> float:
    """An estimate of what averaging v leaves out of a radius at rest, per cent; before, it builds up.

    Growth goes like g^2/v. Its mean is larger by the relative variance of v, and smaller by twice that, for v
    holds the share 1 - beta2 of g^2 itself: a covariance of 8 (1 - beta2). Decay by L2 goes like v^(-1/2),
    larger by 3/8 of the variance, and balances growth at r^3 ~ growth/decay; decoupled decay does not see v
    and does so at r^2 ~ growth.
    """
    return 100 * VARIANCE * (1 / 2 if decoupled else (1 + 3 / 8) / 3)


LOOKS = {
    "sgd": style.Look("SGD + L2", style.ORANGE, "o"),
    "sgd-momentum": style.Look("SGD-M", style.VERMILION, "s"),
    "sgd-mrt": style.Look("SGD-MRT", style.PURPLE, "^"),
    "adam": style.Look("Adam", style.SKY, "D"),
    "adamw": style.Look("AdamW", style.GREEN, "v"),
    "adam-s": style.Look("Adam-S", style.BLUE, "P"),
    "adam-srt": style.Look("Adam-SRT", style.BLACK, "X"),
}
COLUMNS = (
    ("SGD and momentum: exact laws", ("sgd", "sgd-momentum", "sgd-mrt"), (0.1, 0.2, 0.5, 1)),
    (
        "Adam variants: averaged moments",
        ("adam", "adamw", "adam-s", "adam-srt"),
        (0.02, 0.03, 0.04),
    ),
)
"""Title, schemes, and ticks of the effective rate."""
LEFT_OUT = "estimated error of averaging: fluctuation\nand, for rates, lag; largest of the schemes"
SETTLED = 3
"""Memories of momentum, which is none in the limit, after which draws are held against the limit."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each family: radius and effective rate over time, each above its residuals."""
    style.size(canvas, 6.2)
    grid = canvas.add_gridspec(4, 2, height_ratios=2 * [1.7, residuals.BELOW])
    for column, (title, schemes, rates) in enumerate(COLUMNS):
        top: Axes | None = None
        for row, name in enumerate(SHOWN):
            axes = canvas.add_subplot(grid[2 * row, column], sharex=top)
            below = canvas.add_subplot(grid[2 * row + 1, column], sharex=axes)
            top = top or axes
            shown = [scheme for scheme in schemes if f"theory_{scheme}" in numbers]
            draw_quantity(axes, numbers, shown, name)
            draw_rest(below, numbers, shown, name)
            axes.set_ylabel(LABELS[name])
            below.tick_params(labelbottom=row == len(SHOWN) - 1)
        axes.set(yscale="log")
        style.ticks(axes.yaxis, rates)
        top.set_title(title)
        below.set_xlabel("samples per dimension $t$ [steps/$d$]")
    draws = next(answer.attrs["n_seeds"] for answer in numbers.values() if "n_seeds" in answer.attrs)
    entries = [
        legends.theory("theory, exact as $d \\to \\infty$"),
        legends.approximation("approximation: second moments averaged"),
        legends.theory("predicted equilibrium", **REST),
        legends.draws(draws),
        legends.band(),
        legends.bound(LEFT_OUT),
        legends.Entry(
            f"pale: $t$ < {SETTLED} memory times of momentum,\nnot to be compared with the band",
            style.marked(LOOKS["sgd-momentum"], 3.5) | PALE,
        ),
    ]
    legends.around(canvas, curves(numbers), entries, fixed=fixed(numbers))


def curves(numbers: Numbers) -> list[legends.Entry]:
    """Each scheme with its own learning rate and ridge."""
    return [
        legends.curve(replace(LOOKS[case.scheme], label=words(case)))
        for case in CASES
        if f"theory_{case.scheme}" in numbers
    ]


def words(case: Case) -> str:
    """A scheme, its learning rate and its ridge."""
    return f"{LOOKS[case.scheme].label}: $\\eta$ = {case.learning_rate:g}, $\\lambda$ = {case.ridge:g}"


def fixed(numbers: Numbers) -> str:
    """What all schemes share."""
    words = {
        "d": "Dimension",
        "noise": "label noise",
        "angle0": "start at",
        "radius0": "",
        "momentum": "momentum",
    }
    shared = style.fixed(numbers["theory_sgd"], {"beta2": BETA2}, **words, beta1="", beta2="")
    return f"{shared}; all schemes share their draws"


def draw_quantity(axes: Axes, numbers: Numbers, schemes: Sequence[str], name: str) -> None:
    """Lines, equilibria, markers."""
    for scheme in schemes:
        look = LOOKS[scheme]
        theory, simulated = numbers[f"theory_{scheme}"], numbers[f"simulation_{scheme}"]
        line = style.approximation if theory.attrs["approximate"] else style.theory
        line(axes, theory, "time", name, look)
        rest = float(numbers[f"equilibrium_{scheme}"][name][-1])
        axes.axhline(rest, color=look.colour, **REST)
        style.simulation(axes, simulated, "time", name, look)
    axes.set(xscale="log")
    axes.tick_params(labelbottom=False)


def draw_rest(axes: Axes, numbers: Numbers, schemes: Sequence[str], name: str) -> None:
    """Simulation minus exact laws in standard errors; minus averaged ones, known to be off, in per cent."""
    answers = {LOOKS[scheme]: numbers[f"simulation_{scheme}"] for scheme in schemes}
    if not numbers[f"theory_{schemes[0]}"].attrs["approximate"]:
        residuals.name(axes, "sim. − theory\n[std. errors]")
        left = {look: answer[f"{name}_minus_theory"] for look, answer in answers.items()}
        held = {
            LOOKS[scheme]: answers[LOOKS[scheme]]["time"] >= unsettled(numbers, scheme) for scheme in schemes
        }
        judged = {look: values.where(held[look]) for look, values in left.items()}
        residuals.draw(axes, judged, next(iter(answers.values())).attrs["n_seeds"] - 1)
        for look, values in left.items():
            early = values.where(~held[look])
            axes.plot(early["time"], early, **(style.marked(look, 3.5) | PALE))
        reach = max(axes.get_ylim()[1], *(1.15 * float(abs(values).max()) for values in left.values()))
        axes.set_ylim(-reach, reach)
        return
    residuals.name(axes, "sim./theory − 1\n[per cent]")
    off = {look: (answer[f"{name}_off"], answer[f"{name}_off_stderr"]) for look, answer in answers.items()}
    bound = numbers["left_out"][name]
    residuals.measured(axes, off, bound)
    if beyond := outside(off.values(), bound):
        count = sum(gap.size for gap, _ in off.values())
        words = f"outside by more than two bars:\n{beyond} of {count}, unexplained"
        axes.text(0.98, 0.06, words, transform=axes.transAxes, ha="right")


def unsettled(numbers: Numbers, scheme: str) -> float:
    """The time before which momentum's memory is not short; 0 without momentum."""
    if scheme == "sgd":
        return 0.0
    return SETTLED / (1 - json.loads(numbers[f"theory_{scheme}"].attrs["instance"])["momentum"]) / D


def outside(off: Iterable[tuple[xr.DataArray, xr.DataArray]], bound: xr.DataArray) -> int:
    """How many differences exceed the bound at their time by more than two of their standard errors."""
    return sum(int((abs(gap) - 2 * error > bound.interp(time=gap["time"])).sum()) for gap, error in off)


LABELS = {
    "radius": "radius $r$ [weight]",
    "effective_learning_rate": "effective learning rate of $d$ steps\n$d\\,\\eta^e$ [1/loss]",
}
REST = {"lw": 0.9, "ls": ":"}
PALE = {"alpha": 0.35}


FIGURE = Figure(
    id=ID,
    title="Radius and effective learning rate settle where noise and weight decay balance",
    caption=(
        f"One scale-invariant unit of dimension d = {D} learns a teacher's direction from a stream of noisy "
        f"samples (correlation loss, label noise {NOISE:g}, start at 1.5 rad and radius 1). Each step uses "
        "one new sample and L2 (AdamW: decoupled decay). Noise lengthens the weights and decay shortens "
        "them; the balance of noise and decay sets the effective learning rate. Learning rate and ridge: "
        + ", ".join(f"{LOOKS[c.scheme].label} {c.learning_rate:g}, {c.ridge:g}" for c in CASES)
        + f"; momentum 0.9, beta2 = {BETA2:g}. Solid: laws that become exact as d grows. Dashed: laws that "
        "replace second moments by their means; Adam and Adam-S then coincide. Dotted: predicted "
        "equilibrium. Adam-SRT relaxes 1/(1 - beta1) = 10 times more slowly than Adam-S, because its "
        "momentum does not contain the decay. Markers: training in R^d by the real optimisers, mean of "
        f"{SEEDS} draws ({QUICK_SEEDS} in the quick version), bars one standard error. Below left: "
        "simulation minus theory in standard errors, including the finite-size offset of order 1/d. Pale "
        f"markers are within {SETTLED} memory times of momentum (10 steps each) of the start, a time that "
        "vanishes as d grows; the band does not apply to pale markers. Below right, for Adam's variants: "
        "simulation over theory minus 1, in per cent; more draws do not make this difference vanish. The "
        "band estimates the error of averaging, for the scheme with the largest error. Second moments "
        "fluctuate (relative variance 4 (1 - beta2)). These fluctuations raise the mean of rates by 3/8 of "
        "the variance and lower equilibrium radii by up to half of the variance. Second moments also lag by "
        "1/(d (1 - beta2)) in t, and this lag changes the rates while radii change. Points outside the band "
        "are unexplained. All schemes share their draws, so points of one time are correlated."
    ),
    paper="roburin2020",
    ref="Table 1, Eqs. 11, 13",
    compute=compute,
    draw=draw,
    small=constants(
        __name__,
        QUICK_SEEDS=3,
        D=20,
        CASES=tuple(case for case in CASES if case.scheme in ("sgd", "adam-srt")),
    ),
)
