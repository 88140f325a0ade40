"""The plateau: units that are alike learn alike for long, until one of each looks at one of the teacher's."""

from __future__ import annotations

from teacherstudent.figures.committee import setting
from teacherstudent.figures.committee.setting import EQUAL, RISK, of_equals, question_of
from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace, traces
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.grids import Span

ID = "cm-plateau"
UNITS = {"erf": {"learning_rate": 1.5}, "relu": {"learning_rate": 0.4}}
OVERLAPS = (0.3, 0.1, 0.01)
"""At the start, of each unit with its own of the teacher; simulated at the first two."""
SHOWN = 1
"""Which of them the overlaps are shown for."""
INIT = 0.5
SIZE = 600
DRAWS = 10
LINES = {"erf": Span(0, 110, 221, "lin"), "relu": Span(0, 60, 121, "lin")}
MARKS = {"erf": Span(0, 56, 15, "lin"), "relu": Span(0, 32, 9, "lin")}


def question(activation: str, overlap: float) -> dict[str, object]:
    """Two units that learn from two."""
    return {"activation": activation, "init": INIT, "overlap": overlap, "d": SIZE, **UNITS[activation]}


def compute(quick: bool) -> Numbers:
    """Risk and overlaps over time, by the limit at each overlap and drawn at the first."""
    numbers = {}
    for each in UNITS:
        for i, overlap in enumerate(OVERLAPS):
            limit = question_of(**question(each, overlap)).by("asymptotic", LINES[each])
            numbers[f"{each}_{i}"] = of_equals(limit)
        for i, overlap in enumerate(OVERLAPS[: SHOWN + 1]):
            seeds = draws_of(ID, quick, DRAWS, setting.FEW, f"{each} {overlap}")
            numbers[f"{each}_{i}_drawn"] = setting.drawn(
                question_of(**question(each, overlap)), MARKS[each], seeds
            )
    return numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Risk and overlaps of erf units, and the risk of relu units."""
    started = style.ordered_looks([f"(a, c) $X_0$ = {each:g}" for each in OVERLAPS])
    colours = (style.BLACK, style.BLUE, style.ORANGE, style.VERMILION)
    overlaps = [
        style.Look(f"(b) {style.mathematics(EQUAL[name][0])}: {EQUAL[name][1]}", colour, marker)
        for name, colour, marker in zip(EQUAL, colours, "DvPX", strict=True)
    ]
    limit, drawn = (numbers[f"erf_{SHOWN}{kind}"] for kind in ("", "_drawn"))
    family = dict(enumerate(started))
    first, third = (
        Column(
            "time",
            RISK,
            traces(numbers, family, f"{each}_{{}}", f"{each}_{{}}_drawn"),
            f"({letter}) {each} units, $\\eta$ = {rate['learning_rate']:g}: a plateau",
            xname="time",
            log="y",
        )
        for (each, rate), letter in zip(UNITS.items(), "ac", strict=True)
    )
    second = Column(
        "time",
        "",
        [Trace(look, limit, drawn, y=name) for name, look in zip(EQUAL, overlaps, strict=True)],
        f"(b) erf units, $X_0$ = {OVERLAPS[SHOWN]:g}: units specialise",
        xname="time",
        yname="overlaps per input $R$, $Q$ [dimensionless]",
        xlim=(0, MARKS["erf"].high),
    )
    columns.draw(canvas, [first, second, third], across=3)
    legends.around(
        canvas,
        [*started, *overlaps],
        setting.entries(numbers, SIZE),
        fixed="$K = M$ = 2 units, $T_{mn} = \\delta_{mn}$, second layers 1 and fixed, no label noise, no "
        f"decay, start $Q_{{ij}}$ = {INIT**2:g} $\\delta_{{ij}}$, $R_{{ij}} = X_0 \\delta_{{ij}}$",
        notes="Draws leave the plateau at different times, so their mean deviates from the limit there.",
    )


FIGURE = Figure(
    id=ID,
    title="Learning stays on a plateau while all units are equal, and ends it when units specialise",
    caption=(
        "Two units learn online from a teacher with two units. (a) Excess risk of erf units over time for "
        "three initial overlaps X_0 with the teacher. The risk falls, stays on a plateau, and falls again. "
        "A smaller overlap makes the plateau longer. (b) Overlaps for X_0 = 0.1. On the plateau all R are "
        "equal and both units compute the same function. Then each unit specialises on one teacher unit. "
        "(c) Excess risk of relu units over time. Lines: equations of saad1995 and biehl1995 for infinite "
        "dimension d. Markers: "
        f"training on drawn examples at d = {SIZE}. Below: simulation minus limit in standard errors."
    ),
    paper="saad1995",
    ref="symmetric phase and specialisation; parameters: ours",
    compute=compute,
    draw=draw,
    small=constants("teacherstudent.figures.committee.setting", FEW=2)
    | constants(
        __name__,
        SIZE=20,
        LINES={"erf": Span(0, 20, 9, "lin"), "relu": Span(0, 10, 9, "lin")},
        MARKS={"erf": Span(0, 10, 3, "lin"), "relu": Span(0, 5, 3, "lin")},
    ),
)
