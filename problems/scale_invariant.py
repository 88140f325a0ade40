"""Learning a direction with scale-invariant weights (roburin2020, roburin2021, roburin2022 ch. 3).

A teacher u* on the unit sphere of R^d; a student x in R^d, used only through u = x/r, r = |x|, so that
every loss is radially invariant. m = u . u* = cos(angle). Inputs z ~ N(0, I_d), a target
t = phi(u* . z) + noise xi with xi ~ N(0, 1), and the loss of a sample, MEANS over a batch:

    correlation          phi(h) = h                   l = 1 - t phi(u . z)       population 1 - m
    squared-correlation  phi(h) = (h^2 - 1)/sqrt(2)   l = 1 - t phi(u . z)       population 1 - m^2
    mse                  phi(h) = h                   l = (t - phi(u . z))^2/2   population 1 - m + const

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

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Choice, Number, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

if TYPE_CHECKING:
    import numpy as np

LOSSES = ("correlation", "squared-correlation", "mse")
ON_THE_SPHERE = ("adamg", "adagradg", "adagradg-exact")
SCHEMES = ("sgd", "sgd-momentum", "sgd-mrt", "adam", "adamw", "adam-s", "adam-srt", *ON_THE_SPHERE)
SHRINKING = ("sgd", "sgd-momentum", "sgd-mrt", "adamw")
"""Schemes whose step holds (1 - eta ridge) x."""

POSITIVE = Number(0, low_open=True)
DECAY = Number(0, 1, high_open=True)

DIMENSION = Parameter(
    "d",
    "d",
    "weights",
    Whole(2),
    "weights of the radially invariant group: the dimension of the sphere's space",
    100,
)
LOSS = Parameter("loss", "L", "1", Choice(LOSSES), "what is minimised", "correlation")
SCHEME = Parameter("scheme", "scheme", "1", Choice(SCHEMES), "how the weights are trained", "sgd")
LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "weight^2/loss",
    POSITIVE,
    "step size; in the online dynamics d times the step size",
    0.1,
    also=("lr",),
)
RIDGE = Parameter(
    "ridge",
    "lambda",
    "loss/weight^2",
    Number(0),
    "L2 coefficient: ridge/2 |x|^2 more loss; for adamw decoupled weight decay, of eta ridge a step",
    0.0,
    also=("weight_decay",),
)
ANGLE = Parameter("angle0", "theta_0", "rad", Number(0, math.pi), "initial angle to the teacher", 1.5)
RADIUS = Parameter("radius0", "r_0", "weight", POSITIVE, "initial norm of the weights", 1.0)
TEACHER = Parameter(
    "teacher",
    "u*",
    "1",
    Choice(("axis", "random")),
    "axis: the teacher is e_1 and the student starts in the plane of e_1, e_2; random: uniform on the "
    "sphere, and so the start at angle0. Only division by element (adam, adamw) can tell them apart",
    "axis",
)
MOMENTUM = Parameter("momentum", "beta", "1", DECAY, "momentum factor of sgd-momentum and sgd-mrt", 0.9)
BETA1 = Parameter("beta1", "beta_1", "1", DECAY, "momentum factor of Adam's variants", 0.9, also=("beta",))
BETA2 = Parameter(
    "beta2",
    "beta_2",
    "1",
    Number(0, 1),
    "memory of the squared gradient of Adam's variants (below 1) and of adagradg (above 0)",
    0.999,
    also=("beta",),
)
EPSILON = Parameter(
    "epsilon", "epsilon", "loss/weight", Number(0), "added to the root that Adam's variants divide by", 1e-8
)
V0 = Parameter("v0", "v_0", "loss^2", POSITIVE, "initial second moment of adagradg", 1.0)

NOISE = Parameter("noise", "sigma", "output", Number(0), "standard deviation of the label noise", 0.0)
DATA = Parameter(
    "data",
    "data",
    "1",
    Choice(("population", "minibatch", "stream")),
    "population: the gradient of the population loss; minibatch: batches drawn without replacement at "
    "each step from n fixed samples; stream: one new sample a step",
    "population",
)
SAMPLES = Parameter(
    "n", "n", "samples", Whole(1), "samples of the data set (data minibatch)", 1000, also=("samples",)
)
BATCH = Parameter(
    "batch",
    "B",
    "samples",
    Whole(1),
    "samples of a batch, at most n (data minibatch)",
    32,
    also=("batch_size",),
)


@dataclass(frozen=True)
class ScaleInvariant:
    """An instance. All fields are validated; build it through `PROBLEM.instance`.

    The fields are the parameters of the same names; those that the scheme does not use are ignored.
    """

    d: int
    loss: str
    scheme: str
    learning_rate: float
    ridge: float
    angle0: float
    radius0: float
    teacher: str
    momentum: float
    beta1: float
    beta2: float
    epsilon: float
    v0: float

    def demand_scheme(self, *schemes: str) -> None:
        """Raise `InputError` unless the scheme is one of those that an answer is known for."""
        if self.scheme not in schemes:
            raise InputError("scheme", self.scheme, Choice(schemes).describe() + " here")

    def demand_positive_shrinkage(self, step: float) -> None:
        """Raise `InputError` where a step of that size takes (1 - step ridge) x through zero.

        step: the learning rate itself; in the online dynamics learning_rate/d.
        """
        if self.scheme in SHRINKING and not step * self.ridge < 1:
            limit = self.learning_rate / step / self.ridge
            raise InputError(
                "learning_rate", self.learning_rate, f"below {limit:g}: eta lambda < 1 in a step"
            )


def draw_start(problem: ScaleInvariant, seeds: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Teachers u* and initial weights x_0, (S, d) each, one of each a seed.

    x_0 = radius0 (cos(angle0) u* + sin(angle0) w) with w a unit vector normal to u*: e_1 and e_2, or
    both uniform on the sphere.
    """
    import numpy as np

    frame = np.zeros((len(seeds), 2, problem.d))
    frame[:, [0, 1], [0, 1]] = 1
    if problem.teacher == "random":
        columns = np.stack(
            [np.random.default_rng([seed, 0]).standard_normal((problem.d, 2)) for seed in seeds]
        )
        q, r = np.linalg.qr(columns)
        frame = (q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, None, :]).swapaxes(-1, -2)
    teacher, normal = frame[:, 0], frame[:, 1]
    direction = math.cos(problem.angle0) * teacher + math.sin(problem.angle0) * normal
    return teacher, problem.radius0 * direction


