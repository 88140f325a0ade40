r"""Inputs of two strengths: products of steps by the transfer operator of one angle.

A direction u counts by q, the share of |u|^2 in the first block of inputs. With the variances l_i and the m_i
inputs of block i, k_i = (eta/b) tau sqrt(l_i), tau^2 = l_1 q + l_2 (1 - q), w_i^2 = l_i q_i/tau^2, a step has

    P_1 = (sqrt q - k_1 (X w_1 + r w_2 Z))^2 + k_1^2 X Y_1,
    P_2 = (sqrt(1-q) - k_2 (X w_2 - r w_1 Z))^2 + k_2^2 X Y_2,    X = r^2,

of |M u|^2 = V = P_1 + P_2, where X ~ chi2_b, Y_i ~ chi2_{m_i - 1}, Z is normal, and q' = P_1/V. h(s) is the
largest eigenvalue of f -> E V^{s/2} f(q'), on polynomials f of degree N. Their Bernstein basis makes that

    E P_1^i P_2^(N-i) V^(s/2-N) = 1/Gamma(N - s/2) int d(beta) beta^(N-s/2-1) E P_1^i P_2^(N-i) e^(-beta V),

a Gaussian mean given X: nothing cancels, and no order s < 2N is singular. At even s <= 2N it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
from scipy import special

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.theory.heavy_tails import answers, chi, growth, tails

DEGREE = 10
"""N."""

HIGHEST = 2.0 * DEGREE - 8
"""Orders up to here: beyond them small beta counts for ever more."""

STEP = 0.2
"""Of ln beta, in the trapezoidal rule: quadratures are exact to 1e-13 with it."""

FEWER = 2
"""Degrees that are left out in a second answer: where it differs, neither is told."""

SETTLED = 1e-6
"""Relative difference up to which the first is told: it may be off by ten times as much."""

ROUGHLY = 0.1
"""The same of rho, for the index to be told."""

TOGETHER = 8
"""Values of ln beta in a group; the range grows by groups until nothing is left outside."""

EXACT = 1e-10
"""Error of a quadrature beyond which nothing is told."""

GROUPS = 60
"""Groups of ln beta at most: more are needed by no step size that is not absurd."""

FIRST = 1e-7
"""Orders below which ln h is rho times the order: else rounding would be seen."""

LEFT = 1e-13
"""Share of the largest part below which no further group is taken."""


UNSEEN, PAIRS = 1e-17, 1024
"""Share of the largest part below which a value of X is left out, and pairs of beta and X taken together."""

SPLIT = 0.25
PEAK, MOST = np.exp(DEGREE * np.log(DEGREE / np.array([1, SPLIT])) - DEGREE - special.gammaln(DEGREE + 1))
"""Largest y^N e^(-y)/N! and y^N e^(-SPLIT y)/N! over y = beta V > 0. They bound what one X contributes: by
the first, and by the second times the mean of e^(-(1 - SPLIT) y), at most that of e^(-y) to the 1 - SPLIT."""

AT_Z, MASS = np.polynomial.hermite_e.hermegauss(DEGREE + 1)
MASS /= MASS.sum()
"""Nodes and weights of a normal variable, exact for the polynomials of degree 2N."""

Arrays = dict[str, np.ndarray]


def stationary(problem: HeavyTails, times: np.ndarray) -> Arrays:
    """rho and tail index over step sizes, (T,). Raises `InputError` for other than two blocks of inputs."""
    blocks = _blocks(problem)
    steps = [of(float(eta), problem.batch, blocks) for eta in times]
    rates = [each.lyapunov for each in steps]
    (rho, settled), (_, known) = _told(rates), _told(rates, ROUGHLY)
    indices = [partial(_index, each) for each in steps]
    alpha, sure = _told(indices)
    sure &= known  # else ln h may be 0 to rounding, where a weak direction waits
    found = nan_where(alpha == np.inf, f"tail index > {HIGHEST:g}", {"tail_index": alpha})
    found = nan_where(~sure & (rho < 0) & (alpha < np.inf), UNSETTLED, found)
    alpha = answers.tail_index(problem, times, rho, found["tail_index"])
    return nan_where(~settled, UNSETTLED, {"lyapunov": rho}) | {"tail_index": alpha}


def orders(problem: HeavyTails, times: np.ndarray, *, learning_rate: float) -> Arrays:
    """ln h over orders s, (T,), NaN with a reason above `HIGHEST`. Raises `InputError` like `stationary`."""
    steps = of(learning_rate, problem.batch, _blocks(problem))
    served = times <= HIGHEST
    logs, settled = _told([partial(steps.log_moment, float(order)) for order in np.minimum(times, HIGHEST)])
    found = {"log_growth": np.where(times == 0, 0.0, logs)}
    found = nan_where(~served, f"orders above {HIGHEST:g} are not computed on this route", found)
    return nan_where(served & ~settled & (times > 0), UNSETTLED, found)


UNSETTLED = f"polynomials of degree {DEGREE} do not resolve the distribution of directions"


def _told(asked: Sequence[Callable[[int], float]], within: float = SETTLED) -> tuple[np.ndarray, np.ndarray]:
    """Answers by polynomials of degree N, and where those of a lower degree agree."""
    found = np.array([[answer(degree) for degree in (DEGREE, DEGREE - FEWER)] for answer in asked])
    with np.errstate(invalid="ignore"):
        same = np.abs(found[:, 0] - found[:, 1]) <= within * np.abs(found[:, 0])
    return found[:, 0], same


def _index(steps: Transfer, degree: int) -> float:
    rho = steps.lyapunov(degree)
    if not rho < 0:
        return np.nan
    return tails.index(rho, lambda _: partial(steps.log_moment, degree=degree), [HIGHEST])


def _blocks(problem: HeavyTails) -> Blocks:
    """The inputs in two blocks; those of one strength as one input and the others."""
    answers.demand_new_examples(problem)
    if len(problem.counts) > 2 or min(problem.strengths) == 0:
        hint = "use --route simulation, or moments for the excess risk"
        raise answers.refused_strengths(problem, "one or two strengths above 0 on this route", hint)
    if problem.d == 1:
        raise InputError("d", 1, "at least 2 on this route", "use --route exact")
    if len(problem.counts) == 2:
        return Blocks(problem.strengths, problem.counts)
    return Blocks(problem.strengths * 2, (1, problem.d - 1))


@dataclass(frozen=True)
class Blocks:
    """Two blocks of inputs: their variances and how many each has."""

    strengths: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Transfer:
    """The parts of the operator at N + 1 shares q, (Q,): ln beta and N+1 functions of it, of each q."""

    shares: np.ndarray
    parts: tuple[tuple[np.ndarray, np.ndarray], ...]

    def operator(self, order: float, degree: int = DEGREE) -> np.ndarray:
        """E V^{s/2} f(q') from the Chebyshev coefficients of f to its own, (degree + 1, degree + 1)."""
        scale = special.gammaln(DEGREE + 1) - special.gammaln(DEGREE - order / 2)
        rows = [STEP * parts @ np.exp(scale - order / 2 * t) for t, parts in self.parts]
        values = np.linalg.solve(_basis(self.shares).T, np.array(rows).T).T
        chebyshev = np.polynomial.chebyshev.chebvander(2 * self.shares - 1, DEGREE)
        found: np.ndarray = np.linalg.solve(chebyshev, values @ chebyshev)
        return found[: degree + 1, : degree + 1]

    def log_moment(self, order: float, degree: int = DEGREE) -> float:
        """ln h(s), 0 <= s <= HIGHEST; NaN where quadratures failed."""
        if not self.sound:
            return np.nan
        if order < FIRST:
            return order * self.lyapunov(degree)
        return float(np.log(np.linalg.eigvals(self.operator(order, degree)).real.max()))

    def lyapunov(self, degree: int = DEGREE) -> float:
        """rho: the mean of E ln V/2 over the law of q in the end; NaN where quadratures failed."""
        if not self.sound:
            return np.nan
        values, vectors = np.linalg.eig(self.operator(0.0, degree).T)
        law = vectors[:, np.argmax(values.real)].real
        slopes = []
        for t, parts in self.parts:
            weights = STEP * DEGREE * parts.sum(axis=0)
            slopes.append((special.digamma(DEGREE) * weights.sum() - weights @ t) / 2)
        along = np.polynomial.chebyshev.chebfit(2 * self.shares - 1, slopes, DEGREE)[: degree + 1]
        return float(law @ along / law[0])

    @cached_property
    def sound(self) -> bool:
        """Whether V^0 has the mean 1, as quadratures go."""
        if not all(np.isfinite(parts).all() for _, parts in self.parts):
            return False
        ones = np.eye(DEGREE + 1)[0]
        return bool(np.max(np.abs(self.operator(0.0) @ ones - ones)) < EXACT)


def _basis(q: np.ndarray) -> np.ndarray:
    """Bernstein's polynomials, (Q, N+1)."""
    i = np.arange(DEGREE + 1)
    found: np.ndarray = special.binom(DEGREE, i) * q[:, None] ** i * (1 - q[:, None]) ** (DEGREE - i)
    return found


@lru_cache(maxsize=32)
def of(learning_rate: float, batch: int, blocks: Blocks) -> Transfer:
    """The operator of steps of eta on b examples."""
    q = (1 - np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))) / 2
    return Transfer(q, tuple(_parts(each, learning_rate, batch, blocks) for each in q))


