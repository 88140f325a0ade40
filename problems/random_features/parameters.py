"""The parameters of random features. Those with a default of None have one that depends on the others."""

from __future__ import annotations

from dataclasses import replace

from teacherstudent.house.domains import Number, Several
from teacherstudent.house.functions import ChoiceOrFunction
from teacherstudent.house.parameters import RIDGE, Parameter
from teacherstudent.problems import scales
from teacherstudent.problems.extras import extra
from teacherstudent.problems.strengths import CONDITION, SCALES, STRONG

FUNCTIONS = ("relu", "tanh", "erf", "sign", "linear")
"""Functions of one number that have a name."""

_OTHERS = (("identity", "linear"), ("none", "linear"), ("step", "sign"))
FUNCTION = ChoiceOrFunction(FUNCTIONS, _OTHERS, 'ts.curve("random-features", activation=f)')

COEFFICIENTS = 64
"""Hermite coefficients at most. Every number that is drawn for a feature goes through all of them."""

MAGNITUDES = (1e-100, 1e100)
"""Least and largest size of a function without its mean: between them squares neither vanish nor overflow."""

EXTRAS = {
    "parts": (
        "bias", "unlearnable", "variance_features", "variance_samples", "variance_features_samples",
        "variance_noise", "variance_features_noise", "variance_start",
    ),
}  # fmt: skip
"""Groups of observables that a route computes when asked to, by the option `observable`."""

SAMPLES = replace(scales.SAMPLES, default=200, also=(*scales.SAMPLES.also, "alpha"))
SAMPLES_PER_INPUT = Parameter(
    "psi2",
    "psi_2",
    "samples per input",
    scales.RATIO,
    "training examples per input, n/d, instead of n (n/N is psi2/psi1); n is rounded to a whole number",
    instead_of=("n",),
    also=("alpha",),  # in the field n/d or n/N: ambiguous, so that it is refused
)
WIDTH = Parameter(
    "width",
    "N",
    "features",
    scales.SIZE,
    "number of random features",
    150,
    also=("features", "neurons", "hidden_units"),
    extensive=True,
)
FEATURES_PER_INPUT = Parameter(
    "psi1",
    "psi_1",
    "features per input",
    scales.RATIO,
    "random features per input, N/d, instead of N; N is rounded to a whole number",
    instead_of=("width",),
)
DIMENSION = replace(scales.DIMENSION, unit="inputs", meaning="input dimension", also=("dimension", "inputs"))
ACTIVATION = Parameter(
    "activation",
    "s",
    "",
    FUNCTION,
    "nonlinearity of the features, minus its mean; for others use --hermite",
    "relu",
    also=("nonlinearity", "sigma"),
)
HERMITE = Parameter(
    "hermite",
    "a_k",
    "1",
    Several(Number()),
    "Hermite coefficients of the features' nonlinearity, s(u) = sum_k a_k He_k(u)/sqrt(k!), k = 0, 1, ...; "
    f"at most {COEFFICIENTS}, the first has no effect",
    instead_of=("activation",),
)
TEACHER = Parameter(
    "teacher",
    "g",
    "",
    replace(FUNCTION, example='ts.curve("random-features", teacher=f)'),
    "function of z.w that the teacher computes, minus its mean; for others use --teacher-hermite",
    "linear",
)
TEACHER_HERMITE = Parameter(
    "teacher_hermite",
    "c_k",
    "1",
    Several(Number()),
    "Hermite coefficients of the teacher's function, as for --hermite",
    instead_of=("teacher",),
)
NOISE = replace(scales.NOISE, also=("sigma", "tau"))
INIT = replace(scales.INIT, meaning="standard deviation of the initial weights a")
RIDGE = replace(
    RIDGE, meaning="ridge of the summed loss, ridge/2 |a|^2 (psi2 times the lambda of Mei and Montanari)"
)
OBSERVABLE = extra(
    EXTRAS,
    "add the parts of the excess risk: the bias, and the variance due to each cause and to interactions of "
    "causes",
)
PARAMETERS = (
    SAMPLES, SAMPLES_PER_INPUT, WIDTH, FEATURES_PER_INPUT, DIMENSION, STRONG, CONDITION, SCALES, ACTIVATION,
    HERMITE, TEACHER, TEACHER_HERMITE, NOISE, RIDGE, INIT,
)  # fmt: skip
