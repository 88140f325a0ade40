"""The parameters of scale-invariant weights, and the options of their dynamics."""

from __future__ import annotations

import math

from teacherstudent.house.domains import Choice, Number, Whole
from teacherstudent.house.parameters import Parameter

LOSSES = ("correlation", "squared-correlation", "mse", "hinge-kr")
ON_THE_SPHERE = ("adamg", "adagradg", "adagradg-exact")
SCHEMES = ("sgd", "sgd-momentum", "sgd-mrt", "adam", "adamw", "adam-s", "adam-srt", *ON_THE_SPHERE)
SHRINKING = ("sgd", "sgd-momentum", "sgd-mrt", "adamw")
"""Schemes whose step holds (1 - eta ridge) x."""

POSITIVE = Number(0, low_open=True)
LARGEST, SMALLEST = 1e6, 1e-6
"""Of the numbers of hinge-kr: between them no quotient or product leaves the range of numbers."""
DECAY = Number(0, 1, high_open=True)

DIMENSION = Parameter(
    "d",
    "d",
    "weights",
    Whole(2),
    "number of weights in the scale-invariant (radially invariant) group",
    100,
)
LOSS = Parameter("loss", "L", "1", Choice(LOSSES), "loss function that is minimised", "correlation")
SCHEME = Parameter("scheme", "scheme", "1", Choice(SCHEMES), "training scheme of the weights", "sgd")
LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "weight^2/loss",
    POSITIVE,
    "learning rate per step; in the online dynamics d times the learning rate per step",
    0.1,
    also=("lr",),
)
RIDGE = Parameter(
    "ridge",
    "lambda",
    "loss/weight^2",
    Number(0),
    "L2 coefficient: adds ridge/2 |x|^2 to the loss; for adamw decoupled weight decay of eta ridge per step",
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
    "direction of the teacher. axis: the teacher is e_1 and the student starts in the plane of e_1, e_2; "
    "random: the teacher is uniform on the sphere, and so is the start at angle0. The choice matters only "
    "for schemes that divide by coordinate (adam, adamw)",
    "axis",
)
MOMENTUM = Parameter("momentum", "beta", "1", DECAY, "momentum factor of sgd-momentum and sgd-mrt", 0.9)
BETA1 = Parameter("beta1", "beta_1", "1", DECAY, "momentum factor of Adam's variants", 0.9, also=("beta",))
BETA2 = Parameter(
    "beta2",
    "beta_2",
    "1",
    Number(0, 1),
    "decay rate of the mean squared gradient in Adam's variants (below 1) and in adagradg (above 0)",
    0.999,
    also=("beta",),
)
EPSILON = Parameter(
    "epsilon", "epsilon", "loss/weight", Number(0), "added to the denominator of Adam's variants", 1e-8
)
V0 = Parameter("v0", "v_0", "loss^2", POSITIVE, "initial second moment of adagradg", 1.0)
HINGE_WEIGHT = Parameter(
    "hinge_weight",
    "lambda_h",
    "1",
    Number(0, LARGEST),
    "weight of the hinge in the loss hinge-kr; with 0 only the Wasserstein distance of the classes remains",
    1.0,
)
MARGIN = Parameter("margin", "gamma", "output", Number(0, LARGEST), "margin of the hinge in hinge-kr", 1.0)
CLASS_MEAN = Parameter(
    "class_mean",
    "mu",
    "output",
    Number(SMALLEST, LARGEST),
    "distance between the mean of each class of hinge-kr and the origin, along the teacher",
    1.0,
)
CLASS_NOISE = Parameter(
    "class_noise",
    "sigma_c",
    "output",
    Number(SMALLEST, LARGEST),
    "standard deviation of the inputs of hinge-kr around their class mean, in every direction",
    1.0,
)

NOISE = Parameter("noise", "sigma", "output", Number(0), "standard deviation of the label noise", 0.0)
DATA = Parameter(
    "data",
    "data",
    "1",
    Choice(("population", "minibatch", "stream")),
    "population: gradient of the population loss; minibatch: at each step a batch drawn without replacement "
    "from n fixed samples; stream: one new sample per step",
    "population",
)
SAMPLES = Parameter(
    "n", "n", "samples", Whole(1), "samples in the data set (data minibatch)", 1000, also=("samples",)
)
BATCH = Parameter(
    "batch",
    "B",
    "samples",
    Whole(1),
    "number of samples per batch, at most n (data minibatch)",
    32,
    also=("batch_size",),
)


PARAMETERS = (
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
    HINGE_WEIGHT,
    MARGIN,
    CLASS_MEAN,
    CLASS_NOISE,
)
