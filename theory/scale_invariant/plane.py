"""Every scheme on the population loss, exactly: the image step in the plane of student and teacher.

The population gradient never leaves that plane, and no scheme but Adam and AdamW looks at directions by
coordinate, so d weights move as two do; those two schemes do as well where the plane is that of e_1 and
e_2 (`teacher` axis). The plane is the complex one with the teacher at 1: u = e^(i angle).
"""

from __future__ import annotations

import cmath
import math
import sys
from collections.abc import Iterator
from itertools import count

from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant import ON_THE_SPHERE, ScaleInvariant
from teacherstudent.theory.scale_invariant.losses import LossLaw, law

Quotient = tuple[complex, float]
"""a/b as a vector of the plane, and B = |b| d^-1/2."""


def path(problem: ScaleInvariant) -> Iterator[tuple[float, float, float]]:
    """Signed angle in [-pi, pi], radius and effective learning rate at steps 0, 1, 2, ... (Theorem 2).

    The angle is followed through the teacher, where it changes sign. Raises `ArithmeticError` where a
    quotient is 0/0 or a number leaves its range, and `InputError` where elements beyond the plane would
    be 0/0 or the plane is not one of two coordinates.
    """
    return _on_sphere(problem) if problem.scheme in ON_THE_SPHERE else _in_space(problem)


def scheduled_path(problem: ScaleInvariant) -> Iterator[tuple[float, float, float]]:
    """The same of sgd with L2, from sgd without it on the schedule eta_k = eta alpha^(-2k-1) (Eq. 44).

    Learning rate and squared radius of the scheme without L2 outgrow all numbers together, so their
    logarithms are followed; the radius of the scheme with L2 is alpha^k times the other.
    """
    loss = law(problem)
    shrinking = math.log1p(-problem.learning_rate * problem.ridge)
    theta, log_r2, log_eta = problem.angle0, 2 * math.log(problem.radius0), math.log(problem.learning_rate)
    for k in count():
        rate = math.exp(log_eta - (2 * k + 1) * shrinking - log_r2)  # Table 1 and Eq. 44
        yield theta, math.exp(k * shrinking + log_r2 / 2), rate
        z = rate * loss.slope(theta)
        _demand_resolved(theta, rate, problem, loss)
        theta = math.remainder(theta - math.atan(z), 2 * math.pi)  # Eq. 12
        log_r2 += math.log1p(z * z)  # Eq. 46


def _in_space(problem: ScaleInvariant) -> Iterator[tuple[float, float, float]]:
    scheme = _Momentum(problem) if problem.scheme.startswith("sgd") else _Adam(problem)
    loss, eta, kept = law(problem), problem.learning_rate, 1.0
    if problem.scheme == "adamw":
        kept -= eta * problem.ridge
    theta, r = problem.angle0, problem.radius0
    while True:
        u = cmath.rect(1, theta)
        gradient = 1j * u * (loss.slope(theta) / r)  # Lemma 1
        quotient, B = scheme.step(r * u, gradient)
        c = eta / r * quotient * u.conjugate()  # A c: its radial and its tangential part
        rate = eta / r / r / B / (kept - c.real)  # Eq. 11
        yield theta, r, rate
        _demand_resolved(theta, rate, problem, loss)
        theta = math.remainder(theta + math.atan2(-c.imag, kept - c.real), 2 * math.pi)  # Eq. 12
        r *= math.hypot(kept - c.real, c.imag)  # Eq. 13
        if not (r > 0 and math.isfinite(r)):
            raise ArithmeticError("the weights overflow or underflow")


def _demand_resolved(theta: float, rate: float, problem: ScaleInvariant, loss: LossLaw) -> None:
    """An angle below the smallest number grows back beyond the edge of stability: too late for us."""
    if abs(theta) < sys.float_info.min and problem.angle0 and rate * loss.curvature > 2:
        raise ArithmeticError("the angle, too small to represent, grows again")


