r"""The student of largest stability: the least |w| with y h >= 1 on all examples (gardner1988).

That is a loss of infinite height below 1, the limit of every decreasing loss at ridge -> 0 where examples are
separable. Its forces are (1 - t)_+/V, so V takes no part in the law of t: with S = alpha P(t < 1),
M = alpha sqrt(2/pi) E_doubtful (1 - t)_+ and D = alpha E (1 - t)_+^2 the student is

    w_k = (c M v_k w*_k + sqrt(D v_k) xi_k)/(V + S v_k),    1 = <v_k/(V + S v_k)>,

where one strength has V = 1 - S and w_k = c M w*_k + sqrt(D) xi_k. The margin is 1/sqrt(Q). Random labels
leave one equation for it, solved without loss up to alpha = 2 (`stored`).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron import labels
from teacherstudent.theory.perceptron.losses import Hard
from teacherstudent.theory.perceptron.newton import Step, fixed_points
from teacherstudent.theory.perceptron.saddle import Saddle
from teacherstudent.theory.perceptron.separability import edge, threshold
from teacherstudent.theory.perceptron.student import Student
from teacherstudent.theory.perceptron.walk import followed

FEW = 0.1
"""Examples per input, with which the one guess is good."""

RESPONSES = 100
"""Steps to V: Newton's method on a convex function that decreases, from below."""


def max_stability(problem: Perceptron, alphas: np.ndarray) -> Student:
    """The student and its margin, where examples are separable."""
    saddle, last = Saddle.of(problem, Hard()), threshold(labels.doubt(problem))
    there = alphas < last
    along, across, converged = np.full((3, alphas.size), np.nan)
    along[there], across[there], converged[there] = stable(saddle, alphas[there])
    return Student(
        along,
        across,
        np.zeros(alphas.size),
        converged == 1,
        margin=1 / np.hypot(along, across),
        absent=~there,
        why=f"examples are not separable beyond alpha = {last:.6g}",
    )


def stable(saddle: Saddle, alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """along, across, and where they are certified, (T,) each. alphas: below the threshold of separability."""
    if not saddle.clean:
        margins = np.array([stored(saddle, float(alpha)) for alpha in alphas])
        return np.zeros(alphas.size), 1 / margins, np.ones(alphas.size, dtype=bool)
    state, converged = np.empty((alphas.size, 2)), np.zeros(alphas.size, dtype=bool)
    # Of several strengths: the more examples, the less a guess may be off
    far = (alphas > FEW) & (saddle.v.min() < saddle.v.max())
    state[~far], converged[~far] = fixed_points(_at(saddle, alphas[~far]), _guess(alphas[~far]))
    if far.any():
        last = edge(saddle.clean, saddle.unclear)[0]
        # the logarithm of alpha/(1 - alpha/threshold): the margin falls like its inverse at both ends
        places = np.log(alphas[far]) - np.log1p(-alphas[far] / last)
        begun = np.log(FEW) - np.log1p(-FEW / last)

        def at(places: np.ndarray) -> Step:
            return _at(saddle, 1 / (np.exp(-places) + 1 / last))

        start, maps = _guess(np.array([FEW])), _at(saddle, alphas[far])
        state[far], converged[far] = followed(at, begun, start, places, maps)
    along, across = np.exp(state.T)
    return saddle.clean * along, across, converged


def stored(saddle: Saddle, alpha: float) -> float:
    """The margin m of random labels, 0 < alpha < 2.

    S = alpha Phi(m), D = Q (S + alpha e), e = m phi(m) + m^2 Phi(m), and Q = 1/m^2 = D <k^2>, k =
    v/(V + S v), make <k^2> (alpha e - delta) + var k = 0, with delta = 1 - S = <V/(V + S v)> and <k> = 1.
    Near alpha = 2 each term is as small as 2 - alpha, and told to its digits.
    """
    p, v = saddle.weights, saddle.v

    def excess(log_margin: float) -> float:
        m = math.exp(log_margin)
        below = float(ndtr(m))
        pulled = alpha * m * (math.exp(-m * m / 2) / math.sqrt(2 * math.pi) + m * below)
        delta = (2 - alpha) / 2 - alpha * math.erf(m / math.sqrt(2)) / 2
        if delta <= 0:
            return pulled - delta

        def missing(log_v: float) -> float:
            V = math.exp(log_v)
            return float(p @ (V / (V + alpha * below * v))) / delta - 1

        ends = math.log(delta / 2) + np.log([v.min(), 4 * v.max()])
        V = math.exp(brentq(missing, *ends, xtol=1e-15, rtol=1e-15))
        kept = v / (V + alpha * below * v)
        return float(p @ kept**2 * (pulled - delta) + p @ (kept - 1) ** 2)

    low, high = math.log((2 - alpha) / 8), math.log(8) - math.log(alpha) / 2
    while excess(low) > 0:
        low -= 2
    while excess(high) < 0:
        high += 2
    return math.exp(brentq(excess, low, high, xtol=1e-15, rtol=1e-15))


def _guess(alphas: np.ndarray) -> np.ndarray:
    """The state of one strength without noise, roughly."""
    margin = 1 / np.sqrt(alphas + alphas**2)
    angle = np.pi / 2 / (1 + np.sqrt(alphas) + alphas)
    return np.log(np.stack([np.cos(angle) / margin, np.sin(angle) / margin], axis=1))


def _at(saddle: Saddle, alphas: np.ndarray) -> Step:
    return lambda rows, state: _step(saddle, alphas[rows], state)


def _step(saddle: Saddle, alphas: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Logarithms of along/c and across, (T, 2)."""
    found = saddle.means(np.concatenate([state, np.zeros((len(state), 1))], axis=1), np.ones(len(state)))
    mu, force, held = saddle.exerted(alphas, found)
    response = _response(held, saddle)
    kept = 1 / (response[:, None] + held[:, None] * saddle.v)
    return saddle.answered(kept, mu, force)


def _response(held: np.ndarray, saddle: Saddle) -> np.ndarray:
    """V > -S min v of <v/(V + S v)> = 1, (T,)."""
    weights, v = saddle.weights * saddle.v, saddle.v
    least = v.argmin()
    V = weights[least] - held * v[least]  # this term alone is 1 there: the sum is at least 1
    for _ in range(RESPONSES):
        share = weights / (V[:, None] + held[:, None] * v)
        step = (share.sum(axis=1) - 1) / np.sum(share**2 / weights, axis=1)
        V = V + step
        if np.all(np.abs(step) <= 1e-15 * (1 + np.abs(V))):
            break
    return V