def _parts(q: float, learning_rate: float, batch: int, blocks: Blocks) -> tuple[np.ndarray, np.ndarray]:
    """ln beta, (B,), and beta^N E P_1^i P_2^(N-i) e^(-beta V)/(i! (N-i)!), (N+1, B), at one q."""
    at = _given_beta(q, learning_rate, batch, blocks)
    lam, shares = np.array(blocks.strengths), np.array([q, 1 - q])
    tau2, mean = lam @ shares, lam @ np.array(blocks.counts)
    typical = 1 - 2 * learning_rate * tau2
    typical += learning_rate**2 / batch * ((batch + 1) * (lam**2 @ shares) + tau2 * mean)
    start = np.log(DEGREE / typical)
    found = []
    first = at(np.exp([start]), np.zeros(1)).sum()
    for side, order in ((1, 0.0), (-1, HIGHEST)):
        most = first
        for t in _groups(start, side):
            with np.errstate(all="ignore"):  # absurd step sizes: found out by `Transfer.sound`
                lift = np.exp(-order / 2 * (t - start))
                parts = at(np.exp(t), UNSEEN * most / lift)
            found.append((t, parts))
            sizes = parts.sum(axis=0) * lift
            most = max(most, sizes.max())
            if not sizes[-1] > LEFT * most:
                break
    t, parts = (np.concatenate(each, axis=-1) for each in zip(*found, strict=True))
    return t, parts


