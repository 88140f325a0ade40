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

from teacherstudent.theory.random_features.model import Model, Point

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
    """Solve for y at every z, any shape: complex off the negative axis, or real and positive.

    Where `converged` is False the numbers mean nothing.
    """
    shape, z = np.shape(z), np.ravel(z)
    modulus = np.abs(z).astype(float)
    y = _newton(model, modulus, _below_root(model, modulus), NEWTON_STEPS)
    if np.iscomplexobj(z):
        y, sure = _turned(model, z, modulus, y)
    else:
        sure = is_certified_root(model, z, y)
    near, _ = _difference(model, y)
    return _point(model, z, y, _least(model, z, y, near), sure, shape)


def at_zero(model: Model) -> Point:
    """The limit z -> 0 from above, z (1,), where n, N and the number of inputs distinguish the smallest."""
    z = np.zeros(1)
    if model.beyond <= 0:
        y = _newton(model, z, _below_root(model, z), NEWTON_STEPS)
        return _point(model, z, y, z, is_certified_root(model, z, y), z.shape)
    seen = (model.u > 0).astype(float)[None]  # y is infinite
    features, samples = model.differences(np.array([model.beyond]))
    return Point(z, z + np.inf, 1 - seen, seen, z, features, samples, z == 0)


def continue_to_axis(model: Model, eigenvalues: np.ndarray, near: float) -> np.ndarray:
    """y at z = -lambda + 0i inside bands, (J,), from an angle `near` to the axis; NaN where it is lost."""
    at = solve(model, eigenvalues * np.exp(1j * (np.pi - near)))
    y = _newton(model, -eigenvalues + 0j, at.y, CLOSING)
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
    t = np.multiply.outer(y, model.u)
    eta = 1 / (1 + t)
    each = (*shape, model.u.size)
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


def _least(model: Model, z: np.ndarray, y: np.ndarray, near: np.ndarray) -> np.ndarray:
    """x = min(psi1, psi2) - E at a root y, (J,), from x (x + gap) = psi1 z y.

    Of its two roots that which the difference itself, `near`, is closer to; where rounding has taken that, it
    is the one with Im x Im z >= 0, for Im y Im z <= 0.
    """
    product = model.psi1 * y * z
    root = np.sqrt(model.gap**2 + 4 * product)
    if np.iscomplexobj(z):
        lost = np.abs(near) < LOST * min(model.psi1, model.psi2)
        side = np.where(lost, root.imag * z.imag, ((2 * near + model.gap) * np.conj(root)).real)
        root = np.where(side < 0, -root, root)
    beyond = root.real < 0
    return np.where(beyond, (root - model.gap) / 2, 2 * product / np.where(beyond, 1.0, root + model.gap))


def _difference(model: Model, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """min(psi1, psi2) - E, and its derivative in y; y is (J,)."""
    t = np.multiply.outer(model.u, y)  # scales first: long rows, quick sums
    eta = 1 / (1 + t)
    saturated = np.abs(t) > 1
    each = model.m @ np.where(saturated, -eta, t * eta)
    least = model.left[np.count_nonzero(saturated, axis=0)] - y * model.rest - each
    return least, -model.rest - (model.m * model.u) @ (eta * eta)


def _step(model: Model, z: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton's step at y, (J,), and d log y/d log z if that is a root.

    Where E is close to min(psi1, psi2) that difference is less what its square says, which vanishes slowly.
    """
    near, slope = _difference(model, y)
    least, push = _least(model, z, y, near), model.psi1 * z
    steep = slope * (2 * near + model.gap) - push
    step = (near * (near + model.gap) - push * y) / steep
    close = np.abs(near) < min(model.psi1, model.psi2) / 2
    apart = 2 * least + model.gap
    step = np.where(close, (near - least) * apart / (slope * apart - push), step)
    return step, push / (slope * apart - push)


def _below_root(model: Model, z: np.ndarray) -> np.ndarray:
    """A lower bound of y on the positive axis, or at 0.

    min(1, t) >= t/(1 + t): with any number of the strongest scales counted as saturated and the others as
    linear, E is bounded from above by a line, and the equation is one of second degree.
    """
    order = np.argsort(-model.u)
    m, u = model.m[order], model.u[order]
    slope = model.rest + np.concatenate([np.cumsum((m * u)[::-1])[::-1], [0.0]])
    least = np.maximum(model.left, 0.0)
    other = np.where(model.left > 0, least + model.gap, 0.0)
    push = model.psi1 * z[:, None]
    middle = slope * (least + other) + push
    spread = np.hypot(slope * model.gap, np.sqrt(push) * np.sqrt(2 * slope * (least + other) + push))
    bounds = np.zeros(middle.shape)
    np.divide(2 * least * other, middle + spread, out=bounds, where=middle + spread > 0)
    return bounds.max(axis=-1)


def _turned(
    model: Model, z: np.ndarray, modulus: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """y at z from y at |z|, and where it is certified: in few steps along the arc, then in more."""
    angle = np.angle(z)
    y, sure = start.astype(complex), np.zeros(z.shape, dtype=bool)
    for steps in STEPS:
        rest = np.flatnonzero(~sure)
        if not rest.size:
            break
        with np.errstate(all="ignore"):  # too few steps may lose a root altogether, and it is not certified
            y[rest] = _along_arc(model, z[rest], modulus[rest], angle[rest], start[rest], steps)
            sure[rest] = is_certified_root(model, z[rest], y[rest])
    return y, sure


def _along_arc(
    model: Model, z: np.ndarray, modulus: np.ndarray, angle: np.ndarray, y: np.ndarray, steps: int
) -> np.ndarray:
    """Continue y from |z| to z: in each step a predictor in log y, then Newton."""
    turn = 1j * angle / steps
    for turned in range(steps):
        _, change = _step(model, modulus * np.exp(turn * turned), y)
        y = y * np.exp(turn * change)
        y = _newton(model, modulus * np.exp(turn * (turned + 1)), y, 1)
    return _newton(model, z, y, FINAL_STEPS)


def _newton(model: Model, z: np.ndarray, y: np.ndarray, steps: int) -> np.ndarray:
    """At most so many steps; convergence is quadratic: after one of 1e-9 or less y is exact to rounding."""
    for _ in range(steps):
        step, _ = _step(model, z, y)
        y = y - step
        if np.all(np.abs(step) <= 1e-9 * np.abs(y)):
            break
    return y


def is_certified_root(model: Model, z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether y is the equivalent at z, (J,) each: a root, and the one among them."""
    step, _ = _step(model, z, y)
    settled = np.abs(step) <= ROUNDING * np.abs(y)
    if not np.iscomplexobj(z):
        return settled & (y > 0)
    t = np.multiply.outer(model.u, y)
    used = model.m @ np.abs(t / (1 + t)) ** 2
    lowest = min(model.psi1, model.psi2)
    return settled & (y.imag * z.imag <= ROUNDING * np.abs(y * z)) & (used <= (1 + ROUNDING) * lowest)
