"""Discriminators in training, at points that stay: by the limiting kernel, and by that of a drawn network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.gan import Gan
from teacherstudent.problems.gan.data import points, weights
from teacherstudent.theory.gan import discriminator_output
from teacherstudent.theory.gan.drawn_kernels import Units, Waves
from teacherstudent.theory.gan.kernels import Kernel, Values, kernel_of

Answer = dict[str, np.ndarray]


def kernel(problem: Gan, times: np.ndarray, *, seeds: Sequence[int], discriminator_rate: float) -> Answer:
    """separation, slope and distance_of_means, (S, T), and position, (S, T, m, d), of an infinite width.

    Linear in the time, which ascent reaches in steps of any size: `discriminator_rate` does not matter.
    """
    limit = [kernel_of(problem)] * len(seeds)
    return {**_separated(problem, times, seeds, limit), "slope": _slopes(problem, times, seeds, limit)}


def instance(problem: Gan, times: np.ndarray, *, seeds: Sequence[int], discriminator_rate: float) -> Answer:
    """The same by the kernel that each drawn network has before it is trained.

    fourier: what is trained enters linearly, so this is exact for the draw. relu: the kernel moves while it
    is trained. Nor has it a slope: it is a sum of steps, whose slopes are 0 or none. That of the trained
    output stems from the units whose sign changes on the way, and is NaN here, with an `UnconvergedWarning`.
    """
    drawn = weights(problem, seeds)
    if problem.discriminator == "fourier":
        waves = [
            Waves(w / problem.length_scale, phase) for w, phase in zip(drawn.inner, drawn.shift, strict=True)
        ]
        return {**_separated(problem, times, seeds, waves), "slope": _slopes(problem, times, seeds, waves)}
    rows = zip(drawn.inner, drawn.shift, drawn.outer, strict=True)
    units = [Units(w, problem.bias * b, a, problem.bias) for w, b, a in rows]
    unknown = np.zeros((len(seeds), times.size))
    reason = (
        "before training, the kernel of a drawn relu network has jumps, so the slope of the output is "
        "not defined"
    )
    lost = nan_where(np.ones(unknown.shape, dtype=bool), reason, {"slope": unknown})
    return {**_separated(problem, times, seeds, units), **lost}


def _separated(problem: Gan, times: np.ndarray, seeds: Sequence[int], kernels: Sequence[Values]) -> Answer:
    """All but the slope, by one kernel for each draw."""
    found, apart = [], []
    drawn = points(problem, seeds)
    for each, x, y in zip(kernels, drawn.generated, drawn.data, strict=True):
        generated, data = discriminator_output.distinct(x)[0], discriminator_output.distinct(y)[0]
        found.append(discriminator_output.discrepancy(each, generated.points, generated.share, data))
        apart.append(discriminator_output.distance_of_means(generated.points, generated.share, data))
    shape = (len(seeds), times.size, *drawn.generated.shape[1:])
    return {
        "separation": np.multiply.outer(found, times),
        "distance_of_means": np.multiply.outer(apart, np.ones_like(times)),
        "position": np.broadcast_to(drawn.generated[:, None], shape).copy(),
    }


def _slopes(problem: Gan, times: np.ndarray, seeds: Sequence[int], kernels: Sequence[Kernel]) -> np.ndarray:
    drawn = points(problem, seeds)
    found = []
    for each, x, y in zip(kernels, drawn.generated, drawn.data, strict=True):
        generated, data = discriminator_output.distinct(x)[0], discriminator_output.distinct(y)[0]
        found.append(discriminator_output.slope(each, generated.points, generated.share, data))
    return np.multiply.outer(found, times)
