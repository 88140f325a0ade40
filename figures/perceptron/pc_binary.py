"""Our own figure: weights of -1 and 1 are learned all at once."""

from __future__ import annotations

import numpy as np

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style, thresholds
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import Curve, draws_of
from teacherstudent.figures.perceptron import setting
from teacherstudent.house.grids import Span

ID = "pc-binary"
SIZES = {9: 600, 18: 120}
"""Draws by d of enumeration."""
SEARCHED, SEARCHES = 600, 24
"""Inputs and draws of message passing."""
DRAWN = tuple(k / 9 for k in range(2, 17, 2))
"""Numbers of examples that are whole at all sizes."""
ALPHAS = Span(0.01, 1.9, 190, "lin")
LATE = 30
"""Points of the metastable branch."""
RULES = {"R": "bayes", "entropy": "gibbs"}
"""Whose: the mean of all students left, and a random one of them."""
SHOWN = {"R": ("overlap of the mean student", 0.03), "entropy": ("entropy per weight", 0.78)}
"""Names of the vertical axes, and the height at which the words of thresholds stand."""
TITLES = {"R": "A jump to the teacher", "entropy": "Entropy of the students left"}
LIMIT = style.Look("in equilibrium", style.BLACK, "o")
METASTABLE = style.Look("metastable", style.VERMILION, "v")
SIMULATED = {
    9: style.Look("enumerated, $d$ = 9", style.ORANGE, "s"),
    18: style.Look("enumerated, $d$ = 18", style.BLUE, "D"),
}
SEARCH = style.Look("message passing", style.GREEN, "^")


def compute(quick: bool) -> Numbers:
    """The version space in the limit, in equilibrium and on the metastable branch; enumerated; searched."""
    from teacherstudent.theory.perceptron import binary

    ends = {"transition": binary.transition(), "spinodal": binary.spinodal()}
    share = np.linspace(0, 1, LATE) ** 0.5  # closer to the spinodal, where it is steep
    late = ends["transition"] + share * (ends["spinodal"] * (1 - 1e-9) - ends["transition"])
    found: Numbers = {}
    for rule in RULES.values():
        values = {"rule": rule, "weights": "binary"}
        found[f"limit_{rule}"] = setting.limit(ALPHAS, **values).assign_attrs(ends)
        found[f"metastable_{rule}"] = Curve(setting.ID, setting.DYNAMICS, values).by("metastable", late)
        for d, draws in SIZES.items():
            seeds = draws_of(ID, quick, draws, setting.FEW, f"d={d}")
            found[f"enumerated_{d}_{rule}"] = setting.drawn(DRAWN, seeds, d, **values)
    asked = {"rule": "bayes", "weights": "binary", "d": SEARCHED}
    search = Curve(setting.ID, setting.DYNAMICS, asked)
    seeds = draws_of(ID, quick, SEARCHES, setting.FEW, "messages")
    found["messages"] = search.compared(search.by("message-passing", DRAWN, seeds), {"metastable": "limit"})
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Overlap and entropy side by side, each with its residuals."""
    fewest = min(each.attrs["n_seeds"] for each in numbers.values() if "n_seeds" in each.attrs)
    panels = []
    for letter, (name, (words, _)) in zip("ab", SHOWN.items(), strict=True):
        rule = RULES[name]
        traces = [
            Trace(LIMIT, numbers[f"limit_{rule}"]),
            Trace(METASTABLE, numbers[f"metastable_{rule}"]),
            *(Trace(look, drawn=numbers[f"enumerated_{d}_{rule}"]) for d, look in SIMULATED.items()),
        ]
        if name == "R":
            traces.append(Trace(SEARCH, drawn=numbers["messages"], residual="R_minus_metastable"))
        title, ends = f"({letter}) {TITLES[name]}", (0.0, ALPHAS.high)
        panels.append(Column("time", name, traces, title, yname=words, xlim=ends, degrees=fewest - 1))
    for axes, (name, (_, height)) in zip(columns.draw(canvas, panels), SHOWN.items(), strict=True):
        for which, more in (("transition", 0.17), ("spinodal", 0.0)):
            place = numbers[f"limit_{RULES[name]}"].attrs[which]
            thresholds.draw(axes, {place: f"{which}\n{place:.3f}"}, height + more)
    counts = {d: numbers[f"enumerated_{d}_gibbs"].attrs["n_seeds"] for d in SIZES}
    draws = ", ".join(f"{count} of d = {d}" for d, count in counts.items())
    searches = f"{numbers['messages'].attrs['n_seeds']} of d = {SEARCHED}"
    curves = [LIMIT, METASTABLE, *SIMULATED.values(), SEARCH]
    entries = [
        legends.theory("theory: replica symmetry, d → ∞"),
        legends.simulation(
            f"simulation: enumeration of all students (draws: {draws}), or message passing ({searches}), "
            "mean ± 1 standard error"
        ),
        legends.band(["a few weights do not resolve the transition"]),
    ]
    fixed = (
        "weights of teacher and student ±1, labels without noise; (a) mean of the version "
        "space, (b) a random member"
    )
    notes = "Entropy: logarithm of the share of students left, per weight; −ln 2: only the teacher is left."
    legends.around(canvas, curves, entries, fixed=fixed, notes=notes)


FIGURE = Figure(
    id=ID,
    title="At a critical number of examples, a student with binary weights jumps to the teacher",
    caption=(
        "Students with weights -1 and 1 that label all examples as their teacher does, over examples per "
        "weight. (a) The overlap of the students' mean with the teacher jumps to 1 at the transition. (b) "
        "The entropy of the students that remain falls; at the transition it reaches the value at which "
        "only the teacher remains. Between transition and spinodal the branch that begins at few examples "
        "continues, although no student belongs to it. "
        "Message passing, a search that starts without information, follows this branch past the transition "
        "and finds the teacher only near the spinodal. Lines: replica symmetry; its stability here is taken "
        "from the literature. Other markers: enumeration of all students with a few weights. The "
        "enumerated entropy approaches the line as 1/d up to one example per weight. In enumeration the "
        "jump is spread over the whole range shown, so enumeration does not confirm where it occurs."
    ),
    paper="seung1992",
    ref="first-order transition of binary weights",
    compute=compute,
    draw=draw,
    small=setting.FEWEST
    | constants(__name__, DRAWN=(4 / 9, 8 / 9), ALPHAS=Span(0.1, 1.9, 5, "lin"), LATE=4, SEARCHED=90),
)
