"""`judge` says yes to what is right, no to what is not, and where it cannot tell; other data are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.judging import skewed
from teacherstudent.paper_checks.judging.agreement import quantile
from teacherstudent.paper_checks.judging.finite_size import limit_of_means
from teacherstudent.testing import assert_agrees
from tests.support import python

ONES = np.ones(4)
SIZES = (10, 20, 40, 80)


@pytest.fixture
def draws() -> np.ndarray:
    return 1 + 0.1 * np.random.default_rng(0).standard_normal((50, 4))


@pytest.fixture
def biased() -> list[np.ndarray]:
    """Draws whose means are 1 + 1/size."""
    rng = np.random.default_rng(1)
    return [1 + 1 / size + 0.05 * rng.standard_normal((300, 4)) for size in SIZES]


# Verdicts -------------------------------------------------------------------------------------------


def test_residuals_are_in_standard_errors_and_the_threshold_is_where_refusal_begins(
    draws: np.ndarray,
) -> None:
    found = ts.judge(draws, ONES)
    error = draws.std(axis=0, ddof=1) / np.sqrt(50)
    np.testing.assert_allclose(found.residuals, (draws.mean(axis=0) - 1) / error, rtol=1e-12)
    skew = skewed.typical_skewness(draws)
    np.testing.assert_allclose(found.detectable, skewed.reach(4, 50, skew, 1e-4) * error, rtol=1e-12)
    assert found.verdict == "agrees"
    for factor, verdict in ((0.99, "agrees"), (1.01, "disagrees")):
        assert ts.judge(draws, draws.mean(axis=0) + factor * found.threshold * error).verdict == verdict


def test_an_effect_is_a_number_an_array_another_theory_or_a_wrong_one(draws: np.ndarray) -> None:
    half = ONES / 2
    seen = ts.judge(draws, ONES).detectable
    for effect, share in (
        (0.5, np.median(seen) / 0.5),
        ([0.5, 0.5, 0.0, 0.5], np.median(seen[[0, 1, 3]]) / 0.5),
        (lambda x: np.where(x == 1, 0.5, 0.9), seen[1] / 0.5),
        ("half", seen.min() / 0.5),
    ):
        found = ts.judge(draws, ONES, effect=effect, wrong={"half": half}, points=range(4))
        np.testing.assert_allclose(found.share, share, rtol=1e-12)
    assert found.wrong["half"] > found.threshold


@pytest.mark.parametrize("effect", [0.05, "slightly"])
def test_as_many_draws_as_it_asks_for_can_tell(draws: np.ndarray, effect: Any) -> None:
    found = ts.judge(draws, ONES, effect=effect, wrong={"slightly": 1.05 * ONES})
    assert found.verdict == "cannot tell"
    assert found.needed
    assert f"about {found.needed} draws would suffice" in found.reason
    more = 1 + 0.1 * np.random.default_rng(2).standard_normal((round(1.3 * found.needed), 4))
    assert ts.judge(more, ONES, effect=effect, wrong={"slightly": 1.05 * ONES}).agrees


def test_a_wrong_theory_that_passes_makes_it_blunt(draws: np.ndarray) -> None:
    found = ts.judge(draws, ONES, effect=0.5, wrong={"near": 1.001 * ONES, "half": ONES / 2})
    assert (found.verdict, found.missed) == ("blunt", ("near",))
    assert found.needed
    assert ts.judge(draws, ONES, wrong={"same": ONES}).needed is None


def test_where_theory_has_no_number_nothing_agrees_but_an_error_elsewhere_is_seen(draws: np.ndarray) -> None:
    assert ts.judge(draws, [1, 1, np.nan, 1]).verdict == "cannot tell"
    found = ts.judge(draws, [1, 3, np.nan, 1])
    assert (found.verdict, found.worst) == ("disagrees", 1.0)


# Skewed draws ---------------------------------------------------------------------------------------


def test_the_quantile_of_skewed_draws_is_students_without_skewness_and_grows_with_it() -> None:
    assert skewed.skewed_quantile(10, 30, 0.0) == quantile(10, 29)
    found = [skewed.skewed_quantile(10, 30, skew) for skew in (0.0, 0.5, 1.0, 2.0)]
    assert (np.diff(found) > 0).all()
    scaled = skewed.skewed_quantile(10, 4 * skewed.LARGE, 2.0), skewed.skewed_quantile(10, skewed.LARGE, 1.0)
    np.testing.assert_allclose(*scaled, rtol=0.01)


@pytest.mark.parametrize(("count", "skew"), [(10, 2.0), (40, 1.0)])
def test_gamma_draws_exceed_their_quantile_as_often_as_stated(count: int, skew: float) -> None:
    sample = np.random.default_rng(3).gamma(4 / skew**2, size=(20_000, count)) - 4 / skew**2
    found = np.abs(sample.mean(axis=1)) * np.sqrt(count) / sample.std(axis=1, ddof=1)
    rate = np.mean(found > skewed.skewed_quantile(1, count, skew, 0.05))
    assert abs(rate - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 20_000) + 0.02 * 0.05 * 5  # and 1 % of the quantile


# Sizes ----------------------------------------------------------------------------------------------


def test_means_are_extrapolated_along_powers_of_size() -> None:
    noise = np.random.default_rng(4).standard_normal((50, 2))
    noise -= noise.mean(axis=0)
    samples = {size: 3 + 2 / size + 7 / size**2 + noise for size in SIZES}
    limit, stderr, misfit = limit_of_means(samples, (1, 2))
    np.testing.assert_allclose(limit, 3, rtol=1e-10)
    np.testing.assert_allclose(misfit, 0, atol=1e-10)
    assert (stderr > 0).all()


def test_a_bias_has_the_declared_exponent_and_the_limit_is_the_theory(biased: list[np.ndarray]) -> None:
    found = ts.judge(biased, ONES, sizes=SIZES, exponent=1, effect=0.1, wrong={"2 %": 1.02 * ONES})
    assert found.agrees, found
    assert found.bias
    assert abs(found.bias.exponent - 1) < 4 * found.bias.exponent_stderr
    assert ts.judge(biased, ONES, sizes=SIZES, exponent=2, effect=0.1).verdict == "disagrees"
    assert ts.judge(biased, ONES, sizes=SIZES, effect=0.1).agrees
    assert ts.judge(biased[::-1], ONES, sizes=SIZES[::-1], effect=0.1).agrees


def test_a_theory_that_takes_a_size_holds_at_each_of_them(biased: list[np.ndarray]) -> None:
    asked = {"sizes": SIZES, "points": range(4), "effect": 0.1}
    found = ts.judge(biased, lambda x, size: 1 + 1 / size + 0 * x, **asked)
    assert (found.verdict, len(found.points), found.bias) == ("agrees", 16, None)
    wrong = ts.judge(biased, lambda x, size: 1 + 0.5 / size + 0 * x, **asked)
    assert (wrong.verdict, wrong.worst[0]) == ("disagrees", 10)
    assert ts.judge(biased, lambda x, size: 1 + 0.5 / size + 0 * x, exponent=1, **asked).agrees
    unmeasured = ts.judge(biased, lambda x, size: 1 + 1 / size + 0 * x, exponent=1, **asked)
    assert "too small" in unmeasured.reason


def test_means_that_follow_no_power_of_size_cannot_tell(draws: np.ndarray) -> None:
    found = ts.judge([draws, draws + 0.3, draws], ONES, sizes=(10, 20, 40))
    assert found.verdict == "cannot tell"
    assert "a power of size" in found.reason


# What is said besides, and what is refused ----------------------------------------------------------

CAUTIONS: dict[str, Callable[[np.ndarray, np.random.Generator], Any]] = {
    "few draws": lambda draws, _: (draws[:5], ONES),
    "repeat another": lambda draws, _: (np.concatenate([draws, draws]), ONES),
    "are correlated": lambda _, rng: (rng.standard_normal((200, 1)).cumsum(axis=0), 0.0),
    "heavy tails": lambda _, rng: (rng.standard_t(2.5, (400, 3)), np.zeros(3)),
    "one value in all draws": lambda draws, _: (np.where([1, 0, 0, 0], 1, draws), ONES),
    "equals the mean of these draws": lambda draws, _: (draws, draws.mean(axis=0)),
    "more skewed than most": lambda _, rng: (rng.chisquare(1, (50, 4)) ** [0.4, 0.4, 0.4, 2], ONES),
    "very skewed draws": lambda draws, _: (draws[:20], 2 * ONES),
    "lack a value": lambda draws, _: (np.where(draws > 1.2, np.nan, draws), ONES),
    "as many draws as points": lambda draws, _: (draws[:4], ONES),
    "are not judged": lambda draws, _: (draws, [1, 1, np.nan, 1]),
}


@pytest.mark.parametrize("said", CAUTIONS)
def test_what_must_be_known_is_said(said: str, draws: np.ndarray) -> None:
    found = ts.judge(*CAUTIONS[said](draws, np.random.default_rng(5)))
    assert any(said in each for each in found.cautions), found
    assert ts.judge(draws, ONES).cautions == ()


REFUSED: dict[str, Callable[[np.ndarray], Any]] = {
    "turn them: draws.T": lambda d: ts.judge(d.T, ONES),
    "--draws (4 x 1): .* this is one draw": lambda d: ts.judge(d[0], ONES),
    "--draws (1): must be two draws or more": lambda d: ts.judge(d[:1], ONES),
    "--draws (1 infinite)": lambda d: ts.judge(np.where(d == d.max(), np.inf, d), ONES),
    "complex": lambda d: ts.judge(d + 1j, ONES),
    "Python objects": lambda d: ts.judge(d.astype(object), ONES),
    "rows have different lengths": lambda d: ts.judge([[1, 2], [1]], ONES),
    "it is empty": lambda d: ts.judge([], ONES),
    "--draws (point 2 empty)": lambda d: ts.judge(np.where([0, 0, 1, 0], np.nan, d), ONES),
    "--draws (3 x 4 x 5)": lambda d: ts.judge(np.ones((3, 4, 5)), ONES),
    "--draws (out of range)": lambda d: ts.judge(1e60 * d, ONES),
    "--theory (5 points): must be at the 4 points": lambda d: ts.judge(d, np.ones(5)),
    "--theory (NaN at all points)": lambda d: ts.judge(d, np.nan * ONES),
    "--theory (1 infinite)": lambda d: ts.judge(d, [1, 1, 1, np.inf]),
    "--theory (gave one number)": lambda d: ts.judge(d, lambda x: 1.0, points=range(4)),
    "--points (missing)": lambda d: ts.judge(d, np.sin),
    "--points (given): must be of different points": lambda d: ts.judge(d, ONES, points=[1, 2, 2, 3]),
    "--effect 0.0": lambda d: ts.judge(d, ONES, effect=0),
    "--effect (3 points)": lambda d: ts.judge(d, ONES, effect=[1, 2, 3]),
    "must be a theory that differs": lambda d: ts.judge(d, ONES, effect=np.ones_like, points=range(4)),
    "--wrong (2 points): .* this is 'a'": lambda d: ts.judge(d, ONES, wrong={"a": [1, 2]}),
    "--wrong .array": lambda d: ts.judge(d, ONES, wrong=[ONES]),
    "--level 2": lambda d: ts.judge(d, ONES, level=2),
    "--exponent 1.0: must be absent": lambda d: ts.judge(d, ONES, exponent=1),
    "--sizes (missing)": lambda d: ts.judge([d, d, d], ONES),
    "3 different sizes": lambda d: ts.judge([d, d], ONES, sizes=[1, 2]),
    "--draws (2 given)": lambda d: ts.judge([d, d], ONES, sizes=[1, 2, 3]),
    "--draws (without spread)": lambda d: ts.judge([0 * d] * 3, ONES, sizes=[1, 2, 3]),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_judged_is_refused(line: str, draws: np.ndarray) -> None:
    pattern = line.replace("(", r"\(").replace(")", r"\)")
    with pytest.raises(InputError, match=pattern) as refused:
        REFUSED[line](draws)
    assert "\n" not in str(refused.value)


# What is shown --------------------------------------------------------------------------------------


def test_a_judgement_is_a_screen_a_record_a_figure_and_a_page(draws: np.ndarray, tmp_path: Path) -> None:
    found = ts.judge(draws, [1, 1, np.nan, 1], points=["a", "b", "<c>", "d"], wrong={"half": ONES / 2})
    assert str(found).startswith("cannot tell: ")
    assert len(str(found).splitlines()) < 24
    record = json.loads(json.dumps(found.record(), allow_nan=False))
    assert (record["verdict"], record["theory"]) == ("cannot tell", [1.0, 1.0, None, 1.0])
    page = tmp_path / "page.html"
    found.save(page)
    text = page.read_text(encoding="utf-8")
    assert found.reason in text.replace("&#39;", "'")
    assert "&lt;c&gt;" in text
    assert "http" not in text.replace("http-equiv", "")
    curves, residuals = found.plot().axes
    np.testing.assert_allclose(curves.lines[0].get_ydata(), found.theory)
    np.testing.assert_allclose(residuals.lines[-1].get_ydata(), found.residuals)
    with pytest.raises(InputError, match="--file"):
        found.save(tmp_path / "page.doc")


@pytest.mark.parametrize(
    ("said", "theory", "more"),
    [
        (r"^disagrees: at 1 the draws say", ONES / 2, {"may_be_blunt": True}),
        (r"^cannot tell: .* draws would suffice", ONES, {"effect": 0.01}),
        (r"^blunt: ", ONES, {"wrong": {"near": 1.001 * ONES}}),
    ],
)
def test_an_assertion_fails_with_its_reason(said: str, theory: Any, more: Any, draws: np.ndarray) -> None:
    with pytest.raises(AssertionError, match=said):
        assert_agrees(draws, theory, **more)
    assert assert_agrees(draws, ONES, effect=0.5).agrees
    assert assert_agrees(draws, ONES, effect=0.01, may_be_blunt=True).verdict == "cannot tell"


def test_importing_the_assertion_is_light_and_using_it_needs_no_jax_and_no_xarray() -> None:
    heavy = "[each for each in ('numpy', 'scipy', 'jax', 'xarray', 'matplotlib') if each in sys.modules]"
    code = f"import sys; from teacherstudent.testing import assert_agrees; print({heavy}); "
    code += f"assert_agrees([[1.0], [1.1], [0.9]] * 9, 1.0); print({heavy})"
    assert python("-c", code).stdout.splitlines() == ["[]", "['numpy', 'scipy']"]
