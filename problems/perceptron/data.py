"""Drawn examples of `problems.perceptron`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.house.errors import InputError
from teacherstudent.problems.perceptron.instance import Perceptron
from teacherstudent.problems.scales import MOST

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Draws:
    """Drawn examples, one set a seed: inputs x, (S, n, d), labels y in {-1, 1}, (S, n), teacher w*, (S, d).

    strengths: sigma_k^2 of each input, (d,). Fewer examples of the same seed are the first ones.
    """

    inputs: np.ndarray
    labels: np.ndarray
    teacher: np.ndarray
    strengths: np.ndarray


def numbers(problem: Perceptron, times: np.ndarray) -> np.ndarray:
    """How many examples there are at each alpha, (T,): round(alpha d), at least 1. Raises `InputError`."""
    import numpy as np

    found = np.maximum(1, np.rint(np.asarray(times) * problem.d))
    if found[-1] > MOST:
        domain = f"such that alpha d (here {found[-1]:g} examples) is at most {MOST:g} on sampled routes"
        raise InputError("times", f"{times[-1]:g}", domain)
    return found.astype(int)


def draw(problem: Perceptron, seeds: Sequence[int], n: int) -> Draws:
    """Draw n examples a seed from the law of `problems.perceptron`. Every ingredient has its own stream."""
    import numpy as np

    d = problem.d
    strengths = np.repeat(np.asarray(problem.strengths), problem.counts)
    teacher = _normal(seeds, 1, d)
    if problem.weights == "binary":
        teacher = np.where(teacher > 0, 1.0, -1.0)
    teacher *= np.sqrt(d) / np.linalg.norm(teacher, axis=-1, keepdims=True)
    inputs = _normal(seeds, 0, n, d)
    inputs *= np.sqrt(strengths / d)  # in place: they may fill the memory
    noise = _normal(seeds, 2, n)
    if problem.labels == "random":
        seen = noise
    else:
        seen = np.einsum("snd,sd->sn", inputs, teacher) + problem.noise * noise
    return Draws(inputs, np.where(seen > 0, 1.0, -1.0), teacher, strengths)


def _normal(seeds: Sequence[int], stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    found = np.empty((len(seeds), *shape))
    for seed, room in zip(seeds, found, strict=True):
        np.random.default_rng([seed, stream]).standard_normal(out=room)
    return found
