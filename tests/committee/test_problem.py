"""What is asked of a committee machine: overlaps that vectors can have, and what is said of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.problems.committee import PROBLEM
from teacherstudent.problems.committee.data import draw
from tests.roundings import same


def test_overlaps_on_the_edge_are_taken_also_where_they_are_computed() -> None:
    """Equal networks have a matrix of overlaps without an inverse; a product's rounding is made symmetric."""
    random = np.random.default_rng(0)
    w, teacher = random.standard_normal((3, 4)), random.standard_normal((2, 4))
    problem = PROBLEM.instance(
        width=3,
        student_overlaps=w @ w.T + 1e-16 * np.triu(np.ones((3, 3))),
        initial_overlaps=w @ teacher.T,
        teacher_overlaps=teacher @ teacher.T,
    )
    assert same(problem.Q0, np.transpose(problem.Q0), roundings=0), "each is half of the same sum"
    PROBLEM.instance(init=1.0, overlap=1.0)


@pytest.mark.parametrize(
    ("values", "usual"),
    [
        ({}, 0.01),
        ({"init": 1e-90}, 5e-91),
        ({"init": 0.0}, 0.0),
        ({"student_overlaps": "1e-6,0;0,1e-6"}, 5e-4),
        ({"teacher_overlaps": "1e-6,0;0,1e-6"}, 2.5e-4),
        ({"student_overlaps": "1,1;1,1"}, 0.0),
        ({"width": 1, "teacher_width": 3, "teacher_overlaps": "1e-6,0,0;0,1,0;0,0,1"}, 2.5e-4),
    ],
)
def test_the_usual_overlap_is_one_that_vectors_have(values: dict[str, Any], usual: float) -> None:
    """Nobody is refused for an overlap that nobody typed."""
    R0 = PROBLEM.instance(**values).R0
    assert R0 is not None
    assert R0[0][0] == pytest.approx(usual, rel=1e-12, abs=1e-7)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, ""),
        ({"weight_decay": 0.1}, "carries no learning rate"),
        ({"start": "random"}, "for ever"),
        ({"overlap": 0.0}, "for ever"),
        ({"overlap": 0.0, "width": 1}, ""),
    ],
)
def test_what_may_be_read_otherwise_is_remarked(values: dict[str, Any], said: str) -> None:
    remark = PROBLEM.remarks(PROBLEM.instance(**values))
    assert said in remark
    assert bool(remark) == bool(said)


def test_drawn_weights_have_the_overlaps_that_are_given() -> None:
    problem = PROBLEM.instance(
        width=3,
        d=7,
        student_overlaps="0.5,0.1,0;0.1,0.6,-0.05;0,-0.05,0.4",
        initial_overlaps="0.2,-0.1;0.1,0.3;-0.2,0.05",
        teacher_overlaps="1,0.3;0.3,0.8",
    )
    drawn = draw(problem, [0, 1])
    for w, teacher in zip(drawn.student, drawn.teacher, strict=True):
        np.testing.assert_allclose(w @ w.T / 7, problem.Q0, atol=1e-14)
        np.testing.assert_allclose(w @ teacher.T / 7, problem.R0, atol=1e-14)
        np.testing.assert_allclose(teacher @ teacher.T / 7, problem.T, atol=1e-14)
    random = draw(PROBLEM.instance(start="random", d=7, teacher_overlaps="1,0.3;0.3,0.8"), [0])
    np.testing.assert_allclose(random.teacher[0] @ random.teacher[0].T / 7, problem.T, atol=1e-14)