def _groups(start: float, side: int) -> Iterator[np.ndarray]:
    first = 0 if side > 0 else 1
    for _ in range(GROUPS):
        yield start + side * STEP * np.arange(first, first + TOGETHER)
        first += TOGETHER


def _given_beta(
    q: float, learning_rate: float, batch: int, blocks: Blocks
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """The parts at any beta, (B,), without what is below a size, (B,), at one X.

    They are sums over X, of Gaussian means over Z, Y_1 and Y_2.
    """
    strengths, shares = np.array(blocks.strengths), np.array([q, 1 - q])
    tau = np.sqrt(strengths @ shares)
    w = np.sqrt(strengths * shares) / tau
    k = learning_rate / batch * tau * np.sqrt(strengths)
    zero = batch / (learning_rate * tau**2)  # the X at which u.Mu = 0
    d = sum(blocks.counts)
    ends = [growth.reach(batch / (learning_rate * each), batch, d, HIGHEST) for each in strengths]
    low, high = min(each[0] for each in ends), max(each[1] for each in ends)
    apart, weights = chi.nodes(low, high, np.sqrt(zero))
    r = apart + np.sqrt(zero)
    logarithms = chi.log_density(batch, np.maximum(r, np.finfo(float).tiny))
    likely = weights * np.exp(logarithms - logarithms.max())
    likely /= likely.sum()
    X = r**2
    along = np.sqrt(shares)[:, None] - k[:, None] * w[:, None] * X
    turned = k[:, None] * w[::-1, None] * r * np.array([[-1.0], [1.0]])  # of Z
    # (A_1 g_2 + A_2 g_1) vanishes at zero: told from the distance to it
    crossed = r * (k[0] * w[1] * np.sqrt(shares[1]) + k[1] * w[0] * np.sqrt(shares[0])) * (1 - X / zero)
    others = np.array(blocks.counts) - 1
    spreading = 2 * (k**2)[:, None] * X
    room = np.empty((2, DEGREE + 1, DEGREE + 1, PAIRS))

    def at(beta: np.ndarray, least: np.ndarray) -> np.ndarray:
        b = beta[:, None]
        D = 1 + 2 * b * (turned**2).sum(axis=0)
        exponent = -(b * (along**2).sum(axis=0) + 2 * b**2 * crossed**2) / D - 0.5 * np.log(D)
        exponent -= 0.5 * np.tensordot(others, np.log1p(b * spreading[:, None]), 1)
        weighed, most = likely * np.exp(exponent), MOST * np.exp((1 - SPLIT) * exponent)
        places = np.nonzero(~(likely * np.minimum(PEAK, most) < least[:, None]))
        found = np.zeros((DEGREE + 1, beta.size))
        for first in range(0, places[0].size, PAIRS):
            row, x = (each[first : first + PAIRS] for each in places)
            joint = _joint(beta[row], along[:, x], turned[:, x], beta[row] * spreading[:, x], others, room)
            for i, each in enumerate(np.tensordot(MASS, joint, (0, 1)) * weighed[row, x]):
                found[i] += np.bincount(row, each, beta.size)
        return found

    return at


def _joint(
    beta: np.ndarray,
    along: np.ndarray,
    turned: np.ndarray,
    spread: np.ndarray,
    others: np.ndarray,
    room: np.ndarray,
) -> np.ndarray:
    """The parts at pairs of beta and X, given nodes of Z: (N+1, Z, P)."""
    D = 1 + 2 * beta * (turned**2).sum(axis=0)
    Z = (AT_Z[:, None] - 2 * beta * (along * turned).sum(axis=0) / np.sqrt(D)) / np.sqrt(D)
    one, two = room[..., : beta.size]
    for out, a, g, c, count in zip((one, two), along, turned, spread / (1 + spread), others, strict=True):
        _series(beta * (a + g * Z) ** 2, c, count, out)
    one *= two[::-1]
    return one


def _series(u: np.ndarray, c: np.ndarray, nu: int, out: np.ndarray) -> None:
    """Coefficients of x^0 .. x^N of e^(u x) (1 - c x)^(-nu/2) into `out`, (N+1, Z, P). u: (Z, P), c: (P,)."""
    out[0] = 1.0
    if nu == 0:
        for i in range(1, DEGREE + 1):
            np.multiply(out[i - 1], u / i, out=out[i])
        return
    np.add(u, nu * c / 2, out=out[1])
    uc, last = u * c, np.empty_like(u)
    for i in range(2, DEGREE + 1):
        np.add(u, c * (i - 1 + nu / 2), out=out[i])
        out[i] *= out[i - 1]
        np.multiply(uc, out[i - 2], out=last)
        out[i] -= last
        out[i] /= i
