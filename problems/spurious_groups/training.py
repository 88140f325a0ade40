"""How the classifier of `problems.spurious_groups` is trained: its dynamics and their options."""

from __future__ import annotations

from teacherstudent.house.declarations import Dynamics
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import Parameter

LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "1/curvature of the mean loss",
    Number(0, low_open=True),
    "learning rate of stochastic descent",
    1e-5,
    also=("lr",),
)
BATCH_SIZE = Parameter(
    "batch_size",
    "B",
    "examples",
    Whole(1),
    "number of examples per batch, at most all that are kept",
    250,
    also=("batch",),
)
MOMENTUM = Parameter(
    "momentum",
    "mu",
    "1",
    Number(0, 1, high_open=True),
    "momentum factor mu: v <- mu v + gradient, w <- w - eta v",
    0.9,
)
WEIGHT_DECAY = Parameter(
    "weight_decay",
    "lambda",
    "curvature of the mean loss",
    Number(0),
    "weight decay: adds lambda/2 |w|^2 to the mean loss",
    0.0,
)
GDRO_RATE = Parameter(
    "gdro_rate",
    "eta_q",
    "1/loss",
    Number(0, low_open=True),
    "group DRO: rate at which a group's loss increases its weight",
    0.1,
)
JTT_EPOCHS = Parameter(
    "jtt_epochs", "T", "epochs", Whole(1), "just train twice: number of epochs of the first training", 4
)
JTT_UPWEIGHT = Parameter(
    "jtt_upweight",
    "lambda_up",
    "1",
    Whole(1),
    "just train twice: number of copies of each example that is classified wrongly",
    4,
)
TEST_EXAMPLES = Parameter(
    "test_examples",
    "",
    "examples",
    Whole(1, 10**6),
    "number of test examples per group in a simulation; theory uses infinitely many",
    250,
)
STEP_SIZE = Parameter(
    "step_size",
    "eta",
    "weight^2",
    Number(0, low_open=True),
    "learning rate of normalised descent: w <- w - eta gradient/loss",
    1e-3,
    also=("lr",),
)

DYNAMICS = (
    # Batches of the kept examples: shuffled each epoch, or as many draws with replacement (rwy, rwg,
    # gdro). An epoch visits as many examples as are kept, so those of subsampling are shorter.
    Dynamics(
        "descent",
        Parameter("time", "k", "epochs", Whole(0), "epoch of stochastic descent with momentum"),
        whole_time=True,
        options=(
            LEARNING_RATE,
            BATCH_SIZE,
            MOMENTUM,
            WEIGHT_DECAY,
            GDRO_RATE,
            JTT_EPOCHS,
            JTT_UPWEIGHT,
            TEST_EXAMPLES,
        ),
    ),
    # Descent on the logarithm of the loss, mean over kept examples by sampling probability: it goes
    # to the same direction as descent without weight decay, in a time that can be waited for.
    Dynamics(
        "normalised",
        Parameter("time", "k", "steps", Whole(0), "step of full-batch descent on the loss's logarithm"),
        whole_time=True,
        options=(STEP_SIZE, TEST_EXAMPLES),
    ),
)
