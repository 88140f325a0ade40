"""The problem reads rows, kernels and laws as it says, and refuses what contradicts itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teacherstudent.house import machine
from teacherstudent.house.errors import InputError
from teacherstudent.house.tables import NUMBER
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.building import FEATURES, KERNELS, SQUARES
from teacherstudent.problems.measured_spectrum.data import draw, key_of, law_of, rows_of, teacher_of

made = PROBLEM.instance

DRAW = np.random.default_rng(5)
X, Y = DRAW.standard_normal((40, 3)) + 2.0, DRAW.standard_normal((40, 2))
LABELS = np.arange(40) % 4
ROWS: dict[str, Any] = {"features": X, "targets": Y, "n": 10}


def refused(**values: Any) -> str:
    with pytest.raises(InputError) as caught:
        rows_of(made(**values))
    line = str(caught.value)
    assert line.isprintable()
    return line


def test_a_first_row_that_may_hold_names_is_told(tmp_path: Path) -> None:
    """Of whole numbers it cannot be known whether pandas named a column 0, or the first example is 0."""
    (tmp_path / "x.csv").write_text("\n".join(["0", *map(str, range(39))]), encoding="utf-8")
    (tmp_path / "y.csv").write_text("\n".join(["0", *map(str, LABELS)]), encoding="utf-8")
    x, y = str(tmp_path / "x.csv"), str(tmp_path / "y.csv")
    assert "targets looks like column names from pandas" in refused(features=X, targets=y, n=10)
    assert "features looks like column names from pandas" in refused(features=x, targets=Y[1:], n=10)
    np.savetxt(tmp_path / "y.csv", LABELS, "%d")
    assert "the first row of --features and of --targets reads 0" in PROBLEM.remarks(
        made(features=x, targets=y, n=10)
    )
    assert "the first row of --features" not in PROBLEM.remarks(made(features=x, targets=LABELS + 1, n=10))


# Rows -----------------------------------------------------------------------------------------------


def test_features_and_targets_are_centred_by_the_means_of_all_rows() -> None:
    problem = made(**ROWS)
    rows = rows_of(problem)
    assert rows.features is not None
    np.testing.assert_allclose(rows.features, X - X.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(rows.targets, Y - Y.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(rows.means, Y.mean(axis=0), rtol=1e-14)
    assert (problem.task, problem.sampling, problem.kernel) == ("regression", "pool", "linear")
    assert (problem.rows, problem.columns, problem.outputs) == (40, 3, 2)
    assert rows.classes is None
    with pytest.raises(ValueError, match="read-only"):
        rows.targets[0] = 0


def test_constant_columns_change_nothing_and_are_told_of() -> None:
    dead = made(**{**ROWS, "features": np.insert(X, [0, 2], [0.1, -7.0], axis=1)})
    assert dead.columns == 3
    np.testing.assert_array_equal(rows_of(dead).features, rows_of(made(**ROWS)).features)
    read = "targets array are read as numbers"
    said = "2 of 5 columns of --features array are constant and have no effect"
    assert PROBLEM.remarks(dead) == f"{said}; {read}"
    one = made(**{**ROWS, "features": np.insert(X, 0, 1.0, axis=1)})
    said = "1 of 4 columns of --features array is constant and has no effect"
    assert PROBLEM.remarks(one) == f"{said}; {read}"
    assert (PROBLEM.remarks(made(**ROWS)), PROBLEM.remarks(made())) == (read, "")


@pytest.mark.parametrize(
    "labels", [LABELS, LABELS - 1.0, LABELS * 10, np.eye(4)[LABELS], LABELS[:, None]], ids=str
)
def test_classes_become_one_output_each(labels: np.ndarray) -> None:
    problem = made(features=X, targets=labels, n=10, task="classification")
    rows = rows_of(problem)
    assert (problem.task, problem.outputs) == ("classification", 4)
    np.testing.assert_array_equal(rows.classes, LABELS)
    np.testing.assert_allclose(rows.targets + rows.means, np.eye(4)[LABELS], atol=1e-15)
    assert "error_rate" in PROBLEM.observed(problem, {})  # type: ignore[misc]
    regression = made(features=X, targets=labels, n=10, task="regression")
    assert regression.outputs == (1 if labels.size == 40 else 4)
    assert "error_rate" not in PROBLEM.observed(regression, {})  # type: ignore[misc]


def counts_of(*rows: int) -> np.ndarray:
    """Labels 0, 1, ..., each as often as it says."""
    return np.repeat(np.arange(len(rows)), rows)


READ: dict[str, tuple[np.ndarray, bool]] = {
    "0 and 1": (LABELS % 2, True),
    "truths": (LABELS % 2 == 0, True),
    "rare ones": (counts_of(38, 2), True),
    "labels": (LABELS, True),
    "one-hot rows": (np.eye(4)[LABELS], True),
    "twenty": (np.arange(40) % 20, True),
    "uneven labels": (counts_of(24, 12, 4), True),
    "signs": (LABELS % 2 * 2 - 1, False),
    "ratings": (LABELS + 1, False),
    "five stars": (np.arange(40) % 5 + 1, False),
    "tens": (LABELS * 10, False),
    "counts of events": (counts_of(20, 13, 5, 2), False),
    "years": (LABELS + 2020, False),
    "two values": (LABELS % 2 + 1, False),
    "halves": (LABELS + 0.5, False),
    "a gap": (LABELS + (LABELS == 3), False),
    "many": (np.arange(40) % 21, False),
}


@pytest.mark.parametrize(("targets", "classes"), READ.values(), ids=READ)
def test_targets_are_classes_where_labels_are_few_and_frequent_and_how_they_are_read_is_said(
    targets: np.ndarray, classes: bool
) -> None:
    problem = made(features=X, targets=targets, n=30)
    assert problem.task == ("classification" if classes else "regression")
    said = PROBLEM.remarks(problem)
    assert f"read as {f'{problem.outputs} classes' if classes else 'numbers'}" in said
    if classes:
        assert "; --task regression reads them as numbers" in said


def test_signs_cost_what_signs_cost_and_not_half_of_it() -> None:
    """The squares of +-1 are four times those of 0 and 1, which are counted for each of two outputs."""
    signs = LABELS % 2 * 2 - 1
    spread = [rows_of(made(features=X, targets=signs, n=10, task=task)).targets.var(axis=0).sum()
              for task in ("auto", "classification")]  # fmt: skip
    np.testing.assert_allclose(spread, [1.0, 0.5], rtol=1e-14)


@pytest.mark.parametrize("kernel", [{"kernel": "rbf"}, {"kernel": "ntk", "depth": 2}, {"gram": X @ X.T}])
def test_kernels_are_centred_and_have_no_listed_features(kernel: dict[str, Any]) -> None:
    given = {name: each for name, each in ROWS.items() if name != "features" or "gram" not in kernel}
    problem = made(**given, **kernel)
    rows = rows_of(problem)
    assert rows.features is None
    assert rows.gram is not None
    np.testing.assert_allclose(rows.gram.sum(axis=0), 0, atol=1e-11)
    assert problem.columns == 0
    assert draw(problem, range(2)).initial is None
    linear = rows_of(made(**ROWS)).features
    assert linear is not None
    assert np.allclose(rows.gram, linear @ linear.T) == ("gram" in kernel)


def test_the_length_that_a_kernel_takes_from_the_rows_is_told() -> None:
    assert rows_of(made(**ROWS)).width is None
    told = rows_of(made(**ROWS, kernel="rbf"))
    assert told.width is not None
    again = rows_of(made(**ROWS, kernel="rbf", width=told.width))
    assert again.width == told.width
    np.testing.assert_allclose(again.gram, told.gram, rtol=1e-13, atol=1e-15)  # type: ignore[arg-type]


def test_rows_are_made_once_for_all_questions_about_them() -> None:
    one = made(**ROWS)
    other = made(**{**ROWS, "n": 20, "features": X.copy()}, sampling="population", noise=1.0)
    assert rows_of(one) is rows_of(other)
    keys = {
        key_of(made(**{**ROWS, **change}))
        for change in ({}, {"features": X + 1}, {"targets": Y * 2}, {"kernel": "rbf"}, {"kernel": "ntk"},
                       {"kernel": "ntk", "depth": 2}, {"kernel": "rbf", "width": 2.0})
    }  # fmt: skip
    assert len(keys) == 7


# Laws -----------------------------------------------------------------------------------------------


def test_a_power_law_has_the_exponents_of_source_and_capacity() -> None:
    counts, values, powers = law_of(made(capacity=1.4, source=0.8, size=1000))
    k = np.arange(1, 1001)
    np.testing.assert_array_equal(counts, 1)
    np.testing.assert_allclose(np.diff(np.log(values)) / np.diff(np.log(k)), -1.4)
    np.testing.assert_allclose(np.diff(np.log(powers)) / np.diff(np.log(k)), -(1 + 2 * 0.8 * 1.4))
    assert values[0] == powers[0] == 1


def test_listed_modes_are_the_law() -> None:
    problem = made(modes=((3, 2.0, 0.6), (2, 0.5, 0.0)), n=4)
    assert [each.tolist() for each in law_of(problem)] == [[3, 2], [2.0, 0.5], [0.6, 0.0]]
    assert (problem.measured, problem.rows, problem.columns) == (False, 0, 5)
    np.testing.assert_allclose(teacher_of(problem)[:, 0], [*[np.sqrt(0.1)] * 3, 0, 0])
    drawn = draw(problem, range(3))
    assert drawn.inputs is not None
    assert drawn.inputs.shape == (3, 4, 5)


# Draws ----------------------------------------------------------------------------------------------


def test_a_pool_is_drawn_from_without_replacement_and_fewer_rows_are_the_first_of_more() -> None:
    fewer, more = (draw(made(**{**ROWS, "n": n}), range(5)).chosen for n in (10, 39))
    assert fewer is not None
    assert more is not None
    np.testing.assert_array_equal(fewer, more[:, :10])
    assert all(len(set(each)) == 39 and set(each) <= set(range(40)) for each in more.tolist())


def test_each_sampling_draws_its_own_and_nothing_else() -> None:
    pool = draw(made(**ROWS, init=1.0), [0, 1])
    population = draw(made(**ROWS, sampling="population"), [0, 1])
    assert pool.mixtures is pool.inputs is population.chosen is population.inputs is None
    assert pool.chosen is not None
    assert pool.initial is not None
    assert population.mixtures is not None
    shapes = [each.shape for each in (pool.chosen, population.mixtures, pool.noise, pool.initial)]
    assert shapes == [(2, 10), (2, 10, 40), (2, 10, 2), (2, 3, 2)]


# What is refused ------------------------------------------------------------------------------------

ONE_HOT = np.eye(2)[np.arange(40) % 2]
ASYMMETRIC = X @ X.T + np.eye(40, k=1)
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no targets": ({"features": X}, "--targets (missing): must be given together with --features or --gram"),
    "no features": ({"targets": Y}, "--features (missing): must be given together with --targets"),
    "rows apart": ({"features": X, "targets": Y[1:]}, "of 40 rows, as many as --features; they have 39"),
    "gram apart": ({"gram": np.eye(39), "targets": Y}, "of 39 rows, as many as --gram; they have 40"),
    "transposed": ({"features": X.T, "targets": Y}, "; the features look transposed: each"),
    "outputs as rows": ({"features": X, "targets": Y.T}, "; the targets look transposed: each example"),
    "n is all": ({**ROWS, "n": 40}, "--n 40: must be below 40, the number of rows"),
    "constant": ({**ROWS, "features": X * 0}, "not constant: all columns are constant"),
    "constant output": ({**ROWS, "targets": Y * [1, 0]}, "column 1, counted from 0, is constant"),
    "constant target": ({**ROWS, "targets": Y[:, 0] * 0 + 0.5}, "they are all constant"),
    "one class": ({**ROWS, "targets": LABELS * 0, "task": "classification"}, "of two classes or more, but"),
    "rare class": ({**ROWS, "targets": np.arange(40) == 3}, "class 1 has 1; if they are not classes, give"),
    "said class": ({**ROWS, "targets": np.r_[LABELS[:39], 9], "task": "classification"}, "class 9 has 1"),
    "empty class": ({**ROWS, "targets": np.c_[ONE_HOT, 0 * LABELS]}, "class 2 has 0"),
    "more classes": ({**ROWS, "targets": LABELS, "n": 3}, "--n 3: must be at least 4, the number of classes"),
    "no classes": ({**ROWS, "task": "classification"}, "classes for --task classification: one column"),
    "swapped": ({"features": LABELS, "targets": X, "n": 9}, "if the two are not swapped, give --task"),
    "task of a law": ({"task": "auto"}, "--task auto: must be left out without --features"),
    "kernel of a law": ({"kernel": "linear"}, "--kernel linear: must be left out without --features"),
    "width of a law": ({"width": "auto"}, "--width auto: must be left out without --features"),
    "depth of a law": ({"depth": 1}, "--depth 1: must be left out without --features"),
    "pool of a law": ({"sampling": "pool"}, "--sampling pool: must be population without --features"),
    "width of linear": ({**ROWS, "width": "auto"}, "--width auto: must be left out for --kernel linear"),
    "width of ntk": ({**ROWS, "width": 1.0, "kernel": "ntk"}, "left out for --kernel ntk: only"),
    "depth of rbf": ({**ROWS, "depth": 1, "kernel": "rbf"}, "left out for --kernel rbf: only"),
    "kernel of gram": ({"gram": X @ X.T, "targets": Y, "kernel": "linear"}, "absent where --gram is given"),
    "law of rows": ({**ROWS, "capacity": 1.5}, "--capacity 1.5: must be absent where --features is given"),
    "start of rbf": ({**ROWS, "kernel": "rbf", "init": 0.1}, "--init 0.1: must be 0 for --kernel rbf"),
    "start of gram": ({"gram": X @ X.T, "targets": Y, "init": 0.1, "n": 9}, "must be 0 for --kernel gram"),
    "not square": ({"gram": X, "targets": Y}, "it has 40 rows and 3 columns"),
    "asymmetric": ({"gram": ASYMMETRIC, "targets": Y}, ", counted from 0, is "),
    "negative": ({"gram": np.eye(40) - np.eye(40, k=20) - np.eye(40, k=-20) - np.diag(LABELS), "targets": Y,
                  "n": 9}, "a kernel without negative eigenvalues"),
    "same rows": ({"gram": np.ones((40, 40)), "targets": Y, "n": 9}, "a kernel of rows that differ"),
    "wide": ({**ROWS, "kernel": "rbf", "width": 1e9}, "must be such that kernel values"),
    "no triple": ({"modes": "3:1"}, "--modes 3:1: must be count:eigenvalue:power[,...]"),
    "zero mode": ({"modes": ((3, 0.0, 1.0),)}, "must be count:eigenvalue:power[,...]"),
    "no modes": ({"modes": ()}, "must be count:eigenvalue:power[,...]"),
    "bundle": ({"features": "digit", "targets": Y}, "did you mean digits?"),
}  # fmt: skip


@pytest.mark.parametrize(("values", "said"), REFUSED.values(), ids=REFUSED)
def test_what_contradicts_itself_is_refused_with_what_to_do(values: dict[str, Any], said: str) -> None:
    assert said in refused(**values)


def test_a_task_that_is_said_is_no_swap() -> None:
    problem = made(features=LABELS, targets=X, n=9, task="regression")
    assert (problem.columns, problem.outputs) == (1, 3)


def test_a_kernel_that_rounding_made_slightly_negative_is_one() -> None:
    kernel = X @ X.T
    noise = 1e-10 * DRAW.standard_normal((40, 40))
    rows = rows_of(made(gram=kernel + noise, targets=Y, n=10))
    assert rows.gram is not None
    assert np.linalg.eigvalsh(rows.gram).min() < 0


@pytest.mark.parametrize(
    ("kernel", "numbers", "said"),
    [
        (
            "rbf",
            KERNELS * 40**2,
            "--kernel rbf: must be of at most 39 rows: a kernel of 40 x 40 numbers and its",
        ),
        (
            "linear",
            FEATURES * 40 * 3 + SQUARES * 3**2,
            ": must be of at most 39 rows: 40 rows of 3 columns and its",
        ),
    ],
)
def test_rows_whose_decomposition_does_not_fit_into_memory_are_refused(
    monkeypatch: pytest.MonkeyPatch, kernel: str, numbers: int, said: str
) -> None:
    monkeypatch.setattr(machine, "memory", lambda: NUMBER * numbers / machine.SHARE)
    made(**ROWS, kernel=kernel)
    monkeypatch.setattr(machine, "memory", lambda: 0.99 * NUMBER * numbers / machine.SHARE)
    assert said in refused(**ROWS, kernel=kernel)
    fitting = {name: ROWS[name][:39] for name in ("features", "targets")}
    made(**fitting, n=10, kernel=kernel)
