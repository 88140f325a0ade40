"""Any singular values of F: as many scales as features, in any order, grouped in any way."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import shrinking_bias
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale import asymptotic
from tests.support import say

TIMES = np.geomspace(0.1, 1e6, 7)
OBSERVABLES = ("R", "Q", "excess_risk")


def spread(d: int) -> tuple[tuple[int, float], ...]:
    """Every feature with a strength of its own, from 1 to 0.1."""
    return tuple((1, 10 ** (-(i + 0.5) / d)) for i in range(d))


@pytest.mark.parametrize("n", [60, 20])
def test_scales_may_be_ordered_and_grouped_in_any_way(n):
    whole = asymptotic.flow(PROBLEM.instance(n=n, scales=((20, 1.0), (20, 0.1)), noise=0.3), TIMES)
    pieces = ((5, 0.1), (20, 1.0), (14, 0.1), (1, 0.1))
    other = asymptotic.flow(PROBLEM.instance(n=n, scales=pieces, noise=0.3), TIMES)
    for name in OBSERVABLES:
        np.testing.assert_allclose(whole[name], other[name], atol=1e-12)


@pytest.mark.parametrize("share", [1.5, 0.5])
def test_a_strength_for_every_feature_approaches_its_limit(share):
    """Drawn data of d strengths against the limit of these d scales: bias like 1/d."""
    draws = {10: 2500, 20: 1200, 40: 600}
    differences = []
    for d, count in draws.items():
        asked = {"n": round(share * d), "scales": spread(d)}
        limit = run("multiscale", "flow", "asymptotic", TIMES[:4], **asked)
        drawn = run("multiscale", "flow", "instance", TIMES[:4], seeds=range(count), **asked)
        differences.append(drawn["excess_risk"].values - limit["excess_risk"].values)
    assert shrinking_bias(list(draws), differences, -1).verdict(-1).agrees


def test_the_command_line_takes_a_strength_for_every_feature():
    scales = ",".join(f"{count}:{sigma:.6g}" for count, sigma in spread(12))
    said = say(
        "curve", "multiscale", "--dynamics", "descent", "--route", "simulation", "--seeds", 2, "--n", 20,
        "--scales", scales, "--times", "1:100:2",
    )  # fmt: skip
    assert said.status == 0
    assert said.out.startswith("time,R,Q,excess_risk,")