class _Momentum:
    """sgd, sgd-momentum and sgd-mrt: a = beta carried(a) + g + ridge x, b = 1 (Eqs. 5-6, 76)."""

    def __init__(self, problem: ScaleInvariant) -> None:
        self.beta = 0.0 if problem.scheme == "sgd" else problem.momentum
        self.transports = problem.scheme == "sgd-mrt"
        self.ridge = problem.ridge
        self.a = 0j

    def step(self, x: complex, gradient: complex) -> Quotient:
        carried = _tangent(x, self.a) if self.transports else self.a
        self.a = self.beta * carried + gradient + self.ridge * x
        return self.a, 1.0


class _Adam:
    """adam, adamw, adam-s and adam-srt, second moments as lists (Eqs. 7-8, 61-63, 78-80)."""

    def __init__(self, problem: ScaleInvariant) -> None:
        self.problem = problem
        self.by_element = problem.scheme in ("adam", "adamw")
        if self.by_element:
            if problem.teacher != "axis":
                raise InputError(
                    "teacher", problem.teacher, f"axis: scheme {problem.scheme} divides by coordinate"
                )
            if problem.d > 2 and problem.epsilon == 0:
                raise InputError("epsilon", 0, "> 0: all weights after the first two have zero gradient")
        self.k = 0
        self.m, self.v = 0j, [0.0, 0.0] if self.by_element else [0.0]
        self.r_squared = problem.radius0**2

    def step(self, x: complex, gradient: complex) -> Quotient:
        p = self.problem
        self.k += 1
        carried, ratio = self.m, 1.0
        if p.scheme == "adam-srt":
            r_squared = x.real * x.real + x.imag * x.imag
            carried, ratio = _tangent(x, self.m), self.r_squared / r_squared
            self.r_squared = r_squared
        g = gradient if p.scheme == "adamw" else gradient + p.ridge * x
        squares = [g.real * g.real, g.imag * g.imag]
        if not self.by_element:
            squares = [sum(squares) / p.d]  # Eq. 15
        self.m = p.beta1 * carried + (1 - p.beta1) * g
        self.v = [p.beta2 * ratio * v + (1 - p.beta2) * s for v, s in zip(self.v, squares, strict=True)]
        first, second = 1 - p.beta1**self.k, 1 - p.beta2**self.k
        roots = [math.sqrt(v / second) + p.epsilon for v in self.v]
        correction = first / (1 - p.beta1)  # Eq. 9, epsilon inside its bracket and outside the root
        mhat = self.m / first
        if not self.by_element:
            return mhat / roots[0], correction * roots[0]
        size = math.sqrt((roots[0] ** 2 + roots[1] ** 2 + (p.d - 2) * p.epsilon**2) / p.d)
        return complex(mhat.real / roots[0], mhat.imag / roots[1]), correction * size


def _on_sphere(problem: ScaleInvariant) -> Iterator[tuple[float, float, float]]:
    """adamg and the two adagradg: tangential scalars, for transport keeps them."""
    p, loss = problem, law(problem)
    theta, m, v, k = p.angle0, 0.0, p.v0, 0
    if p.scheme == "adamg":
        v = 0.0
    while True:
        g = loss.slope(theta)
        if p.scheme == "adamg":
            k += 1
            m, v = p.beta1 * m + (1 - p.beta1) * g, p.beta2 * v + (1 - p.beta2) * g * g
            scheduled = p.learning_rate / ((1 - p.beta1**k) * (math.sqrt(v / (1 - p.beta2**k)) + p.epsilon))
            rate, moved = scheduled * (1 - p.beta1), scheduled * m
            yield theta, 1.0, rate
        else:
            rate = p.learning_rate / math.sqrt(v)
            yield theta, 1.0, rate
            moved = math.atan(rate * g)  # Eq. 12
            more = g**4 / (4 * p.beta2 * v) if p.scheme == "adagradg-exact" else 0.0
            v = p.beta2 * v + g * g + more
        _demand_resolved(theta, rate, p, loss)
        theta = math.remainder(theta - moved, 2 * math.pi)


def _tangent(x: complex, a: complex) -> complex:
    """P_u a at u = x/|x|: what RT(a) is where the last step was along a (`sphere.rescaled_transport`)."""
    u = x / math.hypot(x.real, x.imag)
    return 1j * u * (a * u.conjugate()).imag
