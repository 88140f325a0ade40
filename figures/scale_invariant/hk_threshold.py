"""Our own figure: the best 1-Lipschitz function of hinge-KR around its threshold, and certificates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, residuals, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import draws_of, mean_and_error, standardised
from teacherstudent.house.running import run
from teacherstudent.problems.scale_invariant import PROBLEM

ID = "hk-threshold"
MARGIN, MEAN, NOISE = 1.0, 1.0, 1.0
SHARES = (0.5, 3.0, 30.0)
"""Of 1 + lambda in its largest value at which the teacher is optimal."""
CELLS, LINE, SHOWN = 600, 401, 14
WEIGHTS = (0.0, 2.0, 10.0)
D, TIME, RATE, ANGLE = 300, 3.0, 0.05, 1.5
DRAWS, FEW, FRESH = 60, 16, 2000
RADII = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
WIDEST, CURVE = 2.2, 45
INPUT = {"symbol": "x", "long_name": "input along the teacher", "units": "input"}
OUTPUT = {"symbol": "f(x)", "long_name": "best 1-Lipschitz function", "units": "output"}
RADIUS = {"symbol": "epsilon", "long_name": "radius of the certificate", "units": "input"}
RIGHT = {"symbol": "P(y f > epsilon)", "long_name": "certified accuracy", "units": "1"}


def compute(quick: bool) -> Numbers:
    """By share of the threshold: the optimum, in closed form and by program; by weight: certificates."""
    found: Numbers = {}
    for share in SHARES:
        found |= _functions(share)
    for weight in WEIGHTS:
        seeds, fresh = (draws_of(ID, quick, DRAWS, FEW, f"{stream} {weight}") for stream in ("seen", "fresh"))
        found |= _certificates(weight, seeds, fresh)
    found["best"] = _curve(np.ones(()))
    return found


def _functions(share: float) -> Numbers:
    """The optimum on a line, and what HiGHS makes of it on cells that are not nearly empty."""
    from teacherstudent.theory.scale_invariant import optimum
    from teacherstudent.theory.scale_invariant.hinge import HingeKR
    from teacherstudent.theory.scale_invariant.transport import critic, gaussian_classes

    most = 1 + optimum.largest_hinge_weight(MARGIN, MEAN, NOISE)
    law = HingeKR(share * most - 1, MARGIN, MEAN, NOISE)
    classes = gaussian_classes(law, CELLS)
    seen = classes.plus + classes.minus > 1e-6
    f = critic(classes, law.hinge_weight, MARGIN).values

    def over(x: np.ndarray, values: np.ndarray) -> xr.Dataset:
        return xr.Dataset({"f": ("x", values, OUTPUT)}, {"x": ("x", x, INPUT)})

    x = np.linspace(-4, 4, LINE)
    return {
        f"optimum_{share:g}": over(x, optimum.values(law, x)),
        f"program_{share:g}": over(classes.points[seen, 0][::SHOWN], ((f - f[::-1]) / 2)[seen][::SHOWN]),
    }


def _question(weight: float) -> dict[str, Any]:
    numbers = {
        "margin": MARGIN,
        "class_mean": MEAN,
        "class_noise": NOISE,
        "learning_rate": RATE,
        "angle0": ANGLE,
    }
    return {"loss": "hinge-kr", "hinge_weight": weight, "d": D, "teacher": "random", **numbers}


def _curve(alignment: np.ndarray, radii: Sequence[float] | None = None) -> xr.Dataset:
    from teacherstudent.theory.scale_invariant.hinge import certified_accuracy

    radius = np.linspace(0, WIDEST, CURVE) if radii is None else np.array(radii)
    right = certified_accuracy(alignment, radius, MEAN, NOISE)
    return xr.Dataset({"right": ("radius", right, RIGHT)}, {"radius": ("radius", radius, RADIUS)})


def _certificates(weight: float, seeds: Sequence[int], fresh: Sequence[int]) -> Numbers:
    """Students trained on a stream, by theory; and simulated ones, attacked on fresh samples."""
    from teacherstudent.sims.scale_invariant.robustness import attacked_accuracy

    question = _question(weight)
    theory = run("scale-invariant", "online", "theory", [TIME], **question)
    alignment = np.cos(theory["angle"].values[0])
    drawn = run("scale-invariant", "online", "simulation", [TIME], seeds=seeds, **question)
    problem = PROBLEM.instance(**{name: question[name] for name in question if name != "learning_rate"})
    right = attacked_accuracy(problem, drawn["angle"].values[:, 0], np.array(RADII), FRESH, fresh)
    claimed = _curve(alignment, RADII)
    mean, error = mean_and_error(xr.DataArray(right, dims=("seed", "radius")))
    gap = mean - claimed["right"]
    compared = claimed.assign(
        right=mean.assign_attrs(RIGHT), right_stderr=error, z=standardised(gap, error, "limit")
    ).assign_attrs(n_seeds=len(seeds))
    return {f"theory_{weight:g}": _curve(alignment), f"drawn_{weight:g}": compared}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The optimum on the left; certificates on the right, and their residuals below."""
    style.size(canvas, 3.9)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    left = canvas.add_subplot(grid[:, 0])
    functions = style.family(SHARES, "(a) $1 + \\lambda_h$ = {:g} × threshold")
    columns.curves(left, traces(numbers, functions, "optimum_{}", "program_{}"), "x", "f")
    colours = (style.BLUE, style.ORANGE, style.GREEN)
    students = {
        weight: style.Look(f"(b) $\\lambda_h$ = {weight:g}", colour, marker)
        for weight, colour, marker in zip(WEIGHTS, colours, "v<>", strict=False)
    }
    shown = traces(numbers, students, "theory_{}", "drawn_{}")
    right = Column("radius", "right", shown, "(b) Certified by trained students", {columns.LIMIT: "z"})
    columns.draw_on(canvas, grid, [right], first=1)[0][0].plot(
        numbers["best"]["radius"], numbers["best"]["right"], **BEST
    )
    some, program = numbers[f"drawn_{WEIGHTS[0]:g}"], numbers[f"program_{SHARES[-1]:g}"]
    left.set(xlim=(-4, 4), ylim=(-4, 4))
    left.set_xlabel(style.axis_label(program["x"]))
    left.set_ylabel(style.axis_label(program["f"]))
    left.set_title("(a) The best 1-Lipschitz function")
    entries = [
        legends.theory("theory: (a) closed form; (b) limit $d \\to \\infty$ of training"),
        legends.theory("(b) the teacher", **BEST),
        legends.markers("(a) linear program on cells"),
        legends.simulation(
            f"(b) simulation: students after {TIME:g} $d$ one-sample steps, attacked on {FRESH} "
            f"fresh samples, {some.attrs['n_seeds']} draws ± 1 standard error"
        ),
        legends.band(("students of finite $d$ deviate from the limit by order $1/d$",)),
    ]
    fixed = (
        f"two Gaussian classes: mean $\\mu$ = {MEAN:g}, noise $\\sigma_c$ = {NOISE:g}, margin $\\gamma$ = "
        f"{MARGIN:g}; (b) $d$ = {D}, learning rate {RATE:g}, from an angle of {ANGLE:g} rad and norm 1"
    )
    curves = [*functions.values(), *students.values()]
    legends.around(canvas, curves, entries, fixed=fixed)


