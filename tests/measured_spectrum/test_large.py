"""What is done otherwise for large tables gives the same, and says what it cannot resolve."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from teacherstudent.figures.measured_spectrum.mine import budget
from teacherstudent.figures.measured_spectrum.mine.budget import Rows, affordable_sizes, affordable_subsets
from teacherstudent.house.memory_cache import Remembered
from teacherstudent.house.progressing import showing_progress
from teacherstudent.house.running import run
from teacherstudent.problems.measured_spectrum import PROBLEM, building
from teacherstudent.theory import singular
from teacherstudent.theory.measured_spectrum import decomposition, instance, leverage, smooth_sums

DRAW = np.random.default_rng(7)
ROWS, COLUMNS = 300, 80
FEATURES = DRAW.standard_normal((ROWS, COLUMNS)) * np.arange(1.0, COLUMNS + 1) ** -0.75
TARGETS = FEATURES @ DRAW.standard_normal(COLUMNS) + 0.3 * DRAW.standard_normal(ROWS)

SQUARE = 1e-8
"""What may be lost by squaring: eps (s_1/s)^2, with s_1/s below 1e3 here and some hundred terms in a sum."""


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every matrix is large, and none is remembered."""
    monkeypatch.setattr(singular, "LARGE", 0)
    monkeypatch.setattr(singular, "_RIGHT", Remembered())


@pytest.mark.parametrize("shape", [(ROWS, COLUMNS), (COLUMNS // 2, COLUMNS)])
def test_the_square_of_a_matrix_has_its_singular_vectors(shape: tuple[int, int]) -> None:
    matrix = FEATURES[: shape[0]]
    found, whole = singular.decompose_by_gram(matrix), np.linalg.svd(matrix, full_matrices=False)
    assert found is not None
    left, values, right = found
    assert values == pytest.approx(whole[1], rel=SQUARE)
    assert np.abs(left.T @ left - np.eye(values.size)).max() < SQUARE
    assert np.abs(right @ right.T - np.eye(values.size)).max() < SQUARE
    assert np.abs(left * values @ right - matrix).max() < 1e-12 * np.abs(matrix).max()


def test_what_squaring_cannot_resolve_is_decomposed_as_it_is(large: None) -> None:
    matrix = FEATURES.copy()
    matrix[:, 5] *= 1e-8
    assert singular.decompose_by_gram(matrix) is None
    _, values, _ = singular.decompose_rows(matrix)
    assert values == pytest.approx(np.linalg.svd(matrix, compute_uv=False), rel=1e-6)


def test_dependent_columns_are_left_out_of_the_square(large: None) -> None:
    matrix = FEATURES.copy()
    matrix[:, 5] = matrix[:, 6] + matrix[:, 7]
    found = singular.decompose_by_gram(matrix)
    assert found is not None
    assert found[1].size == COLUMNS - 1


def test_routes_answer_the_same_of_large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shifted, the rows are the same, and no decomposition of them is remembered."""

    def asked(route: str, shift: float) -> np.ndarray:
        rows = {"features": FEATURES + shift, "targets": TARGETS, "n": 100, "sampling": "pool"}
        drawn = [0, 1] if route == "instance" else None
        answer = run("measured-spectrum", "flow", route, [0.1, 1.0, 1e2], seeds=drawn, **rows)
        return np.asarray(answer["generalisation_error"])

    routes = ("asymptotic", "instance", "leverage")
    small = [asked(route, 0.0) for route in routes]
    monkeypatch.setattr(singular, "LARGE", 0)
    monkeypatch.delattr(singular, "_as_it_is")
    for route, before in zip(routes, small, strict=True):
        assert asked(route, 1.0) == pytest.approx(before, rel=SQUARE)


@pytest.mark.parametrize("law", ["power", "random", "equal", "two"])
def test_few_modes_stand_for_all(law: str) -> None:
    count = 1200
    values = {
        "power": np.arange(1.0, count + 1) ** -1.5,
        "random": np.sort(DRAW.uniform(0.1, 1, count))[::-1],
        "equal": np.ones(count),
        "two": np.repeat([2.0, 1.0], count // 2),
    }[law]
    matrix, factors = DRAW.standard_normal((20, count)) ** 2, DRAW.standard_normal(count)
    sums = smooth_sums.smooth_sums(matrix, factors, smooth_sums.panels_of(values))
    assert (sums.few is not None) == (law in ("power", "random"))
    q = np.array([1.0, 1e3, 1e2j, 30 * np.exp(2j), 300 * np.exp(2.9j)])  # the last has its pole nearby
    h = 1 / (1 + q * values[:, None])
    for each in (h, q * values[:, None] * h, h**2, np.abs(h) ** 2 + 0j):
        size = (matrix * np.abs(factors)) @ np.abs(each)
        assert np.abs(sums @ each - (matrix * factors) @ each).max() < 1e-11 * size.max()
    rough = np.cos(1e3 * np.log(values))  # no polynomial: summed over all modes
    assert sums @ rough == pytest.approx((matrix * factors) @ rough, rel=1e-10, abs=1e-10)
    if sums.few is not None:
        assert np.abs(sums.few @ rough[sums.places] - (matrix * factors) @ rough).max() > 1


def test_what_a_long_answer_does_is_said() -> None:
    said: list[str] = []
    with showing_progress(said.append):
        features = FEATURES + 2.0
        problem = PROBLEM.instance(features=features, targets=TARGETS, n=100, sampling="pool")
        decomposition.decomposition(problem)
        instance.flow(problem, np.array([1.0]), seeds=[0, 1])
        leverage.flow(problem, np.array([1.0]))
    assert said[:2] == ["decomposing 300 x 80", ""]
    assert "training set 2 of 2, n = 100, decomposing 100 x 80" in said
    assert said[-2:] == ["leverages of 300 rows, n = 100", ""]


def test_subsets_are_measured_within_a_budget() -> None:
    """All of a small table; of a large one the largest sizes and few subsets."""
    few, sizes = (112, 225, 450, 900), (2250, 4500, 9000, 18_000)
    small, big = Rows(1000, 50, 1e-2), Rows(20_000, 5000, 1e-3)
    assert affordable_sizes(few, small) == few
    assert affordable_subsets(10, few, small) == 10
    taken = affordable_sizes(sizes, big)
    assert taken == (2250, 4500)
    assert affordable_subsets(10, taken, big) < 10
    assert budget.FEWEST * budget._operations(taken, big) <= budget.ALLOWED
    unresolved = Rows(20_000, 5000, 1e-9)
    assert budget._operations(sizes, unresolved) > 2 * budget._operations(sizes, big)
    assert affordable_sizes(sizes[-1:], unresolved) == sizes[-1:]


@pytest.mark.parametrize("shape", [(400, 1200), (1500, 150)])
def test_a_decomposition_holds_what_is_stated(large: None, shape: tuple[int, int]) -> None:
    """What `building` states for features is held at the peak, and not thrice as much is stated."""
    rows, columns = shape
    features, targets = DRAW.standard_normal(shape), DRAW.standard_normal(rows)
    tracemalloc.start()
    problem = PROBLEM.instance(features=features, targets=targets, n=rows // 2, sampling="pool")
    decomposition.decomposition(problem)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    stated = building._of_features(columns, rows)
    assert stated / 3 < peak < 1.05 * stated
