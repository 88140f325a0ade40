"""Descent at falling learning rates: errors of its flow in proportion to the rate, by the curvature."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import Found, in_flow_time, scaled
from teacherstudent.paper_checks.judging.judges import FirstOrder, InGroups
from teacherstudent.paper_checks.linear_network import compared
from teacherstudent.problems.linear_network import PROBLEM
from teacherstudent.theory.linear_network.routes import curvature

VALUES = PROBLEM.instance().singular_values
FAST = {"training 1 % too fast": {"times": scaled(1.01)}}
LARGE = {"singular values 1 % too large": {"singular_values": scaled(1.01)}}


def falling(
    times: np.ndarray, rates: Sequence[float], *questions: dict[str, Any]
) -> dict[tuple[int, float], dict[str, Any]]:
    """Questions at each learning rate, after the steps nearest to the times."""
    return {
        (i, rate): {"learning_rate": rate, "times": np.rint(times / rate), **question}
        for i, question in enumerate(questions)
        for rate in rates
    }


def instance(found: Found) -> Any:
    """The problem of the last case."""
    own, question = {each.name for each in PROBLEM.parameters}, found.cases[-1].question
    return PROBLEM.instance(**{name: question[name] for name in own & question.keys()})


def bend(found: Found) -> float:
    """The curvature of a question."""
    return curvature(instance(found))


def along_rates(route: str, **own: Any) -> Any:
    """A check of strengths after simulated steps, as the rate falls, against that route of the flow."""
    return partial(
        compared,
        clocks={"descent": {}},
        routes=("simulation", f"flow/{route}"),
        claimed=in_flow_time(f"flow/{route}"),
        observables=("u",),
        stream="{0[0]}",
        judge=InGroups(FirstOrder(bend)),
        functions=("theory.linear_network.routes:curvature",),
    )(**own)
