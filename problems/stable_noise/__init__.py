"""Motion driven by stable noise: a model of SGD with heavy-tailed gradient noise.

    dX = -a X dt + sigma dL,   X(0) = x_0,

L a symmetric alpha-stable Levy motion, E exp(iu L(t)) = exp(-t |u|^alpha): at alpha = 2 its variance is 2t.
Paths are drawn by Euler's scheme, X <- X - a h X + sigma h^(1/alpha) S, with S distributed as L(1), and
recorded at the step nearest to t, from the first step on.

    relaxation   time is t, from x_0 = 0: mean and variance of ln |X|, and the characteristic function E cos X
    exit         time is a radius r: the mean time at which X first leaves (-r, r), from x_0 = start r
    gap          time is a number n of examples x_mu ~ N(0, s^2) of a student w of the curvature that they
                 have, dw = -a (1/n) sum_mu x_mu^2 w dt + sigma dL, in its stationary law; loss |w x|^p:
                 training_loss over the n, population_loss over a fresh x, both means over the draws of the n
                 and over w, and their difference, the generalisation_gap. All need p < alpha.
                 Here Euler's step is h = step/(a mean x^2): relative to the time of relaxation.
"""

from __future__ import annotations

from functools import partial

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.stable_noise.instance import StableNoise, build
from teacherstudent.problems.stable_noise.parameters import (
    INPUT_SCALE,
    MOST,
    PARAMETERS,
    POSITIVE,
    POWER,
    RELATIVE_STEP,
    START,
    STEP,
)

_loss = partial(Observable, nonnegative=True, best="least")

PROBLEM = Problem(
    id="stable-noise",
    title="Motion driven by stable noise: relaxation, escape from a well, generalisation",
    source="samorodnitsky1994, getoor1961, imkeller2006, simsekli2020",
    question="How long does heavy-tailed noise take to leave a minimum?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "relaxation",
            Parameter("time", "t", "time", Number(0, 1e9), "time"),
            options=(STEP,),
            times=Span(0.1, 10, 12),
        ),
        Dynamics(
            "exit",
            Parameter("time", "r", "distance", POSITIVE, "radius r of the interval (-r, r) that X leaves"),
            options=(STEP, START),
            times=Span(0.5, 4, 8),
        ),
        Dynamics(
            "gap",
            Parameter("time", "n", "examples", Whole(1, MOST), "number of training examples"),
            whole_time=True,
            options=(RELATIVE_STEP, POWER, INPUT_SCALE),
            times=Span(4, 100, 8),
        ),
    ),
    observables=(
        Observable("mean_log", "E ln|X|", "1", "mean of ln |X|"),
        Observable("variance_log", "V", "1", "variance of ln |X|", nonnegative=True),
        Observable("characteristic", "f", "1", "characteristic function of X at 1"),
        Observable("exit_time", "T", "time", "mean time at which X first leaves (-r, r)", nonnegative=True),
        _loss("training_loss", "L_n", "loss", "mean of |w x|^p over the training examples"),
        _loss("population_loss", "L", "loss", "mean of |w x|^p over fresh examples"),
        Observable("generalisation_gap", "L - L_n", "loss", "population loss minus training loss"),
    ),
    build=build,
    examples=(
        {"stability": 1.5, "drift": 1.0},
        {"stability": 1.5, "drift": 0.0},
    ),
    convention="noise with characteristic function exp(-t |u|^alpha); for alpha = 2 its variance is 2t",
)

__all__ = ["PROBLEM", "StableNoise"]
