"""Fig. 1 of pezeshki2022 ch. 4: two U-turns of one curve, each by the features that cause it.

Alone means: the other scale does not move while one watches. The fast features are alone when
the slow ones are too weak ever to be learned (they act as label noise); the slow features are
alone when the fast ones are so strong that they have always just been learned.
"""

from __future__ import annotations

from dataclasses import dataclass

from teacherstudent.figures.declaration import Canvas, Figure, Numbers
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Trace
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of, on_clock
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.grids import Span

ID = "ch4-fig1"


@dataclass(frozen=True)
class Student:
    """Strengths of the 70 fast and the 30 slow features, and what does not move while one watches."""

    fast: float
    slow: float
    look: style.Look
    fast_is: str = ""
    slow_is: str = ""

    @property
    def strengths(self) -> str:
        """In words."""
        fast, slow = style.number(self.fast), style.number(self.slow)
        return f"$\\sigma_1$ = {fast}{self.fast_is}, $\\sigma_2$ = {slow}{self.slow_is}"

    @property
    def learning_rate(self) -> float:
        """Close to 1/largest eigenvalue of X^T X, which grows like the square of the strength."""
        return 0.25 / self.fast**2


STUDENTS = {
    "fast": Student(
        1.0, 1e-6, style.Look("fast features only", style.ORANGE, "^"), slow_is=" (never learned)"
    ),
    "slow": Student(
        100.0, 1e-2, style.Look("slow features only", style.BLUE, "s"), fast_is=" (learned at once)"
    ),
    "both": Student(1.0, 1e-2, style.Look("both", style.BLACK, "o")),
}
FAINT = {"lw": 6, "alpha": 0.35}
"""The limits of the first two panels where they return."""


def compute(quick: bool) -> Numbers:
    """Three students on the clock s = eta k, which their different learning rates share."""
    seeds = draws_of(ID, quick)
    numbers: Numbers = {}
    for key, student in STUDENTS.items():
        scales = ((70, student.fast), (30, student.slow))
        curve = Curve(
            "multiscale", "descent", {"n": 130, "scales": scales, "learning_rate": student.learning_rate}
        )
        first, last = 0.25 / student.learning_rate, 1e5 / student.learning_rate
        numbers |= routes.answers(key, curve, Span(first, last, 240), Span(first, last, 26), seeds)
    rates = {name: STUDENTS[name.partition("_")[2]].learning_rate for name in numbers}
    return {name: on_clock(answer, "flow", rates[name]) for name, answer in numbers.items()}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each student; the limits of the first two return, broad and pale, in the third."""
    E, panels = "excess_risk", []
    for key, student in STUDENTS.items():
        pale = [
            Trace(STUDENTS[alone].look, numbers[f"asymptotic_{alone}"], line=FAINT)
            for alone in (("fast", "slow") if key == "both" else ())
        ]
        title = f"{student.look.label.capitalize()}\n{student.strengths}"
        panels.append(routes.column(numbers, {key: student.look}, E, title, pale, ylim=(0, 0.4)))
    for axes in columns.draw(canvas, panels, shared=True, across=3):
        axes[0].title.set_fontsize("medium")
    simulated = {STUDENTS["both"].look: numbers["simulation_both"]}
    faint = [
        legends.theory(f"limit of {STUDENTS[alone].look.label}", STUDENTS[alone].look.colour, **FAINT)
        for alone in ("fast", "slow")
    ]
    curves = [student.look for student in STUDENTS.values()]
    fixed = (
        routes.fixed(numbers["asymptotic_both"], {0: "$\\sigma_1$", 1: "$\\sigma_2$"}, ["learning_rate"])
        + ", learning rate $\\eta = 0.25/\\sigma_1^2$"
    )
    routes.legend(canvas, curves, simulated, fixed=fixed, printed=PRINTED, more=faint)


PRINTED = "printed, Eqs. 4.2.11–4.2.16, with ridge $1/s$ for time"

FIGURE = Figure(
    id=ID,
    title="Double descent: fast features make the risk rise, slow features make it fall again",
    caption=(
        "Excess risk over flow time s = eta k of gradient descent from zero; n = 130, d = 100, 70 fast and "
        "30 slow features, no label noise, no ridge. Right: fast and slow features, of strengths 1 and "
        "1/100 (kappa = 100). Left, fast features only: the slow strength is 1e-6, so slow features are not "
        "learned before s = 1e5 and act as label noise. Middle, slow features only: the fast strength is "
        "100, so fast features are learned before s = 0.25. The curve starts on the plateau at which the "
        "curve of the fast features ends. The article does not define 'alone'; this is our reading. The "
        "broad pale lines on the right repeat the limits of the other two panels; the curve of double "
        "descent joins them. The learning rate is 0.25/(fast strength)^2. "
        + routes.reading("gradient descent on drawn data", "with ridge 1/s in place of time")
    ),
    paper="pezeshki2022",
    ref="Fig. 1",
    compute=compute,
    draw=draw,
    small=FEWEST,
)
