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
    "sizes of the training set to look at closely, together with their doubles (default: .9 of the rows and "
    "its halves)",
)
TRAINING_TIMES = replace(
    TIMES,
    default=None,
    domain=OrWord(AUTO, TIMES.domain),
    meaning="times of training: flow time, or steps of --learning-rate (default auto: from before the error "
    "changes to after it has changed)",
)
SUBSETS = Parameter(
    "seeds",
    "n_seeds",
    "subsets",
    Whole(4, 10_000),
    "subsets of the rows that are drawn for each size, to compare with (default: 10, more of few rows)",
)
RATE = Parameter(
    "learning_rate",
    "eta",
    "1/loss curvature",
    Number(0, low_open=True),
    "step size of your gradient descent, for the loss that --loss names: times are then its steps",
    also=("lr",),
)
LOSS = Parameter(
    "loss",
    "",
    "",
    Choice(("sum", "mean", "mse")),
    "what the step size is for: sum, 1/2 the squares summed over rows and outputs; mean, that divided by the "
    "rows; mse, squares averaged over rows and outputs, as PyTorch's MSELoss",
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
            meaning=f"{KERNEL.meaning}; given: FEATURES is a kernel of all rows with all rows",
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
