"""What the simulations do otherwise on a GPU, with a CPU that says it is one."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.problems.heavy_tails import PROBLEM
from teacherstudent.sims import arrays, compilation
from teacherstudent.sims.heavy_tails import batches
from tests.roundings import copied, same


@pytest.fixture
def as_a_gpu(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    return monkeypatch


def has_memory(patch: pytest.MonkeyPatch, **stats: int) -> None:
    patch.setattr(jax, "local_devices", lambda: [SimpleNamespace(memory_stats=lambda: stats)])


@pytest.mark.parametrize(("stats", "numbers"), [({"bytes_limit": 6400}, 200), ({}, 2**28)])
def test_groups_fill_a_quarter_of_the_memory_or_two_gibibytes(
    as_a_gpu: pytest.MonkeyPatch, stats: dict, numbers: int
) -> None:
    has_memory(as_a_gpu, **stats)
    assert [len(part) for part in arrays.groups(8, 10**9, numbers // 4)] == [4, 4]


def test_a_group_on_a_cpu_fills_its_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    has_memory(monkeypatch, bytes_limit=1)
    assert [len(part) for part in arrays.groups(8, arrays.CACHE // 2, 1)] == [2, 2, 2, 2]


def test_draws_go_together_as_many_as_memory_holds(as_a_gpu: pytest.MonkeyPatch) -> None:
    rows, sizes = np.arange(15.0).reshape(5, 3), []
    mapped = jax.lax.map
    as_a_gpu.setattr(jax.lax, "map", lambda f, xs, **more: sizes.append(more) or mapped(f, xs, **more))
    for numbers in (arrays.HELD * 3 * 2, 1, 10**9):
        has_memory(as_a_gpu, bytes_limit=8 * arrays.SHARE * numbers)
        assert same(arrays.each_draw(jnp.sum, rows), rows.sum(axis=1), 2)
    assert sizes == [{"batch_size": 2}, {"batch_size": 1}, {"batch_size": 5}]


def test_draws_together_give_the_numbers_of_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def descended(draw: tuple[jax.Array, jax.Array]) -> jax.Array:
        key, rows = draw

        def step(i: jax.Array, weights: jax.Array) -> jax.Array:
            own = rows[jax.random.permutation(jax.random.fold_in(key, i), len(rows))[0]]
            return weights - 0.1 * own * (own @ weights - 1)

        return jax.lax.fori_loop(0, 9, step, jnp.zeros(rows.shape[1]))

    draws = jax.vmap(jax.random.key)(jnp.arange(5)), jax.random.normal(jax.random.key(9), (5, 4, 3))
    alone = arrays.each_draw(descended, draws)
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert same(arrays.each_draw(descended, draws), alone, 100, of=1.0)


def test_batches_drawn_ahead_are_those_drawn_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = PROBLEM.instance(d=3, batch=2)

    def drawn() -> list[tuple[np.ndarray, ...]]:
        one, found = batches.Batches(problem, 0, 0, 4), []
        for _ in range(3):
            one.draw()
            found.append((np.array(one.inputs), np.array(one.noise)))
        return found

    in_turn = drawn()
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    for ours, expected in zip(drawn(), in_turn, strict=True):
        assert all(map(copied, ours, expected))


def test_an_error_of_what_is_drawn_ahead_is_raised(as_a_gpu: pytest.MonkeyPatch) -> None:
    def blocks() -> Iterator[np.ndarray]:
        yield np.ones(2)
        raise OSError("no more")

    coming = arrays.ahead(blocks())
    next(coming)
    with pytest.raises(OSError, match="no more"):
        next(coming)


def test_only_a_call_that_need_not_wait_returns_before_its_answer(as_a_gpu: pytest.MonkeyPatch) -> None:
    waited: list[object] = []
    as_a_gpu.setattr(jax, "block_until_ready", lambda found: waited.append(found) or found)
    for waits in (True, False):
        assert same(compilation.compiled(lambda x: x + 1, waits=waits)(1.0), 2.0, 2)
    assert len(waited) == 1
