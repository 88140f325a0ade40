"""The witness of limiting kernels in arbitrary precision, by the arc cosine, and its slope by differences.

At a kink a central difference is the mean of both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import mpmath as mp
import numpy as np

from teacherstudent.problems.gan import Gan
from teacherstudent.problems.gan.data import points

DIGITS = 60
STEP = mp.mpf(10) ** -20
"""Of differences: their error is its square, of rounding 10^-40 over it."""

Point = Sequence[mp.mpf]


def kernel_value(problem: Gan, x: Point, y: Point) -> mp.mpf:
    """k(x, y) as it is printed."""
    if problem.discriminator == "fourier":
        return mp.exp(-sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / (2 * problem.length_scale**2))
    dot = mp.fdot(x, y) + problem.bias**2
    size = mp.sqrt((mp.fdot(x, x) + problem.bias**2) * (mp.fdot(y, y) + problem.bias**2))
    p = mp.acos(min(mp.mpf(1), dot / size)) if size else mp.pi / 2
    return size * (mp.sin(p) + 2 * (mp.pi - p) * mp.cos(p)) / (2 * mp.pi)


def discriminator(
    problem: Gan, times: np.ndarray, *, seeds: Sequence[int], discriminator_rate: float
) -> dict[str, np.ndarray]:
    """The route `kernel`."""
    drawn = points(problem, seeds)
    rows = [_draw(problem, x, y) for x, y in zip(drawn.generated, drawn.data, strict=True)]
    separation, slope, apart = (np.array(each) for each in zip(*rows, strict=True))
    return {
        "separation": np.multiply.outer(separation, times),
        "slope": np.multiply.outer(slope, times),
        "distance_of_means": np.multiply.outer(apart, np.ones_like(times)),
        "position": np.repeat(drawn.generated[:, None], times.size, axis=1),
    }


def _draw(problem: Gan, x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    with mp.workdps(DIGITS):
        ours = [[mp.mpf(each) for each in row] for row in x.tolist()]
        data = [[mp.mpf(each) for each in row] for row in y.tolist()]

        def output(at: Point) -> mp.mpf:
            def mean(of: list[list[mp.mpf]]) -> mp.mpf:
                return mp.fsum(kernel_value(problem, at, each) for each in of) / len(of)

            return mean(ours) - mean(data)

        separation = mp.fsum(map(output, ours)) / len(ours) - mp.fsum(map(output, data)) / len(data)
        square = mp.fsum(_slope(output, at, axis) ** 2 for at in ours for axis in range(problem.d))
        means = [
            mp.fsum(column) / len(column) - mp.fsum(other) / len(other)
            for column, other in zip(zip(*ours, strict=True), zip(*data, strict=True), strict=True)
        ]
        return float(separation), float(mp.sqrt(square / len(ours))), float(mp.norm(means))


def _slope(output: Callable[[Point], mp.mpf], at: Point, axis: int) -> mp.mpf:
    up, down = ([each + sign * STEP * (i == axis) for i, each in enumerate(at)] for sign in (1, -1))
    return (output(up) - output(down)) / (2 * STEP)


REFERENCES = {"gan/discriminator/kernel": discriminator}
