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
    "ambiguity": "free parameters, scales excluded",
    "direction_error": "sine of the largest angle error",
    "misfit": "relative error on fresh inputs",
}
ERRORS = {"direction_error": "(b) Unit directions", "misfit": "(c) Outputs, fresh inputs"}


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
    panels[0].set_title("(a) Free parameters")
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
            "theory: (a) rank in exact arithmetic; (b), (c) black: recovered by a matrix pencil of the "
            "teacher's Jacobians, median"
        ),
        legends.markers("simulation: one marker per student that fits all its examples"),
    ]
    fixed = "3 hidden units, 3 outputs; legend: powers in each activation $g_i(z)$, number of inputs"
    notes = (
        f"{some.sizes['seed']} teachers of each kind. No student was found in {missing} of {tried} "
        "cases (50 starts each).\nMarkers in (b) and (c) are shifted sideways."
    )
    legends.around(canvas, list(LOOKS.values()), entries, fixed=fixed, notes=notes)


def students(axes: Axes, values: xr.DataArray, look: style.Look, beside: float) -> None:
    """A marker for each draw, (seed, time)."""
    for one in values:
        axes.plot(one["time"] + beside, one, **style.marked(look, 4))


FIGURE = Figure(
    id=ID,
    title="How many examples determine a student with flexible activations uniquely",
    caption=(
        "Students fit all N examples of a teacher, for three kinds of activations. (a) Number of parameters "
        "that the examples do not determine, not counting two scales per unit. Lines show the rank of the "
        "map from parameters to examples; markers show the Jacobian at trained students. (b) Largest error "
        "in the direction of a unit. (c) Relative error on fresh inputs. If the activations are squares, "
        "three parameters stay free for any N: with three or more examples, students agree with the teacher "
        "everywhere but have other directions. With a linear term, students of five or more examples have "
        "the teacher's directions. With a cubic term, six examples give as many equations as unknowns, and "
        "no parameter is free. Some students with six examples still differ from the teacher, because a "
        "rank is a local property. With one more example, every student equals the teacher."
    ),
    paper="isis2021",
    ref="Zniyed: identifiability",
    compute=compute,
    draw=draw,
    no_residuals=(
        "(a) compares whole numbers; no theory gives the errors of students that differ from the teacher"
    ),
    small=constants(
        __name__,
        DRAWS=3,
        FEW=3,
        COUNTS=(2, 7),
        SYSTEMS={RECOVERED: SYSTEMS[RECOVERED]},
        LOOKS={RECOVERED: LOOKS[RECOVERED]},
    ),
)
