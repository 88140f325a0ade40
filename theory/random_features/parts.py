r"""The excess risk in its parts: what each source of randomness adds to the error of the average student.

Q_a = E[yhat yhat'] of two students that share only a (of features F, samples X, label noise e; the teacher
always) gives the parts as differences:

    bias                       |g_1 - average student|^2, g_1 what is linear in the teacher's input
    variance_features          Q_F - Q_0
    variance_samples           Q_X - Q_0
    variance_features_samples  Q_FX - Q_F - Q_X + Q_0
    variance_noise             Q_Xe - Q_X
    variance_features_noise    (Q_FXe - Q_FX) - (Q_Xe - Q_X)

and half of each is a part. In the kernels of `pairs` the differences are done in advance: what is left are
sums and products of positive definite kernels, so that no part is less than 0 and none loses digits where it
is small. s = c_1^2 <eta eta'> + c_*^2 is what two students miss of the teacher on a fresh example:

    Q_F - Q_0:    c_1^2 y y' A <u eta eta'>/(psi_1 - P)
    Q_X - Q_0:    s P/(psi_2 - P)
    Q_FX - ...:   s psi_2 y y' A^2/(D (psi_2 - P)) + c_1^2 y y' A <u eta eta'> (P + y y' A^2/(psi_1 - P))/D
    Q_Xe - Q_X:   noise^2 P/(psi_2 - P)
    Q_FXe - ...:  noise^2 psi_2 y y' A^2/(D (psi_2 - P))
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.random_features.equation import solve
from teacherstudent.theory.random_features.errors import moved
from teacherstudent.theory.random_features.filters import Filter
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.random_features.pairs import Pairs
from teacherstudent.theory.spectral.filters import once, twice


@dataclass(frozen=True)
class Parts:
    """The parts of the excess risk at T times, (T,) each, with the half; where roots are certified, (T,).

    unlearnable: half the variance of the teacher that is not linear in its input. variance_start: of the
    initial weights. The others as above. Their sum is the excess risk.
    """

    bias: np.ndarray
    unlearnable: np.ndarray
    variance_features: np.ndarray
    variance_samples: np.ndarray
    variance_features_samples: np.ndarray
    variance_noise: np.ndarray
    variance_features_noise: np.ndarray
    variance_start: np.ndarray
    converged: np.ndarray


def untrained(model: Model, count: int) -> Parts:
    """Those of the initial student, `count` times."""
    nothing = np.zeros(count)
    start = model.init * (model.rest + float(model.m @ model.u))
    certain = np.ones(count, dtype=bool)
    return _halved(model, nothing + model.c1**2, [nothing] * 5, nothing + start, certain)


def at_ridge(model: Model, ridges: np.ndarray) -> Parts:
    """Those of ridge regression at effective ridges, (T,), which forgets its start."""
    at = solve(model, ridges)
    found = _variances(model, Pairs.alone(model, at))
    missed = model.c1**2 * (at.eta**2 @ model.m)
    return _halved(model, missed, found, np.zeros(ridges.size), at.converged)


def filtered(model: Model, by: Filter) -> Parts:
    """Those of a student that a filter makes."""
    at, pairs = by.at, Pairs.of(model, by.at)
    error = once(by.over_v, at.eta)  # of the average student, in each scale
    missed = model.c1**2 * (error**2 @ model.m)
    found = [twice(by.learning, kernel, by.learning) for kernel in _variances(model, pairs)]
    start = np.zeros(missed.shape)
    if model.init:
        start = twice(by.over_z, moved(model, pairs), by.over_z)
    converged = np.broadcast_to(np.all(at.converged, axis=-1), missed.shape)
    return _halved(model, missed, found, start, converged)


def _variances(model: Model, pairs: Pairs) -> list[np.ndarray]:
    """The kernels of the five variances of features, samples and noise, in the order of `Parts`."""
    hidden = model.c1**2 * pairs.missed + model.hidden
    aligned = model.c1**2 * pairs.aligned
    of_samples = pairs.learned / pairs.samples
    jointly = model.psi2 * pairs.spread / (pairs.both * pairs.samples)
    return [
        aligned / pairs.features,
        hidden * of_samples,
        hidden * jointly + aligned * (pairs.learned + pairs.spread / pairs.features) / pairs.both,
        model.noise * of_samples,
        model.noise * jointly,
    ]


def _halved(
    model: Model, bias: np.ndarray, variances: list[np.ndarray], start: np.ndarray, converged: np.ndarray
) -> Parts:
    features, samples, both, noise, features_noise = (each / 2 for each in variances)
    return Parts(
        bias=bias / 2,
        unlearnable=np.full(bias.shape, model.hidden / 2),
        variance_features=features,
        variance_samples=samples,
        variance_features_samples=both,
        variance_noise=noise,
        variance_features_noise=features_noise,
        variance_start=start / 2,
        converged=converged,
    )
