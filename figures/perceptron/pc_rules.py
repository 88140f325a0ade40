"""Our own figure: learning curves of the classical rules, and their laws of many examples."""

from __future__ import annotations

from dataclasses import dataclass, replace

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, Trace, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.figures.perceptron import setting
from teacherstudent.figures.perceptron.setting import ERROR
from teacherstudent.house.grids import Span

ID = "pc-rules"


@dataclass(frozen=True)
class Drawn:
    """Inputs, draws, and numbers of examples per input that are simulated."""

    size: int
    draws: int
    alphas: tuple[float, ...]


SUMS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0, 50.0)
FITS = (0.1, 0.25, 0.5, 0.75, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0)
SEPARATED = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0)
SAMPLED = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
SIMULATED = {
    "hebb": Drawn(200, 40, SUMS),
    "pseudo-inverse": Drawn(100, 40, FITS),
    "max-stability": Drawn(100, 20, SEPARATED),
    "gibbs": Drawn(24, 16, SAMPLED),
    "bayes": Drawn(24, 16, SAMPLED),
}
LOOKS = {
    "hebb": style.Look("Hebb", style.ORANGE, "s"),
    "pseudo-inverse": style.Look("pseudo-inverse, Adaline", style.VERMILION, "^"),
    "gibbs": style.Look("Gibbs: random member", style.SKY, "D"),
    "max-stability": style.Look("maximal stability", style.BLUE, "o"),
    "bayes": style.Look("Bayes: version-space centre", style.BLACK, "v"),
}
FEW_EXAMPLES = Span(0.015, 5, 400, "lin")
MANY_EXAMPLES = Span(0.1, 1000, 160)
CLOSE = Span(1e-9, 0.03, 16)
"""Distances of more places from alpha = 1, at which least squares know nothing and have no length."""
LAWS = Span(0.7, 1000, 30)
"""Where laws of many examples are drawn."""
ENDS = {(0.0, 5.0): (0.0, 0.5), (0.1, 1000.0): (3e-4, 0.6)}
"""Limits of both axes, panel by panel."""
PANELS = (
    ("few", "(a) Few examples", ""),
    ("many", "(b) Many examples", "xy"),
)
"""What each shows, its title, and its logarithmic axes."""


def with_peak(span: Span) -> list[float]:
    """The places of a span, and neighbours of 1."""
    beside = [1 + sign * each for each in CLOSE.values() for sign in (-1, 1)]
    return sorted({*span.values(), *beside} - {1.0})


def compute(quick: bool) -> Numbers:
    """By rule: the limit on both axes, the simulation, and the law of many examples."""
    from teacherstudent.paper_checks.perceptron.kit.formulas import prefactors

    found: Numbers = {}
    laws = prefactors()
    for rule in LOOKS:
        here = SIMULATED[rule]
        found[f"few_{rule}"] = setting.limit(with_peak(FEW_EXAMPLES), rule=rule)[[ERROR]]
        found[f"many_{rule}"] = setting.limit(with_peak(MANY_EXAMPLES), rule=rule)[[ERROR]]
        seeds = draws_of(ID, quick, here.draws, setting.FEW, rule)
        found[f"simulation_{rule}"] = setting.drawn(here.alphas, seeds, here.size, rule=rule)
        (c, power), law = laws[rule], setting.limit(LAWS, rule=rule)[[ERROR]]
        law[ERROR] = (c * law["time"] ** -power).assign_attrs(law[ERROR].attrs)
        found[f"law_{rule}"] = law
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Few examples on even axes, and many on logarithmic ones with the laws; residuals below both."""
    panels = [
        Column("time", ERROR, _curves(numbers, of, *ends), title, log=log, xlim=ends, ylim=ENDS[ends])
        for ends, (of, title, log) in zip(ENDS, PANELS, strict=True)
    ]
    left, _ = columns.draw(canvas, panels)
    thresholds.draw(left, {1.0: "$n = d$"}, 0.04)
    simulated = {rule: numbers[f"simulation_{rule}"] for rule in LOOKS}
    sizes = ", ".join(
        f"{here.size} ({rule}, {simulated[rule].attrs['n_seeds']} draws)" for rule, here in SIMULATED.items()
    )
    entries = [
        *setting.entries("students of drawn examples"),
        legends.approximation("approximation: printed law for many examples"),
    ]
    fixed = "labels of a teacher without noise, inputs of one strength, weights on a sphere"
    notes = f"Simulated d: {sizes}.\n{setting.off(simulated.values())}"
    legends.around(canvas, list(LOOKS.values()), entries, fixed=fixed, notes=notes)


def _curves(numbers: Numbers, of: str, low: float, high: float) -> list[Trace]:
    """Lines, laws on the panel of many examples, and markers that are inside it."""
    found = traces(numbers, LOOKS, f"{of}_{{}}", "simulation_{}", "law_{}" if of == "many" else "")
    return [replace(each, drawn=each.drawn.sel(time=slice(low, high))) for each in found if each.drawn]


FIGURE = Figure(
    id=ID,
    title="Bayes' rule needs the fewest examples; least squares fails at n = d",
    caption=(
        "Probability that a student labels a new input differently from its teacher, over examples per "
        "input. (a) Few examples. Hebb's rule is nearly best at first and slowest later. Least squares fits "
        "all labels while n < d and is no better than chance at n = d. The centre of the version space "
        "(Bayes) is best at any number of examples. The largest margin is hardly worse; a random member "
        "(Gibbs) is much worse. (b) Many examples. Hebb's rule and least squares have errors that fall as "
        "1/sqrt(alpha); the rules in the version space have errors that fall as 1/alpha. Solid: exact "
        "limit. Dashed: laws "
        "for many examples. Markers: students trained on drawn examples. Maximal stability is found by "
        "minimisation, random members and centres by a Markov chain in the version space."
    ),
    paper="engel2001",
    ref="learning curves of the perceptron, rule by rule",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(
        __name__,
        FEW_EXAMPLES=Span(0.5, 5, 4, "lin"),
        MANY_EXAMPLES=Span(0.1, 1000, 4),
        LAWS=Span(0.7, 1000, 3),
        SIMULATED={rule: Drawn(8, 3, (0.5, 2.0)) for rule in SIMULATED},
    ),
)
