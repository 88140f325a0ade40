"""Descent at a rate at which it diverges is refused or NaN with the bound, never numbers of 1e100."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run

STEPS = [1, 10, 30]

THOROUGH = pytest.mark.thorough

SGD: dict[str, dict[str, Any]] = {
    "multiscale": {"n": 20, "d": 12, "p": 6},
    "measured-spectrum": {"modes": "6:1:1,6:.1:.5", "n": 20, "noise": 0.1},
}
DECAYING = {"frozen-groups": {"batch_size": 64}, "spurious-groups": {"n": 20}}


@pytest.mark.parametrize(
    ("problem", "dynamics", "route", "more"),
    [
        ("residual-digits", "descent", "kernel", {"weight_decay": 0.1}),
        *((name, "sgd", "instance", {**more, "data": "replacement"}) for name, more in SGD.items()),
        *((name, "sgd", "simulation", {**more, "data": "replacement"}) for name, more in SGD.items()),
        *((name, "sgd", "simulation", {**more, "data": "fresh"}) for name, more in SGD.items()),
        *((name, "sgd", "asymptotic", {**more, "data": "fresh"}) for name, more in SGD.items()),
        *(
            pytest.param(name, "descent", "simulation", {**more, "weight_decay": 0.1}, marks=THOROUGH)
            for name, more in DECAYING.items()
        ),
    ],
)
def test_a_rate_beyond_the_critical_one_gives_no_number(
    problem: str, dynamics: str, route: str, more: dict[str, Any]
) -> None:
    asked = {**more, **({"batch": 5} if dynamics == "sgd" else {}), "learning_rate": 1e3}
    if route == "asymptotic":
        with pytest.raises(InputError, match=r"^--learning-rate 1000\.0: must be below"):
            run(problem, dynamics, route, STEPS, **asked)
        return
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        answer = run(problem, dynamics, route, STEPS, seeds=[0, 1], **asked)
    for name, values in answer.items():
        assert values.isnull().all(), name
    reasons = [str(each.message) for each in said]
    assert any("learning_rate 1000: " in each and "it must be " in each for each in reasons), reasons


def test_weights_decay_up_to_the_bound_of_descent_with_momentum() -> None:
    """Without a gradient v <- mu v + lambda w, w <- w - eta v settles below eta lambda = 2 (1 + mu)."""
    from teacherstudent.sims.group_descent import Rule, settling

    for share in (0.99, 1.01):
        decay = share * 2 * 1.9
        weight, velocity = 1.0, 0.0
        for _ in range(3000):
            velocity = 0.9 * velocity + decay * weight
            weight -= velocity
        rule, reason = settling(Rule(1.0, 0.9, decay, 0.0))
        assert bool(reason) == (abs(weight) > 1) == bool(np.isnan(rule.learning_rate))