BEST = {"color": "0.35", "lw": 1.2, "ls": ":"}

FIGURE = Figure(
    id=ID,
    title="The hinge changes the best 1-Lipschitz function only above a threshold of its weight",
    caption=(
        "(a) Best 1-Lipschitz function under the hinge-regularised Kantorovich-Rubinstein loss of two "
        "Gaussian classes. Up to a threshold of the hinge's weight the best function is the teacher. Above "
        "the threshold the best function is flat from the margin to a point that moves outwards as the "
        "weight grows. The sign of the function and its certificates within the margin do not change. "
        "Lines: closed form. Markers: linear programs on cells, whose optimum may shift by a cell at no "
        "cost. (b) Share of samples that no perturbation of the given length can misclassify, for linear "
        "students trained in the same way on a stream, with three weights of the hinge. Lines: limit of "
        "large d. Markers: attacks along the gradient on fresh samples. Below: simulation minus limit in "
        "standard errors, including the bias of finite d. Points of one weight share their draws."
    ),
    paper="isis2021",
    ref="Serrurier: hinge regularisation of the Kantorovich-Rubinstein dual, for two Gaussian classes",
    compute=compute,
    draw=draw,
    small=constants(
        __name__, FEW=3, D=20, FRESH=200, CELLS=30, LINE=41, SHOWN=2, RADII=(0.0, 1.0), WEIGHTS=(2.0,)
    ),
)
