"""The parameters of random features."""

from __future__ import annotations

from teacherstudent.house.domains import Choice, Number, Pairs, Several, Whole
from teacherstudent.house.parameters import RIDGE, Parameter

MOST = 10**12
ACTIVATIONS = ("relu", "tanh", "erf", "sign", "linear")
EXTRAS = {
    "parts": (
        "bias", "unlearnable", "variance_features", "variance_samples", "variance_features_samples",
        "variance_noise", "variance_features_noise", "variance_start",
    ),
}  # fmt: skip
"""Groups of observables that a route computes when asked to, by the option `observable`."""

SAMPLES = Parameter(
    "n", "n", "samples", Whole(1, MOST), "number of training examples", 200, also=("samples",), extensive=True
)
WIDTH = Parameter(
    "width",
    "N",
    "features",
    Whole(1, MOST),
    "number of random features",
    150,
    also=("features",),
    extensive=True,
)
DIMENSION = Parameter(
    "d",
    "d",
    "inputs",
    Whole(1, MOST),
    "input dimension (one scale)",
    100,
    also=("dimension",),
    extensive=True,
)
FEATURES_PER_INPUT = Parameter(
    "psi1", "psi_1", "features per input", Number(0, low_open=True),
    "N/d, instead of N: N is the whole number nearest to psi1 d", instead_of=("width",),
)  # fmt: skip
SAMPLES_PER_INPUT = Parameter(
    "psi2", "psi_2", "samples per input", Number(0, low_open=True),
    "n/d, instead of n: n is the whole number nearest to psi2 d", instead_of=("n",), also=("alpha",),
)  # fmt: skip
SCALES = Parameter(
    "scales", "m_k:sigma_k", "inputs:strength", Pairs(Whole(1, MOST), Number(0, low_open=True)),
    "inputs of several strengths as count:sigma, instead of d; only ratios of the strengths matter",
    instead_of=("d",), extensive=True,
)  # fmt: skip
ACTIVATION = Parameter("activation", "s", "", Choice(ACTIVATIONS), "nonlinearity of the features", "relu")
HERMITE = Parameter(
    "hermite", "a_k", "1", Several(Number()),
    "nonlinearity of the features by its Hermite coefficients, s(u) = sum_k a_k He_k(u)/sqrt(k!), from k = 0",
    instead_of=("activation",),
)  # fmt: skip
TEACHER = Parameter("teacher", "g", "", Choice(ACTIVATIONS), "the teacher's function of z.w", "linear")
TEACHER_HERMITE = Parameter(
    "teacher_hermite", "c_k", "1", Several(Number()),
    "the teacher's function by its Hermite coefficients, likewise", instead_of=("teacher",),
)  # fmt: skip
NOISE = Parameter(
    "noise", "sigma_eps", "output", Number(0), "standard deviation of the label noise", 0.0, also=("sigma",)
)
INIT = Parameter(
    "init",
    "sigma_0",
    "weight",
    Number(0),
    "standard deviation of the initial weights a",
    0.0,
    also=("sigma",),
)
OBSERVABLE = Parameter(
    "observable", "", "", Several(Choice(tuple(EXTRAS))),
    "add the parts of the excess risk: bias, and variances by cause with their interactions",
)  # fmt: skip
PARAMETERS = (
    SAMPLES, SAMPLES_PER_INPUT, WIDTH, FEATURES_PER_INPUT, DIMENSION, SCALES, ACTIVATION, HERMITE, TEACHER,
    TEACHER_HERMITE, NOISE, RIDGE, INIT,
)  # fmt: skip
