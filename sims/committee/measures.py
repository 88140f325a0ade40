"""What is measured of a student: overlaps of its weights, and its risk as an average over two fields each.

Inputs are normal, and so are the fields of given weights: the risk, 1/2 E(phi - phi*)^2, is a sum of
E g(a) g(b) over pairs of units, for normal a and b of the variances and covariance that the weights have.
With the coefficients c_k(s) = E g(s z) h_k(z) of normalised Hermite polynomials, of one normal number z, and
the correlation rho, E g(a) g(b) = sum_k c_k(sqrt(E a^2)) c_k(sqrt(E b^2)) rho^k (Mehler). What K terms leave
out is at most |rho|^K times the root of both E g^2 - sum_{k < K} c_k^2 (Cauchy and Schwarz).

Where that is too much, because g has a kink or the fields are large, the mean is taken numerically in polar
coordinates of the plane in which a = sqrt(E a^2) r cos(theta) and b = sqrt(E b^2) r cos(theta - angle), on
the arcs between the lines a = 0 and b = 0, where g may have a kink.
"""

from __future__ import annotations

from functools import lru_cache, partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.certainty import not_negative
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.committee import Committee
from teacherstudent.sims.committee.units import Function, functions
from teacherstudent.sims.compilation import compiled

ORDERS, NEGLIGIBLE = 96, 1e-10
"""Terms of the sum over k, and the share of the root of both E g^2 that they may leave out."""

SPACING, NODES = 0.15, 80
"""Between the points at which c_k is summed, and these on either side of 0: up to 12 standard deviations."""

SHIFT = (3 - np.sqrt(5)) / 2
"""Of a second set of points, in spacings: where g changes too fast for them, both sets differ."""

RADII, ANGLES, FARTHEST = 32, 24, 9.0
"""Points of Gauss's rule along the radius and along an arc; a radius beyond which exp(-r^2/2) is nothing.

Means of products of erf are then right to 1e-8 where fields are at most 5 in size, and to 1e-4 at 30.
"""

KINKED, SMOOTH, PROBE = 4, 1e-8, (1.0, 1.0, 0.9)
"""Times as many points for a user's function of which these means are off by more: with kinks away from 0
they are then right to 1e-5. The fields by which that is seen: their sizes and covariance."""

ROUNDED = 1e-4
"""Share of its parts by which these rules may leave a risk below 0 at the teacher."""

TOGETHER = 128
"""Pairs of units whose means are taken at once: 200,000 numbers."""

PIECE = 2**13
"""Pairs of units that are taken at once, with at most two sizes each: 12 MB of coefficients."""


def observed(
    problem: Committee, R: np.ndarray, Q: np.ndarray, second_layer: np.ndarray, T: np.ndarray
) -> dict[str, np.ndarray]:
    """The problem's observables: of R (..., K, M), Q (..., K, K), v (..., K) and T (M, M), or one for each.

    Where the two outputs are equal but for rounding the risk is 0, or some 1e-16 of their mean squares.
    """
    leading, units = R.shape[:-2], sum(R.shape[-2:])
    T = np.broadcast_to(T, leading + T.shape[-2:])
    overlaps = np.block([[Q, R], [R.swapaxes(-1, -2), T]])
    others = np.broadcast_to(np.negative(problem.teacher_second_layer), leading + R.shape[-1:])
    signed = np.concatenate([second_layer, others], axis=-1)
    one, other = np.triu_indices(units)
    with np.errstate(over="ignore", invalid="ignore"):  # of weights that diverge
        sizes = np.sqrt(np.diagonal(overlaps, axis1=-2, axis2=-1))
        pairs = [sizes[..., one], sizes[..., other], overlaps[..., one, other]]
        shares = signed[..., one] * signed[..., other] * np.where(one == other, 0.5, 1.0)
        each = shares * _means(problem.activation, pairs)
        risk = not_negative(np.sum(each, axis=-1), ROUNDED * np.sum(np.abs(each), axis=-1))
    return {
        "R": R,
        "Q": Q,
        "second_layer": second_layer,
        "excess_risk": risk,
        "generalisation_error": 2 * risk + problem.noise**2,
    }


def _means(activation: str | UserFunction, pairs: list[np.ndarray]) -> np.ndarray:
    """E g(a) g(b) of pairs of fields, (..., P): the size of each field, and their covariance."""
    flat = np.stack([each.ravel() for each in pairs])
    found = [_of_piece(activation, flat[:, at : at + PIECE]) for at in range(0, flat.shape[1], PIECE)]
    return np.concatenate(found).reshape(pairs[0].shape)


def _of_piece(activation: str | UserFunction, pairs: np.ndarray) -> np.ndarray:
    """The means of pairs (3, P), by the sum where that is certain, else by the integral."""
    found, bound = _sums(activation, pairs)
    left = ~(bound <= NEGLIGIBLE)  # also where they are not numbers
    if left.any():
        rows = tuple(_in_rows(each) for each in pairs[:, left])
        means = _means_of_products(activation, rows, _finer(activation))
        found[left] = np.asarray(means).ravel()[: np.count_nonzero(left)]
    return found


