"""The law of the draws of generators and discriminators, from the text of `problems/gan/`."""

from __future__ import annotations

from typing import Any

from scipy import stats

from teacherstudent.problems.gan import PROBLEM, Gan
from teacherstudent.problems.gan.data import points, weights
from tests.sampling import Drawn


def asked(**values: Any) -> Gan:
    """An instance with points in three dimensions, none of whose scales is another."""
    given = {"d": 3, "target": "gaussian", "n": 2048, "particles": 2048, "distance": 0.6, "spread": 1.7}
    built: Gan = PROBLEM.instance(**{**given, "width": 2048, **values})
    return built


DRAWN = (
    # y_j ~ N(0, I_d)
    Drawn(points, "data", stats.norm(), lambda: points(asked(), range(8)).data),
    # x_i ~ N(D e_1, sigma^2 I_d)
    Drawn(
        points,
        "start of the generator, along the first coordinate",
        stats.norm(0.6, 1.7),
        lambda: points(asked(d=1), range(8)).generated,
    ),
    Drawn(
        points,
        "start of the generator, across",
        stats.norm(0, 1.7),
        lambda: points(asked(d=4), range(8)).generated[..., 1:],
    ),
    # relu: w, b, a ~ N(0, 1). fourier: w ~ N(0, I_d) and phases uniform in (0, 2 pi)
    Drawn(weights, "inner weights", stats.norm(), lambda: weights(asked(), range(8)).inner),
    Drawn(weights, "biases", stats.norm(), lambda: weights(asked(), range(8)).shift),
    Drawn(weights, "outer weights", stats.norm(), lambda: weights(asked(), range(8)).outer),
    Drawn(
        weights,
        "phases",
        stats.uniform(0, 2 * 3.141592653589793),
        lambda: weights(asked(discriminator="fourier"), range(8)).shift,
    ),
)
