"""Full-batch gradient descent on drawn rows, every step taken."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw, law_of, rows_of, teacher_of
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.compilation import compiled


def descent(
    problem: MeasuredSpectrum, times: np.ndarray, *, learning_rate: float | str, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """Observables (S, T) after whole steps `times`."""
    draws = draw(problem, seeds)
    found = []
    for i in range(len(seeds)):
        if problem.measured:
            rows = rows_of(problem)
            chosen = None if draws.chosen is None else draws.chosen[i]
            mix = None if draws.mixtures is None else draws.mixtures[i] / np.sqrt(problem.rows)
            drawn = (lambda a, chosen=chosen: a[chosen]) if mix is None else (lambda a, mix=mix: mix @ a)
            labels = drawn(rows.targets) + draws.noise[i]
            if rows.features is not None:
                inputs, start = drawn(rows.features), draws.initial[i]
                outputs_of = rows.features
            else:
                raise NotImplementedError
        else:
            inputs, start = draws.inputs[i], draws.initial[i]
            labels = inputs @ teacher_of(problem) + draws.noise[i]
        eta = 1 / np.linalg.norm(inputs, 2) ** 2 if learning_rate == "auto" else float(learning_rate)
        weights = np.asarray(
            _walked(jnp.asarray(inputs), jnp.asarray(labels), jnp.asarray(start), eta, problem.ridge,
                    jnp.asarray(np.diff(times, prepend=0).astype(int)))
        )  # fmt: skip
        seen = np.sum((labels - inputs @ weights) ** 2, axis=(1, 2)) / problem.n
        if not problem.measured:
            counts, values, _ = law_of(problem)
            strengths = np.repeat(values, counts.astype(int))[:, None]
            test = np.sum(strengths * (weights - teacher_of(problem)) ** 2, axis=(1, 2)) + problem.noise**2
            found.append({"generalisation_error": test, "training_error": seen})
            continue
        outputs = outputs_of @ weights
        held = np.ones(problem.rows, dtype=bool)
        if chosen is not None:
            held[chosen] = False
        errors = np.sum((rows.targets - outputs) ** 2, axis=-1)
        one = {
            "generalisation_error": errors[:, held].mean(axis=1) + labels.shape[1] * problem.noise**2,
            "training_error": seen,
        }
        if rows.classes is not None and chosen is not None:
            named = np.argmax(outputs + rows.means, axis=-1)
            one["error_rate"] = np.mean(named[:, held] != rows.classes[held], axis=1)
        found.append(one)
    answer = {name: np.stack([one[name] for one in found]) for name in found[0]}
    return nan_where_not_finite(answer, "gradient descent diverges")


@compiled
def _walked(
    inputs: jax.Array, labels: jax.Array, start: jax.Array, eta: float, ridge: float, gaps: jax.Array
) -> jax.Array:
    def step(_: int, w: jax.Array) -> jax.Array:
        return w - eta * (inputs.T @ (inputs @ w - labels) + ridge * w)

    def record(w: jax.Array, gap: jax.Array) -> tuple[jax.Array, jax.Array]:
        w = jax.lax.fori_loop(0, gap, step, w)
        return w, w

    return jax.lax.scan(record, start, gaps)[1]
