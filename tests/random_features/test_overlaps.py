"""The saddle-point equations that checks iterate: they end, and say so where they have not converged."""

from __future__ import annotations

import pytest

from teacherstudent.paper_checks.random_features.kit import overlaps
from teacherstudent.paper_checks.random_features.kit.asking import Nonlinearity
from teacherstudent.paper_checks.random_features.kit.overlaps import Student


def test_a_fixed_point_that_is_not_reached_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlaps, "MOST", 300)
    own = Nonlinearity(0.6, 0.05)
    at = Student(3.0, 2.0, own).fixed_point()
    assert at.risk(own) > 0
    with pytest.raises(ArithmeticError, match="no fixed point after 300 steps"):
        Student(3.0, 3.0, own, lam=1e-9).fixed_point()
