"""Descent of seven methods on given rows, and the minimum of a mean loss."""

from __future__ import annotations

from itertools import product

import mpmath
import numpy as np
import pytest

from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.frozen_groups import PROBLEM
from teacherstudent.sims.frozen_groups import descent
from teacherstudent.theory.frozen_groups import optimum
from tests.frozen_groups.test_rows import made

OPTIONS = {
    "learning_rate": 0.05, "batch_size": 8, "momentum": 0.5, "weight_decay": 0.01, "gdro_rate": 0.1,
    "jtt_epochs": 2, "jtt_upweight": 3,
}  # fmt: skip
THOROUGH = pytest.mark.thorough


def test_one_step_on_all_rows_is_that_of_the_softmax_written_out() -> None:
    arrays = made()
    problem = PROBLEM.instance(features=arrays)
    whole = OPTIONS | {"batch_size": 1000, "weight_decay": 0.3, "momentum": 0.0}
    found = descent.descent(problem, np.array([1]), seeds=[0], **whole)
    x = np.c_[arrays["x_tr"], np.ones(36)]
    told = (arrays["y_tr"][:, None] == [5, 6, 7]).astype(float)
    weights = -0.05 * x.T @ (np.full((36, 3), 1 / 3) - told) / 36
    assert found["norm"].item() == pytest.approx(np.linalg.norm(weights), rel=1e-12)
    right = (np.c_[arrays["x_te"], np.ones(36)] @ weights).argmax(axis=1) + 5 == arrays["y_te"]
    assert found["test_accuracy"].item() == pytest.approx(right.mean())
    groups = 2 * arrays["y_te"] + arrays["a_te"]
    by_group = [right[groups == group].mean() for group in np.unique(groups)]
    np.testing.assert_allclose(found["group_accuracy"][0, 0], by_group)
    assert found["worst_group_accuracy"].item() == pytest.approx(min(by_group))


@pytest.mark.parametrize(
    "method",
    ["erm", "gdro", *(pytest.param(each, marks=THOROUGH) for each in ("suby", "subg", "rwy", "rwg", "jtt"))],
)
def test_every_method_learns_and_says_the_same_alone(method: str) -> None:
    problem = PROBLEM.instance(features=made(), method=method)
    both = descent.descent(problem, np.array([1, 40]), seeds=[3, 4], **OPTIONS)
    assert (both["test_accuracy"][:, 1] > 0.5).all()
    if method != "jtt":  # pools of different length shuffle otherwise
        alone = descent.descent(problem, np.array([40]), seeds=[4], **OPTIONS)
        np.testing.assert_allclose(alone["norm"][0, 0], both["norm"][1, 1], rtol=1e-12)


def test_just_train_twice_begins_again_after_its_first_training() -> None:
    problem = PROBLEM.instance(features=made(), method="jtt")
    plain = PROBLEM.instance(features=made())
    twice = descent.descent(problem, np.array([1, 2, 3]), seeds=[0], **OPTIONS)["norm"][0]
    once = descent.descent(plain, np.array([1, 2, 3]), seeds=[0], **OPTIONS)["norm"][0]
    np.testing.assert_allclose(twice[:2], once[:2], rtol=1e-12)
    assert twice[2] < once[2]  # one epoch from weights 0 again


def test_descent_that_diverges_says_so() -> None:
    far = OPTIONS | {"learning_rate": 1e300, "weight_decay": 1.0}
    with pytest.warns(UnconvergedWarning, match="learning_rate 1e\\+300: weight decay makes"):
        found = descent.descent(PROBLEM.instance(features=made()), np.array([9]), seeds=[0], **far)
    assert np.isnan(found["worst_group_accuracy"]).all()


@pytest.mark.parametrize("method", ["erm", "rwy", "rwg"])
def test_the_minimum_has_no_slope_in_any_direction(method: str) -> None:
    """By differences of a loss that is written out again."""
    arrays = made()
    problem = PROBLEM.instance(features=arrays, method=method)
    weights, off = optimum.minimum(problem, np.ones(36, dtype=bool), 0.2)
    assert off < 1e-14
    sets = {"erm": np.zeros(36), "rwy": arrays["y_tr"], "rwg": 2 * arrays["y_tr"] + arrays["a_tr"]}[method]
    names, counts = np.unique(sets, return_counts=True)
    shares = 1 / (len(names) * counts[np.searchsorted(names, sets)])
    x = np.c_[arrays["x_tr"], np.ones(36)]

    def loss(weights: np.ndarray) -> float:
        logits = x @ weights
        right = logits[np.arange(36), arrays["y_tr"] - 5]
        return float(shares @ (np.log(np.exp(logits).sum(axis=1)) - right) + 0.1 * np.sum(weights**2))

    for place in np.ndindex(weights.shape):
        moved = np.zeros_like(weights)
        moved[place] = 1e-5
        assert abs(loss(weights + moved) - loss(weights - moved)) < 1e-12


@pytest.mark.parametrize(("decay", "scale"), [(1e-9, 30.0), (1e-4, 1.0), (0.2, 1.0), (10.0, 30.0)])
def test_the_minimum_is_right_to_rounding(decay: float, scale: float) -> None:
    """By a step of Newton's method in 40 digits."""
    arrays = {name: rows * (scale if name.startswith("x") else 1) for name, rows in made().items()}
    weights, off = optimum.minimum(PROBLEM.instance(features=arrays), np.ones(36, dtype=bool), decay)
    assert off < 1e-14
    with mpmath.workdps(40):
        size = weights.size
        slope, curvature = decay * mpmath.matrix(weights.T.ravel()), decay * mpmath.eye(size)
        for row, y in zip(np.c_[arrays["x_tr"], np.ones(36)], arrays["y_tr"] - 5, strict=True):
            x = mpmath.matrix(row)
            odds = [mpmath.exp(mpmath.fdot(x, mpmath.matrix(each))) for each in weights.T]
            chances = mpmath.matrix(odds) / mpmath.fsum(odds)
            apart = chances - mpmath.matrix(np.eye(3)[y])
            bend = mpmath.diag(chances) - chances * chances.T
            for (a, i), (b, j) in product(product(range(3), range(len(row))), repeat=2):
                curvature[a * len(row) + i, b * len(row) + j] += bend[a, b] * x[i] * x[j] / 36
            for a, i in product(range(3), range(len(row))):
                slope[a * len(row) + i] += apart[a] * x[i] / 36
        step = np.array(mpmath.lu_solve(curvature, slope).T.tolist()[0], dtype=float)
    assert np.linalg.norm(step) <= 1e-14 * np.linalg.norm(weights)


def test_a_norm_that_rounding_hides_is_nan() -> None:
    arrays = {name: rows * (1e3 if name.startswith("x") else 1) for name, rows in made().items()}
    with pytest.warns(UnconvergedWarning, match="weight_decay 1e-09: rounding hides the minimum"):
        found = optimum.optimum(
            PROBLEM.instance(features=arrays), np.array([1]), weight_decay=1e-9, seeds=[0]
        )
    assert np.isnan(found["norm"]).all()
    assert np.isfinite(found["test_accuracy"]).all()


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ({"method": "gdro"}, {"weight_decay": 0.1}, "method gdro: must be erm, suby, subg, rwy or rwg"),
        ({"method": "erm"}, {"weight_decay": 0.0}, "weight-decay 0.0: must be above 0 for route optimum"),
    ],
)
def test_what_has_no_minimum_is_refused(given: dict, options: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        optimum.optimum(PROBLEM.instance(features=made(), **given), np.array([1]), seeds=[0], **options)
