r"""Deterministic equivalents of X^T X for features of any strengths: one scalar equation.

C = X^T X, X = Z F with n x d entries of Z of variance 1/d; F^T F has eigenvalues v_k with
weights mu_k (sum 1), alpha = n/d. For n, d -> infinity the resolvent G(z) = (C + z)^-1 behaves
as diag(h_k/z), h_k = 1/(1 + q v_k), where q(z) solves

    q z + sum_k mu_k q v_k/(1 + q v_k) = alpha.

Only ratios enter: the cost does not depend on n or d. On the positive axis the root is unique;
elsewhere it is followed from there along the arc |z| = const, on which the spectrum is met at
arg z = pi only, and then certified: no other root has Im(1/(qz)) Im z < 0 <= Im(z chi) Im z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-11
"""Relative residual that double precision reaches with room to spare; more is not converged."""

ARC_STEPS = (1, 3, 12, 48)
"""Steps along the arc: the few are tried first, the many where the end is not certified."""

NEWTON_STEPS = 200


@dataclass(frozen=True)
class Spectrum:
    """alpha = n/d, the weights mu_k (K,), summing to 1, and strengths v_k = sigma_k^2 (K,)."""

    alpha: float
    weights: np.ndarray
    strengths: np.ndarray

    def upper_edge(self) -> float:
        """Largest eigenvalue of C in the limit: min over x of alpha/x + sum mu v/(1 - x v)."""
        from scipy import optimize  # slow to import, and a flow needs no edge

        mu, v = self.weights, self.strengths

        def slope(y: float) -> float:  # of the level in x = y/max(v), times x^2 > 0
            share = y * v / v.max()
            return float(np.sum(mu * share**2 / (1 - share) ** 2)) - self.alpha

        top = np.nextafter(1.0, 0.0)
        y = optimize.brentq(slope, 0.0, top, xtol=1e-16, rtol=1e-15) if slope(top) > 0 else top
        return float(v.max() * (self.alpha / y + np.sum(mu * v / (v.max() - y * v))))


@dataclass(frozen=True)
class Resolvent:
    """The equivalent of G(z) at complex points z (...): q (...), h_k (..., K) and a certificate."""

    z: np.ndarray
    q: np.ndarray
    h: np.ndarray
    converged: np.ndarray


def resolvent(spectrum: Spectrum, z: np.ndarray) -> Resolvent:
    """Solve for q at every z, which must lie off the negative real axis or beyond the spectrum.

    z: any shape, real positive or complex. `converged` (shape of z) certifies both the residual
    and the physical branch; where it is False the numbers mean nothing.
    """
    shape, z = np.shape(z), np.ravel(z)
    modulus = np.abs(z).astype(float)
    q, settled = _on_positive_axis(spectrum, modulus)
    if np.iscomplexobj(z):
        q, certified = _turned(spectrum, z, modulus, q)
    else:
        certified = settled & _certified(spectrum, z, q)
    q = q.reshape(shape)
    return Resolvent(z.reshape(shape), q, _damping(spectrum, q), certified.reshape(shape))


def _turned(
    spectrum: Spectrum, z: np.ndarray, modulus: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """q at z from q at |z|, and where it is certified: in few steps, then in more where it is not."""
    angle = np.angle(z)
    q = _along_arc(spectrum, modulus, angle, start, ARC_STEPS[0])
    certified = _certified(spectrum, z, q)
    for steps in ARC_STEPS[1:]:
        rest = np.flatnonzero(~certified)
        if not rest.size:
            break
        q[rest] = _along_arc(spectrum, modulus[rest], angle[rest], start[rest], steps)
        certified[rest] = _certified(spectrum, z[rest], q[rest])
    return q, certified


def _damping(spectrum: Spectrum, q: np.ndarray) -> np.ndarray:
    """h_k = 1/(1 + q v_k), (..., K)."""
    return 1 / (1 + q[..., None] * spectrum.strengths)


def _sums(spectrum: Spectrum, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """sum mu q v/(1 + q v) and sum mu v/(1 + q v)^2, its derivative in q; q is (N,)."""
    h = 1 / (1 + np.multiply.outer(spectrum.strengths, q))  # scales first: long rows, quick sums
    each = spectrum.weights * spectrum.strengths
    return q * (each @ h), each @ (h * h)


def _on_positive_axis(spectrum: Spectrum, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton from a lower bound: the equation is increasing and concave, so it cannot overshoot.

    min(1, q v) >= q v/(1 + q v): with any number of the strongest scales counted as saturated
    and the others as linear, the equation is solved by a lower bound of q.
    """
    order = np.argsort(-spectrum.strengths)
    mu, v = spectrum.weights[order], spectrum.strengths[order]
    saturated = np.concatenate([[0.0], np.cumsum(mu)])
    linear = np.concatenate([np.cumsum((mu * v)[::-1])[::-1], [0.0]])
    q = np.max(np.maximum(spectrum.alpha - saturated, 0.0) / (z[..., None] + linear), axis=-1)
    for _ in range(NEWTON_STEPS):
        total, slope = _sums(spectrum, q)
        step = (spectrum.alpha - total - q * z) / (z + slope)
        q = q + step
        if np.all(np.abs(step) <= 1e-9 * q):  # quadratic from here: one more is exact to rounding
            total, slope = _sums(spectrum, q)
            return q + (spectrum.alpha - total - q * z) / (z + slope), np.ones(z.shape, dtype=bool)
    return q, np.abs(step) <= 1e-15 * q


def _along_arc(
    spectrum: Spectrum, modulus: np.ndarray, angle: np.ndarray, q: np.ndarray, steps: int
) -> np.ndarray:
    """Continue q from |z| to |z| e^{i angle}: predictor in log q, then Newton."""
    q = q.astype(complex)
    turn = np.exp(1j * angle / steps)
    z = modulus.astype(complex)
    for _ in range(steps):
        _, slope = _sums(spectrum, q)
        q = q * np.exp(-1j * (angle / steps) * z / (z + slope))  # d log q/d angle
        z = z * turn
        q = _newton(spectrum, z, q, 1)
    return _newton(spectrum, modulus * np.exp(1j * angle), q, 8)


def _newton(spectrum: Spectrum, z: np.ndarray, q: np.ndarray, steps: int) -> np.ndarray:
    """At most so many steps: convergence is quadratic, and beyond 1e-9 another one is rounding."""
    for _ in range(steps):
        total, slope = _sums(spectrum, q)
        step = (spectrum.alpha - total - q * z) / (z + slope)
        q = q + step
        if np.all(np.abs(step) <= 1e-9 * np.abs(q)):
            break
    return q


def _certified(spectrum: Spectrum, z: np.ndarray, q: np.ndarray) -> np.ndarray:
    total, _ = _sums(spectrum, q)
    size = np.abs(q * z) + np.abs(total) + spectrum.alpha
    residual = np.abs(q * z + total - spectrum.alpha) <= ROUNDING * size
    if not np.iscomplexobj(z):
        return residual & (q > 0)
    susceptibility = spectrum.alpha / (q * z)  # 1 + chi
    flux = total / q  # z chi
    branch = (susceptibility.imag * z.imag <= ROUNDING * np.abs(susceptibility * z)) & (
        flux.imag * z.imag >= -ROUNDING * np.abs(flux * z)
    )
    return residual & branch
