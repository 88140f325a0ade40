"""What is read as features in groups, descent of seven methods on them, and the minimum of a mean loss."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import mpmath
import numpy as np
import pytest

import teacherstudent
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.problems.frozen_groups import PROBLEM
from teacherstudent.problems.frozen_groups.data import kept, sampling_probabilities
from teacherstudent.sims.frozen_groups import descent
from teacherstudent.theory.frozen_groups import optimum

Arrays = dict[str, np.ndarray]


def made(classes: int = 3, seed: int = 0) -> Arrays:
    """Nine arrays of two attributes in groups of different size, classes 5, 6, ..."""
    generator = np.random.default_rng(seed)
    found = {}
    for part in ("tr", "va", "te"):
        pairs = [(5 + y, a) for y in range(classes) for a in (0, 1) for _ in range(3 + 4 * (a == y % 2) + y)]
        y, a = np.array(pairs).T
        x = generator.standard_normal((len(pairs), 4))
        x[:, 0] += 3 * (y - 6)
        x[:, 1] += 3 * (y == 6)
        found |= {f"x_{part}": x, f"y_{part}": y, f"a_{part}": a}
    return found


def test_a_file_and_arrays_are_the_same_rows(tmp_path: Path) -> None:
    arrays = made()
    np.savez(tmp_path / "rows.npz", **arrays)
    one, other = (PROBLEM.instance(features=each).features for each in (str(tmp_path / "rows.npz"), arrays))
    assert one == other
    assert one.labels == (5, 6, 7)
    assert one.groups == ((5, 0), (5, 1), (6, 0), (6, 1), (7, 0), (7, 1))
    np.testing.assert_array_equal(one.training.features, arrays["x_tr"])
    np.testing.assert_array_equal(np.array(one.labels)[one.test.classes], arrays["y_te"])


def test_settings_name_the_file_with_its_digest_and_a_changed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    np.savez(path, **made())
    question = {"dynamics": "descent", "route": "simulation", "times": [1], "seeds": 2}
    answer = teacherstudent.curve("frozen-groups", features=str(path), **question)
    text = teacherstudent.settings(answer)
    name = text.partition('features = "')[2].partition('"')[0]
    assert name.startswith(f"{path} (digest ")
    np.savez(path, **made(seed=1))
    with pytest.raises(InputError, match="its numbers have changed since"):
        PROBLEM.instance(features=name)


def without(name: str) -> Arrays:
    return {key: each for key, each in made().items() if key != name}


def changed(**more: np.ndarray) -> Arrays:
    return made() | more


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        (without("a_va"), "there is no array a_va"),
        (changed(x_te=np.ones((3, 4))), "y_te is 36 x 1, but x_te has 3 rows"),
        (changed(x_va=np.ones((36, 3))), "x_va has 3 columns and x_tr 4"),
        (changed(y_tr=np.full(36, 0.5)), "y_tr holds numbers that are not whole"),
        (changed(y_tr=np.full(36, 5)), "y_tr has only one class"),
        (changed(a_tr=np.arange(36) * 4), "row 7 of part va has y = 5, a = 1, which no training row has"),
        (changed(a_te=np.full(36, 7)), "row 0 of part te has y = 5, a = 7, which no training row has"),
        (changed(a_te=np.zeros(36)), "no row of part te has y = 5, a = 1"),
        (changed(x_tr=np.full((36, 4), np.nan)), "is not finite"),
    ],
)
def test_what_is_wrong_with_rows_is_said(arrays: Arrays, said: str) -> None:
    with pytest.raises(InputError, match=said):
        PROBLEM.instance(features=arrays)


@pytest.mark.parametrize(
    ("name", "said"),
    [("rows.csv", "does not end in"), ("stripe", "did you mean stripes"), ("no.npz", "no such file")],
)
def test_what_is_no_file_of_rows_is_said(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        PROBLEM.instance(features=name)


def test_a_file_that_lacks_an_array_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "rows.npz", **without("y_te"))
    with pytest.raises(InputError, match="it holds no array y_te"):
        PROBLEM.instance(features=str(tmp_path / "rows.npz"))


@pytest.mark.parametrize(("method", "sets"), [("suby", "y_tr"), ("subg", "both")])
def test_a_subset_has_as_many_of_each_as_the_smallest_has(method: str, sets: str) -> None:
    arrays = made()
    of = arrays["y_tr"] if sets == "y_tr" else 2 * arrays["y_tr"] + arrays["a_tr"]
    stays = kept(PROBLEM.instance(features=arrays, method=method), range(5))
    _, sizes = np.unique(of, return_counts=True)
    for row in stays:
        assert np.unique(of[row], return_counts=True)[1].tolist() == [sizes.min()] * len(sizes)
    assert len({row.tobytes() for row in stays}) > 1


def test_resampled_groups_are_as_likely_as_any_other() -> None:
    arrays = made()
    groups = 2 * arrays["y_tr"] + arrays["a_tr"]
    chances = sampling_probabilities(PROBLEM.instance(features=arrays, method="gdro"))
    sums = [chances[groups == group].sum() for group in np.unique(groups)]
    np.testing.assert_allclose(sums, 1 / 6)


K = np.arange(40)
TABLE = {"x": K, "kind": np.array(["b", "a"])[K % 2], "place": K // 20, "part": K // 2 % 3}
ASKED = {"table": TABLE, "target": "kind", "attribute": "place", "features": "x"}


def test_one_table_is_split_in_each_group_or_as_a_column_says() -> None:
    words = TABLE | {"part": np.array(["Train", "val", "test"])[TABLE["part"]]}
    others = ({}, {"split": "part"}, {"table": words, "split": "part"})
    drawn, told, same = (PROBLEM.instance(**ASKED | each).features for each in others)
    assert drawn.groups == (("a", 0), ("a", 1), ("b", 0), ("b", 1))
    parts = [drawn.training, drawn.validation, drawn.test]
    assert [np.bincount(each.groups).tolist() for each in parts] == [[6] * 4, [2] * 4, [2] * 4]
    rows = np.concatenate([each.features[:, 0] for each in parts]).astype(int)
    assert sorted(rows) == K.tolist()
    np.testing.assert_array_equal(
        np.concatenate([each.classes for each in parts]), TABLE["kind"][rows] == "b"
    )
    np.testing.assert_array_equal(told.test.features[:, 0], K[TABLE["part"] == 2])
    assert told == same != drawn
    answer = teacherstudent.select("spurious-groups", **ASKED, methods="rwg", settings=1, seeds=2, epochs=1)
    assert "drawn at random with seed 0" in answer.remarks
    assert '"target": "kind"' in answer.fixed


WRONG = [
    ({"attribute": None}, r"--attribute \(missing\): must be a column of array: x, kind"),
    ({"table": TABLE | {"place": K // 39}}, "there is no training row with kind a and place 1"),
    ({"split": "x"}, "--features x: must be columns other than --split"),
    ({"table": None}, "--target kind: must be left out without --table"),
]


@pytest.mark.parametrize(("asked", "said"), WRONG)
def test_what_is_wrong_with_one_table_is_said(asked: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        PROBLEM.instance(**ASKED | asked)


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
    with pytest.warns(UnconvergedWarning, match="weight_decay 1e-09: rounding limits"):
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
