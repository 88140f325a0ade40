"""Features learned at different scales: a linear teacher-student model (pezeshki2022 ch. 4).

Teacher: y = z.w + eps with z ~ N(0, I_d/d), |w|^2 = d, eps ~ N(0, noise^2). Student: yhat =
x.w_hat on x = F^T z, where F has singular values sigma_k with multiplicity m_k; w_hat starts
at N(0, init^2). Training loss, a SUM over the n samples:
L = 1/2 sum_mu (y_mu - yhat_mu)^2 + ridge/2 |w_hat|^2 + a/2 sum_mu yhat_mu^2, a the output penalty.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from teacherstudent.house.declarations import Linear, Observable, Problem
from teacherstudent.house.domains import Choice, Number
from teacherstudent.house.parameters import RIDGE, Parameter
from teacherstudent.problems.extras import asked, extra
from teacherstudent.problems.peak import heavy_tailed
from teacherstudent.problems.scales import (
    CONDITION,
    DIMENSION,
    FAST,
    INIT,
    NOISE,
    SAMPLES,
    SCALES,
    two_scales,
    whole,
)

RATIO = Parameter(
    "alpha",
    "alpha",
    "samples per feature",
    Number(0, low_open=True),
    "training examples per input feature, n/d, instead of n; n is rounded to a whole number",
    instead_of=("n",),
)
OUTPUT_PENALTY = Parameter(
    "output_penalty", "a", "1", Number(0), "penalty on the training outputs, a/2 sum yhat^2", 0.0
)
PENALTY_DECAY = Parameter(
    "output_penalty_decay",
    "r",
    "1/steps",
    Number(0),
    "rate at which the output penalty fades, a_k = a log(1 + exp(-r k))/log 2 at step k; 0: never",
    0.0,
)
PRECISION = Parameter(
    "precision",
    "",
    "bits",
    Choice(("float64", "float32")),
    "precision of the simulated steps: float32 saves a quarter to a half of the time; its error is about "
    "1e-6, and 4e-9 more per step if n < d",
    "float64",
)
EXTRAS = {
    "generalisation": ("generalisation_error",),
    "training": ("training_error",),
    "outputs": ("training_output",),
    "parts": ("bias", "variance", "start"),
}
"""Groups of observables that most routes compute when asked to, by the option `observable`."""

SCATTER = "scatter"
GROUPS = {**EXTRAS, SCATTER: ("excess_risk_scatter",)}
"""The same with one that few routes know."""

TRAINED = ("R", "Q", "excess_risk", *(name for group in EXTRAS.values() for name in group))
"""What is measured on one student."""

THERMAL = ("R", "Q", "Q0", "excess_risk")
"""What is measured on students at a finite temperature."""

OBSERVABLE = extra(
    GROUPS,
    "add the generalisation or training error as in Advani and Saxe (per example, with noise, without a "
    "factor 1/2), the squared outputs on the training examples, the parts of the excess risk by scale and "
    "cause, or (asymptotic ridge) the standard deviation of the excess risk between draws",
)


@dataclass(frozen=True)
class MultiScale:
    """An instance: `counts` features of strength `sigmas`, scale by scale, and n samples.

    All fields are already validated; build it through `PROBLEM.instance`.
    """

    n: int
    counts: tuple[int, ...]
    sigmas: tuple[float, ...]
    noise: float = 0.0
    ridge: float = 0.0
    init: float = 0.0
    output_penalty: float = 0.0

    @property
    def d(self) -> int:
        """Input dimension: the sum of the multiplicities."""
        return sum(self.counts)

    @property
    def alpha(self) -> float:
        """Samples per dimension, n/d (random-matrix texts use the inverse)."""
        return self.n / self.d


def _build(
    *,
    n: int,
    alpha: float | None,
    d: int,
    p: int,
    kappa: float,
    scales: tuple[tuple[int, float], ...] | None,
    noise: float,
    ridge: float,
    init: float,
    output_penalty: float,
) -> MultiScale:
    counts, sigmas = zip(*(scales or two_scales(d, p, kappa)), strict=True)
    if alpha is not None:
        n = whole(RATIO.name, alpha, sum(counts))
    return MultiScale(n, counts, sigmas, noise, ridge, init, output_penalty)


_square = partial(Observable, nonnegative=True)
_error = partial(_square, best="least")
_SCALE = {"units": "1", "long_name": "scale of the features, in the order given"}
_SMALL = {"n": 12, "d": 8, "p": 4, "kappa": 3.0, "noise": 0.3, "init": 0.2, "ridge": 0.1}

PROBLEM = Problem(
    id="multiscale",
    title="Features learned at different scales",
    source="pezeshki2022 ch. 4, App. .2",
    question="Why does the test error fall, rise and fall again while a network trains?",
    parameters=(SAMPLES, RATIO, DIMENSION, FAST, CONDITION, SCALES, NOISE, RIDGE, INIT, OUTPUT_PENALTY),
    linear=Linear(
        options=(OBSERVABLE,),
        own={"descent": (PENALTY_DECAY, OBSERVABLE), "langevin": ()},
    ),
    observables=(
        Observable("R", "R", "1", "alignment with the teacher, w^T F w_hat / d"),
        _square(
            "Q",
            "Q",
            "1",
            "modulated norm of the student, w_hat^T F^T F w_hat / d (langevin: overlap of two replicas)",
        ),
        _square("Q0", "Q_0", "1", "overlap of a student with itself at finite temperature"),
        _error("excess_risk", "E", "output^2", "excess risk, 1/2 (1 - 2R + Q) (langevin: with Q0 for Q)"),
        _square(
            "excess_risk_scatter",
            "s(E)",
            "output^2",
            "standard deviation of the excess risk between draws of teacher, inputs and label noise",
        ),
        _error(
            "generalisation_error",
            "E_g",
            "output^2",
            "mean squared error on fresh noisy examples, no factor 1/2",
        ),
        _error(
            "training_error", "E_t", "output^2", "mean squared error on the training examples, no factor 1/2"
        ),
        _square("training_output", "O_t", "output^2", "mean squared output on the training examples"),
        _square("bias", "B_k", "output^2", "excess risk of a scale due to the teacher", ("scale",)),
        _square("variance", "V_k", "output^2", "excess risk of a scale due to label noise", ("scale",)),
        _square("start", "I_k", "output^2", "excess risk of a scale due to the initial weights", ("scale",)),
    ),
    build=_build,
    remarks=lambda problem: heavy_tailed(problem.n, problem.d, problem.ridge) if problem.noise else "",
    coordinates=lambda problem: {"scale": ("scale", list(range(1, len(problem.counts) + 1)), _SCALE)},
    observed=lambda _, options: (
        "R",
        "Q",
        "Q0",
        "excess_risk",
        *asked(GROUPS, options),
    ),
    examples=(
        _SMALL,
        {**_SMALL, "observable": (SCATTER,)},
        {**_SMALL, "observable": tuple(EXTRAS)},
        {"n": 8, "d": 8, "p": 4, "kappa": 3.0},
        {**_SMALL, "observable": tuple(EXTRAS), "batch": 3, "data": "replacement"},
    ),
    convention="training loss: sum over examples of half the squared error, plus ridge/2 |w_hat|^2",
    realised=lambda problem: {RATIO.name: problem.alpha},
)
