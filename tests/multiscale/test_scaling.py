"""How work grows with size, counted rather than timed: calls, operations and bytes.

Theory costs the same at any n and d; an instance is decomposed once, whatever the times; a step
of the simulation reads each draw's matrix once, and no array grows with the number of steps.
Axes: S draws, P students of each, T recorded times.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.sims.algorithms import descent
from teacherstudent.sims.arrays import CACHE, groups
from teacherstudent.sims.linear_students import training
from teacherstudent.sims.linear_students.forms import Students
from teacherstudent.theory import resolvents
from teacherstudent.theory.multiscale import asymptotic, instance

TIMES = np.geomspace(1, 1e4, 30)
BYTES = 8


def largest(work: Callable[[], object]) -> int:
    """Bytes that the work held at its peak, once everything it imports is loaded."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[int, ...]]:
    """A list that grows by the shape of the last argument with each call of that function."""
    calls: list[tuple[int, ...]] = []
    function = getattr(owner, name)

    def counting(*arguments, **options):
        calls.append(np.shape(arguments[-1]))
        return function(*arguments, **options)

    monkeypatch.setattr(owner, name, counting)
    return calls


# Theory ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", [asymptotic.flow, asymptotic.ridge])
def test_the_limit_costs_the_same_at_every_size(
    route: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = [PROBLEM.instance(n=3 * d // 2, d=d, p=d // 2, kappa=20.0) for d in (100, 10**9)]
    small, large = (largest(lambda problem=problem: route(problem, TIMES)) for problem in problems)
    assert large <= 1.01 * small
    sums = counted(monkeypatch, resolvents, "_sums")
    evaluations = []
    for problem in problems:
        sums.clear()
        route(problem, TIMES)
        evaluations.append(sum(np.prod(shape) for shape in sums))
    assert evaluations[0] == evaluations[1] > 0


def test_an_instance_is_decomposed_once_and_more_times_add_their_share_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = PROBLEM.instance(n=30, d=20, p=12)
    memory = [
        largest(lambda count=count: instance.flow(problem, np.geomspace(1, 1e4, count), seeds=[0, 1, 2]))
        for count in (1000, 2000, 4000)
    ]
    added = np.diff(memory)
    assert added[1] == pytest.approx(2 * added[0], rel=0.01)
    decompositions = counted(monkeypatch, np.linalg, "eigh")
    for count in (10, 1000):
        instance.flow(problem, np.geomspace(1, 1e4, count), seeds=[0, 1, 2])
    assert decompositions == [(3, 20, 20)] * 2


# Simulation ----------------------------------------------------------------------------------------


@cache
def program(S: int, n: int, d: int, P: int, T: int) -> jax.stages.Compiled:
    """The compiled step loop of that shape; its numbers count one step and one recording."""
    shapes = [(S, P, d), *[(S, P, 1, d)] * 2, *[(S, P)] * 3]
    students = Students(*(jax.ShapeDtypeStruct(shape, jnp.float64) for shape in shapes))
    rows, steps = jax.ShapeDtypeStruct((S, n, d), jnp.float64), jax.ShapeDtypeStruct((T,), jnp.int64)
    step_loop = training._iterated.program
    return step_loop.lower(rows, students, {}, steps, None, how=descent.STEP, of_rows=True).compile()


SHAPES = [
    (4, 60, 40, 1, 10),
    (8, 60, 40, 1, 10),
    (4, 120, 40, 1, 10),
    (4, 60, 80, 1, 10),
    (4, 60, 40, 3, 10),
    (4, 60, 40, 1, 30),
    (4, 8, 40, 1, 10),
    (4, 16, 80, 1, 10),
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_step_reads_each_draws_matrix_once_for_all_its_students(shape: tuple[int, ...]) -> None:
    """Two operations with each number read and each student, beside Z^T Z once; the rest is by entry."""
    S, n, d, P, T = shape
    compiled = program(*shape)
    read = min(d * d, 2 * n * d)
    once = 2 * n * d * d if read == d * d else 0
    by_entry = compiled.cost_analysis()["flops"] - S * (once + 2 * read * P)
    assert 0 < by_entry <= (32 + T) * S * P * d
    assert training.numbers_read(n, d) == read


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_memory_holds_the_matrices_and_what_is_recorded_and_never_the_path(shape: tuple[int, ...]) -> None:
    """The number of steps is an argument: it has no axis, so nothing can grow with it."""
    S, n, d, P, T = shape
    memory = program(*shape).memory_analysis()
    matrix = S * d * d if training.numbers_read(n, d) == d * d else 0
    assert memory.output_size_in_bytes == BYTES * S * P * T * d
    assert memory.temp_size_in_bytes <= BYTES * (matrix + S * P * d * (2 * T + 8) + S * P * n) + 4096


@pytest.mark.parametrize(("draws", "d"), [(1, 4), (100, 100), (101, 100), (7, 300), (1000, 10)])
def test_groups_hold_every_draw_and_fit_the_cache(draws: int, d: int) -> None:
    together = groups(draws, d * d, d * d)
    assert np.array_equal(np.unique(np.concatenate(together)), np.arange(draws))
    assert len({group.size for group in together}) == 1, "one size, so one compiled program"
    assert together[0].size == 1 or together[0].size * d * d <= CACHE
    assert sum(group.size for group in together) < draws + len(together)
