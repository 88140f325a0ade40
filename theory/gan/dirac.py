r"""All points at one place, at theta e_1 from data at 0: the Dirac GAN, in closed form.

theta falls along a line and no other number matters. On the clock s = tau t:

    Gaussian    theta' = -theta/l^2 e^{-u}, u = theta^2/(2 l^2):     Ei(u_0) - Ei(u) = 2 s/l^2
    relu        theta' = -theta + (beta/2 pi) (theta^2 - beta^2)/(theta^2 + beta^2), and at 0 rest

With z = theta/beta the last is a rational function. So s is a sum over the roots r of
z^3 - z^2/(2 pi) + z + 1/(2 pi), s = sum_r (r^2 + 1)/(3 r^2 - r/pi + 1) ln((z_0 - r)/(z - r)): finite at
z = 0, where the points arrive and stay.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import expi

from teacherstudent.house.errors import InputError
from teacherstudent.problems.gan import Gan
from teacherstudent.theory.gan import discriminator_output
from teacherstudent.theory.gan.kernels import kernel_of

ROOTS = np.roots([1, -1 / (2 * np.pi), 1, 1 / (2 * np.pi)])
RESIDUES = (ROOTS**2 + 1) / (3 * ROOTS**2 - ROOTS / np.pi + 1)

LARGEST = 1e300
"""Of a distance over the bias: beyond it the law is that without bias."""

LARGE = 50.0
"""From here on the asymptotic series of Ei has all digits."""

SMALL = 0.6
"""Below, Ei is solved for the logarithm of its argument; above, its own logarithm is smooth and positive."""


def closed_form(
    problem: Gan,
    times: np.ndarray,
    *,
    learning_rate: float,
    discriminator_time: float,
    discriminator_rate: float,
) -> dict[str, np.ndarray]:
    """separation, slope and distance_of_means, (T,), and position, (T, m, d), without steps.

    Raises `InputError` unless all data are at 0 and the generator's points start at one place.
    """
    if problem.target != "point":
        domain = "point for route closed-form, which needs data at one place"
        raise InputError("target", problem.target, domain, "use --route kernel for other data")
    if problem.spread:
        domain = "0 for route closed-form, where all points start at one place"
        raise InputError("spread", problem.spread, domain, "use --route kernel for other starts")
    theta = distances(problem, discriminator_time * times)
    places = np.zeros((times.size, 1, problem.d))
    places[:, 0, 0] = theta
    one, kernel = np.ones(1), kernel_of(problem)
    data = discriminator_output.Masses(np.zeros((1, problem.d)), one)
    return {
        "separation": discriminator_time * discriminator_output.discrepancy(kernel, places, one, data),
        "slope": discriminator_time * discriminator_output.slope(kernel, places, one, data),
        "distance_of_means": theta,
        "position": np.repeat(places, problem.particles, axis=1),
    }


def distances(problem: Gan, clocks: np.ndarray) -> np.ndarray:
    """theta at s = tau t, (T,), from the problem's distance."""
    start = problem.distance
    if start == 0:
        return np.zeros(clocks.size)
    if problem.discriminator == "fourier":
        length = problem.length_scale
        u = [exponential_integral_law((start / length) ** 2 / 2, 2 * s / length**2) for s in clocks]
        return np.minimum(start, length * np.sqrt(2 * np.array(u)))  # which rounding may exceed
    if problem.bias == 0 or start > LARGEST * problem.bias:
        return start * np.exp(-clocks)
    return problem.bias * np.array([_kinked_law(start / problem.bias, s) for s in clocks])


def halving_time(problem: Gan, discriminator_time: float = 1.0) -> float:
    """The time t in which theta falls from the problem's distance to half of it, in input^2/output.

    Infinite where it is too large a number. For one place of data and generator, whatever the problem's
    other parameters are. Raises `InputError` for distance 0.
    """
    start = problem.distance
    if start == 0:
        raise InputError("distance", start, "above 0, because a distance of 0 cannot be halved")
    if problem.discriminator == "fourier":
        u = (start / problem.length_scale) ** 2 / 2
        late, early = expi(u), expi(u / 4)
        clock = np.inf if np.isinf(late) else problem.length_scale**2 / 2 * (late - early)
    else:
        clock = _kinked_time(start, start / 2, problem.bias)
    return float(clock / discriminator_time)


def exponential_integral_law(start: float, clock: float) -> float:
    """u > 0 where Ei(start) - Ei(u) = clock >= 0. Neither start nor e^start need be small numbers."""
    if clock == 0:
        return start
    if start > SMALL:
        log = _log_expi(start)
        share = clock * np.exp(-start) / _scaled_expi(start)  # of Ei(start)
        if share < 1 and log + np.log1p(-share) > _log_expi(SMALL):
            aim = np.log1p(-share)
            return float(brentq(lambda u: _log_expi(u) - log - aim, SMALL, start, xtol=1e-300))
    aim = float(expi(start)) - clock - np.euler_gamma
    # Ei(u) = gamma + ln u + h(u), 0 < h(u) < h(SMALL) < SMALL e^SMALL
    low = aim - SMALL * np.exp(SMALL)
    log_u = brentq(lambda y: y + _entire(np.exp(y)) - aim, low, aim, xtol=1e-15)
    return float(np.exp(log_u))


def _scaled_expi(u: float) -> float:
    """Ei(u) e^-u, of any u > 0."""
    if u < LARGE:
        return float(expi(u) * np.exp(-u))
    return float((1 + np.cumprod(np.arange(1, int(LARGE)) / u).sum()) / u)  # 1/u sum_k k!/u^k


def _log_expi(u: float) -> float:
    """ln Ei(u) of u > 0.4, where Ei > 0."""
    return u + float(np.log(_scaled_expi(u)))


def _entire(u: float) -> float:
    """h(u) = Ei(u) - gamma - ln u = sum_k u^k/(k k!), of 0 <= u <= SMALL."""
    orders = np.arange(1, 20)
    return float(np.sum(np.cumprod(u / orders) / orders))


def _kinked_time(start: float, end: float, bias: float) -> float:
    """s in which theta falls from start to end >= 0 under the kernel of relu."""
    if bias == 0 or (start > LARGEST * bias and end):
        return float(np.log(start / end))
    z, z_end = start / bias, end / bias
    return float(np.real(RESIDUES @ np.log1p((z - z_end) / (z_end - ROOTS))))


def _kinked_law(start: float, clock: float) -> float:
    """z at that clock, 0 once arrived. Solved for arsinh z, in which both ends of the law are smooth."""
    if clock >= _kinked_time(start, 0.0, 1.0):
        return 0.0
    top = float(np.arcsinh(start * (1 + 4 * np.finfo(float).eps)))  # above the start, as it is rounded
    if _kinked_time(start, np.sinh(top), 1.0) >= clock:
        return start
    found = brentq(lambda w: _kinked_time(start, np.sinh(w), 1.0) - clock, 0.0, top, xtol=1e-300)
    return min(start, float(np.sinh(found)))
