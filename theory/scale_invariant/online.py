"""One new sample a step at large d: alignment and radius move by a closed pair of equations.

Steps of learning_rate/d, time t = steps/d. Memories of a fixed number of steps vanish on this clock, so
that every scheme obeys the same laws for its accumulated step e, what one sample moves the direction by in
the end, in units of its gradient on the unit sphere. With n = 1 - u . u* and V the mean of |grad l(u)|^2/d,

    n' = -e drift(n) + e^2 V (1 - n)/2,      (ln r^2)' = growth(r, V) - decay(r, V).

Where the drift is odd in 1 - n, l = ln|1 - n| takes the place of n: l' = e drift/(1 - n) - e^2 V/2. A student
at the equator, where n is 1, leaves it exponentially, and l keeps the digits by which it is off.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.problems.scale_invariant import ON_THE_SPHERE, ScaleInvariant
from teacherstudent.theory.evaluation_limit import limit_evaluations
from teacherstudent.theory.scale_invariant.losses import law
from teacherstudent.theory.scale_invariant.recording import told

EXACT = ("sgd", "sgd-momentum", "sgd-mrt")
"""Schemes whose laws hold as d goes to infinity; those of the others as beta2 goes to 1 after that."""
AVERAGED = ("adam", "adamw", "adam-s", "adam-srt", "adamg", "adagradg")
RELATIVE = 1e-11
"""Of a step of the integrator; whole paths are off by some hundred times that, relatively."""

METHODS = ("LSODA", "Radau")
"""The second is slower. It comes to rest at times where the last digit decides whether the first does."""

TRANSPORTED = ("sgd-mrt", "adam-srt")


@dataclass(frozen=True)
class Laws:
    """A scheme on the online clock. Arguments r and V, arrays of one shape; adagradg has its v for r."""

    problem: ScaleInvariant

    def rate(self, r: np.ndarray, V: np.ndarray) -> np.ndarray:
        """d eta^e, (...): the effective learning rate of Eq. 11 after the first 1/(1 - beta1) steps."""
        p = self.problem
        if p.scheme.startswith("sgd"):
            return p.learning_rate / r**2
        if p.scheme == "adagradg":
            return p.learning_rate / np.sqrt(r)
        root = np.sqrt(p.d * V) if p.scheme == "adamg" else np.sqrt(V) / r  # of v
        return p.learning_rate * (1 - p.beta1) / (r * (root + p.epsilon)) / r

    def step(self, r: np.ndarray, V: np.ndarray) -> np.ndarray:
        """e, (...): what a momentum adds up from one sample's gradient over time."""
        return self.rate(r, V) / (1 - self.memory)

    def growth(self, r: np.ndarray, V: np.ndarray) -> np.ndarray:
        """Added to ln r^2 per unit of time, (...).

        Steps of one transported momentum stay tangent, and add up as squares; else as their sum does.
        """
        tangent = (1 - self.memory) / (1 + self.memory) if self.problem.scheme in TRANSPORTED else 1.0
        return tangent * self.step(r, V) ** 2 * V

    def decay(self, r: np.ndarray, V: np.ndarray) -> np.ndarray:
        """Taken from ln r^2 per unit of time, (...); a transport forgets all but the last ridge term."""
        p = self.problem
        if p.scheme == "adamw":
            return 2 * p.learning_rate * p.ridge + 0 * r
        return 2 * p.ridge * r**2 * (self.rate(r, V) if p.scheme in TRANSPORTED else self.step(r, V))

    @property
    def memory(self) -> float:
        """Momentum factor of the scheme."""
        p = self.problem
        if p.scheme in ("sgd-momentum", "sgd-mrt"):
            return p.momentum
        return p.beta1 if p.scheme.startswith("adam") else 0.0


def solution(problem: ScaleInvariant, times: np.ndarray, noise: float) -> np.ndarray:
    """Angle, radius and d eta^e, (3, T), from angle0 and radius0 at time 0.

    Exact as d goes to infinity for SGD's variants; for the others as beta2 goes to 1 after that. NaN where
    rounding of angle0 decides, with an `UnconvergedWarning` (`recording.told`). Raises `ArithmeticError`
    where the integrator stops, a number leaves its range or a student has no gradient, which is at the
    teacher and without noise.
    """
    noisy = problem.loss != "squared-correlation"  # there noise pushes neither way
    return told(lambda each: _solution(each, times, noise), problem, times, "the integration", noisy)


def _solution(problem: ScaleInvariant, times: np.ndarray, noise: float) -> np.ndarray:
    laws, loss = Laws(problem), law(problem)
    odd = problem.loss == "squared-correlation"
    vanishing = problem.loss == "mse" and noise == 0  # V = 2 n: followed as ln n, for n has no floor
    n0 = 2 * np.sin(problem.angle0 / 2) ** 2
    if vanishing and n0 == 0:
        raise ArithmeticError("a student at the teacher has no gradient")

    def lost(y: np.ndarray) -> np.ndarray:
        """n, of the teacher or, where the drift is odd, of its antipode if that is nearer."""
        return -np.expm1(y) if odd else np.exp(y) if vanishing else y

    @limit_evaluations
    def slope(_: float, y: np.ndarray) -> np.ndarray:
        n, r = lost(y[0]), np.exp(y[1])
        V = loss.gradient_variance(n, noise)
        e = laws.step(r, V)
        if odd:
            turn = 2 * e * n * (2 - n) - e**2 * V / 2
        elif vanishing:
            turn = -e * (2 - n) + e**2 * (1 - n)
        else:
            turn = -e * loss.alignment_drift(n) + e**2 * V * (1 - n) / 2
        if problem.scheme == "adagradg":  # v' = d (beta2 - 1) v + d^2 V
            return np.array([turn, problem.d * (problem.beta2 - 1 + problem.d * V / r)])
        if problem.scheme in ON_THE_SPHERE:
            return np.array([turn, 0.0])
        return np.array([turn, (laws.growth(r, V) - laws.decay(r, V)) / 2])

    if odd:
        followed = np.log1p(-n0) if n0 < 0.5 else np.log(np.abs(np.cos(problem.angle0)))
    else:
        followed = np.log(n0) if vanishing else n0
    span = (0.0, max(float(times[-1]), np.finfo(float).tiny))
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        atol = [1e-12 if vanishing else 1e-25, 1e-12]
        start = [followed, np.log(_size(problem))]
        for method in METHODS:
            with warnings.catch_warnings():  # its status tells of a failure
                warnings.simplefilter("ignore", UserWarning)
                solved = solve_ivp(slope, span, start, method, times, rtol=RELATIVE, atol=atol)
            if solved.success:
                break
    if not solved.success:
        raise ArithmeticError(solved.message)
    n, r = lost(solved.y[0]), np.exp(solved.y[1])
    rate = laws.rate(r, loss.gradient_variance(n, noise))
    if problem.scheme.startswith("adam"):
        rate = rate / (1 - problem.beta1 ** (np.rint(times * problem.d) + 1))  # Eq. 9
    radius = np.ones_like(r) if problem.scheme in ON_THE_SPHERE else r
    angle = 2 * np.arcsin(np.sqrt(np.clip(n / 2, 0, 1)))
    return np.stack([np.pi - angle if odd and problem.angle0 > np.pi / 2 else angle, radius, rate])


def _size(problem: ScaleInvariant) -> float:
    return problem.v0 if problem.scheme == "adagradg" else problem.radius0
