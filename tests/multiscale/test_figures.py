"""Multi-scale features: what the captions say holds for the numbers drawn."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.paper_checks.judging.draws import RESOLVABLE
from tests.drawing import numbers


def test_slow_features_alone_start_where_fast_features_alone_end() -> None:
    """Fig. 1: apart by what the slow features learn before the first time, s * edge * sigma^2 of it."""
    end, start = numbers("ch4-fig1")["asymptotic_fast"], numbers("ch4-fig1")["asymptotic_slow"]
    edge = 1.3 * (1 + (70 / 130) ** 0.5) ** 2  # at least the largest eigenvalue that drives them
    apart = abs(float(start["excess_risk"][0] - end["excess_risk"][-1]))
    assert apart <= float(start["time"][0]) * edge * 1e-2**2


def test_the_first_rise_at_kappa_7_is_exact_and_not_printed() -> None:
    """Fig. 4's caption."""

    def rise(route: str) -> float:
        risk = numbers("ch4-fig4")[f"{route}_kappa_7"]["excess_risk"].values
        return float(np.max(risk - np.minimum.accumulate(risk)))

    assert rise("asymptotic") > 100 * RESOLVABLE
    assert rise("printed") < RESOLVABLE


def test_landmarks_lie_where_the_caption_says() -> None:
    """Fig. 4: B keeps the slow features as noise, 1/2 (30/100) n/(n - 70) (least squares); C is perfect."""
    points = numbers("ch4-fig4")["landmarks"]["excess_risk"]
    unlearned = 0.5 * 0.3 * 110 / (110 - 70)
    assert float(points.sel(point="B")) == pytest.approx(unlearned, rel=1e-3)  # learned by then: 1e7 * 1e-10
    assert abs(float(points.sel(point="C"))) < RESOLVABLE
    assert float(points.sel(point="A")) < float(points.sel(point="B"))
