"""With as many examples as weights an answer says that few draws decide its mean, and only there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.running import run

ROWS = np.random.default_rng(0).standard_normal((40, 6))


@pytest.mark.parametrize(
    ("problem", "asked", "peak"),
    [
        ("multiscale", {"d": 12, "p": 6, "noise": 0.3}, 12),
        ("random-features", {"d": 8, "width": 12}, 12),
        ("measured-spectrum", {"features": ROWS, "targets": ROWS @ np.ones(6)}, 7),
        ("measured-spectrum", {"features": ROWS, "targets": ROWS @ np.ones(6), "intercept": "none"}, 6),
        ("measured-spectrum", {"modes": "4:1:1,8:.1:.5"}, 12),
    ],
)
def test_as_many_examples_as_weights_are_remarked_on(problem: str, asked: dict[str, Any], peak: int) -> None:
    kind = catalogue.find_problem(problem)
    for n, ridge, said in (
        (peak - 1, 0, True),
        (peak, 0, True),
        (peak + 1, 0, True),
        (peak, 0.1, False),
        (peak + 2, 0, False),
    ):
        remarks = kind.remarks(kind.instance(**asked, n=n, ridge=ridge))
        assert ("the error is heavy-tailed" in remarks) == said, (n, ridge)


def test_there_the_mean_over_draws_is_far_from_what_most_draws_give() -> None:
    asked: dict[str, Any] = {"d": 12, "p": 6, "kappa": 1.0, "noise": 0.3, "seeds": range(200)}
    for n, low, high in ((11, 3, np.inf), (12, 3, np.inf), (13, 3, np.inf), (30, 0, 1.5)):
        error = run("multiscale", "flow", "instance", [1e12], n=n, **asked)["excess_risk"]
        assert low < float(error.mean() / error.median()) < high
