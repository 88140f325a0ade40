"""A formula warns where rows are too uneven for it, and is silent where it is right within a few percent.

Truth is the mean of exact draws (`instance`). Sets of rows of both kinds are put to it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.theory.measured_spectrum import asymptotic, cautions, instance, per_row
from teacherstudent.theory.measured_spectrum.decomposition import decomposition

P, N = 300, 60
Draw = np.random.Generator


def levels(draw: Draw, rare: int) -> np.ndarray:
    """One column a level: half of the rows in one, the others spread over `rare`."""
    found: np.ndarray = np.eye(rare + 1)[draw.choice(rare + 1, P, p=[0.5, *np.full(rare, 0.5 / rare)])]
    return found


def outlying(draw: Draw) -> np.ndarray:
    x = draw.standard_normal((P, 10))
    x[7] *= 30
    return x


UNEVEN: dict[str, Callable[[Draw], np.ndarray]] = {
    "Cauchy": lambda draw: draw.standard_cauchy((P, 10)),
    "t with 2 degrees of freedom": lambda draw: draw.standard_t(2, (P, 10)),
    "lognormal": lambda draw: np.exp(1.2 * draw.standard_normal((P, 10))),
    "elliptical": lambda draw: draw.standard_normal((P, 10)) * np.exp(draw.standard_normal((P, 1))),
    "rare counts": lambda draw: draw.poisson(0.04, (P, 15)),
    "rare levels": lambda draw: levels(draw, 14),
    "one outlier": outlying,
    "each row five times": lambda draw: np.repeat(draw.standard_normal((P // 5, 30)), 5, axis=0),
}
EVEN: dict[str, Callable[[Draw], np.ndarray]] = {
    "Gaussian": lambda draw: draw.standard_normal((P, 10)),
    "as many features as training rows": lambda draw: draw.standard_normal((P, N)),
    "uneven columns": lambda draw: draw.standard_normal((P, 10)) * 10.0 ** np.arange(-3, 7),
    "in the order of time": lambda draw: np.cumsum(draw.standard_normal((P, 6)), axis=0),
    "bits": lambda draw: draw.integers(2, size=(P, 10)),
    "common levels": lambda draw: np.eye(4)[draw.integers(4, size=P)],
    "t with 10 degrees of freedom": lambda draw: draw.standard_t(10, (P, 10)),
}


def made(rows: Callable[[Draw], np.ndarray], **values: Any) -> MeasuredSpectrum:
    draw = np.random.default_rng(3)
    x = np.asarray(rows(draw), dtype=float)
    _, places = np.unique(x, axis=0, return_inverse=True)  # repeated continuous rows repeat their targets
    noise = draw.standard_normal(P)
    repeated = 1 < np.bincount(places).min() < 20
    y = (x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-9) @ draw.standard_normal(x.shape[1])
    y = y / y.std() + 0.5 * (noise[places] if repeated else noise)
    found: MeasuredSpectrum = PROBLEM.instance(**{"features": x, "targets": y, "n": N, **values})
    return found


def late(problem: MeasuredSpectrum) -> np.ndarray:
    return np.array([100.0 / (problem.n * decomposition(problem).eigenvalues[0])])


@pytest.mark.parametrize("name", [*UNEVEN, *EVEN])
def test_the_limit_warns_where_it_is_off_and_only_there(name: str) -> None:
    problem = made({**UNEVEN, **EVEN}[name])
    times = late(problem)
    drawn = instance.ridge(problem, times, seeds=range(200))["generalisation_error"][:, 0]
    off = asymptotic.ridge(problem, times)["generalisation_error"][0] / drawn.mean() - 1
    error = 3 * drawn.std(ddof=1) / np.sqrt(drawn.size) / drawn.mean()
    said = cautions.asymptotic(problem, "ridge", times, {})
    if name in EVEN:
        assert not said
        assert abs(off) < 0.05 + error
    else:
        assert "--route instance, which draws from the rows, is reliable" in said[0]
        assert abs(off) > 0.05


def test_leverages_are_warned_of_where_a_class_is_tiny() -> None:
    draw = np.random.default_rng(0)
    y = (np.arange(P) < P // 100).astype(int)
    x = draw.standard_normal((P, 10)) + 2 * y[:, None]
    problem = PROBLEM.instance(features=x, targets=y, n=N, task="classification")
    (said,) = cautions.of_leverage(problem, "ridge", late(problem), {})
    assert "1 of 2 classes have fewer than 2 training rows" in said
    assert "--route per-row" in said


def test_what_is_asked_decides_early_in_training_all_rows_are_even() -> None:
    problem = made(UNEVEN["rare levels"])
    first = 1e-3 * late(problem)
    assert cautions.asymptotic(problem, "flow", first, {}) == []
    assert cautions.asymptotic(problem, "flow", np.array([0.0]), {}) == []
    assert cautions.asymptotic(problem, "flow", None, {})
    assert cautions.asymptotic(problem, "descent", np.array([10000]), {"learning_rate": "auto"})


@pytest.mark.parametrize("rows", [2, 3, 29])
def test_small_pools_and_few_training_rows_are_said(rows: int) -> None:
    draw = np.random.default_rng(1)
    x, y = draw.standard_normal((rows, 2)), draw.standard_normal(rows)
    asked: dict[str, Any] = {"features": x, "targets": y, "n": rows - 1, "task": "regression"}
    asked["intercept"] = "pool"  # of one training row none is trained
    answer = ts.curve("measured-spectrum", dynamics="ridge", route="asymptotic", times=[1.0], **asked)
    few = f"{rows - 1} training rows out of a pool of {rows} are few for the large-system limit (below 30)"
    assert few in answer.attrs["caution"]


def test_repeated_rows_are_counted() -> None:
    (said,) = cautions.asymptotic(problem := made(UNEVEN["each row five times"]), "ridge", late(problem), {})
    assert f"{P - P // 5} of {P} rows repeat another one" in said


def test_blocks_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = made(UNEVEN["lognormal"], noise=0.3)
    whole = cautions.unevenness(problem, np.array([0.1, 10.0]))
    monkeypatch.setattr(cautions, "AT_ONCE", 100)
    parts = cautions.unevenness(problem, np.array([0.1, 10.0]))
    for name, values in vars(whole).items():
        np.testing.assert_allclose(getattr(parts, name), values, rtol=1e-10, err_msg=name)


def test_the_front_door_warns_once_and_answers_keep_it(caplog: pytest.LogCaptureFixture) -> None:
    problem = made(UNEVEN["Cauchy"])
    asked: dict[str, Any] = {"features": problem.features, "targets": problem.targets}
    question = {"dynamics": "ridge", "times": late(problem), **asked}
    for _ in range(2):
        answer = ts.curve("measured-spectrum", n=N, route="asymptotic", **question)
    assert caplog.messages == [answer.attrs["remarks"], answer.attrs["caution"]]
    assert caplog.records[1].levelno == logging.WARNING
    swept = ts.sweep("measured-spectrum", n=[40, N], route="asymptotic,instance", seeds=2, **question)
    assert swept.attrs["caution"].endswith("(so at n = 40; 2 of 2 points have a caution)")
    several = ts.curve("measured-spectrum", n=N, route="asymptotic,instance", seeds=2, **question)
    assert several.attrs["caution"] == answer.attrs["caution"]
    assert json.loads(several.attrs["agreement"])[0]["too_few_draws"]
    drawn = ts.curve("measured-spectrum", n=N, route="instance", seeds=2, **question)
    assert drawn.attrs["caution"] == ""
    assert ts.turns("measured-spectrum", n=N, **asked).attrs["caution"].startswith("route asymptotic: ")


# Theory row by row ----------------------------------------------------------------------------------


def test_the_radius_is_that_of_the_matrix() -> None:
    problem, z = made(UNEVEN["rare counts"]), 0.5
    (point,) = per_row._points(problem, np.array([z])) or []
    between = point.between**2
    np.fill_diagonal(between, 0)
    delta = N / P
    tau = delta * ((1 - point.effect) / point.drawn) ** 2 + (1 - delta) * (point.effect / point.left) ** 2
    exact = np.max(np.abs(np.linalg.eigvals(between * tau)))
    assert per_row.radius(problem, z) == pytest.approx(exact, rel=0.02)


def test_theory_row_by_row_warns_where_its_sum_hardly_converges(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = made(UNEVEN["rare counts"], n=15)
    early, end = np.array([1e-3]), np.array([1e4])
    assert cautions.of_per_row(problem, "ridge", early, {}) == []
    assert "converges slowly (spectral radius " in cautions.of_per_row(problem, "ridge", end, {})[0]
    monkeypatch.setattr(per_row, "_radius", lambda *_: 1.01)
    monkeypatch.setattr(per_row, "_RADII", per_row.Remembered())
    with pytest.warns(UnconvergedWarning, match=r"fluctuations of rows diverge"):
        assert np.isnan(per_row.ridge(problem, end)["generalisation_error"]).all()
