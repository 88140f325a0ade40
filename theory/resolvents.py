r"""Deterministic equivalents of X^T X for features of any strengths: one scalar equation.

C = X^T X, X = Z F with n x d entries of Z of variance 1/d; F^T F has eigenvalues v_k with
weights mu_k (sum 1), alpha = n/d. For n, d -> infinity the resolvent G(z) = (C + z)^-1 behaves
as diag(h_k/z), h_k = 1/(1 + q v_k), where q(z) solves

    q z + sum_k mu_k q v_k/(1 + q v_k) = alpha.

Only ratios enter: the cost does not depend on n or d. On the positive axis the root is unique;
elsewhere it is followed from there along the arc |z| = const, on which the spectrum is met at
arg z = pi only, and then certified: no other root has Im(1/(qz)) Im z < 0 <= Im(z chi) Im z.

Where q v_k is large its term is 1 - h_k, and the 1 is taken to the right, to whole numbers of samples
and features. What is left of both sides is small there, as at n = d, and no digit of q is lost.

Rows drawn without replacement from a *pool* of P, whose own eigenvectors are a uniform rotation, give
C = X^T X of the same form: the strengths are then all P eigenvalues of the pool, zeros included, d = P,
and a free compression puts q z sum_k mu_k h_k in the place of q z. The bound, the branch and the
certificate are the same: the two roots q, q' of one z would make a mean of positive terms equal to 1 that is
below 1 wherever Im q Im z < 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from teacherstudent.theory import edges

ROUNDING = 1e-11
"""Relative residual that double precision reaches with room to spare; more is not converged."""

FEW_STEPS, MANY_STEPS = (1, 3, 12), (48, 192, 768)
"""Steps along the arc: the few are tried first, the many last, where no other end is certified."""

LINE_STEPS = 8
"""On the straight way from 0."""

NEWTON_STEPS = 200

FEW = 12
"""Scales up to which sums are taken term by term."""

TOGETHER = 32_768
"""Points times scales that are solved for at once: what fits a cache."""


@dataclass(frozen=True)
class Spectrum:
    """n samples and m_k features of each strength v_k = sigma_k^2, (K,); only ratios of sizes enter.

    pool: whether the samples are drawn without replacement from as many rows as there are features, n < d.
    Without a pool it may also be one spectrum for each of B questions: samples (B,), features and strengths
    (B, K), all strengths above 0. Then every number below is (B,), and every array has B rows.
    """

    samples: Any
    features: np.ndarray
    strengths: np.ndarray
    pool: bool = False

    @property
    def many(self) -> bool:
        """Whether there is one for each of B questions."""
        return self.strengths.ndim > 1

    @cached_property
    def alpha(self) -> Any:
        """Samples per feature, n/d."""
        return np.asarray(self.samples / self.features.sum(axis=-1))[()]

    @cached_property
    def weights(self) -> np.ndarray:
        """mu_k = m_k/d, (K,)."""
        return np.asarray(self.features / self.features.sum(axis=-1, keepdims=True))

    @cached_property
    def left(self) -> np.ndarray:
        """(n - m_1 - ... - m_j)/d for the j strongest scales, (K + 1,); exact where sizes are whole."""
        strongest = np.take_along_axis(self.features, np.argsort(-self.strengths, axis=-1), axis=-1)
        taken = np.cumsum(np.insert(strongest, 0, 0.0, axis=-1), axis=-1)
        return (np.asarray(self.samples)[..., None] - taken) / taken[..., -1:]

    @cached_property
    def moments(self) -> np.ndarray:
        """mu_k v_k^j, j = 0, 1, 2, 3, (4, K)."""
        return self.weights * self.strengths ** np.arange(4)[:, None]

    @cached_property
    def beyond(self) -> Any:
        """(n - rank)/d, where features of strength 0 add nothing to the rank."""
        return self.left[..., -1] if self.many else self.left[np.count_nonzero(self.strengths)]

    def upper_edge(self) -> Any:
        """Largest eigenvalue of C in the limit."""
        if self.pool:
            return edges.pool_upper(self.weights, self.strengths, self.alpha)
        return edges.upper(self.weights, self.strengths, self.alpha)[()]

    def lower_edge(self) -> Any:
        """Smallest eigenvalue of C other than zero, in the limit; 0 for n = d, and where it is too small."""
        if self.pool:
            return edges.pool_lower(self.weights, self.strengths, self.alpha, self.beyond)
        mu, v = self.weights, self.strengths
        if not self.many:
            mu, v = mu[v > 0], v[v > 0]
        return edges.lower(mu, v, self.alpha, self.beyond)[()]

    def rows(self, which: np.ndarray) -> Spectrum:
        """Those of some of the questions, (R,), which may come several times."""
        return Spectrum(np.asarray(self.samples)[which], self.features[which], self.strengths[which])


@dataclass(frozen=True)
class Resolvent:
    """The equivalent of G(z) at points z (...), and a certificate, (...).

    h: h_k, (..., K); learned: 1 - h_k = q v_k h_k to all its digits, (..., K); qz: q z, (...), for q itself
    is infinite at z = 0 where n > d; unlearned: sum mu h in a pool, 1 without one, (...).
    """

    z: np.ndarray
    h: np.ndarray
    learned: np.ndarray
    qz: np.ndarray
    unlearned: np.ndarray
    converged: np.ndarray

    @property
    def scales(self) -> int:
        """K."""
        return self.h.shape[-1]


def resolvent(spectrum: Spectrum, z: np.ndarray) -> Resolvent:
    """Solve for q at every z, which must lie off the negative real axis or beyond the spectrum.

    z: any shape, of B questions (B, ...), complex, or real: positive, or 0 where n < d. `converged` (shape of
    z) certifies both the residual and the physical branch; where it is False the numbers mean nothing.
    """
    shape, z = np.shape(z), np.ravel(z)
    if spectrum.many:  # one for each point
        spectrum = spectrum.rows(np.repeat(np.arange(shape[0]), z.size // max(shape[0], 1)))
    some = max(1, TOGETHER // spectrum.strengths.shape[-1])
    blocks = [slice(first, first + some) for first in range(0, max(z.size, 1), some)]
    columns = _Columns.of(spectrum)
    solved = [_solved(columns.some(block), z[block]) for block in blocks]
    q, certified = (np.concatenate(each) for each in zip(*solved, strict=True))
    q, certified = np.where(np.isfinite(q), q, 1.0), certified & np.isfinite(q)  # which means nothing there
    each = (*shape, spectrum.strengths.shape[-1])
    with np.errstate(all="ignore"):  # where it is not certified q may be no number
        h = 1 / (1 + q[:, None] * spectrum.strengths)
        return Resolvent(
            z.reshape(shape),
            h.reshape(each),
            (spectrum.strengths * (q[:, None] * h)).reshape(each),
            (q * z).reshape(shape),
            (h @ spectrum.weights if spectrum.pool else np.ones(z.size)).reshape(shape),
            certified.reshape(shape),
        )


@dataclass(frozen=True)
class _Columns:
    """A spectrum for sums over scales at N points: weights and strengths (K, 1 or N), left (K + 1, 1 or N),
    alpha and beyond (1 or N,). moments: of many scales that all points share, else None."""

    weights: np.ndarray
    strengths: np.ndarray
    left: np.ndarray
    alpha: np.ndarray
    beyond: np.ndarray
    pool: Any = field(kw_only=True)
    moments: Any = field(kw_only=True)

    @classmethod
    def of(cls, spectrum: Spectrum) -> _Columns:
        rows = (spectrum.weights, spectrum.strengths, spectrum.left)
        weights, strengths, left = (np.atleast_2d(each).T for each in rows)
        alpha, beyond = np.atleast_1d(spectrum.alpha), np.atleast_1d(spectrum.beyond)
        shared = not spectrum.many and spectrum.strengths.size > FEW
        return cls(
            weights,
            strengths,
            left,
            alpha,
            beyond,
            pool=spectrum.pool,
            moments=spectrum.moments if shared else None,
        )

    def some(self, points: Any) -> _Columns:
        """Those of some of the points."""
        if self.alpha.size == 1:
            return self
        arrays = (self.weights, self.strengths, self.left, self.alpha, self.beyond)
        return _Columns(*(each[..., points] for each in arrays), pool=self.pool, moments=self.moments)

    def unsaturated(self, count: np.ndarray) -> np.ndarray:
        """`left` where this number of scales is saturated, (N,)."""
        if self.left.shape[1] == 1:
            return np.asarray(self.left[count, 0])
        return np.asarray(np.take_along_axis(self.left, count[None], axis=0)[0])

    def mean(self, each: np.ndarray) -> np.ndarray:
        """sum_k mu_k of what is (K, N)."""
        if self.weights.shape[1] == 1:
            return np.asarray(self.weights[:, 0] @ each)
        return np.asarray((self.weights * each).sum(axis=0))


def _solved(spectrum: _Columns, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q at z (N,), and where it is certified."""
    modulus = np.abs(z).astype(float)
    q = _newton(spectrum, modulus, _below_root(spectrum, modulus), NEWTON_STEPS)
    if np.iscomplexobj(z):
        return _turned(spectrum, z, modulus, q)
    return q, _certified(spectrum, z, q)


