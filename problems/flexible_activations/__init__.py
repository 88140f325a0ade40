"""A network whose activations are polynomials: when does a teacher have exactly one student?

    f(x) = W g(V^T x),   g_i(z) = sum_s c_is z^s/sqrt((2s - 1)!!),   s = lowest, ..., degree,

x in R^inputs, f(x) in R^outputs, `units` hidden units, each with a separate activation. All v_i and w_i, the
columns of V and W, are uniform on the unit sphere, c_is ~ N(0, 1): every monomial of a unit has mean square 1
over coefficients and inputs. An example is x_mu ~ N(0, I) with all of f(x_mu), without noise. The student has
the same form, and agrees with the teacher on all of its examples.

The order of the units, and two scales of each (of v_i against c_i, of w_i against c_i), change no f. They are
never counted: a teacher has one student where nothing else is free. Of the parameters, P = units (inputs +
outputs + degree - lowest + 1), P - 2 units are left to be found.

Time is N, the number of examples. Where examples are drawn, fewer of the same seed are the first ones.

    ambiguity            the dimension of the set of students that agree with the examples, without scales
    direction_ambiguity  those of these dimensions that rotate a v_i or a w_i; the others change only c
    direction_error      of the teacher's units the worst: the least angle, as its sine, by which a unit of
                         the student misses its v_i or its w_i, whichever it misses by more
    misfit               |f_student - f|/|f|, root mean squares over fresh inputs
"""

from __future__ import annotations

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Whole
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.flexible_activations.instance import FlexibleActivations, build
from teacherstudent.problems.flexible_activations.parameters import MOST, PARAMETERS

PROBLEM = Problem(
    id="flexible-activations",
    title="Flexible activations: when a teacher has exactly one student",
    source="isis2021",
    question="Can two different networks compute the same function?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "examples",
            Parameter("time", "N", "examples", Whole(1, MOST), "number of examples"),
            whole_time=True,
            times=Span(2, 12, 6, "lin"),
        ),
    ),
    observables=(
        Observable(
            "ambiguity", "a", "parameters", "number of parameters that the examples do not determine, "
            "apart from scales",
            nonnegative=True, best="least",
        ),
        Observable(
            "direction_ambiguity", "b", "parameters",
            "number of free parameters that rotate the directions of units",
            nonnegative=True, best="least",
        ),
        Observable(
            "direction_error", "e", "1", "largest sine of the angles between student units and teacher units",
            nonnegative=True, best="least",
        ),
        Observable(
            "misfit", "M", "1", "relative error of the student on fresh inputs",
            nonnegative=True, best="least",
        ),
    ),
    build=build,
    examples=(
        {"inputs": 2, "outputs": 2, "units": 2, "degree": 3},
        {"inputs": 2, "outputs": 3, "units": 3, "degree": 2, "lowest": 1},
    ),
    convention="labels have no noise, so the training loss is 0 in any normalisation"
)  # fmt: skip

__all__ = ["PROBLEM", "FlexibleActivations"]
