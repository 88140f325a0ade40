"""The output penalty of `problems.multiscale` that fades over the steps of descent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teacherstudent.house.errors import InputError
from teacherstudent.house.schedules import Schedule
from teacherstudent.problems.multiscale import PENALTY_DECAY, MultiScale

if TYPE_CHECKING:
    import numpy as np

FADED = 40
"""A fading penalty is gone after this many of its times 1/r: e^-40 is below any rounding."""

MOST_FADING = 1_000_000
"""Largest number of steps during which the penalty may fade: each of them is taken."""


def fading_penalty(problem: MultiScale, decay: float, steps: int) -> np.ndarray:
    """The penalties a_k of steps k = 0, 1, ... up to `steps` or until the penalty is gone.

    decay: r > 0. Raises `InputError` for more than `MOST_FADING` steps.
    """
    import numpy as np

    count = min(float(steps), np.ceil(FADED / decay))
    if count > MOST_FADING:
        raise InputError(
            PENALTY_DECAY.name, decay, f"0, or at least {FADED / MOST_FADING:g} beyond step {MOST_FADING}"
        )
    return problem.output_penalty * np.log1p(np.exp(-decay * np.arange(count))) / np.log(2)


def demand_rate(decay: float, learning_rate: Any) -> Any:
    """The learning rate, the same at all steps. Raises `InputError` for one that changes too."""
    if isinstance(learning_rate, Schedule):
        domain = "0 if --learning-rate is a function of the step"
        raise InputError(PENALTY_DECAY.name, decay, domain, "keep the penalty or the learning rate constant")
    return learning_rate