def at_zero(spectrum: Spectrum) -> Resolvent:
    """The limit z -> 0 from above for n other than the rank, z (1,): where n is above it, all is learned.

    Of B questions, z (B, 1), n must be below the rank in all of them or in none.
    """
    shape = (len(spectrum.strengths), 1) if spectrum.many else (1,)
    if np.all(spectrum.beyond < 0):
        return resolvent(spectrum, np.zeros(shape))
    kept = (spectrum.strengths == 0).astype(float)
    unlearned = kept @ spectrum.weights if spectrum.pool else 1.0
    return Resolvent(
        z=np.zeros(shape),
        h=kept[..., None, :],
        learned=1 - kept[..., None, :],
        qz=np.reshape(spectrum.beyond / unlearned, shape),
        unlearned=np.full(shape, unlearned),
        converged=np.ones(shape, dtype=bool),
    )


def _turned(
    spectrum: _Columns, z: np.ndarray, modulus: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """q at z from q at |z|, and where it is certified: in few steps, then from q at 0, then in more steps."""
    angle = np.angle(z)
    q, certified = start.astype(complex), np.zeros(z.shape, dtype=bool)

    for steps in (*FEW_STEPS, 0, *MANY_STEPS):
        rest = np.flatnonzero(~certified)
        if not rest.size:
            break
        with np.errstate(all="ignore"):  # too few steps may lose a root altogether, and it is not certified
            own = spectrum.some(rest)
            if steps:
                q[rest] = _along_arc(own, z[rest], modulus[rest], angle[rest], start[rest], steps)
            elif np.any(own.beyond < 0):
                q[rest] = _from_zero(own, z[rest])
            certified[rest] = _certified(own, z[rest], q[rest])
    return q, certified


def _terms(spectrum: _Columns, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """h (K, N), and of the equation mu q v h, or less mu where that is most of it, (K, N), and the right
    side, less the same, (N,); q is (N,)."""
    qv = spectrum.strengths * q  # scales first: long rows, quick sums
    h = 1 / (1 + qv)
    saturated = np.abs(qv.real) + np.abs(qv.imag) > 1
    each = spectrum.weights * np.where(saturated, -h, qv * h)
    return h, each, spectrum.unsaturated(np.count_nonzero(saturated, axis=0))


def _sums(spectrum: _Columns, z: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Left minus right of the equation, and its derivative in q; q is (N,)."""
    if spectrum.moments is not None:
        return _sums_of_many(spectrum, spectrum.moments, z, q)
    h, each, right = _terms(spectrum, q)
    slope = spectrum.mean(spectrum.strengths * (h * h))  # of sum mu q v h
    if not spectrum.pool:
        return q * z + each.sum(axis=0) - right, slope + z
    unlearned = spectrum.mean(h)
    return q * z * unlearned + each.sum(axis=0) - right, slope * (1 - q * z) + z * unlearned


def _sums_of_many(
    spectrum: _Columns, moments: np.ndarray, z: np.ndarray, q: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`_sums` at a tenth of the cost where there are many scales: with h = (1 + v q*)/|1 + q v|^2 they are
    products of real matrices. Where 1 + q v is small digits are lost: roots are certified term by term."""
    v, mate = spectrum.strengths, np.conj(q)
    weight = (1 + v * q.real) ** 2 + (v * q.imag) ** 2
    np.reciprocal(weight, out=weight)
    saturated = v * (np.abs(q.real) + np.abs(q.imag)) > 1
    large = weight * saturated
    (once, linear), (first, second) = moments[:2] @ large, moments[1:3] @ (weight - large)
    missed, weighed = moments[:2] @ weight
    weight *= weight
    square, cube, fourth = moments[1:] @ weight
    excess = q * (first + mate * second) - (once + mate * linear)
    excess = excess - spectrum.unsaturated(np.count_nonzero(saturated, axis=0))
    slope = square + mate * (2 * cube + mate * fourth)
    if not spectrum.pool:
        return q * z + excess, slope + z
    lost = z * (missed + mate * weighed)
    return q * lost + excess, slope * (1 - q * z) + lost


def _below_root(spectrum: _Columns, z: np.ndarray) -> np.ndarray:
    """A lower bound of q on the positive axis: the equation increases and is concave, so that Newton's
    method cannot overshoot from there.

    min(1, q v) >= q v/(1 + q v): with any number of the strongest scales counted as saturated
    and the others as linear, the equation is solved by a lower bound of q. Of q sum mu h, which
    stands beside z in a pool, a saturated scale is mu/v.
    """
    some = len(spectrum.strengths)
    if spectrum.strengths.shape[1] == 1:
        some = int(np.count_nonzero(spectrum.strengths))
    order = np.argsort(-spectrum.strengths, axis=0)[:some]
    mu, v = (np.take_along_axis(each, order, axis=0) for each in (spectrum.weights, spectrum.strengths))
    none = np.zeros((1, v.shape[1]))
    linear = np.concatenate([np.cumsum((mu * v)[::-1], axis=0)[::-1], none])
    left, beside = spectrum.left[: some + 1], z
    if spectrum.pool:
        saturated = np.concatenate([none, np.cumsum(mu / v, axis=0)])
        left, beside = left - beside * saturated, beside * (left + 1 - spectrum.alpha)
    steepness = beside + linear
    bounds = np.zeros(steepness.shape)
    np.divide(np.maximum(left, 0.0), steepness, out=bounds, where=steepness > 0)
    return np.asarray(bounds.max(axis=0))


def _along_arc(
    spectrum: _Columns, z: np.ndarray, modulus: np.ndarray, angle: np.ndarray, q: np.ndarray, steps: int
) -> np.ndarray:
    """Continue q from |z| to z: in each step a predictor in log q, then Newton."""
    for turned in np.arange(steps):
        here = modulus * np.exp(1j * angle * (turned / steps))
        _, slope = _sums(spectrum, here, q)
        q = q * np.exp(-1j * (angle / steps) * here / slope)  # d log q/d angle
        q = _newton(spectrum, modulus * np.exp(1j * angle * ((turned + 1) / steps)), q, 1)
    return _newton(spectrum, z, q, 8)


def _from_zero(spectrum: _Columns, z: np.ndarray) -> np.ndarray:
    """Continue q from 0 to z, straight, where n is below the rank: q at 0 is finite there.

    Beside a lower edge far below all strengths an arc passes roots that all but meet; this way does not.
    """
    origin = np.zeros(spectrum.alpha.size)
    q = _newton(spectrum, origin, _below_root(spectrum, origin), NEWTON_STEPS) + 0j * z
    for gone in np.linspace(0, 1, LINE_STEPS + 1)[1:]:
        q = _newton(spectrum, gone * z, q, 8)
    return q


def _newton(spectrum: _Columns, z: np.ndarray, q: np.ndarray, steps: int) -> np.ndarray:
    """At most so many steps; convergence is quadratic: after one of 1e-9 or less q is exact to rounding."""
    for _ in range(steps):
        excess, slope = _sums(spectrum, z, q)
        step = excess / slope
        q = q - step
        if np.all(np.abs(step) <= 1e-9 * np.abs(q)):
            break
    return q


def _certified(spectrum: _Columns, z: np.ndarray, q: np.ndarray) -> np.ndarray:
    h, each, right = _terms(spectrum, q)
    lost = q * z * spectrum.mean(h) if spectrum.pool else q * z
    size = np.abs(lost) + np.abs(each).sum(axis=0) + np.abs(right)
    residual = np.abs(lost + each.sum(axis=0) - right) <= ROUNDING * size
    if not np.iscomplexobj(z):
        return residual & (q > 0)
    susceptibility = spectrum.alpha / (q * z)  # 1 + chi
    flux = spectrum.mean(spectrum.strengths * h)  # z chi
    branch = (susceptibility.imag * z.imag <= ROUNDING * np.abs(susceptibility * z)) & (
        flux.imag * z.imag >= -ROUNDING * np.abs(flux * z)
    )
    return residual & branch
