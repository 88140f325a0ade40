"""A GAN generator as a set of points, moved by the gradient of a wide discriminator network.

The data are n points y_j in R^d, the teacher; the generator has m points x_i, the student. A discriminator f
is trained to tell them apart by gradient ascent on the difference of MEANS

    J(f) = 1/m sum_i f(x_i) - 1/n sum_j f(y_j)

(an integral probability metric, IPM), from f = 0 at time 0, over all of its trained weights. It is one of

    relu       f = (g_1 - g_2)/sqrt(2), two networks g = sum_k a_k relu(w_k . x + beta b_k)/sqrt(W) that start
               from the same a, w, b ~ N(0, 1) and learn all of them
    fourier    f = sqrt(2/W) sum_k a_k cos(w_k . x/l + phi_k), w ~ N(0, I_d) and phi uniform in (0, 2 pi) for
               good; the a_k are learned, from 0

    discriminator   the points stay; time is discriminator_rate x steps of ascent
    generator       before each step of the generator a new discriminator is drawn and trained for the time
                    tau (discriminator_time), in steps of discriminator_rate; then
                    x_i <- x_i - eta grad f(x_i), eta the learning_rate. Time is eta x steps; recorded is the
                    step nearest to it, with the discriminator that is trained at that step's points.

At a generator point x_i the slope of a wide relu network jumps; there grad f is the mean of both sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.gan.instance import Gan, build
from teacherstudent.problems.gan.parameters import (
    DISCRIMINATOR_RATE,
    LARGEST,
    LEARNING_RATE,
    PARAMETERS,
    TRAINED,
)


def _coordinates(problem: Gan) -> Mapping[str, Any]:
    return {
        "particle": (
            "particle",
            list(range(1, problem.particles + 1)),
            {"units": "1", "long_name": "point of the generator"},
        ),
        "coordinate": (
            "coordinate",
            list(range(1, problem.d + 1)),
            {"units": "1", "long_name": "coordinate of the data space"},
        ),
    }


PROBLEM = Problem(
    id="gan",
    title="GAN generator in the kernel regime: points that a wide discriminator moves",
    source="franceschi2022",
    question="Why does the generator of a GAN stop moving?",
    parameters=PARAMETERS,
    dynamics=(
        Dynamics(
            "discriminator",
            Parameter("time", "t", "1/output", Number(0, LARGEST), "time, discriminator_rate x steps"),
            options=(DISCRIMINATOR_RATE,),
            times=Span(0.1, 1, 4),
        ),
        Dynamics(
            "generator",
            Parameter("time", "t", "input^2/output", Number(0, LARGEST), "time, learning_rate x steps"),
            options=(LEARNING_RATE, TRAINED, DISCRIMINATOR_RATE),
            times=Span(0.1, 5, 8),
        ),
    ),
    observables=(
        Observable(
            "separation",
            "J",
            "output",
            "mean output of the trained discriminator at the generator's points minus its mean output at "
            "the data",
            best="least",
        ),
        Observable(
            "slope",
            "G",
            "output/input",
            "root mean square of |grad f| at the generator's points: the speed at which they move",
            nonnegative=True,
        ),
        Observable(
            "distance_of_means",
            "D",
            "input",
            "distance between the mean of the generator's points and the mean of the data",
            nonnegative=True,
            best="least",
        ),
        Observable(
            "position", "x", "input", "positions of the generator's points", ("particle", "coordinate")
        ),
    ),
    build=build,
    coordinates=_coordinates,
    examples=(
        {"width": 32},
        {"width": 32, "discriminator": "fourier"},
        {"width": 32, "target": "gaussian", "n": 4, "particles": 3, "spread": 0.5},
    ),
    convention="discriminator's objective: a difference of means over points, without a factor 1/2",
)

__all__ = ["PROBLEM", "Gan"]