def draw_samples(
    problem: ScaleInvariant, teachers: np.ndarray, seeds: Sequence[int], n: int, noise: float
) -> tuple[np.ndarray, np.ndarray]:
    """Data sets: inputs z, (S, n, d), and targets t, (S, n), of the teachers (S, d), one a seed."""
    import numpy as np

    inputs = np.stack([np.random.default_rng([seed, 1]).standard_normal((n, problem.d)) for seed in seeds])
    xi = np.stack([np.random.default_rng([seed, 2]).standard_normal(n) for seed in seeds])
    h = np.einsum("snd,sd->sn", inputs, teachers)
    clean = (h**2 - 1) / math.sqrt(2) if problem.loss == "squared-correlation" else h
    return inputs, clean + noise * xi


def _build(**values: object) -> ScaleInvariant:
    problem = ScaleInvariant(**values)  # type: ignore[arg-type]
    if problem.scheme in ON_THE_SPHERE:
        if problem.radius0 != 1:
            raise InputError("radius0", problem.radius0, f"1 for scheme {problem.scheme}, on the sphere")
        if problem.ridge:
            raise InputError("ridge", problem.ridge, f"0 for scheme {problem.scheme}, on the sphere")
    if problem.scheme.startswith("adagradg"):
        if problem.beta2 == 0:
            raise InputError("beta2", problem.beta2, f"above 0 for scheme {problem.scheme}")
    elif problem.scheme.startswith("adam") and problem.beta2 == 1:
        raise InputError("beta2", problem.beta2, f"below 1 for scheme {problem.scheme}")
    return problem


PROBLEM = Problem(
    id="scale-invariant",
    title="Learning a direction with scale-invariant weights",
    source="roburin2020; roburin2021; roburin2022 ch. 3",
    parameters=(
        DIMENSION,
        LOSS,
        SCHEME,
        LEARNING_RATE,
        RIDGE,
        ANGLE,
        RADIUS,
        TEACHER,
        MOMENTUM,
        BETA1,
        BETA2,
        EPSILON,
        V0,
    ),
    dynamics=(
        # x' = -grad L - ridge x of the population loss: the limit of small steps of sgd alone, which must
        # be the scheme; learning_rate enters only the effective learning rate, that of a step of sgd from x.
        Dynamics(
            "flow", Parameter("time", "s", "weight^2/loss", Number(0), "flow time, learning rate x steps")
        ),
        Dynamics(
            "descent",
            Parameter("time", "k", "steps", Whole(0), "step of the scheme"),
            whole_time=True,
            options=(DATA, SAMPLES, BATCH, NOISE),
        ),
        # One new sample a step, steps of learning_rate/d; recorded at the step nearest to t d. Its
        # effective learning rate is d times that of a step, which has a limit at large d.
        Dynamics(
            "online",
            Parameter("time", "t", "steps/d", Number(0), "steps of one new sample each, in units of d"),
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
            "learning rate of the image step on the unit sphere (Eq. 11), of a step; online: of d steps",
        ),
    ),
    build=_build,
    examples=({"d": 4, "ridge": 0.05},),
    convention="training loss: a mean over the batch (mse: 1/2 each), plus ridge/2 |x|^2",
)
