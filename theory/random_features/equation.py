r"""The equivalents of Phi^T Phi, Phi = s(X F^T)/sqrt N: one scalar equation for any number of scales.

With u_k = mu1^2 s_k, s_k the strengths of the inputs, the resolvent at z knows a single number y(z), where

    (psi1 - E)(psi2 - E) = psi1 z y,   E(y) = y mustar^2 + sum_k m_k y u_k eta_k,   eta_k = 1/(1 + y u_k).

E d counts the degrees of freedom that are used, 1/y is the ridge that an input sees. On the positive axis the
root with E < min(psi1, psi2) is unique: the product of differences is convex and falls there, so that
Newton's method from a lower bound cannot overshoot. Elsewhere the root is followed from there along
|z| = const, where the spectrum is met at arg z = pi only, and then certified.

The certificate: Im y Im z <= 0 and P = sum_k m_k |1 - eta_k|^2 < min(psi1, psi2). With two such roots y, y'
of one z, and P' = sum m (1 - eta)(1 - eta'), A = mustar^2 + sum m u eta eta', it would be that
(psi1 - P')(psi2 - P') = y y' A^2 (the D of `pairs` is 0). But z - conj(z) = (conj(y) - y) D/(psi1 |y|^2) for
a root and its own conjugate, so that (psi1 - P)(psi2 - P) > |y|^2 A^2 for each of both, and by the inequality
of Cauchy and Schwarz there is no equality between them.

Where y u_k is large its term is 1 - eta_k, and the 1 is taken to the other side, to whole numbers of samples,
features and inputs: at n = N, n = d or N = d no digit is lost. psi1 - E and psi2 - E, whose difference is
known, follow from their product, so that the smaller of them keeps its digits however small it is.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.theory.random_features.model import Columns, Model, Point

ROUNDING = 1e-11
"""The relative Newton step that double precision reaches with room to spare; more is not converged."""

STEPS = (1, 3, 12, 48, 192, 768)
"""Steps along the arc: the next where the last has left a point without certificate."""

LOST = 1e-8
"""A difference of E so much smaller than E may be rounding alone."""

NEWTON_STEPS = 200

FINAL_STEPS = 8

CLOSING = 24
"""Newton steps from close by to the axis: at the ends of bands, where two roots meet, they only halve it."""


def solve(model: Model, z: np.ndarray) -> Point:
    """Solve for y at every z, any shape, of B questions (B, ...): complex off the negative axis, or real and
    positive.

    Where `converged` is False the numbers mean nothing.
    """
    shape, z = np.shape(z), np.ravel(z)
    if model.many:  # one for each point
        model = model.rows(np.repeat(np.arange(shape[0]), z.size // max(shape[0], 1)))
    of, modulus = Columns.of(model), np.abs(z).astype(float)
    y = _newton(of, modulus, _below_root(of, modulus), NEWTON_STEPS)
    if np.iscomplexobj(z):
        y, sure = _turned(of, z, modulus, y)
    else:
        sure = _certified(of, z, y)
    near, _ = _difference(of, y)
    return _point(model, z, y, _least(of, z, y, near), sure, shape)


def at_zero(model: Model) -> Point:
    """The limit z -> 0 from above, z (1,), where n, N and the number of inputs distinguish the smallest.

    Of B questions, z (B, 1), y is finite in all of them or in none.
    """
    z = np.zeros((len(model.u), 1) if model.many else 1)
    if np.all(model.beyond <= 0):
        of, flat = Columns.of(model), np.zeros(z.size)
        y = _newton(of, flat, _below_root(of, flat), NEWTON_STEPS)
        return _point(model, flat, y, flat, _certified(of, flat, y), z.shape)
    seen = (model.u > 0).astype(float)[..., None, :]  # y is infinite
    features, samples = model.differences(np.reshape(model.beyond, z.shape))
    return Point(z, z + np.inf, 1 - seen, seen, z, features, samples, z == 0)


def continue_to_axis(model: Model, eigenvalues: np.ndarray, near: float) -> np.ndarray:
    """y at z = -lambda + 0i inside bands, (J,), from an angle `near` to the axis; NaN where it is lost."""
    at = solve(model, eigenvalues * np.exp(1j * (np.pi - near)))
    y = _newton(Columns.of(model), -eigenvalues + 0j, at.y, CLOSING)
    y = np.where(at.converged, y, np.nan)
    return y.real - 1j * np.abs(y.imag)


def _point(
    model: Model,
    z: np.ndarray,
    y: np.ndarray,
    least: np.ndarray,
    sure: np.ndarray,
    shape: tuple[int, ...],
) -> Point:
    t = y[:, None] * model.u
    eta = 1 / (1 + t)
    each = (*shape, model.u.shape[-1])
    features, samples = model.differences(least)
    return Point(
        z.reshape(shape),
        y.reshape(shape),
        eta.reshape(each),
        (t * eta).reshape(each),
        (y * model.rest).reshape(shape),
        features.reshape(shape),
        samples.reshape(shape),
        sure.reshape(shape),
    )


def _least(of: Columns, z: np.ndarray, y: np.ndarray, near: np.ndarray) -> np.ndarray:
    """x = min(psi1, psi2) - E at a root y, (J,), from x (x + gap) = psi1 z y.

    Of its two roots that which the difference itself, `near`, is closer to; where rounding has taken that, it
    is the one with Im x Im z >= 0, for Im y Im z <= 0.
    """
    product = of.psi1 * y * z
    root = np.sqrt(of.gap**2 + 4 * product)
    if np.iscomplexobj(z):
        lost = np.abs(near) < LOST * of.smaller
        side = np.where(lost, root.imag * z.imag, ((2 * near + of.gap) * np.conj(root)).real)
        root = np.where(side < 0, -root, root)
    beyond = root.real < 0
    return np.where(beyond, (root - of.gap) / 2, 2 * product / np.where(beyond, 1.0, root + of.gap))


def _difference(of: Columns, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """min(psi1, psi2) - E, and its derivative in y; y is (J,)."""
    t = of.u * y  # scales first: long rows, quick sums
    eta = 1 / (1 + t)
    saturated = np.abs(t) > 1
    each = of.mean(np.where(saturated, -eta, t * eta))
    least = of.unsaturated(np.count_nonzero(saturated, axis=0)) - y * of.rest - each
    return least, -of.rest - of.mean(of.u * (eta * eta))


def _step(of: Columns, z: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton's step at y, (J,), and d log y/d log z if that is a root.

    Where E is close to min(psi1, psi2) that difference is less what its square says, which vanishes slowly.
    """
    near, slope = _difference(of, y)
    least, push = _least(of, z, y, near), of.psi1 * z
    steep = slope * (2 * near + of.gap) - push
    step = (near * (near + of.gap) - push * y) / steep
    close = np.abs(near) < of.smaller / 2
    apart = 2 * least + of.gap
    step = np.where(close, (near - least) * apart / (slope * apart - push), step)
    return step, push / (slope * apart - push)