def _in_rows(values: np.ndarray) -> np.ndarray:
    """Values (N,) in rows of `TOGETHER`, and zeros, for programs of few shapes: a power of 2 of rows."""
    count = 1 << int(np.ceil(np.log2(-(-values.size // TOGETHER))))
    return np.pad(values, (0, count * TOGETHER - values.size)).reshape(count, TOGETHER)


def _sums(activation: str | UserFunction, pairs: np.ndarray) -> np.ndarray:
    """Sums of the first terms for pairs (3, P), and a bound on the rest relative to both E g^2: (2, P)."""
    first, second, covariance = pairs
    sizes, places = np.unique(pairs[:2], return_inverse=True)
    coefficients, squares, missing = map(np.asarray, _projections(activation, _in_rows(sizes)))
    one, other = places.reshape(2, -1)
    product = first * second
    safe = np.where(product > 0, product, 1.0)
    correlation = np.where(product > 0, np.clip(covariance / safe, -1, 1), 0.0)
    total = np.zeros(product.size)
    for each in coefficients[::-1]:
        total = total * correlation + each[one] * each[other]
    bound = np.sqrt(missing / np.where(squares > 0, squares, 1.0))
    return np.stack([total, np.abs(correlation) ** ORDERS * bound[one] * bound[other]])


@partial(compiled, static_argnames="activation")
def _projections(activation: str | UserFunction, sizes: jax.Array) -> tuple[jax.Array, ...]:
    """c_k, (K, N), E g^2 and what of it these leave out, (N,) each, of fields of these sizes, in rows."""
    g, _ = functions(activation)

    def projected(few: jax.Array, shift: float) -> tuple[jax.Array, jax.Array]:
        x = SPACING * (np.arange(-NODES, NODES + 1) + shift)
        polynomials = [np.ones(x.size), x]
        for k in range(1, ORDERS - 1):
            polynomials.append((x * polynomials[k] - np.sqrt(k) * polynomials[k - 1]) / np.sqrt(k + 1))
        masses, values = SPACING * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), g(few[:, None] * x)
        return values @ (np.array(polynomials) * masses).T, values**2 @ masses

    def of_row(few: jax.Array) -> tuple[jax.Array, ...]:
        (found, squares), (other, _) = projected(few, 0.0), projected(few, SHIFT)
        return found, squares, jnp.abs(squares - jnp.sum(found * other, axis=1))

    coefficients, squares, missing = jax.lax.map(of_row, sizes)
    return coefficients.reshape(-1, ORDERS).T, squares.ravel(), missing.ravel()


@lru_cache(maxsize=32)
def _finer(activation: str | UserFunction) -> int:
    """How many times as many points a function needs: more if it has kinks away from 0."""
    if isinstance(activation, str):
        return 1
    few, many = (mean_of_product(functions(activation)[0], *PROBE, finer) for finer in (1, KINKED))
    return 1 if abs(few - many) <= SMOOTH * abs(many) else KINKED


@partial(compiled, static_argnames=("activation", "finer"))
def _means_of_products(
    activation: str | UserFunction, pairs: tuple[jax.Array, jax.Array, jax.Array], finer: int
) -> jax.Array:
    g, _ = functions(activation)
    mean = partial(mean_of_product, g, finer=finer)
    found: jax.Array = jax.lax.map(lambda some: jax.vmap(mean)(*some), pairs)
    return found


def mean_of_product(
    g: Function, first: jax.Array, second: jax.Array, covariance: jax.Array, finer: int = 1
) -> jax.Array:
    """E g(a) g(b) of two normal fields of these standard deviations and this covariance."""
    nodes, weights = np.polynomial.legendre.leggauss(RADII * finer)
    radii, along = FARTHEST * (nodes + 1) / 2, FARTHEST * weights / 2
    masses = along * radii * np.exp(-(radii**2) / 2)
    nodes, weights = np.polynomial.legendre.leggauss(ANGLES * finer)
    product = first * second
    cosine = jnp.where(product > 0, covariance / jnp.where(product > 0, product, 1.0), 0.0)
    angle = jnp.arccos(jnp.clip(cosine, -1, 1))
    total = jnp.zeros(())
    for begin, width in ((angle - np.pi / 2, np.pi - angle), (np.pi / 2, angle)):  # a > 0 < b, and a < 0 < b
        theta = begin + width * (nodes + 1) / 2
        a = first * radii[:, None] * jnp.cos(theta)
        b = second * radii[:, None] * jnp.cos(theta - angle)
        both = g(a) * g(b) + g(-a) * g(-b)  # the opposite arc too
        total = total + masses @ both @ weights * width / (4 * np.pi)
    return total
