"""Relaxation from 0: X is a stable variate S times a scale, both for the SDE and for Euler's scheme.

A sum of independent c_j S_j is (sum |c_j|^alpha)^(1/alpha) S: the scale follows from the remainder of each
kick, e^(-a (t-s)) of one at s, or (1 - a h)^j of one j steps ago.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.stable_noise import StableNoise
from teacherstudent.theory.stable_noise import variates


def exact(problem: StableNoise, times: np.ndarray, *, step: float) -> dict[str, np.ndarray]:
    """mean_log, variance_log and characteristic, (T,), of the SDE. It has no step: that is Euler's.

    The scale is sigma ((1 - e^(-alpha a t))/(alpha a))^(1/alpha), sigma t^(1/alpha) without drift. At t = 0,
    where X is 0, both of the logarithm are NaN with an `UnconvergedWarning`.
    """
    start = times == 0
    summed = np.where(start, 1.0, times) * _shrunk(problem.stability * problem.drift * times)
    found = _of_scale(problem, np.log(summed))
    logs = {name: found[name] for name in ("mean_log", "variance_log")}
    wave = np.where(start, 1.0, found["characteristic"])
    return {**nan_where(start, "time 0: X is 0, which has no logarithm", logs), "characteristic": wave}


def euler(problem: StableNoise, times: np.ndarray, *, step: float) -> dict[str, np.ndarray]:
    """mean_log, variance_log and characteristic, (T,), of Euler's scheme at the nearest step, from the first.

    The scale after k steps is sigma (h sum_{j<k} |1 - a h|^(alpha j))^(1/alpha), which grows without bound
    where a h > 2 and is answered there too.
    """
    count = np.maximum(1, np.rint(times / step))
    rate = problem.stability * log_kept(problem.drift * step)
    return _of_scale(problem, np.log(step) + _log_geometric(rate, count))


def log_kept(decay: float) -> float:
    """ln |1 - decay|, decay >= 0: -inf at 1."""
    if decay < 1:
        return float(np.log1p(-decay))
    return float(np.log(decay - 1)) if decay > 1 else -np.inf


def _shrunk(x: np.ndarray) -> np.ndarray:
    """(1 - e^-x)/x, 1 at x = 0."""
    return np.divide(-np.expm1(-x), x, out=np.ones_like(x), where=x > 0)


def _log_geometric(rate: float, count: np.ndarray) -> np.ndarray:
    """ln sum_{j<k} e^(rate j) at each k: of a sum too large for a number too."""
    if rate == 0:
        return np.log(count)
    if np.isinf(rate):
        return np.zeros_like(count)
    return np.maximum(rate, 0) * (count - 1) + np.log(np.expm1(-abs(rate) * count) / np.expm1(-abs(rate)))


def _of_scale(problem: StableNoise, log_summed: np.ndarray) -> dict[str, np.ndarray]:
    """The answer for a scale of sigma e^(log_summed/alpha)."""
    alpha, log_noise = problem.stability, np.log(problem.noise)
    with np.errstate(over="ignore"):  # e^-inf is what is meant
        wave = np.exp(-np.exp(alpha * log_noise + log_summed))
    return {
        "mean_log": variates.mean_log(alpha) + log_noise + log_summed / alpha,
        "variance_log": np.full(log_summed.shape, variates.variance_log(alpha)),
        "characteristic": wave,
    }
