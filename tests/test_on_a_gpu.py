"""What the simulations do otherwise on a GPU, with a CPU that says it is one."""

from __future__ import annotations

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.problems.heavy_tails import PROBLEM
from teacherstudent.sims import arrays
from teacherstudent.sims.heavy_tails import batches
from tests.roundings import copied, same


def becomes_a_gpu(patch: pytest.MonkeyPatch, **memory: int) -> None:
    patch.setattr(jax, "default_backend", lambda: "gpu")
    patch.setattr(jax, "local_devices", lambda: [SimpleNamespace(memory_stats=lambda: memory)])


@pytest.mark.parametrize(("memory", "numbers"), [({"bytes_limit": 6400}, 200), ({}, 2**28)])
def test_groups_fill_a_quarter_of_the_memory_or_two_gibibytes(
    monkeypatch: pytest.MonkeyPatch, memory: dict, numbers: int
) -> None:
    becomes_a_gpu(monkeypatch, **memory)
    assert [len(part) for part in arrays.groups(8, 10**9, numbers // 4)] == [4, 4]


@pytest.mark.parametrize("most", [1, 2, 10**9])
def test_draws_together_give_the_numbers_of_one_after_the_other(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def descended(draw: tuple[jax.Array, jax.Array]) -> jax.Array:
        key, rows = draw

        def step(i: jax.Array, weights: jax.Array) -> jax.Array:
            own = rows[jax.random.permutation(jax.random.fold_in(key, i), len(rows))[0]]
            return weights - 0.1 * own * (own @ weights - 1)

        return jax.lax.fori_loop(0, 9, step, jnp.zeros(rows.shape[1]))

    draws = jax.vmap(jax.random.key)(jnp.arange(5)), jax.random.normal(jax.random.key(9), (5, 4, 3))
    alone, sizes, mapped = arrays.each_draw(descended, draws), [], jax.lax.map
    monkeypatch.setattr(jax.lax, "map", lambda f, xs, **more: sizes.append(more) or mapped(f, xs, **more))
    becomes_a_gpu(monkeypatch, bytes_limit=8 * arrays.SHARE * arrays.HELD * (4 * 3 + 1) * most)
    assert same(arrays.each_draw(descended, draws), alone, 100, of=1.0)
    assert sizes == [{"batch_size": min(most, 5)}]


def test_batches_drawn_ahead_are_those_drawn_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> list[tuple[np.ndarray, ...]]:
        one, found = batches.Batches(PROBLEM.instance(d=3, batch=2), 0, 0, 4), []
        for _ in range(3):
            one.draw()
            found.append((np.array(one.inputs), np.array(one.noise)))
        return found

    in_turn = drawn()
    becomes_a_gpu(monkeypatch)
    for ours, expected in zip(drawn(), in_turn, strict=True):
        assert all(map(copied, ours, expected))
