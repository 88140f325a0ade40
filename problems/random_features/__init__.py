"""A teacher learned through random nonlinear features, with many samples, features and inputs.

Inputs are x = diag(sigma) z, z ~ N(0, I_d/d), with sum_k sigma_k^2 = d. The teacher is
y = g(z.w) - E g + eps with w uniform on the sphere |w|^2 = d and eps ~ N(0, noise^2). The student is
yhat = a.(s(F x) - mu0)/sqrt(N), whose N rows F_i ~ N(0, I_d) stay as they are drawn, s its activation and
mu0 = E s(G), G ~ N(0, 1); a starts at N(0, init^2). E g is a mean over G likewise. Training loss, a SUM over
the n samples: L = 1/2 sum_mu (y_mu - yhat_mu)^2 + ridge/2 |a|^2.

Both means are known and are subtracted, so no intercept is learned and no direction of the features dominates
all others. A function is given by name, by its Hermite coefficients a_k, s(u) = sum_k a_k He_k(u)/sqrt(k!),
whose squares sum to E s(G)^2, or in Python as a function.
"""

from __future__ import annotations

from functools import partial

from teacherstudent.house.declarations import Linear, Observable, Problem
from teacherstudent.problems.extras import asked
from teacherstudent.problems.random_features.instance import RandomFeatures, build, remarks
from teacherstudent.problems.random_features.parameters import EXTRAS, OBSERVABLE, PARAMETERS
from teacherstudent.problems.strengths import strong

_square = partial(Observable, nonnegative=True)
_error = partial(_square, best="least")
ALWAYS = ("R", "Q", "excess_risk", "generalisation_error", "training_error")
_SMALL = {"n": 12, "width": 9, "noise": 0.3, "init": 0.2, "ridge": 0.1}

PROBLEM = Problem(
    id="random-features",
    title="Double descent of random features over width, samples and time",
    source="mei2022, dascoli2020: the Gaussian equivalent of nonlinear features",
    question="Why does the test error peak when a network has as many features as training examples?",
    parameters=PARAMETERS,
    linear=Linear(
        options=(OBSERVABLE,),
        refused={
            "sgd": "the effect of mini-batches is known only for multiscale and measured-spectrum",
            "langevin": "the effect of thermal noise is known only for multiscale",
        },
    ),
    observables=(
        Observable(
            "R", "R", "output^2", "overlap of the student with the centred teacher, E[(g - E g) yhat]"
        ),
        _square("Q", "Q", "output^2", "mean square of the student's output, E[yhat^2]"),
        _error("excess_risk", "E", "output^2", "excess risk, 1/2 (Var g - 2R + Q)"),
        _error(
            "generalisation_error",
            "E_g",
            "output^2",
            "mean squared error on fresh noisy examples, no factor 1/2",
        ),
        _error(
            "training_error", "E_t", "output^2", "mean squared error on the training examples, no factor 1/2"
        ),
        _square(
            "bias",
            "B",
            "output^2",
            "excess risk of the average student, on the learnable part of the teacher",
        ),
        _square(
            "unlearnable", "U", "output^2", "half the variance of the teacher that is not linear in its input"
        ),
        _square("variance_features", "V_F", "output^2", "excess risk due to the drawn features alone"),
        _square("variance_samples", "V_X", "output^2", "excess risk due to the drawn samples alone"),
        _square(
            "variance_features_samples",
            "V_FX",
            "output^2",
            "excess risk due to the interaction of features and samples",
        ),
        _square(
            "variance_noise",
            "V_e",
            "output^2",
            "excess risk due to label noise that remains after averaging over features",
        ),
        _square(
            "variance_features_noise",
            "V_Fe",
            "output^2",
            "excess risk due to label noise that averaging over features removes",
        ),
        _square("variance_start", "V_0", "output^2", "excess risk due to the initial weights"),
    ),
    build=build,
    observed=lambda _, options: (
        *ALWAYS,
        *asked(EXTRAS, options),
    ),
    examples=(
        {**_SMALL, "d": 8},
        {**_SMALL, "d": 8, "observable": tuple(EXTRAS)},
        {**_SMALL, "activation": "erf", "teacher": "sign", "scales": ((3, 1.0), (5, 0.3))},
    ),
    convention="training loss: half the squared error, summed, plus ridge/2 |a|^2; features carry 1/sqrt(N)",
    realised=lambda problem: {"psi1": problem.psi1, "psi2": problem.psi2},
    derived=lambda problem: strong(problem.counts),
    remarks=remarks,
)

__all__ = ["PROBLEM", "RandomFeatures"]
