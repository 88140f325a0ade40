r"""Batches redrawn from n rows at every step: their effect on gradient descent, in the limit.

The mean over batches descends. About it the weights have a covariance, in the eigenbasis of C = X^T X

    V_j' = p_j^2 V_j + kappa c_j (L + c_j (D_j + V_j)/n),    kappa = eta^2 n (n - b)/(b (n - 1)),

p_j = 1 - eta (c_j + ridge), L the mean square residual of the rows, D_j the square of descent's own error.
The eigenvectors of X X^T are rotated at random, as those of Gaussian rows are: the mean of n u_i^2 u_j^2 over
rows is 1/n, and 3/n for i = j. So the term added to L is Isserlis' term of one pass, which matters for a mode
with a share of the trace; the neglected terms fall like 1/n. L is that of descent plus sum_j c_j V_j/n, a
Volterra equation. Its transform, sum_t zeta^-(t+1) L(t) with zeta = 1 + v, is closed: with g = v + eta ridge
(2 - eta ridge), h = eta (1 - eta ridge), a = eta^2 + kappa/n, r = sqrt(h^2 + a g)

    1/(zeta - p^2 - kappa c^2/n) = (G(z_1) - G(z_2))/(2 r),   z_1 = g/(h + r),   z_2 = -(h + r)/a,

two resolvents of C. Descent's own residual has those of kappa = 0, and a third, at z_0 = ridge + v/eta, for
what a ridge keeps times p^t. D counts only for modes so strong that rows determine them, and there it is the
population's. Any number of steps is then a sum over few points of one contour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from teacherstudent.house.certainty import not_negative
from teacherstudent.theory import contours
from teacherstudent.theory.contours import Contour
from teacherstudent.theory.resolvents import Resolvent, at_zero, resolvent
from teacherstudent.theory.spectral import one_pass
from teacherstudent.theory.spectral.errors import own_share
from teacherstudent.theory.spectral.examples import Examples
from teacherstudent.theory.spectral.kernels import Alone, Modes
from teacherstudent.theory.spectral.one_pass import TRUNCATED
from teacherstudent.theory.spectral.parts import Parts
from teacherstudent.theory.spectral.tasks import Task

SOLVED = 400_000
"""Times, points and eigenvalues whose resolvents are solved for and held at once: some 100 MB."""

BELOW = 1 - 1e-12
"""As close as a resolvent is solved for to where the spectrum begins."""

GRID = 65
"""Points between which a slowest rate is looked for, twice."""


@dataclass(frozen=True)
class Fluctuations:
    """What batches add, and where roots are certified, (T,).

    modes: to bias, variance and start in each mode, on rows not trained on, (3, T, K); of a pool only sums of
    theirs are not negative. examples: to mean squares of residuals and outputs of the training rows, (T,).
    """

    modes: np.ndarray
    examples: np.ndarray
    converged: np.ndarray

    def on(self, descent: Parts) -> Parts:
        """The parts of the error, from those of descent."""
        bias, variance, start = self.modes
        return replace(
            descent,
            bias=descent.bias + bias,
            variance=descent.variance + variance,
            start=descent.start + start,
            signal=descent.signal + bias,
            converged=descent.converged & self.converged,
        )

    def on_examples(self, descent: Examples) -> Examples:
        """What training rows show, from what they show of descent."""
        return replace(
            descent, training=descent.training + self.examples, output=descent.output + self.examples
        )


@dataclass(frozen=True)
class Batches:
    """Steps of learning rate eta on `batch` of the task's n rows."""

    task: Task
    eta: float
    batch: int

    @cached_property
    def kappa(self) -> float:
        """Of the equation for V_j; 0 where a batch has all rows."""
        n, b = self.task.spectrum.samples, self.batch
        return self.eta**2 * n * (n - b) / (b * (n - 1)) if n > b else 0.0

    @cached_property
    def own(self) -> float:
        """What a step adds to V_j by itself, over c_j^2."""
        return self.kappa / self.task.spectrum.samples

    @cached_property
    def population(self) -> one_pass.Steps:
        """One pass whose batches make as much noise."""
        return one_pass.Steps.of(self.task, self.eta, self.eta**2 / self.own)

    @cached_property
    def band(self) -> tuple[float, float]:
        """eta times the smallest eigenvalue of A that is not the ridge's own, and the largest."""
        spectrum, ridge = self.task.spectrum, self.task.ridge
        return self.eta * (spectrum.lower_edge() + ridge), self.eta * (spectrum.upper_edge() + ridge)

    def at(self, v: np.ndarray) -> tuple[Points, Points]:
        """z_1 and z_2 at points v of any shape, which are complex."""
        (near, far), half = self.poles(v)
        return Points.of(self.task, near, half), Points.of(self.task, far, -half)

    def poles(self, v: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
        """z_1 and z_2, and the weight 1/(2 r) of the first."""
        share = self.eta * self.task.ridge
        g, h, a = v + share * (2 - share), self.eta * (1 - share), self.eta**2 + self.own
        root = np.sqrt(h**2 + a * g)
        return (g / (h + root), -(h + root) / a), 1 / (2 * root)

    def of_descent(self, v: np.ndarray) -> tuple[Points, Points]:
        """The same of descent, whose kappa is 0."""
        s = np.sqrt(1 + v)
        ridge, half = self.task.ridge, 1 / (2 * s * self.eta)
        near = Points.of(self.task, ridge + v / (1 + s) / self.eta, half)
        return near, Points.of(self.task, ridge - (1 + s) / self.eta, -half)

    def gain(self, *points: Points) -> np.ndarray:
        """The transform of kappa/n sum_j c_j^2 (p_j^2 + kappa c_j^2/n)^t: c^2/(c + z) is -z c/(c + z) but for
        a constant."""
        found: np.ndarray = sum(-each.weight * each.at.z * each.dof for each in points)
        return self.own * found

    def stationary(self) -> np.ndarray:
        """`gain` at v = 0, (1,): below 1 where training ends."""
        return self.gain(*self.ended())

    def ended(self) -> tuple[Points, Points]:
        """z_1 and z_2 at v = 0."""
        task = self.task
        (near, far), half = self.poles(np.zeros(1))
        first = Points.of(task, near, half) if task.ridge else Points(task, limit(task), half)
        return first, Points.of(task, far + 0j, -half)

    def decay(self, c: float) -> float:
        """1 - p^2 - kappa c^2/n: how fast V forgets along an eigenvalue c."""
        x = self.eta * (c + self.task.ridge)
        return x * (2 - x) - self.own * c**2

    def slowest(self) -> float:
        """A rate below all at which the transform of L is singular, as near as some 0.1 percent."""
        spectrum = self.task.spectrum
        least = min(self.decay(spectrum.lower_edge()), self.decay(spectrum.upper_edge()))
        if not least:
            return 0.0
        inside, outside = 0.0, BELOW
        for _ in range(2):
            shares = np.linspace(inside, outside, GRID)
            near, far = self.at(-least * shares[1:] + 0j)
            stable = (self.gain(near, far).real < 1) & near.at.converged & far.at.converged
            last = int(np.argmin(np.append(stable, False)))
            if last == GRID - 1:
                return least * outside
            inside, outside = shares[last], shares[last + 1]
        return least * inside


@dataclass(frozen=True)
class Points:
    """Equivalents at points, (...), each with a weight, (...)."""

    task: Task
    at: Resolvent
    weight: np.ndarray

    @classmethod
    def of(cls, task: Task, z: np.ndarray, weight: np.ndarray) -> Points:
        """Those at points z."""
        return cls(task, resolvent(task.spectrum, z), weight)

    @property
    def dof(self) -> np.ndarray:
        """tr C G, (...)."""
        dof: np.ndarray = self.at.learned @ self.task.spectrum.features
        return dof

    def labels(self) -> np.ndarray:
        """1/n y^T (X X^T + z)^-1 y of labels y due to target, label noise and initial weights, (3, ...)."""
        task, q = self.task, self.at.qz / self.at.z / self.task.spectrum.alpha
        noise = task.noise * self.at.unlearned
        found: np.ndarray = q * np.stack([self.at.h @ task.power, noise, self.at.h @ task.start])
        return found

    def seen(self) -> np.ndarray:
        """What a covariance C G of the weights costs on rows not trained on, in each mode, (..., K).

        It is Lambda C G. Of a pool of P rows those not drawn have P Lambda less C, over P - n.
        """
        spectrum = self.task.spectrum
        strengths, rows = spectrum.strengths, spectrum.features.sum()
        if spectrum.pool:
            strengths, rows = strengths + self.at.z[..., None], rows - spectrum.samples
        found: np.ndarray = self.weight[..., None] * self.at.learned * (spectrum.features * strengths) / rows
        return found


def limit(task: Task) -> Resolvent:
    """At the ridge, also where there is none, (1,)."""
    return resolvent(task.spectrum, np.array([task.ridge])) if task.ridge else at_zero(task.spectrum)


def critical_rate(task: Task, batch: int) -> float:
    """The learning rate from which the mean square error diverges: some `Batches.decay` vanishes, as that of
    descent, or `Batches.stationary` reaches 1. As n grows, with the modes as they are, it becomes that of one
    pass."""
    n, c = task.spectrum.samples, task.spectrum.upper_edge()
    noisy = (n - batch) / (batch * (n - 1)) if n > batch else 0.0
    a = c + task.ridge
    most = 2 * a / (a**2 + noisy * c**2)

    def beyond(share: float) -> float:
        return 1 - float(Batches(task, share * most, batch).stationary()[0].real)

    if not noisy or beyond(BELOW) > 0:
        return most
    return most * float(scipy.optimize.brentq(beyond, 1e-12, BELOW, xtol=1e-14))


def settles(task: Task, learning_rate: float, batch: int) -> bool:
    """Whether a learning rate is below `critical_rate`, which is dear to find."""
    by = Batches(task, learning_rate, batch)
    if by.decay(task.spectrum.upper_edge()) <= 0:
        return False
    return not by.kappa or float(by.stationary()[0].real) < 1


def over_training(task: Task, steps: np.ndarray, learning_rate: float, batch: int) -> Fluctuations:
    """After whole steps k >= 0, (T,). The learning rate must be below `critical_rate`."""
    found = Fluctuations(
        np.zeros((3, steps.size, task.size)), np.zeros(steps.size), np.ones(steps.size, dtype=bool)
    )
    by = Batches(task, learning_rate, batch)
    if not by.kappa:
        return found
    low, high = by.band
    rates = by.population.rates
    gap, smallest = min(by.slowest(), float(by.population.slopes.min())), 0.0
    if task.ridge:  # the mean's own, which may change its sign
        gap = min(gap, low, float(rates.min()))
        smallest = min(0.0, 1 - high, 1 - float(rates.max()))
    moving = np.flatnonzero(steps > 0)
    together = max(1, SOLVED // (5 * contours.NODES * task.size))
    for first in range(0, moving.size, together):
        some = moving[first : first + together]
        for where, contour in contours.descent(steps[some], 1.0, smallest, gap):
            modes, examples, converged = _summed(by, contour, bool(gap))
            modes = modes if task.spectrum.pool else not_negative(modes, TRUNCATED * np.max(modes, initial=0))
            examples = not_negative(examples, TRUNCATED * np.max(examples, initial=0))
            certain = np.isfinite(modes).all(axis=(0, 2)) & np.isfinite(examples)
            found.modes[:, some[where]], found.examples[some[where]] = modes, examples
            found.converged[some[where]] = converged & certain
    return found


def _summed(by: Batches, contour: Contour, ends: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The numbers of `Fluctuations`; `ends`: the contour may leave out v = 0."""
    v, population = contour.nodes, by.population
    points, descending = by.at(v), by.of_descent(v)
    kept = _kept(by, v) if by.task.ridge else None
    made = one_pass.causes(replace(by.task, cross=None), population.kept)
    means = np.stack([cause.means(population, v) for cause in made])
    residuals = _residuals(by, v, *descending, kept)
    modes, examples = _driven(by, points, residuals, means / (v[..., None] + population.slopes))
    moving = 2 * (contour.weights[:, None, :] @ modes)[:, :, 0, :].real
    trained = 2 * np.sum(contour.weights * examples, axis=-1).real
    parts = [*points, *descending, *([kept] if kept else [])]
    if ends:
        last = by.ended()
        parts += last
        ever = np.stack([cause.ever for cause in made])[:, None, :] / population.slopes
        modes, examples = _driven(by, last, _final(by.task), ever)
        rest = contour.outside(0.0)
        moving = moving + rest[:, None] * modes.real
        trained = trained + rest * examples.real
    certified = np.ones(trained.shape, dtype=bool)
    for each in parts:
        certified &= np.all(each.at.converged, axis=-1)
    return moving, trained, certified


def _kept(by: Batches, v: np.ndarray) -> Points:
    """z_0, with its weight in the residual of descent."""
    ridge, eta = by.task.ridge, by.eta
    return Points.of(by.task, ridge + v / eta, -2 * ridge / v * (1 + eta * ridge / v))


def _residuals(by: Batches, v: np.ndarray, near: Points, far: Points, kept: Points | None) -> np.ndarray:
    """The transform of descent's mean square residual: of target, label noise and start, (3, T, J).

    Labels leave kept + (1 - kept) p^t, kept = ridge/(c + ridge); its square is entire in c, so that only the
    poles z_0, z_1 and z_2 remain.
    """
    s, share = np.sqrt(1 + v), by.eta * by.task.ridge
    label = np.stack([(1 + share * (1 + s) / v) ** 2] * 2 + [np.ones_like(s)])
    other = np.stack([(1 - share / (1 + s)) ** 2] * 2 + [np.ones_like(s)])
    found: np.ndarray = near.weight * label * near.labels() + far.weight * other * far.labels()
    if kept is not None:
        found[:2] += kept.weight * kept.labels()[:2]
    return found


def _driven(
    by: Batches, points: tuple[Points, Points], residuals: np.ndarray, own: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What batches make of descent's residuals, (3, ...): in each mode, (3, ..., K), and on the examples.

    own: D/(zeta - p^2 - kappa c^2/n) of the population's modes that rows can see, (3, ..., J).
    """
    near, far = points
    gain = by.gain(near, far)
    own = by.population.own * own
    alone = own.sum(axis=-1)
    total = (residuals + alone) / (1 - gain)
    modes = by.kappa * total[..., None] * (near.seen() + far.seen())
    modes[..., by.task.spectrum.strengths > 0] += own
    return modes, (alone + gain * total).sum(axis=0)


def _final(task: Task) -> np.ndarray:
    """Descent's residuals at its end, (3, 1)."""
    at = limit(task)
    alone = Alone.of(task, at)
    bias = alone.amplified * (Modes.of(task, at).missed ** 2 @ task.power)
    fresh = np.stack([bias, task.noise * alone.noisy, 0 * bias])
    found: np.ndarray = own_share(task.spectrum, at) ** 2 * fresh
    return found
