"""Points moved by a discriminator that is always newly trained: the flow of (tau/2) MMD^2 of its kernel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.gan import Gan
from teacherstudent.problems.gan.data import points
from teacherstudent.theory.gan import witness
from teacherstudent.theory.gan.flow import Flow, positions
from teacherstudent.theory.gan.kernels import kernel_of

ACCURACY = 1e-6
"""Of places, in units of the largest coordinate: what the looser of two tolerances may be off by."""

TOLERANCES = (1e-11, 1e-9)

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
        domain = "above 0 under kernel, for discriminator relu: without it slopes jump along whole rays"
        raise InputError("bias", problem.bias, domain, "closed-form serves data at one point")
    drawn = points(problem, seeds)
    rows = [
        _draw(problem, x, y, times, discriminator_time)
        for x, y in zip(drawn.generated, drawn.data, strict=True)
    ]
    found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    lost = np.isnan(found["position"]).any(axis=(-2, -1))
    return nan_where(lost, "the solver does not arrive, or two of its tolerances differ", found)


def _draw(problem: Gan, x: np.ndarray, y: np.ndarray, times: np.ndarray, trained: float) -> Answer:
    generated, which = witness.distinct(x)
    data, _ = witness.distinct(y)
    flow = Flow(kernel_of(problem), generated.share, data)
    tight, loose = (positions(flow, generated.points, trained * times, each) for each in TOLERANCES)
    apart = abs(tight - loose).max(axis=(-2, -1))
    places = np.where((apart <= ACCURACY * flow.scale(generated.points))[:, None, None], tight, np.nan)
    return {
        "separation": trained * witness.discrepancy(flow.kernel, places, flow.share, data),
        "slope": trained * witness.slope(flow.kernel, places, flow.share, data),
        "distance_of_means": witness.distance_of_means(places, flow.share, data),
        "position": places[:, which],
    }
