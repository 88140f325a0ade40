"""A residual network on real images with wrong labels: two scales of learning in a trained network.

An image is given by its P pixels x, standardised by one mean and one standard deviation over all pixels, and
by its first d principal components z, each scaled to variance 1. A network of one block has one output per
class,

    f = s z B/sqrt(d) + epsilon relu(x W/sqrt(P) + b/2) A/sqrt(h),

a skip that is linear in z and a branch of h hidden units, each with its scale. It starts at B = 0 and W, b, A
~ N(0, 1); the initial output is subtracted from f. It is trained by gradient descent over all parameters
theta on

    L = MEAN over n images of 1/2 |f - y|^2 + weight_decay/2 |theta - theta_0|^2,

y the label's one-hot row minus 1/10 (one over the number of classes), summed over classes. Of the n labels
each is wrong with probability label_noise; the labels of test images are correct. The predicted class is that
of the largest output.

Images are scikit-learn's 1797 digits, of which n are drawn and the others tested; or those of a folder in
the layout of torchvision (MNIST, CIFAR-10, CelebA: blond or not): n are drawn of its training part, and its
test part is tested. Of either part at most `pool` images are taken, evenly spaced. Mean, standard deviation
and components are those of all digits, or of all training images that were taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from teacherstudent.house.declarations import Linear, Observable, Problem
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.residual_digits import folders
from teacherstudent.problems.residual_digits.sources import ImageFile, ImageSet

MOST = 10**6
POSITIVE = Number(0, low_open=True)

DATA = Parameter(
    "data",
    "",
    "images",
    ImageFile(),
    "images: digits (extra data), or a folder with MNIST, CIFAR-10 or CelebA in the layout of torchvision",
    "digits",
)
POOL = Parameter(
    "pool",
    "",
    "images",
    Whole(2, MOST),
    "largest number of images used from the training part, and from the test part",
    folders.POOL,
)
SAMPLES = Parameter("n", "n", "images", Whole(2, MOST), "number of training images", 120, also=("samples",))
COMPONENTS = Parameter(
    "components",
    "d",
    "1",
    Whole(1, MOST),
    "number of principal components, scaled to variance 1, that enter the skip connection",
    50,
)
WIDTH = Parameter("width", "h", "units", Whole(1, MOST), "number of hidden units of the branch", 128)
SKIP_SCALE = Parameter("skip_scale", "s", "1", Number(0), "scale of the skip connection; 0 removes it", 1.0)
BRANCH_SCALE = Parameter(
    "branch_scale", "epsilon", "1", Number(0), "scale of the branch; its square sets how fast it learns", 0.1
)
LABEL_NOISE = Parameter(
    "label_noise", "q", "1", Number(0, 1), "probability that a training label is wrong", 0.15
)
WEIGHT_DECAY = Parameter(
    "weight_decay",
    "lambda",
    "curvature of the mean loss",
    Number(0),
    "weight decay towards the initial weights: adds lambda/2 |theta - theta_0|^2 to the mean loss",
    0.0,
)
LEARNING_RATE = Parameter(
    "learning_rate", "eta", "1/curvature of the mean loss", POSITIVE, "step size of gradient descent", 12.0,
    also=("lr",),
)  # fmt: skip


@dataclass(frozen=True)
class ResidualDigits:
    """An instance. All fields are already validated; build it through `PROBLEM.instance`."""

    data: ImageSet
    pool: int
    n: int
    components: int
    width: int
    skip_scale: float
    branch_scale: float
    label_noise: float
    weight_decay: float


def _build(**given: object) -> ResidualDigits:
    problem = ResidualDigits(**given)  # type: ignore[arg-type]
    problem = replace(problem, data=problem.data.taken(problem.pool))
    if problem.skip_scale == problem.branch_scale == 0:
        raise InputError("branch_scale", 0, "above 0 with --skip-scale 0: otherwise nothing is learned")
    whole = problem.data.sizes(problem.pool)
    most = whole.training - whole.shared  # of shared images one is left to be tested
    if problem.n > most:
        raise InputError("n", problem.n, f"at most {most}, the images available in {problem.data.name}")
    highest = min(whole.pixels, whole.training - 1)
    if problem.components > highest:
        domain = f"at most {highest}, with {whole.training} images of {whole.pixels} pixels"
        raise InputError("components", problem.components, domain)
    return problem


_error = partial(Observable, nonnegative=True, best="least")

PROBLEM = Problem(
    id="residual-digits",
    title="A residual network on real images: epoch-wise double descent",
    source="pezeshki2022 ch. 4.3",
    question="Does the test error of a residual network on real images descend twice?",
    parameters=(
        DATA,
        POOL,
        SAMPLES,
        COMPONENTS,
        WIDTH,
        SKIP_SCALE,
        BRANCH_SCALE,
        LABEL_NOISE,
        WEIGHT_DECAY,
    ),
    linear=Linear(
        instead=(LEARNING_RATE,),
        refused=dict.fromkeys(("sgd", "langevin"), "the effect of thermal noise is not known here")
        | dict.fromkeys(("flow", "ridge"), "the network is trained by steps; use descent"),
        times=Span(1, 8000, 40),
    ),
    observables=(
        _error(
            "test_error",
            "e",
            "1",
            "test error, the share of test images whose largest output is not their class",
        ),
        _error(
            "training_error",
            "e_t",
            "1",
            "training error, the share of training images whose largest output is not their given label",
        ),
        _error(
            "test_loss",
            "L",
            "output^2",
            "test loss: 1/2 |f - y|^2 summed over classes, averaged over test images",
        ),
        _error(
            "training_loss",
            "L_t",
            "output^2",
            "training loss: 1/2 |f - y|^2 summed over classes, averaged over training images",
        ),
    ),
    build=_build,
    examples=({"n": 20, "components": 10, "width": 16, "weight_decay": 0.01},),
    convention="training loss: 1/2 |f - y|^2 summed over classes, averaged over images",
)

__all__ = ["PROBLEM", "ResidualDigits"]
