"""What tells how far formulas can be trusted on rows, what was measured of it, and rows like house prices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.linalg import hadamard

import teacherstudent
from teacherstudent.figures.gallery import page
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.theory.measured_spectrum import evidence, trust
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.generated_rows import houses
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.resolvents import resolvent
from tests.roundings import repeated, same
from tools import evidence as measuring
from tools.nested import ROOT
from tools.site.pages import GENERATED

made = PROBLEM.instance

DRAW = np.random.default_rng(6)
EVEN = hadamard(64)[:, 1:20] * np.geomspace(1, 0.2, 19)
TARGETS = DRAW.standard_normal((64, 2))
TIMES = np.array([0.0, 1e-3, 1.0, 1e3])


def test_rows_that_are_alike_can_be_trusted_at_all_times() -> None:
    found = trust.trust(made(features=EVEN, targets=TARGETS, n=evidence.FEW), TIMES)
    np.testing.assert_allclose(found.spread, 0, atol=1e-10)
    np.testing.assert_allclose(found.zeta, 1, rtol=1e-10)
    np.testing.assert_allclose(found.participation, 64)
    assert found.verdicts == ("leverage",) * 4
    assert (found.worst, found.localised, found.sparse) == ("leverage", 0, ())


def test_the_numbers_are_those_of_their_definition() -> None:
    problem = made(features=DRAW.standard_normal((64, 7)) ** 3, targets=TARGETS, n=20, ridge=0.1)
    data = decomposition(problem)
    assert data.vectors is not None
    at = resolvent(task_of(problem).spectrum, np.array([0.1 + 1 / 5.0]))
    h = at.h[0, :-1]
    own = data.vectors**2 @ (1 - h) + 1 / 64  # that of the intercept
    chi = own / (at.qz[0] * (1 - own))
    errors = (problem_targets(problem) - data.vectors @ ((1 - h)[:, None] * data.along)) / (1 - own)[:, None]
    squares, drawn = np.sum(errors**2, axis=1), data.vectors**2 @ (1 - h) ** 2 + 1 / 64
    found = trust.trust(problem, np.array([5.0]))
    assert found.spread[0] == pytest.approx(chi.std() / (1 + chi.mean()), rel=1e-10)
    assert found.zeta[0] == pytest.approx(np.mean(squares * drawn) / squares.mean() / drawn.mean(), rel=1e-10)


def problem_targets(problem: MeasuredSpectrum) -> np.ndarray:
    assert problem.targets is not None
    values = problem.targets.values
    centred: np.ndarray = values - values.mean(axis=0)
    return centred


def test_rows_that_lie_far_out_are_noticed_in_every_way() -> None:
    """A column that only two rows have carries an eigenvector, and they learn it alone."""
    lit = np.zeros((64, 1))
    lit[[3, 40], 0] = 30.0, 28.0
    found = trust.trust(made(features=np.hstack([EVEN, lit]), targets=TARGETS, n=30), TIMES)
    assert found.spread[0] < 1e-3
    assert found.spread[-1] > trust.UNSURE
    assert found.verdicts[0] == "leverage"
    assert found.verdicts[-1] == found.worst == "warning"
    assert found.localised == 1
    assert found.sparse == (19,)


def test_as_training_begins_nothing_is_spread_and_time_zero_is_its_limit() -> None:
    problem = made(features=DRAW.standard_normal((64, 7)) ** 3, targets=TARGETS, n=20)
    found = trust.trust(problem, np.array([0.0, 1e-12]))
    np.testing.assert_allclose(found.spread, 0, atol=1e-8)
    np.testing.assert_allclose(found.zeta[0], found.zeta[1], rtol=1e-6)


def test_many_times_are_those_of_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = made(features=DRAW.standard_normal((64, 7)), targets=TARGETS, n=20)
    together = trust.trust(problem, TIMES)
    monkeypatch.setattr(trust, "MANY", 1)
    np.testing.assert_allclose(trust.trust(problem, TIMES).spread, together.spread, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    ("spread", "verdict"),
    [(0.0, "leverage"), (0.0999, "leverage"), (0.1, "band"), (0.2, "warning"), (np.nan, "warning")],
)
def test_what_to_believe_changes_at_the_stated_spreads(spread: float, verdict: str) -> None:
    assert str(trust.verdict(spread, evidence.FEW)) == verdict


def test_few_rows_are_at_best_a_band_whatever_the_spread() -> None:
    assert [trust.verdict(spread, evidence.FEW - 1) for spread in (0.0, 0.15, 0.3)] == [
        "band",
        "band",
        "warning",
    ]
    assert made(features=EVEN, targets=TARGETS, n=10).n < evidence.FEW
    assert trust.trust(made(features=EVEN, targets=TARGETS, n=10), TIMES).worst == "band"


def test_there_is_nothing_to_doubt_without_real_rows() -> None:
    for question in ({"size": 10}, {"features": EVEN, "targets": TARGETS, "sampling": "population"}):
        with pytest.raises(InputError, match=r"^--sampling population: must be pool"):
            trust.trust(made(n=5, **question), TIMES)


# Second descents ------------------------------------------------------------------------------------
HUMP = np.array([1.0, 0.5, 0.7, 0.4])
SMALL = np.full(4, 0.1)


@pytest.mark.parametrize(
    ("one", "other", "spread", "claimed"),
    [
        (HUMP, HUMP, SMALL, True),
        (HUMP, np.sort(HUMP)[::-1], SMALL, False),
        (np.array([1.0, 0.4, 0.5, 0.7]), HUMP, SMALL, False),
        (HUMP, HUMP, np.array([0.1, 0.1, 0.4, 0.1]), False),
        (HUMP, HUMP, np.array([0.1, 0.1, np.nan, 0.1]), False),
        (HUMP, np.full(4, np.nan), SMALL, False),
        (
            np.array([1.0, 0.5, 0.7, 0.4, 0.3, 0.2]),
            np.array([1, 0.5, 0.4, 0.3, 0.5, 0.2]),
            np.full(6, 0.1),
            False,
        ),
        (np.array([1.0, 0.5, 0.5 + 1e-12, 0.4]), HUMP, SMALL, False),
    ],
    ids=["both", "one only", "no fall", "spread", "unknown spread", "lost", "elsewhere", "rounding"],
)
def test_a_second_descent_is_claimed_where_both_formulas_have_it(
    one: np.ndarray, other: np.ndarray, spread: np.ndarray, claimed: bool
) -> None:
    assert trust.second_descent(one, other, spread) is claimed


def test_a_second_descent_is_claimed_only_above_what_the_formulas_may_be_off() -> None:
    rise = float((HUMP.max() - HUMP.min()) / HUMP.max())
    assert not trust.second_descent(HUMP, HUMP, SMALL, above=rise)


# What was measured ----------------------------------------------------------------------------------
def test_cases_reach_from_rows_that_are_alike_to_rows_that_are_not() -> None:
    found = list(evidence.cases())
    assert len({each.name for each in found}) == len(found) / 2 == 45
    spreads = np.array([trust.trust(each.problem, each.times).spread for each in found])
    few = np.array([each.few for each in found])
    for declared, some in ((evidence.TEST, spreads[~few]), (evidence.FEW_ROWS, spreads[few])):
        counted = evidence.summary(some.ravel(), np.zeros(some.size), [each.below for each in declared])
        assert [int(count) for count, _ in counted] == [each.comparisons for each in declared]


def test_what_is_expected_is_what_was_measured_at_that_spread() -> None:
    assert evidence.expected(0.0) is evidence.TEST[0]
    assert evidence.expected(0.1) is evidence.TEST[2]
    assert evidence.expected(7.0, evidence.TRAINING) is evidence.TRAINING[-1]
    assert evidence.expected(np.nan) is evidence.TEST[-1]


def test_quantiles_are_of_the_errors_between_two_spreads() -> None:
    (few, low), (many, high) = evidence.summary(
        np.array([0.05, 0.1, 0.2, 0.3]), np.array([-0.01, 0.1, -0.2, 0.3]), (0.1, 1.0)
    )
    assert same((few, low.half, low.most), (1, 0.01, 0.01), 2)
    assert same((many, high.half, high.largest), (3, 0.2, 0.3), 2)
    assert high.most == pytest.approx(0.28)


def test_the_tool_measures_again_what_is_declared() -> None:
    """Of one question: the numbers of its times, each rounded up to two digits."""
    case = next(each for each in evidence.cases() if each.name == "wine, columns, n = 89")
    found = measuring.compared(case, range(3))
    (line,) = measuring.lines([found], 0, [np.inf])
    said = eval(line.rstrip(","), vars(evidence) | {"inf": np.inf})
    assert said.comparisons == case.times.size
    for stated, off in zip((said.asymptotic, said.leverage, said.per_row), found.off[0], strict=True):
        assert max(abs(off)) <= stated.largest < 1.1 * max(abs(off))
        assert np.median(abs(off)) <= stated.half <= stated.most <= stated.largest


def test_the_site_shows_what_is_declared() -> None:
    rows = GENERATED["trust"]().splitlines()[2:]
    assert len(rows) == len(evidence.TEST) + len(evidence.FEW_ROWS)
    assert rows[0].startswith("| below 0.05 | 0.29 / 0.76 / 2.7 % |")
    page = (ROOT / "docs" / "how-to" / "your-own-data.md").read_text(encoding="utf-8")
    assert "<!-- generated: trust -->" in page
    assert f"Below {evidence.FEW} training rows" in page


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
    spread = trust.trust(instance, times).spread
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
