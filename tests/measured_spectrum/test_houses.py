"""Generated rows like those of house prices: what they are for, and how far theory holds on them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import teacherstudent
from teacherstudent.figures.gallery import page
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum import evidence
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.houses import houses
from teacherstudent.theory.measured_spectrum.trust import trust
from tests.roundings import repeated

FEATURES, VALUES = houses()
STANDARD = (FEATURES - FEATURES.mean(axis=0)) / FEATURES.std(axis=0)


def test_rows_are_what_bundled_sets_are_not() -> None:
    """Heavy tails, skewed and correlated columns, a capped target that is not linear in them."""
    assert stats.kurtosis(FEATURES).max() > 50
    assert (stats.skew(FEATURES) > 1).sum() >= 4
    assert abs(np.corrcoef(FEATURES.T) - np.eye(8)).max() > 0.9
    assert np.mean(VALUES.max() <= VALUES) > 0.005
    centred = VALUES - VALUES.mean()
    _, rest, *_ = np.linalg.lstsq(STANDARD, centred, rcond=None)
    assert 0.1 < rest[0] / np.sum(centred**2) < 0.5
    assert repeated(houses()[0], FEATURES)


@pytest.mark.parametrize("route", ["asymptotic", "leverage", "per-row"])
def test_instances_are_as_far_off_as_is_declared_at_their_spread(route: str) -> None:
    """At few learning times; of another number of rows than those by which it was declared."""
    question = {"features": STANDARD, "targets": VALUES / VALUES.std(), "n": 120}
    instance = PROBLEM.instance(**question)
    times = np.array([0.3, 1.0]) / (120 * decomposition(instance).eigenvalues[0])
    claim = run("measured-spectrum", "flow", route, times, **question).generalisation_error.values
    drawn = drawn_mean(
        run(
            "measured-spectrum", "flow", "instance", times, seeds=range(60), **question
        ).generalisation_error.values
    )
    spread = trust(instance, times).spread
    declared = [getattr(evidence.expected(each), route.replace("-", "_")).largest for each in spread]

    def verdict(claimed: np.ndarray) -> bool:
        return within_errors(
            drawn.mean, claimed, drawn.stderr, degrees=drawn.degrees, bias=declared * drawn.mean
        ).agrees

    assert verdict(claim)
    assert not verdict(0.85 * claim)


def test_the_page_says_where_rows_are_too_few_for_a_limit() -> None:
    answer = teacherstudent.mine(FEATURES[:120], VALUES[:120], n=[24, 60], seeds=4, standardise=True)
    said = [line for lines in page().function("sentences")(answer) for line in lines]
    (few,) = (line for line in said if f"fewer than {evidence.FEW} rows" in line)
    listed = [int(each) for each in few.removeprefix("n = ").partition(":")[0].split(", ")]
    assert listed == [n for n in answer["size"].values if n < evidence.FEW] != []
