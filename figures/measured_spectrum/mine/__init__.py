"""The page about somebody's own rows: what theory predicts of them, and what subsets of them show."""

from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

from teacherstudent.figures.declaration import Page
from teacherstudent.house.domains import Choice, Number, OrWord, Several, Whole
from teacherstudent.house.parameters import AUTO, FIRST_SEED, TIMES, Parameter
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.parameters import (
    BIAS_COLUMN,
    DEPTH,
    ENCODE,
    FEATURES,
    INIT,
    INTERCEPT,
    KERNEL,
    LEAVE_OUT,
    MISSING,
    NOISE,
    RIDGE,
    STANDARDISE,
    TABLE,
    TARGET,
    TARGETS,
    TASK,
    WIDTH,
)

_WHERE = __name__


@dataclass(frozen=True)
class OneOrSeveral(Several):
    """A list of values of one domain, or one value, which is a list of one."""

    def check(self, value: Any) -> tuple[Any, ...]:
        return super().check((value,) if isinstance(value, Real) else value)


SIZES = Parameter(
    "n",
    "n",
    "rows",
    OneOrSeveral(Whole(2)),
    "sizes of the training set to examine, with their doubles (default: 90 %, 45 %, ... of the rows)",
)
TRAINING_TIMES = replace(
    TIMES,
    default=None,
    domain=OrWord(AUTO, TIMES.domain),
    meaning="training times: flow time, or steps with --learning-rate (default auto: from before the error "
    "changes until after it has changed)",
)
SUBSETS = Parameter(
    "seeds",
    "n_seeds",
    "subsets",
    Whole(4, 10_000),
    "number of random subsets per size (default 10; more if there are few rows)",
)
RATE = Parameter(
    "learning_rate",
    "eta",
    "1/loss curvature",
    Number(0, low_open=True),
    "learning rate of your gradient descent on the loss named by --loss; times are then steps",
    also=("lr",),
)
LOSS = Parameter(
    "loss",
    "",
    "",
    Choice(("sum", "mean", "mse")),
    "loss of the learning rate: sum, 1/2 of the squares summed over rows and outputs; mean, this sum divided "
    "by the number of rows; mse, squares averaged over rows and outputs, as in PyTorch's MSELoss",
    "sum",
)

PAGE = Page(
    problem=PROBLEM.id,
    rows=(FEATURES, TARGETS),
    table=(TABLE, TARGET, LEAVE_OUT, MISSING, ENCODE),
    parameters=(
        replace(TASK, default="auto"),
        replace(
            KERNEL,
            default="linear",
            domain=Choice(("linear", "rbf", "ntk", "given")),
            meaning=f"{KERNEL.meaning}; given: FEATURES is the kernel matrix of all rows",
        ),
        WIDTH,
        DEPTH,
        NOISE,
        RIDGE,
        INIT,
        INTERCEPT,
        BIAS_COLUMN,
        STANDARDISE,
    ),
    options=(SIZES, TRAINING_TIMES, SUBSETS, FIRST_SEED, RATE, LOSS),
    read="teacherstudent.problems.measured_spectrum.building:tables",
    settle=f"{_WHERE}.numbers:settle",
    compute=f"{_WHERE}.numbers:answer_request",
    draw=f"{_WHERE}.drawing:draw",
    sentences=f"{_WHERE}.words:sentences",
    facts=f"{_WHERE}.words:facts",
)
