"""Online learning of a two-layer network from a two-layer teacher: soft committee machines.

Inputs x ~ N(0, I_d), one fresh example a step. Fields lambda_k = w_k.x/sqrt(d) of the K units of the student
and rho_m = w*_m.x/sqrt(d) of the M units of the teacher; outputs phi = sum_k v_k g(lambda_k) and
y = sum_m v*_m g(rho_m) + noise xi, xi ~ N(0, 1). An example's loss is 1/2 Delta^2, Delta = phi - y. A step:

    w_k <- w_k - (eta/sqrt(d)) v_k Delta g'(lambda_k) x - (kappa/d) w_k
    v_k <- v_k - (eta_v/d) Delta g(lambda_k) - (kappa_v/d) v_k

with both layers' right hand sides taken before the step. The weight decay kappa is not multiplied by eta.
Time is t = steps/d. g is erf(x/sqrt 2), max(x, 0), x or a user's function, of both networks.

Order parameters: Q_ij = w_i.w_j/d, R_im = w_i.w*_m/d, T_mn = w*_m.w*_n/d, and v. At step 0 they have the
given values (start exact: the drawn weights have exactly these overlaps, in random directions), or the
student's weights are drawn from N(0, init^2) and only T has the given value (start random).
"""

from __future__ import annotations

from functools import partial

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.committee.instance import Committee, build, coordinates, derived, remarks
from teacherstudent.problems.committee.parameters import PARAMETERS

_error = partial(Observable, nonnegative=True, best="least")

PROBLEM = Problem(
    id="committee",
    title="Online learning of a two-layer network from a two-layer teacher",
    source="saad1995, biehl1995, goldt2019",
    question="Why does the loss of a network stay constant for a long time and then fall?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "online",
            Parameter(
                "time",
                "t",
                "steps/d",
                Number(0),
                "time: number of steps divided by d, with one new example per step",
            ),
        ),
    ),
    observables=(
        Observable(
            "R",
            "R_im",
            "1",
            "overlap of a student unit with a teacher unit, w_i.w*_m/d",
            ("unit", "teacher_unit"),
        ),
        Observable("Q", "Q_ij", "1", "overlap of two student units, w_i.w_j/d", ("unit", "other_unit")),
        Observable("second_layer", "v_i", "output", "second-layer weights of the student", ("unit",)),
        _error("excess_risk", "E", "output^2", "excess risk, 1/2 E(phi - phi*)^2 without label noise"),
        _error(
            "generalisation_error",
            "E_g",
            "output^2",
            "mean squared error on fresh noisy examples, no factor 1/2",
        ),
    ),
    build=build,
    coordinates=coordinates,
    examples=(
        {"d": 12, "noise": 0.2, "weight_decay": 0.05},
        {
            "d": 12,
            "width": 1,
            "teacher_width": 2,
            "activation": "relu",
            "learning_rate": 0.5,
            "second_layer_learning_rate": 0.3,
            "noise": 0.3,
            "weight_decay": 0.2,
        },
        {"d": 12, "width": 1, "teacher_width": 2, "activation": "linear", "start": "random"},
    ),
    convention="loss of an example: 1/2 (output - label)^2; w.x is divided by sqrt(d), second layers have "
    "no factor",
    derived=derived,
    remarks=remarks,
)

__all__ = ["PROBLEM", "Committee"]
