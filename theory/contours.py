r"""Functions of a matrix through its resolvent: contours around the spectrum.

For A = C + ridge with spectrum on the positive axis,

    p(A) = (1/2 pi i) \oint p(v) (A + v)^-1 dv,   p(v) = e^{s v}  or  (1 + eta v)^k,

gives e^{-sA} (gradient flow) or (1 - eta A)^k (gradient descent). All contours are symmetric about
the real axis: only the upper half is kept, and a sum means twice its real part.

They lie close around the spectrum, so that p is nowhere on them much larger than on the spectrum, and
p(A) keeps its digits however small it has become. Poles of the integrand at other v, such as v = 0 for
(1 - p(A))/A, may then lie outside or between the points. The sum takes in a known part of each, and
`Contour.outside` is the rest: exactly for a circle (a sum over roots of unity), and for the midpoint
rule with N points in an angle theta by its filter 1/(1 + e^{i N theta}), up to its own truncation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

# Weideman's modified Talbot contour (Weideman 2006, SIAM J. Numer. Anal. 44, 2342), u = N * shape.
_SCALE, _PINCH, _SHIFT, _SLOPE = 0.5017, 0.6407, -0.6122, 0.2645
NODES = 24
"""Truncation e^{-1.2 N} has met rounding, which grows like e^{0.17 N}: fewer or more are worse."""

_DEEPEST = -1.2
"""Im theta up to which a pole lies inside for certain, where the filter is as small as the truncation."""

FEW_STEPS = 24
"""Up to here (1 + eta v)^k is integrated on a circle, beyond it on Talbot contours."""

NARROW = 1e-2
"""Least radius about the eigenvalues of 1 - eta A, which may all be 0."""

GONE = 330.0
"""Where p is below e^-GONE on all of the spectrum it counts as 0: its square is below all numbers."""

NOTHING = 60.0
"""e^-NOTHING beside 1 is nothing."""


@dataclass(frozen=True)
class Contour:
    """Upper-half nodes v, (T or 1, J), and weights, (T, J): p(A) = 2 Re sum_j weight_j (A+v_j)^-1.

    outside: of a real v, to the right of the spectrum, p(v) times the share of a pole at v that such
    sums leave out, (T,). identity: a multiple of the identity that p(A) has as well, (T,).
    """

    nodes: np.ndarray
    weights: np.ndarray
    outside: Callable[[Any], np.ndarray]
    identity: np.ndarray | None = None


def _talbot(nodes: int = NODES) -> tuple[np.ndarray, np.ndarray]:
    """Shape u/N and du/d theta/N at the upper half of N midpoints, (J,) each."""
    theta = np.pi * np.arange(1, nodes, 2) / nodes
    cot = 1 / np.tan(_PINCH * theta)
    shape = _SHIFT + _SCALE * theta * cot + 1j * _SLOPE * theta
    slope = _SCALE * (cot - _PINCH * theta * (1 + cot**2)) + 1j * _SLOPE
    return nodes * shape, nodes * slope


def _filter(u: np.ndarray, nodes: int = NODES) -> np.ndarray:
    """The share of a pole at u >= 0 that the midpoint rule on the Talbot contour leaves out.

    theta = -iy solves u = N (shift + scale y coth(pinch y) + slope y), convex in y: Newton from above.
    """
    y = (u / nodes - _SHIFT) / (_SCALE + _SLOPE)
    for _ in range(8):
        x = _PINCH * np.where(y == 0, 1e-9, y)
        coth = 1 / np.tanh(x)
        excess = _SHIFT + _SCALE / _PINCH * x * coth + _SLOPE * y - u / nodes
        slope = _SCALE * (coth - x * (coth**2 - 1)) + _SLOPE
        y = np.maximum(y - excess / slope, _DEEPEST)
    return np.where(y > _DEEPEST, 1 / (1 + np.exp(-nodes * y)), 0.0)


def flow(times: np.ndarray, slowest: np.ndarray | float = 0.0, nodes: int = NODES) -> Contour:
    """Contour for e^{-sA} at times s > 0, (T,), and A of eigenvalues not below `slowest`, or only poles.

    Fewer nodes than are given of themselves leave a truncation of e^{-1.2 nodes}. slowest: one, or one for
    each time, (T,), of a separate matrix; `outside` then takes a pole of each.
    """
    u, slope = _talbot(nodes)
    slowest = np.asarray(slowest, dtype=float)
    last = np.divide(GONE, slowest, out=np.full(slowest.shape, np.inf), where=slowest > 0)
    late, s = times > last, np.minimum(times, last)
    left = np.where(late, 0.0, np.exp(-s * slowest))
    weights = left[:, None] * np.exp(u) * slope / (1j * nodes * s[:, None])

    def outside(v: np.ndarray | float) -> np.ndarray:
        with np.errstate(over="ignore"):  # where v < 0, and then nothing is left
            kept = np.exp(times * v)
        return kept * np.where(late, 1.0, _filter(s * (v + slowest), nodes))

    return Contour(u / s[:, None] - slowest[..., None], weights, outside)


def descent(
    steps: np.ndarray,
    learning_rate: np.ndarray | float,
    smallest: np.ndarray | float,
    gap: np.ndarray | float = 0.0,
) -> list[tuple[np.ndarray, Contour]]:
    """Contours for (1 - eta A)^k at whole k >= 1, (T,): a circle for each octave of few, Talbot's for more.

    `smallest` is the smallest eigenvalue of 1 - eta A, above -1, and 1 - `gap` the largest but for poles.
    Returns (indices into steps, contour) pairs that together cover all steps. On zeta = 1 + eta v, many
    steps need only the neighbourhood of zeta = 1 - gap, and that of `smallest` when it is negative.
    learning_rate, smallest and gap: one of each, or one for each step, (T,), of a separate matrix.
    """
    gap = np.minimum(gap, 1 - NARROW)  # a spectrum that is one point needs a circle too
    of = np.stack(np.broadcast_arrays(learning_rate, smallest, gap))

    def own(some: np.ndarray) -> np.ndarray:
        return np.asarray(of[:, some]) if of.ndim > 1 else of

    few = steps <= FEW_STEPS
    octave = np.where(few, np.floor(np.log2(steps)), -1)
    alike = [np.flatnonzero(octave == each) for each in np.unique(octave[few])]
    contours = [(some, _circle(steps[some], *own(some))) for some in alike]
    if not np.all(few):
        contours.append((np.flatnonzero(~few), _open(steps[~few], *own(~few))))
    return contours


def _open(steps: np.ndarray, learning_rate: np.ndarray, smallest: np.ndarray, gap: np.ndarray) -> Contour:
    """A Talbot contour around the eigenvalues > 0 of 1 - eta A, and one around those < 0, if any.

    Neither has to lie closer than at half of the other's distance, where it adds nothing.
    """
    gap = np.minimum(gap, 1 + smallest / 2)
    mirror = np.maximum(-smallest, (1 - gap) / 2)
    largest = np.where(smallest < 0, np.maximum(np.log1p(-gap), np.log(mirror)), np.log1p(-gap))
    k, late = _clipped(steps, np.log1p(-gap), largest)
    u, turned, common = _spiral(k, learning_rate)
    nodes = ((1 - gap)[..., None] * np.expm1(u / k[:, None]) - gap[..., None]) / learning_rate[..., None]
    weights = np.where(late, 0.0, (1 - gap) * np.exp(k * np.log1p(-gap)))[:, None] * common
    if np.any(smallest < 0):  # the mirror image zeta -> -zeta carries (-1)^k and its own sign
        kept, gone = _clipped(steps, np.log(mirror), largest)
        _, turned, common = _spiral(kept, learning_rate)
        mirrored = (-mirror[..., None] * turned - 1) / learning_rate[..., None]
        mirrored = np.conj(mirrored)  # back to the upper half
        sign = np.where(steps % 2 == 0, 1.0, -1.0)
        other = np.where(gone, 0.0, -sign * mirror * np.exp(kept * np.log(mirror)))[:, None] * common
        nodes = np.concatenate([nodes, mirrored], axis=1)
        weights = np.concatenate([weights, np.conj(other)], axis=1)

    def outside(v: np.ndarray | float) -> np.ndarray:
        some = 1 + learning_rate * v > 0
        log = np.log1p(np.where(some, learning_rate * v, 0.0))
        share = _filter(np.maximum(k * (log - np.log1p(-gap)), 0.0))
        return np.where(some, np.exp(steps * log) * np.where(late, 1.0, share), 0.0)

    return Contour(nodes, weights, outside)


def _clipped(steps: np.ndarray, log_radius: np.ndarray, largest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Steps up to where radius^k is gone, or is nothing beside e^{k largest}, and which ones are later."""
    last = GONE / np.maximum(-log_radius, 1e-300)
    last = np.minimum(last, NOTHING / np.maximum(largest - log_radius, 1e-300))
    return np.minimum(steps, np.maximum(last, FEW_STEPS)), steps > np.maximum(last, FEW_STEPS)


