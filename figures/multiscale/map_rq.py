"""Our own map: trajectories in the plane of R and Q over families of problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.figures.declaration import Figure
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.figures.multiscale.ch4_fig4 import background, plane
from teacherstudent.house.domains import Span

if TYPE_CHECKING:
    from teacherstudent.figures.declaration import Canvas, Numbers

ID = "map-rq"
BASE: dict[str, Any] = {"n": 110, "d": 100, "p": 70, "kappa": 30.0, "learning_rate": 0.05}
DENSE, SPARSE = (0.0, *Span(1, 1e7, 240).values()), Span(1, 1e7, 12)


@dataclass(frozen=True)
class Family:
    """Problems that differ in one parameter; the middle one is simulated."""

    title: str
    label: str
    parameter: str
    values: tuple[Any, ...]


FAMILIES = (
    Family("more samples", "n = {}", "n", (90, 100, 110, 150, 300)),
    Family("more label noise", "σ = {}", "noise", (0.0, 0.1, 0.2, 0.3, 0.4)),
    Family("more fast features", "p = {}", "p", (10, 30, 50, 70, 90)),
    Family("more ridge", "λ = {}", "ridge", (0.0, 1e-3, 1e-2, 0.1, 1.0)),
)


def compute(quick: bool) -> Numbers:
    """Every family in the limit, and its middle member simulated."""
    numbers: Numbers = {}
    for family in FAMILIES:
        seeds = draws_of(f"{ID}/{family.parameter}", quick)
        for i, value in enumerate(family.values):
            curve = Curve("multiscale", "descent", {**BASE, family.parameter: value})
            numbers[f"asymptotic_{family.parameter}_{i}"] = curve.by("asymptotic", DENSE)
            if i == len(family.values) // 2:
                numbers[f"simulation_{family.parameter}"] = routes.simulated(curve, SPARSE, seeds)
    return {**numbers, "plane": plane(numbers["asymptotic_n_0"])}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A plane for each family."""
    style.size(canvas, 12.5, 11)
    for axes, family in zip(canvas.subplots(2, 2).flat, FAMILIES, strict=True):
        background(canvas, axes, numbers["plane"])
        looks = style.ordered_looks([family.label.format(value) for value in family.values])
        for i, look in enumerate(looks):
            style.theory(axes, numbers[f"asymptotic_{family.parameter}_{i}"], "R", "Q", look)
        drawn = numbers[f"simulation_{family.parameter}"]
        middle = looks[len(looks) // 2]
        style.simulation(axes, drawn, "R", "Q", middle)
        worst = max(float(abs(drawn[f"{name}_minus_instance"]).max()) for name in ("R", "Q"))
        axes.set_title(f"{family.title}: simulated at {middle.label}, largest |z| = {worst:.1f}")
        entries = [legends.theory(look.label, look.colour) for look in looks]
        legends.draw(axes, entries, loc="upper left", frameon=True, fontsize="small")


FIGURE = Figure(
    id=ID,
    title="Families of trajectories in the plane of alignment and norm",
    caption=(
        "Gradient descent from the origin in the plane of R and Q, over the excess risk; hatched, Q < "
        "R^2, which no student can reach. Each panel varies one parameter of n = 110, d = 100, p = 70, "
        "kappa = 30, no noise, no ridge, learning rate 0.05. Lines: the limit n, d -> infinity. Markers: "
        "simulated gradient descent, bars one standard error of the mean in R and Q; the title states "
        "the largest z-score of R and Q against the exact average given each drawn X, over all times."
    ),
    paper="pezeshki2022",
    ref="Fig. 4",
    compute=compute,
    draw=draw,
    no_residuals="the title of each panel states the largest z-score",
    small=FEWEST,
)
