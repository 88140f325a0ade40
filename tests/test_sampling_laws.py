"""Both witnesses draw by the same functions: only a second account of the laws finds a mistake there."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from teacherstudent import problems
from tests.sampling import Drawn, standard_normal

LEVEL = 1e-6
"""How often a right law fails one of these tests."""
FEWER = 2**14
"""As many numbers tell the shape of a law, or that two streams are one."""

SYSTEMS = {
    path.parent.name: importlib.import_module(f"tests.{path.parent.name}.sampling").DRAWN
    for path in sorted(Path(__file__).parent.glob("*/sampling.py"))
}
EVERY = [pytest.param(each, id=f"{name}-{each.what}") for name, found in SYSTEMS.items() for each in found]


def drawing_functions() -> set[str]:
    """Public functions of `problems/` that draw by seeds."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(problems.__path__, f"{problems.__name__}.")
    ]
    return {
        f"{module.__name__}.{name}"
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and "seeds" in inspect.signature(function).parameters
    }


def test_every_function_that_draws_has_its_law_written_down_again() -> None:
    written = {f"{each.by.__module__}.{each.by.__name__}" for found in SYSTEMS.values() for each in found}
    assert written == drawing_functions()


def surprise(values: np.ndarray) -> float:
    """The smallest probability, for standard normal numbers, of a mean, mean square or shape this far off.

    All three are exact laws: of a sum, of a sum of squares, and of Kolmogorov's distance.
    """
    flat = values.ravel()
    square = stats.chi2(flat.size)
    total = float(np.sum(flat**2))
    return min(
        2 * float(stats.norm.sf(abs(np.sum(flat)) / np.sqrt(flat.size))),
        2 * min(float(square.cdf(total)), float(square.sf(total))),
        float(stats.kstest(flat[:FEWER], "norm").pvalue),
    )


def relation(one: np.ndarray, other: np.ndarray) -> float:
    """The probability that unrelated normal numbers, (S, N) and (S, M), are correlated as much as these."""
    width = min(one.shape[-1], other.shape[-1], FEWER // len(one))
    return float(stats.pearsonr(one[:, :width].ravel(), other[:, :width].ravel()).pvalue)


@pytest.mark.parametrize("drawn", EVERY)
def test_what_is_drawn_has_the_law_that_the_problem_states(drawn: Drawn) -> None:
    values = standard_normal(drawn)
    assert surprise(values) > LEVEL
    assert relation(values[1:], values[:-1]) > LEVEL, "two seeds"


@pytest.mark.parametrize("drawn", EVERY)
def test_no_stream_is_read_twice(drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the keys of the generators: two ingredients of one stream may be tied in ways that no sum shows."""
    make, keys = np.random.default_rng, []

    def noted(key: object) -> np.random.Generator:
        keys.append(tuple(np.atleast_1d(key)))
        return make(key)

    monkeypatch.setattr(np.random, "default_rng", noted)
    drawn.values()
    assert keys
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_ingredient_has_random_numbers_of_its_own(system: str) -> None:
    """By the leading numbers of each seed, which two uses of one stream have in common."""
    found = {each.what: standard_normal(each) for each in SYSTEMS[system]}
    for (one, here), (other, there) in combinations(found.items(), 2):
        seeds = min(len(here), len(there))
        assert relation(here[:seeds], there[:seeds]) > LEVEL, (one, other)


NORMAL = np.random.default_rng(0).standard_normal((8, 2**14))


@pytest.mark.parametrize(
    "wrong",
    [1.02 * NORMAL, NORMAL + 0.02, np.sqrt(3) * (2 * stats.norm.cdf(NORMAL) - 1)],
    ids=["wider by 2 %", "shifted by 2 %", "uniform"],
)
def test_a_wrong_law_is_noticed(wrong: np.ndarray) -> None:
    assert surprise(NORMAL) > LEVEL
    assert surprise(wrong) < LEVEL


def test_common_random_numbers_are_noticed() -> None:
    other = np.random.default_rng(1).standard_normal(NORMAL.shape)
    assert relation(NORMAL, other) > LEVEL
    assert relation(NORMAL, NORMAL + other) < LEVEL
