"""Constant-step SGD in linear regression, which gives power-law tails even for Gaussian data.

Labels y = a.w* + noise xi of inputs a = diag(sigma) z, z ~ N(0, I_d), xi ~ N(0, 1); the mean of sigma_k^2 is
1. A student w takes steps of size eta on the MEAN loss of a batch of b examples,

    w <- w - (eta/b) sum_mu (a_mu.w - y_mu) a_mu,        loss of an example: 1/2 (a.w - y)^2.

With v = w - w* the step is v <- M v + q with M = I - (eta/b) A^T A and q = (eta/b) A^T (noise xi), A of b
rows. Each step takes new examples or, if n is given, a new batch of b of the n examples of a set that is
drawn once.

    stationary   time is the step size eta: the stationary distribution of v, its tail index alpha,
                 P(|v| > t) ~ t^-alpha, its excess risk 1/2 E (a.v)^2, and the Lyapunov exponent rho = lim 1/k
                 ln |M_k ... M_1 u|. The distribution exists only if rho < 0.
    sgd          time is the step k: the excess risk 1/2 E (a.v_k)^2 from v_0 ~ N(0, init^2 I_d), and the mean
                 of ln |v_k - v'_k| for two students that start at distance 1 and use the same batches
    orders       time is an order s: ln h(s), h(s) = lim (E |M_k ... M_1 u|^s)^(1/k). h(alpha) = 1.

The tail index is that of |v|. The excess risk is NaN where the variance of v is infinite.
"""

from __future__ import annotations

from functools import partial

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import STEPS, Parameter
from teacherstudent.problems.heavy_tails.instance import HeavyTails, build, derived, remarks
from teacherstudent.problems.heavy_tails.parameters import LEARNING_RATE, PARAMETERS, STEP_SIZE

_error = partial(Observable, nonnegative=True, best="least")

PROBLEM = Problem(
    id="heavy-tails",
    title="Heavy tails of constant-step SGD in linear regression",
    source="gurbuzbalaban2021, kesten1973",
    question="When do the weights of constant-step SGD have a heavy-tailed distribution?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "stationary",
            Parameter("time", "eta", "1/input^2", STEP_SIZE, "learning rate, for the mean loss over a batch"),
            times=Span(0.1, 0.7, 13, "lin"),
        ),
        Dynamics("sgd", STEPS, whole_time=True, options=(LEARNING_RATE,), times=Span(1, 1000, 20)),
        Dynamics(
            "orders",
            Parameter("time", "s", "1", Number(0, 1000), "order of the moment of products of steps"),
            options=(LEARNING_RATE,),
            times=Span(0.5, 6, 12, "lin"),
        ),
    ),
    observables=(
        Observable(
            "lyapunov",
            "rho",
            "1/step",
            "Lyapunov exponent of products of steps; below 0 a stationary distribution exists",
        ),
        Observable(
            "tail_index",
            "alpha",
            "1",
            "tail index alpha of the stationary distribution: P(|w - w*| > t) ~ t^-alpha",
        ),
        _error("excess_risk", "E", "output^2", "excess risk 1/2 E (a.(w - w*))^2, without label noise"),
        Observable(
            "log_separation",
            "ln |v - v'|",
            "1",
            "mean logarithm of the distance of two students with the same batches",
        ),
        Observable("log_growth", "ln h", "1/step", "growth of the moment of order s of products of steps"),
    ),
    build=build,
    examples=(
        {"d": 3, "batch": 2},
        {"d": 4, "p": 2, "kappa": 2.0, "batch": 2},
        {"d": 1, "batch": 1, "n": 12},
    ),
    convention="loss of a batch: the mean of 1/2 (output - label)^2; inputs of variance 1",
    derived=derived,
    remarks=remarks,
)

__all__ = ["PROBLEM", "HeavyTails"]
