"""Our own figure: from how many examples a teacher with flexible activations has one student, or never."""

from __future__ import annotations

from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import Curve, draws_of

ID = "fa-students"
SYSTEMS: dict[str, dict[str, Any]] = {
    "square": {"inputs": 2, "outputs": 3, "units": 3, "degree": 2, "lowest": 2},
    "linear": {"inputs": 2, "outputs": 3, "units": 3, "degree": 2, "lowest": 1},
    "cubic": {"inputs": 3, "outputs": 3, "units": 3, "degree": 3, "lowest": 2},
}
RECOVERED = "cubic"
"""The system that has as many inputs and outputs as units, so that a pencil recovers it."""
LOOKS = {
    "square": style.Look("$z^2$; 2 inputs", style.ORANGE, "s"),
    "linear": style.Look("$z, z^2$; 2 inputs", style.BLUE, "o"),
    "cubic": style.Look("$z^2, z^3$; 3 inputs", style.BLACK, "D"),
}
COUNTS = tuple(range(1, 10))
"""Numbers of examples."""
DRAWS, FEW = 12, 4
BESIDE = {"square": -0.2, "linear": 0.0, "cubic": 0.2}
"""By how much the markers of a system stand beside their number of examples."""
NAMES = {
    "ambiguity": "parameters left free, beside scales",
    "direction_error": "sine of the worst direction's angle",
    "misfit": "relative error on fresh inputs",
}
ERRORS = {"direction_error": "(b) Directions of the student", "misfit": "(c) Its outputs on fresh inputs"}


def compute(quick: bool) -> Numbers:
    """By system: parameters left free by the exact rank, trained students, and what a pencil recovers."""
    found: Numbers = {}
    for name, of in SYSTEMS.items():
        curve, seeds = Curve("flexible-activations", "examples", of), draws_of(ID, quick, DRAWS, FEW)
        found[f"rank_{name}"] = curve.by("rank", COUNTS)
        found[f"trained_{name}"] = curve.told("simulation", COUNTS, seeds)
        if name == RECOVERED:
            found["pencil"] = curve.by("pencil", COUNTS, seeds).median("seed", keep_attrs=True)
    return found


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """What examples leave free, and two errors of students that agree with them."""
    style.size(canvas, 3)
    panels = canvas.subplots(1, 3, sharex=True)
    trained = {name: numbers[f"trained_{name}"] for name in SYSTEMS}
    for name, look in LOOKS.items():
        style.theory(panels[0], numbers[f"rank_{name}"], "time", "ambiguity", look)
        students(panels[0], trained[name]["ambiguity"], look, 0.0)
    panels[0].set_title("(a) What the examples leave free")
    some = trained[RECOVERED]
    panels[0].set_ylabel(style.axis_label(some["ambiguity"], NAMES["ambiguity"]))
    for axes, (name, title) in zip(panels[1:], ERRORS.items(), strict=True):
        for system, look in LOOKS.items():
            students(axes, trained[system][name], look, BESIDE[system])
        style.theory(axes, numbers["pencil"], "time", name, LOOKS[RECOVERED])
        axes.set_yscale("log")
        axes.set_title(title)
        axes.set_ylabel(style.axis_label(some[name], NAMES[name]))
    for axes in panels:
        axes.set_xlabel(style.axis_label(some["time"]))
        style.ticks(axes.xaxis, COUNTS)
    missing = sum(int(each["misfit"].isnull().sum()) for each in trained.values())
    tried = sum(each["misfit"].size for each in trained.values())
    entries = [
        legends.theory(
            "theory: (a) rank in exact arithmetic; (b), (c) black: recovered by a pencil of the "
            "teacher's Jacobians, median"
        ),
        legends.markers("simulation: each a student that agrees with all of its examples"),
    ]
    fixed = "3 hidden units and 3 outputs; powers that each activation $g_i(z)$ mixes, and inputs"
    notes = (
        f"{some.sizes['seed']} teachers of each kind. Of {tried} cases {missing} have no student: none "
        "of 50 starts came to agree.\nMarkers of (b) and (c) stand beside their whole number of examples."
    )
    legends.around(canvas, list(LOOKS.values()), entries, fixed=fixed, notes=notes)


def students(axes: Axes, values: xr.DataArray, look: style.Look, beside: float) -> None:
    """A marker for each draw, (seed, time)."""
    for one in values:
        axes.plot(one["time"] + beside, one, **style.marked(look, 4))


FIGURE = Figure(
    id=ID,
    title="When a teacher with flexible activations has exactly one student",
    caption=(
        "Students that agree with a teacher on all of N examples, three kinds of activations. (a) Parameters "
        "that the examples leave free, beside two scales of each unit: lines by the rank of the map from "
        "parameters to examples, markers by the Jacobian around trained students. (b) Worst error of the "
        "directions of a unit, (c) relative error on fresh inputs. Squares alone leave three parameters free "
        "whatever is seen: from three examples on students agree with the teacher everywhere, and have other "
        "directions. With a linear term the directions are the teacher's from five examples on. With a third "
        "power nothing is free from six examples on, as many equations as unknowns, yet some students are "
        "others: a rank is local. One example more leaves the teacher alone."
    ),
    paper="isis2021",
    ref="Zniyed: identifiability",
    compute=compute,
    draw=draw,
    no_residuals="(a) compares whole numbers, and no theory gives the errors of students that are others",
    small=constants(
        __name__,
        DRAWS=3,
        FEW=3,
        COUNTS=(2, 7),
        SYSTEMS={RECOVERED: SYSTEMS[RECOVERED]},
        LOOKS={RECOVERED: LOOKS[RECOVERED]},
    ),
)