def _spiral(k: np.ndarray, learning_rate: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """u (J,), e^{u/k} and the part of the weights that knows no radius, (T, J) each."""
    u, slope = _talbot()
    turned = np.exp(u / k[:, None])
    return u, turned, np.exp(u) * turned * slope / (1j * NODES * k[:, None] * learning_rate[..., None])


def _circle(steps: np.ndarray, learning_rate: np.ndarray, smallest: np.ndarray, gap: np.ndarray) -> Contour:
    """Trapezoidal rule on |zeta| = radius e^{5/k}, k the most steps: exact up to (|eigenvalue|/that)^points.

    As many points as 1 - smallest asks for, the largest of eta A: as little as that is learned in a step.
    """
    radius = np.maximum(-smallest, 1 - gap)
    log_radius = 5.0 / steps.max()
    digits = 37 - np.log(np.clip(np.min(1 - smallest), 1e-16, 1.0))  # e^-37: below rounding
    points = 2 * int(np.ceil(digits / log_radius / 2))
    away = np.atleast_1d(np.log(radius) + log_radius)
    zeta = np.exp(away[:, None] + 1j * np.pi * np.arange(1, points, 2) / points)
    late = -steps * np.log(radius) > GONE
    each = np.atleast_1d(learning_rate)[:, None]
    weights = np.where(late[:, None], 0.0, zeta ** (steps[:, None] + 1) / (points * each))

    def outside(v: np.ndarray | float) -> np.ndarray:
        at = 1 + learning_rate * v
        with np.errstate(divide="ignore"):
            near = np.exp(np.minimum(points * (away - np.log(np.abs(at))), 700.0))
        taken = np.where(at == 0, 0.0, near)
        return np.asarray(at**steps / (1 + np.where(late, 0.0, taken)))

    return Contour((zeta - 1) / each, weights, outside)


# Recursions of two steps ------------------------------------------------------------------------

WIDE, WITHIN = 5.0, 32.0
"""log |zeta|^k on the circle of a recursion, and minus that of the truncation of a sum over it."""

OTHERS_GONE = 28.0
"""Where all roots but those near 1 have fallen to e^-28, those near 1 are enclosed alone."""

MOST_POINTS = 1800
"""Of the upper half of a circle: sums over two variables hold the square of that."""


def longest(last: float, step: Callable[[Any], tuple[Any, Any]]) -> int:
    """At most how many points the upper half of a circle of `two_step` has for steps up to `last`."""
    others = np.sqrt(np.clip(-step(0.0)[1], 1e-300, 1 - 1e-16))
    k = min(last, max(FEW_STEPS, -OTHERS_GONE / np.log(others)))
    return int(min(MOST_POINTS, np.ceil(k * (WITHIN + 8) / WIDE / 2)))  # high > e^-8


def two_step(
    steps: np.ndarray, learning_rate: float, step: Callable[[Any], tuple[Any, Any]], low: float, high: float
) -> list[tuple[np.ndarray, Contour | None]]:
    r"""Contours for p_k(A) of p' = a p + b p_previous at k >= 1, (T,); None where they need too much.

    a = a_0 + a_1 x and b are linear in x = eta A, whose spectrum is in [low, high], with a + b = 1 - x,
    and p = p_previous = 1 at first. The generating function is

        sum_k p_k zeta^(-k-1) = (zeta + b)/(zeta^2 - a zeta - b) = (zeta + b(x))/(eta D (A + v)) + b_1/D,

    x = -eta v, v = (zeta^2 - a_0 zeta - b_0)/(eta D), D = -(a_1 zeta + b_1): contours are over zeta. A circle
    of radius > 1 encloses all roots. Late, only those near 1 are left, and the contour of Talbot around them.
    """
    (a0, b0), (a, b) = step(0.0), step(1.0)
    a1, b1 = a - a0, b - b0
    moving = steps > 0
    radius = np.sqrt(max(-step(low)[1], -step(high)[1], 0.0))  # of complex roots
    others = max(radius, _gaps(high, step)[1] - 1, 1e-300)
    alone = moving & (steps > FEW_STEPS) & (-steps * np.log(min(others, 1 - 1e-16)) > OTHERS_GONE)
    octave = np.where(moving & ~alone, np.floor(np.log2(np.maximum(steps, 1))), -1)
    groups = [np.flatnonzero(octave == each) for each in np.unique(octave[octave >= 0])]

    def through(away: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """v at zeta = 1 + away, and what makes of weights zeta^k dzeta/(2 pi i) those of p."""
        scale = -learning_rate * (a1 + b1 + a1 * away)
        v = away * (1 + b0 + away) / scale  # a_0 + b_0 = 1
        return v, weights * (1 + b0 + away - b1 * learning_rate * v) / scale

    found: list[tuple[np.ndarray, Contour | None]] = []
    for some in groups:
        k, log_radius = steps[some][:, None], WIDE / steps[some].max()
        points = 2 * int(np.ceil((WITHIN - np.log(min(high, 1.0))) / log_radius / 2))
        if points > 2 * MOST_POINTS:
            found.append((some, None))
            continue
        log = log_radius + 1j * np.pi * np.arange(1, points, 2) / points
        v, weights = through(np.expm1(log), np.exp((k + 1) * log) / points)
        first = -b1 / a1 if a1 else 0.0
        identity = -b1 / a1 * first ** steps[some] if a1 and b1 else None
        nothing = np.zeros(some.size)  # encloses all poles
        found.append((some, Contour(v[None], weights, partial(_same, nothing), identity)))
    if alone.any():
        some = np.flatnonzero(alone)
        gap = min(_gaps(low, step)[0], 1 - others)
        log_slowest = np.log1p(-gap)
        k, late = _clipped(steps[some], log_slowest, log_slowest)
        u, slope = _talbot()
        turned = u / k[:, None]
        left = np.where(late, 0.0, np.exp(k * log_slowest))[:, None]
        bare = left * np.exp(u + turned) * (1 - gap) * slope / (1j * NODES * k[:, None])
        v, weights = through((1 - gap) * np.expm1(turned) - gap, bare)

        def outside(v: float) -> np.ndarray:
            x = -learning_rate * v
            near, far = _gaps(x, step)
            if near == far:  # complex, and gone
                return np.zeros(some.size)
            log = np.log1p(-near)
            share = _filter(np.maximum(k * (log - log_slowest), 0.0))
            part = (1 + step(x)[1] - near) / (far - near)
            return part * np.exp(steps[some] * log) * np.where(late, 1.0, share)

        found.append((some, Contour(v, weights, outside)))
    return found


def _same(values: np.ndarray, _: float) -> np.ndarray:
    return values


def _gaps(x: float, step: Callable[[Any], tuple[Any, Any]]) -> tuple[float, float]:
    """1 less the larger and the smaller root of r^2 = a r + b, (a, b) = step(x); their real part if complex.

    They are the roots of t^2 - (2 - a) t + x, so that none is a difference of close numbers.
    """
    both = 2 - step(x)[0]
    apart = np.sqrt(max(both**2 - 4 * x, 0.0))
    far = float(both + apart) / 2
    return float(x / far) if apart else far, far