def _below_root(of: Columns, z: np.ndarray) -> np.ndarray:
    """A lower bound of y on the positive axis, or at 0.

    min(1, t) >= t/(1 + t): with any number of the strongest scales counted as saturated and the others as
    linear, E is bounded from above by a line, and the equation is one of second degree.
    """
    order = np.argsort(-of.u, axis=0)
    mu = np.take_along_axis(of.m * of.u, order, axis=0)
    slope = of.rest + np.concatenate([np.cumsum(mu[::-1], axis=0)[::-1], np.zeros((1, mu.shape[1]))])
    least = np.maximum(of.left, 0.0)
    other = np.where(of.left > 0, least + of.gap, 0.0)
    push = of.psi1 * z
    middle = slope * (least + other) + push
    spread = np.hypot(slope * of.gap, np.sqrt(push) * np.sqrt(2 * slope * (least + other) + push))
    bounds = np.zeros(middle.shape)
    np.divide(2 * least * other, middle + spread, out=bounds, where=middle + spread > 0)
    return np.asarray(bounds.max(axis=0))


def _turned(
    of: Columns, z: np.ndarray, modulus: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """y at z from y at |z|, and where it is certified: in few steps along the arc, then in more."""
    angle = np.angle(z)
    y, sure = start.astype(complex), np.zeros(z.shape, dtype=bool)
    for steps in STEPS:
        rest = np.flatnonzero(~sure)
        if not rest.size:
            break
        with np.errstate(all="ignore"):  # too few steps may lose a root altogether, and it is not certified
            own = of.some(rest)
            y[rest] = _along_arc(own, z[rest], modulus[rest], angle[rest], start[rest], steps)
            sure[rest] = _certified(own, z[rest], y[rest])
    return y, sure


def _along_arc(
    of: Columns, z: np.ndarray, modulus: np.ndarray, angle: np.ndarray, y: np.ndarray, steps: int
) -> np.ndarray:
    """Continue y from |z| to z: in each step a predictor in log y, then Newton."""
    turn = 1j * angle / steps
    for turned in range(steps):
        _, change = _step(of, modulus * np.exp(turn * turned), y)
        y = y * np.exp(turn * change)
        y = _newton(of, modulus * np.exp(turn * (turned + 1)), y, 1)
    return _newton(of, z, y, FINAL_STEPS)


def _newton(of: Columns, z: np.ndarray, y: np.ndarray, steps: int) -> np.ndarray:
    """At most so many steps; convergence is quadratic: after one of 1e-9 or less y is exact to rounding."""
    for _ in range(steps):
        step, _ = _step(of, z, y)
        y = y - step
        if np.all(np.abs(step) <= 1e-9 * np.abs(y)):
            break
    return y


def _certified(of: Columns, z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether y is the equivalent at z, (J,) each: a root, and the one among them."""
    step, _ = _step(of, z, y)
    settled = np.abs(step) <= ROUNDING * np.abs(y)
    if not np.iscomplexobj(z):
        return settled & (y > 0)
    t = of.u * y
    used = of.mean(np.abs(t / (1 + t)) ** 2)
    lowest = of.smaller
    return settled & (y.imag * z.imag <= ROUNDING * np.abs(y * z)) & (used <= (1 + ROUNDING) * lowest)


def is_certified_root(model: Model, z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether y is the equivalent at z, (J,) each: a root, and the one among them."""
    return _certified(Columns.of(model), z, y)
