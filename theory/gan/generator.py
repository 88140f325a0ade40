"""Points moved by a discriminator that is always newly trained: the flow of (tau/2) MMD^2 of its kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where, nan_where_not_finite
from teacherstudent.house.errors import InputError
from teacherstudent.problems.gan import Gan
from teacherstudent.problems.gan.data import points
from teacherstudent.theory.gan import discriminator_output
from teacherstudent.theory.gan.flow import Flow, positions
from teacherstudent.theory.gan.kernels import kernel_of

ACCURACY = 1e-6
"""Of places, in units of the largest coordinate: what the looser of two tolerances may be off by."""

TOLERANCES = (1e-11, 1e-9)

MOST = 10_000
"""Steps of the generator, where it takes steps."""

Answer = dict[str, np.ndarray]


def kernel(
    problem: Gan,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    learning_rate: float,
    discriminator_time: float,
    discriminator_rate: float,
) -> Answer:
    """separation, slope and distance_of_means, (S, T), and position, (S, T, m, d), without steps.

    x_i' = -grad f(x_i) with f = tau (mean_x k - mean_y k), the Wasserstein gradient flow of (tau/2) MMD^2
    (franceschi2022). NaN, with an `UnconvergedWarning`, where two tolerances do not agree. Raises
    `InputError` for relu without a bias, whose kernel has kinks all along rays.
    """
    if problem.discriminator == "relu" and not problem.bias:
        domain = (
            "above 0 for route kernel with discriminator relu: otherwise the slope of the output has jumps"
        )
        raise InputError("bias", problem.bias, domain, "use --route closed-form for data at one point")
    clocks = discriminator_time * times
    found = _moved(problem, seeds, discriminator_time, lambda flow, x: _flown(flow, x, clocks))
    lost = np.asarray(np.isnan(found["position"]).any(axis=(-2, -1)))
    return nan_where(lost, "the solver failed, or its results at two tolerances differ", found)


def steps(
    problem: Gan,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    learning_rate: float,
    discriminator_time: float,
    discriminator_rate: float,
) -> Answer:
    """The same after as many steps x_i <- x_i - eta grad f(x_i) of an infinite width, for any bias.

    NaN, with an `UnconvergedWarning`, at more than `MOST` steps, and where they lead beyond all numbers.
    """
    asked = np.rint(times / learning_rate)
    counts = np.where(asked <= MOST, asked, 0).astype(int)
    size = learning_rate * discriminator_time
    with np.errstate(over="ignore", invalid="ignore"):
        found = _moved(problem, seeds, discriminator_time, lambda flow, x: _stepped(flow, x, counts, size))
    lost = np.broadcast_to(asked > MOST, (len(seeds), times.size))
    finite = nan_where_not_finite(found, "the steps diverge")
    return nan_where(lost, f"more than {MOST} steps", finite)


def _moved(
    problem: Gan, seeds: Sequence[int], trained: float, move: Callable[[Flow, np.ndarray], np.ndarray]
) -> Answer:
    """What is observed of each draw, moved from its start, (N, d), through places (T, N, d)."""
    drawn = points(problem, seeds)
    rows = []
    for x, y in zip(drawn.generated, drawn.data, strict=True):
        generated, which = discriminator_output.distinct(x)
        data, _ = discriminator_output.distinct(y)
        kernel, share = kernel_of(problem), generated.share
        places = move(Flow(kernel, share, data), generated.points)
        rows.append(
            {
                "separation": trained * discriminator_output.discrepancy(kernel, places, share, data),
                "slope": trained * discriminator_output.slope(kernel, places, share, data),
                "distance_of_means": discriminator_output.distance_of_means(places, share, data),
                "position": places[:, which],
            }
        )
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _flown(flow: Flow, start: np.ndarray, clocks: np.ndarray) -> np.ndarray:
    """Places at s, (T, N, d), NaN where two tolerances differ."""
    tight, loose = (positions(flow, start, clocks, each) for each in TOLERANCES)
    apart = abs(tight - loose).max(axis=(-2, -1))
    return np.where((apart <= ACCURACY * flow.scale(start))[:, None, None], tight, np.nan)


def _stepped(flow: Flow, x: np.ndarray, counts: np.ndarray, size: float) -> np.ndarray:
    """Places after these numbers of steps, (T,): (T, N, d)."""
    found = np.empty((counts.size, *x.shape))
    for step in range(counts.max() + 1):
        found[counts == step] = x
        x = x + size * flow.velocity(x)
    return found
