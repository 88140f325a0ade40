"""Learning a direction with scale-invariant weights (roburin2020, roburin2021, roburin2022 ch. 3).

A teacher u* on the unit sphere of R^d; a student x in R^d, used only through u = x/r, r = |x|, so that
every loss is radially invariant. m = u . u* = cos(angle). Inputs z ~ N(0, I_d), a target
t = phi(u* . z) + noise xi with xi ~ N(0, 1), and the loss of a sample, MEANS over a batch:

    correlation          phi(h) = h                   l = 1 - t phi(u . z)       population 1 - m
    squared-correlation  phi(h) = (h^2 - 1)/sqrt(2)   l = 1 - t phi(u . z)       population 1 - m^2
    mse                  phi(h) = h                   l = (t - phi(u . z))^2/2   population 1 - m + const

A fourth loss has classes instead of a target (isis2021, Serrurier). Labels y = +-1 are equally likely, inputs
z ~ N(y class_mean u*, class_noise^2 I), and the student f(z) = u . z is 1-Lipschitz:

    hinge-kr     l = -2 y f + 2 hinge_weight max(margin - y f, 0)

so that its mean over both classes is E_- f - E_+ f + hinge_weight (E_+ max(margin - f, 0) +
E_- max(margin + f, 0)), E_+ and E_- the means over a class. With a = (margin - class_mean m)/class_noise

    population   -2 class_mean m + 2 hinge_weight class_noise (a Phi(a) + phi(a)),

Phi and phi the standard normal distribution and its density. Its labels are never noisy.

Schemes, with g_k = grad L(x_k) in R^d, moments 0 before step 0, squares and quotients by element:

    sgd             x' = x - eta (g + ridge x)
    sgd-momentum    a <- momentum a + g + ridge x;       x' = x - eta a
    sgd-mrt         a <- momentum RT(a) + g + ridge x;   x' = x - eta a
    adam            m <- beta1 m + (1 - beta1)(g + ridge x), v <- beta2 v + (1 - beta2)(g + ridge x)^2;
                    x' = x - eta mhat/(sqrt(vhat) + epsilon),
                    mhat = m/(1 - beta1^(k+1)), vhat = v/(1 - beta2^(k+1))
    adamw           adam's moments of g alone;   x' = (1 - eta ridge) x - eta mhat/(sqrt(vhat) + epsilon)
    adam-s          adam with one scalar v <- beta2 v + (1 - beta2) |g + ridge x|^2/d
    adam-srt        adam-s with RT(m) and (r_(k-1)/r_k)^2 v in place of the old m and v
    adamg           on the sphere: m <- beta1 T(m) + (1 - beta1) g, v <- beta2 v + (1 - beta2) |g|^2;
                    x' = Exp_x(-eta mhat/(sqrt(vhat) + epsilon)), T the parallel transport along the last step
    adagradg        on the sphere: x' = (x - eta g/sqrt(v)) normalised, then v <- beta2 v + |g|^2 from v = v0
    adagradg-exact  the same with v <- beta2 v + |g|^2 + |g|^4/(4 beta2 v)

RT(a) = (<x_k, x_(k-1)> a - <x_k, a> x_(k-1))/<x_k, x_k> (roburin2020 Eq. 75). On the sphere radius0 is 1
and the ridge 0. A step of a generic scheme is x' = s x - eta a/b with s = 1 (adamw: 1 - eta ridge) and
a = m/(1 - beta1), b = (1 - beta1^(k+1))/(1 - beta1) (sqrt(vhat) + epsilon) for the variants of Adam, b = 1
for those of SGD. Its effective learning rate is Eq. 11: A/(s - A <c, u>) with B = |b|/sqrt(d),
c = r B a/b and A = eta/(r^2 B); it is that of the step from the recorded x_k. For adamg it is eta/b, for
adagradg eta/sqrt(v).
"""

from __future__ import annotations

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.scale_invariant.data import draw_samples, draw_start
from teacherstudent.problems.scale_invariant.instance import ScaleInvariant, build
from teacherstudent.problems.scale_invariant.parameters import (
    BATCH,
    DATA,
    LOSSES,
    NOISE,
    ON_THE_SPHERE,
    PARAMETERS,
    SAMPLES,
    SCHEMES,
    SHRINKING,
)

PROBLEM = Problem(
    id="scale-invariant",
    title="Learning a direction with scale-invariant weights",
    source="roburin2020; roburin2021; roburin2022 ch. 3; isis2021",
    question="How do weight decay and Adam act on weights before a normalisation layer?",
    parameters=PARAMETERS,
    dynamics=(
        # x' = -grad L - ridge x of the population loss: the limit of small steps of sgd alone, which must
        # be the scheme; learning_rate enters only the effective learning rate, that of a step of sgd from x.
        Dynamics(
            "flow", Parameter("time", "s", "weight^2/loss", Number(0), "flow time, learning rate x steps")
        ),
        Dynamics(
            "descent",
            Parameter("time", "k", "steps", Whole(0), "number of optimiser steps"),
            whole_time=True,
            options=(DATA, SAMPLES, BATCH, NOISE),
        ),
        # One new sample a step, steps of learning_rate/d; recorded at the step nearest to t d. Its
        # effective learning rate is d times that of a step, which has a limit at large d.
        Dynamics(
            "online",
            Parameter("time", "t", "steps/d", Number(0), "time, steps/d with one new sample per step"),
            options=(NOISE,),
        ),
    ),
    observables=(
        Observable("angle", "theta", "rad", "angle between student and teacher", best="least"),
        Observable("radius", "r", "weight", "norm of the student's weights"),
        Observable(
            "effective_learning_rate",
            "eta^e",
            "1/loss",
            "effective learning rate per step on the unit sphere (Eq. 11); online: per d steps",
        ),
    ),
    build=build,
    examples=({"d": 4, "ridge": 0.05}, {"d": 4, "loss": "hinge-kr", "hinge_weight": 2.0}),
    convention="training loss: a mean over the batch (with a factor 1/2 for mse and 2 for hinge-kr), plus "
    "ridge/2 |x|^2",
)

__all__ = [
    "LOSSES",
    "ON_THE_SPHERE",
    "PROBLEM",
    "SCHEMES",
    "SHRINKING",
    "ScaleInvariant",
    "draw_samples",
    "draw_start",
]
