"""Batch classification by a perceptron: learning curves over the number of examples.

Inputs are x = diag(sigma) z, z ~ N(0, I_d/d), with sum_k sigma_k^2 = d. Labels are y = sign(w*.x + noise xi),
xi ~ N(0, 1), with w* uniform on the sphere |w*|^2 = d (weights binary: uniform on {-1, 1}^d); or, with labels
random, fair coins (storage). A student sign(w.x) is found from n = alpha d examples by a rule:

    square, logistic, hinge   minimises sum_mu l(y_mu w.x_mu) + ridge/2 |w|^2, a SUM over examples;
                              l(m) = (1 - m)^2/2, log(1 + e^-m), max(0, 1 - m), or a user's function
    hebb                      w = sum_mu y_mu x_mu, the direction at infinite ridge
    pseudo-inverse            least squares on the labels at ridge -> 0 (Adaline): all are met where alpha < 1
    max-stability             the shortest w with y w.x >= 1 on every example, where these are separable: that
                              of the largest margin at given |w|
    gibbs                     a random member of the version space, uniform by the prior of w*
    bayes                     the label that most of the version space gives; w is the mean of its members

Time is alpha, examples per dimension: a learning curve. Where examples are drawn, a student sees the first
round(alpha d) of them, at least one. Overlaps and norms are in the metric of the inputs'
covariance, so that the probability of a wrong label, against the teacher without its noise, is angle/pi.
"""

from __future__ import annotations

from functools import partial

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.perceptron.instance import Perceptron, build, derived, observed, remarks
from teacherstudent.problems.perceptron.parameters import PARAMETERS

_error = partial(Observable, nonnegative=True, best="least")

PROBLEM = Problem(
    id="perceptron",
    title="Batch classification by a perceptron",
    source="gardner1988, seung1992, engel2001",
    question="How many examples does a classifier need to learn a rule?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "examples",
            Parameter("time", "alpha", "examples/d", Number(0, low_open=True), "examples per input, n/d"),
            times=Span(0.1, 10, 20),
        ),
    ),
    observables=(
        Observable(
            "R", "R", "1", "cosine of the angle between student and teacher (in the metric of the inputs)"
        ),
        Observable(
            "angle",
            "theta",
            "rad",
            "angle between student and teacher (in the metric of the inputs)",
            best="least",
        ),
        _error(
            "generalisation_error",
            "E_g",
            "1",
            "probability that student and teacher give different labels, angle/pi",
        ),
        _error("training_error", "E_t", "1", "share of training labels that the student gets wrong"),
        Observable("Q", "Q", "output^2", "mean square of the student's output w.x", nonnegative=True),
        _error("training_loss", "L", "1", "mean loss of a training example, without ridge"),
        Observable(
            "margin",
            "kappa",
            "1",
            "smallest y w.x over the training examples, with w scaled to E (w.x)^2 = 1",
            best="most",
        ),
        Observable(
            "entropy", "s", "1", "logarithm of the prior probability of the version space, per weight"
        ),
    ),
    build=build,
    observed=observed,
    derived=derived,
    remarks=remarks,
    examples=(
        {"d": 12, "rule": "square"},
        {"d": 12, "rule": "max-stability"},
        {"d": 12, "rule": "gibbs"},
    ),
    convention="training loss: a sum over examples, plus ridge/2 |w|^2; inputs of variance 1/d",
)

__all__ = ["PROBLEM", "Perceptron"]
