"""The page about somebody's rows: verdicts, five questions, her estimator, the best ridge, more rows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import xarray as xr
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import teacherstudent as ts
from teacherstudent.figures.measured_spectrum.mine import drawing, estimators, facts, judging, questions
from teacherstudent.figures.measured_spectrum.mine.facts import known
from teacherstudent.figures.measured_spectrum.mine.formats import pair
from teacherstudent.figures.measured_spectrum.mine.request import settled
from teacherstudent.figures.measured_spectrum.mine.stopping import descents, stop
from teacherstudent.house.errors import InputError
from teacherstudent.house.tables import as_table
from tests.roundings import copied


@pytest.mark.parametrize(
    ("difference", "stderr", "spread", "verdict"),
    [
        (0.01, 0.01, 0.05, judging.TRUST),
        (-0.04, 0.01, 0.05, judging.BAND),
        (0.01, 0.03, 0.05, judging.BAND),
        (0.01, 0.01, 0.15, judging.BAND),
        (0.01, 0.01, 0.4, judging.DISTRUST),
        (0.3, 0.1, 0.05, judging.BAND),
        (-0.3, 0.01, 0.05, judging.DISTRUST),
        (0.0, 0.0, float("nan"), judging.DISTRUST),
    ],
)
def test_a_verdict_follows_from_what_was_measured_and_from_the_rows(
    difference: float, stderr: float, spread: float, verdict: str
) -> None:
    assert judging.verdict(difference, 2 * stderr, spread) == verdict


def test_the_least_certain_time_decides_and_few_subsets_know_little() -> None:
    """Three times before the best one to stop, measured on four subsets, relative to theory."""

    def judged(*measured: tuple[float, float, float]) -> tuple[str, float]:
        difference, stderr, spread = (np.array([[*each, 0.0]]) for each in zip(*measured, strict=True))
        along = {"mark": [1.0, 2.0, 3.0, 4.0], "time": [1.0, 2.0, 3.0, 4.0], "size": [9], "n": [9]}
        theory = np.full((1, 4), 7.0)
        numbers = {
            "error": (("size", "time"), theory),
            "corrected": (("size", "mark"), theory),
            "measured": (("size", "mark"), theory * (1 - difference)),
            "measured_stderr": (("size", "mark"), theory * stderr),
            "spread": (("size", "mark"), spread),
            "stopping": ("n", [4.0]),
            "variance": 7.0,
        }
        before, _ = judging.judged(xr.Dataset(numbers, along, {"n_seeds": 4}), 9)
        return before.verdict, before.bound

    even = 0.01
    verdict, bound = judged((0.02, 0.1, even), (0.01, 0.2, even), (0.03, 0.001, even))
    assert (verdict, bound > 0.4) == (judging.BAND, True)
    assert judged((0.45, 0.15, even), (0.4, 0.01, even), (0.0, 0.0, even))[0] == judging.DISTRUST
    assert judged((0.0, 0.0, even), (0.0, 0.0, np.nan), (0.0, 0.0, even))[0] == judging.DISTRUST
    # of so few subsets theory may well be a third above the mean
    assert judged((0.25, 0.08, even), (0.0, 0.0, even), (0.0, 0.0, even))[0] == judging.BAND
    assert judged((0.0, 0.0, even), (0.01, 0.001, even), (0.0, 0.0, even)) == (
        judging.TRUST,
        pytest.approx(0.017, abs=2e-3),
    )


def test_the_best_time_lies_between_the_times_that_were_asked_about() -> None:
    times = np.geomspace(0.5, 8, 5)
    assert stop(times, np.log(times / 1.7) ** 2).time == pytest.approx(1.7)
    assert stop(times, times).time == 0.5
    assert stop(times, -times).time == 8.0


@pytest.mark.parametrize(
    ("values", "count", "rise"),
    [
        ([3, 2, 1], 1, 0.0),
        ([3, 1, 2], 1, 0.0),
        ([3, 1, 2, 1.5], 2, 1.0),
        ([1, 2, 3], 0, 0.0),
        ([2, 3, 1], 1, 0.0),
        ([4, 2, 3, 1, 1.1, 0.5], 3, 0.5),
        ([4, np.nan, 2, 3, 1], 2, 0.5),
    ],
)
def test_descents_are_counted_with_the_largest_rise_between_them(
    values: list[float], count: int, rise: float
) -> None:
    assert descents(np.array(values)) == (count, pytest.approx(rise))
    assert stop(np.arange(1.0, len(values) + 1), np.array(values)).value == np.nanmin(values)


DRAW = np.random.default_rng(5)
X = DRAW.standard_normal((90, 5)) + 3.0
Y = X[:, 0] + 0.5 * X[:, 1] + DRAW.standard_normal(90)
SIZE, SUBSETS = 20, 8


@cache
def page() -> xr.Dataset:
    """With an estimator that is fitted to the same subsets."""
    asked: dict[str, Any] = {"n": [SIZE], "seeds": SUBSETS, "times": [0.01, 0.1, 1.0]}
    return ts.mine(X, Y, estimator=Ridge(alpha=2.0), simulate=True, **asked)


@pytest.mark.thorough
def test_long_fits_run_in_a_process_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def inside(*_: Any) -> Any:
        raise AssertionError("SciPy's solvers hold Python's lock in this process")

    here = page()
    monkeypatch.setattr(estimators, "LONG", 0)
    monkeypatch.setattr("sklearn.model_selection.learning_curve", inside)
    found = page.__wrapped__()
    xr.testing.assert_allclose(found["estimator_measured"], here["estimator_measured"], rtol=1e-12)


def test_an_estimator_is_ridge_regression_with_its_intercept_on_the_same_rows() -> None:
    """What `learning_curve` finds is what training exactly on these subsets gives, to rounding."""
    question: dict[str, Any] = {"features": X, "targets": Y, "n": SIZE, "dynamics": "ridge", "times": [0.5]}
    exact = ts.curve("measured-spectrum", route="instance", seeds=SUBSETS, **question)
    found = page().sel(size=SIZE)
    for ending in ("", "_stderr"):
        wanted = float(exact[f"generalisation_error{ending}"][0])
        assert float(found[f"estimator_measured{ending}"]) == pytest.approx(wanted, rel=1e-10)
    limit = ts.curve("measured-spectrum", route="asymptotic", **question)
    wanted = float(limit["generalisation_error"][0])
    assert float(page()["estimator_error"].sel(n=SIZE)) == pytest.approx(wanted, rel=1e-10)
    (first, _) = known(page())["estimator"]["sizes"]
    assert abs(first["error"]["value"] - first["measured"]["value"]) <= first["error"]["error"]


@pytest.mark.parametrize(
    ("estimator", "said"),
    [
        (LinearRegression(), (0.0, True, False)),
        (Ridge(alpha=3, fit_intercept=False), (3.0, False, False)),
        (make_pipeline(StandardScaler(), Ridge(alpha=0.5)), (0.5, True, True)),
        (make_pipeline(StandardScaler(with_std=False), LinearRegression()), (0.0, True, False)),
    ],
)
def test_estimators_are_read_by_their_settings(estimator: Any, said: tuple[float, bool, bool]) -> None:
    found = estimators.read(estimator)
    assert (found.alpha, found.fit_intercept, found.standardise) == said
    given = found.options({"task": "auto"})
    assert (given["intercept"], given["task"]) == ("trained" if said[1] else "none", "regression")


@pytest.mark.parametrize(
    ("estimator", "line"),
    [
        (DummyRegressor(), "--estimator DummyRegressor: must be Ridge, LinearRegression, or Pipeline of"),
        (make_pipeline(MinMaxScaler(), Ridge()), "--estimator MinMaxScaler > Ridge: must be Ridge, "),
        (object(), "--estimator builtins.object: must be Ridge, "),
        (Ridge(positive=True), "--estimator Ridge(positive=True): must be without positive"),
        (Ridge(alpha=-1), "--estimator Ridge(alpha=-1): must be with one alpha of 0 or more"),
        (
            make_pipeline(StandardScaler(), Ridge(fit_intercept=False)),
            "--estimator StandardScaler > Ridge: must be with fit_intercept=True, or",
        ),
    ],
)
def test_other_estimators_are_refused_in_one_line(estimator: Any, line: str) -> None:
    with pytest.raises(InputError) as refused:
        ts.mine(X, Y, estimator=estimator)
    assert str(refused.value).startswith(line)


def test_options_that_contradict_an_estimator_are_refused() -> None:
    with pytest.raises(InputError, match=r"^--intercept pool: must be trained, as in --estimator"):
        ts.mine(X, Y, estimator=Ridge(), intercept="pool")


def test_directions_that_least_squares_leaves_out_are_not_predicted() -> None:
    """`LinearRegression` leaves out directions below `tol` of the strongest, since scikit-learn 1.7 1e-6."""
    scaled = as_table(X * np.array([1e6, 1.0, 1.0, 1.0, 0.01]))
    asked = settled(scaled, as_table(Y), n=[SIZE], seeds=4, times=[1.0])
    cutting = replace(estimators.read(LinearRegression()), cut=1e-6)
    with pytest.raises(InputError, match=r"^--estimator LinearRegression\(tol=1e-06\): must be with tol"):
        estimators.predicted(asked, cutting)
    assert "estimator_error" in estimators.predicted(asked, replace(cutting, cut=0.0))


def test_targets_without_noise_have_no_relative_errors_and_no_ridge() -> None:
    answer = ts.mine(X, X @ np.arange(1.0, 6.0), n=[SIZE], seeds=4)
    said = questions.five_questions(known(answer))
    assert [said[0].answer, said[2].answer] == [
        "No: on 20 rows the error is 0 up to rounding.",
        "None: on 40 rows the error without ridge is 0 up to rounding.",
    ]


@pytest.mark.parametrize(
    ("over_rows", "peak"),
    [
        ([9, 5, np.nan, 8, 4, 3], {"n": 3, "error": 8.0, "at_end": False}),
        ([3, 2, 2, 3, 4, 5], {"n": 5, "error": 5.0, "at_end": True}),
        ([9, 5, np.nan, 4, 3, 2], None),
    ],
)
def test_the_error_after_long_training_falls_over_rows_or_has_a_peak(over_rows: Any, peak: Any) -> None:
    some = page().isel(n=slice(0, 6)).assign_coords(n=np.arange(6))
    found = facts._peak(some.assign(ended=("n", np.array(over_rows, dtype=float))))
    assert copied(found, peak)


def test_no_word_of_the_page_is_cut_off() -> None:
    canvas = Figure()
    FigureCanvasAgg(canvas)
    drawing.draw(canvas, page())
    canvas.draw_without_rendering()
    words = [each for axes in canvas.get_axes() for each in axes.texts]
    assert len(words) > 20
    for each in words:
        assert each.get_window_extent().x1 <= canvas.bbox.x1, each.get_text()


def test_every_question_is_answered_with_its_doubt() -> None:
    said = questions.five_questions(known(page()))
    assert [each.question for each in said] == [
        "Will more rows help?",
        "When to stop?",
        "How much ridge?",
        "Is a second descent coming?",
        "Can I trust this?",
    ]
    assert all(each.answer.endswith(".") and each.doubt.endswith(".") for each in said)


@pytest.mark.parametrize(
    ("change", "error", "begins"),
    [(-0.5, 0.3, "Yes"), (-0.2, 0.3, "Not certain"), (-0.004, 0.005, "Hardly"), (0.1, 0.05, "Not certain")],
)
def test_more_rows_help_where_the_change_exceeds_its_error(change: float, error: float, begins: str) -> None:
    found = known(page())
    (pairs,) = found["doubling"]
    found["doubling"] = [{**pairs, "change": {"value": change, "error": error}}]
    assert questions.five_questions(found)[0].answer.startswith(f"{begins}: from 20 to 40 rows")


def test_the_best_ridge_of_the_page_is_the_least_of_its_curve() -> None:
    for each in known(page())["ridge"]:
        here = page().sel(size=each["n"])
        assert float(here["best_error"]) <= float(here["ridge_error"].min()) * (1 + 1e-9)
        assert each["error"]["error"] >= abs(each["error"]["value"] - each["measured"]["value"])


def test_a_ridge_that_is_measured_to_be_better_is_said() -> None:
    """One row far out: the limit does not see that little ridge is ruinous."""
    rows = X.copy()
    rows[7, 0] = 1e4
    found = known(ts.mine(rows, Y, n=[SIZE], seeds=SUBSETS))
    assert found["ridge"][-1]["better"] > found["ridge"][-1]["best"] > 0
    assert questions.five_questions(found)[2].answer.startswith("More than theory says: the measured")
    assert all(each["better"] is None for each in known(page())["ridge"])


def test_a_negative_ridge_is_said_and_not_measured() -> None:
    """A strong feature that carries the target, and many weak ones that act as a ridge already."""
    draw = np.random.default_rng(0)
    features = np.hstack([5 * draw.standard_normal((120, 1)), draw.standard_normal((120, 200))])
    found = known(ts.mine(features, features[:, 0], n=[40], seeds=4, times=[1.0], intercept="pool"))
    assert found["ridge"][0]["best"] < 0
    assert np.isnan(found["ridge"][0]["measured"]["value"])
    assert "A negative ridge" in questions.five_questions(found)[2].doubt


def test_more_rows_than_there_are_have_errors_that_cover_both_answers() -> None:
    predictions = known(page())["more_rows"]["predictions"]
    assert [each["n"] for each in predictions] == [90, 180, 360, 900]
    errors = [each["error"]["value"] for each in predictions]
    assert errors == sorted(errors, reverse=True)
    for each in predictions:
        assert each["error"]["error"] >= abs(each["leave_one_out"] - each["error"]["value"])


def test_what_the_rows_cannot_tell_of_more_rows_is_said() -> None:
    """More columns than rows, and a target without noise: the best ridge is smaller than the rows tell of."""
    features = np.random.default_rng(0).standard_normal((60, 90))
    found = known(ts.mine(features, features[:, 0], n=[20], seeds=4, times=[1.0]))
    assert "a smaller ridge may be better" in found["more_rows"]["refused"]


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (3232.4, 87.2, "3232 ± 87"),
        (0.0, 0.0, "0 (rounding)"),
        (float("nan"), 1.0, "unknown"),
        (1.7961e9, 5.99e7, "(1.796 ± 0.060)e9"),
        (3.1e-7, 4e-8, "(3.10 ± 0.40)e-7"),
        (2.0, float("nan"), "2"),
        (0.33, 136108.0, "0.33 ± 136108"),
    ],
)
def test_numbers_are_written_to_the_second_digit_of_their_error(
    value: float, error: float, said: str
) -> None:
    assert pair({"value": value, "error": error}) == said
