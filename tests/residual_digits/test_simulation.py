"""The network and its descent, against steps written out."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.residual_digits import PROBLEM
from teacherstudent.problems.residual_digits.data import draw, images_of, targets
from teacherstudent.sims.residual_digits import descent, network

SMALL = {"n": 8, "components": 3, "width": 6, "branch_scale": 0.7, "skip_scale": 0.9, "weight_decay": 0.05}


def test_two_steps_are_those_of_the_gradient_written_out() -> None:
    problem = PROBLEM.instance(**SMALL)
    images, drawn = images_of(problem), draw(problem, [5])
    rows, tested = drawn.training[0], drawn.tested[0]
    theta = network.initial(5, 64, 3, 6, 10)
    B, W, b, A = (np.array(each) for each in theta)
    first = [each.copy() for each in (B, W, b, A)]

    def forward(places):
        x, z = images.pixels[places], images.components[places]
        u = x @ W / 8 + b / 2
        return x, z, u, 0.9 * z @ B / np.sqrt(3) + 0.7 * np.maximum(u, 0) @ A / np.sqrt(6)

    start, tested_start, eta = forward(rows)[3], forward(tested)[3], 0.4
    for _ in range(2):
        x, z, u, f = forward(rows)
        apart = (f - start - targets(drawn.labels[0], 10)) / 8
        back = 0.7 * apart @ A.T / np.sqrt(6) * (u > 0)
        slopes = [
            0.9 * z.T @ apart / np.sqrt(3), x.T @ back / 8, back.sum(axis=0) / 2,
            0.7 * np.maximum(u, 0).T @ apart / np.sqrt(6),
        ]  # fmt: skip
        moved = [
            now - eta * (slope + 0.05 * (now - then))
            for now, slope, then in zip((B, W, b, A), slopes, first, strict=True)
        ]
        B, W, b, A = moved
    found = descent.tested_outputs(problem, np.array([2]), learning_rate=eta, seed=5)
    np.testing.assert_allclose(found[0], forward(tested)[3] - tested_start, atol=1e-12)


def test_before_training_outputs_are_zero() -> None:
    answer = descent.descent(PROBLEM.instance(**SMALL), np.array([0]), learning_rate=1.0, seeds=[0, 1])
    np.testing.assert_allclose(answer["test_loss"], (0.9**2 + 9 * 0.1**2) / 2)


def test_descent_that_diverges_says_so() -> None:
    with pytest.warns(UnconvergedWarning, match="learning_rate 1000.0: descent diverges"):
        answer = descent.descent(PROBLEM.instance(**SMALL), np.array([50]), learning_rate=1e3, seeds=[0])
    assert all(np.isnan(each).all() for each in answer.values())
