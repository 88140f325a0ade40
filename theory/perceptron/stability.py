r"""The student of largest stability: the least |w| with y h >= 1 on all examples (gardner1988).

That is a loss of infinite height below 1, the limit of every decreasing loss at ridge -> 0 where examples are
separable. Its forces are (1 - t)_+/V, so V takes no part in the law of t: with S = alpha P(t < 1),
M = alpha sqrt(2/pi) E_doubtful (1 - t)_+ and D = alpha E (1 - t)_+^2 the student is

    w_k = (c M v_k w*_k + sqrt(D v_k) xi_k)/(V + S v_k),    1 = <v_k/(V + S v_k)>,

where one strength has V = 1 - S and w_k = c M w*_k + sqrt(D) xi_k. The margin is 1/sqrt(Q). Random labels
leave one equation for it, solved by sums of positive terms up to alpha = 2 (`stored`).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron import labels
from teacherstudent.theory.perceptron.losses import Hard
from teacherstudent.theory.perceptron.newton import CLOSE, NUDGE, ROUNDING, SMALL, Step, fixed_points
from teacherstudent.theory.perceptron.path_following import continue_path
from teacherstudent.theory.perceptron.saddle import Saddle
from teacherstudent.theory.perceptron.separability import edge, threshold
from teacherstudent.theory.perceptron.student_state import Student

FEW = 0.1
"""Examples per input, with which the one guess is good."""

RESPONSES = 100
"""Steps to V: Newton's method on a convex function that decreases, from below."""

SMALLEST = 1e-300
"""V/S, and its inverse, below which numbers lose digits."""

STEPS = 1000
"""To V/S of random labels and to its margin, which are met far sooner."""


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
        why=f"examples are not separable for alpha above {last:.6g}",
    )


def stable(saddle: Saddle, alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """along, across, and where they are certified, (T,) each. alphas: below the threshold of separability."""
    if not saddle.clean:
        margins = np.array([stored(saddle, float(alpha)) for alpha in alphas])
        return np.zeros(alphas.size), 1 / margins, np.isfinite(margins)
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
        state[far], converged[far] = continue_path(at, begun, start, places, maps)
    along, across = np.exp(state.T)
    return saddle.clean * along, across, converged


def stored(saddle: Saddle, alpha: float) -> float:
    """The margin m of random labels, 0 < alpha < 2; NaN where it is not certified.

    With r = V/S, a = v/(r + v) and u = 1 - a the equations S = alpha Phi(m) and Q = 1/m^2 are

        <a> = alpha Phi(m),    m phi(m)/Phi(m) + m^2 = <u a>/<a^2>,

    so each r has one m, and one alpha, which falls with r. From alpha = 1 on 1 - <a> = <u> is used instead of
    <a>, so that all sums have positive terms and lose nothing by rounding. What it may hide is m itself,
    where alpha hardly changes with r: between strengths that are far apart.
    """
    p, v = saddle.weights, saddle.v

    def at(log_r: float) -> tuple[float, float]:
        """By how much log alpha, or minus that of 2 - alpha, is above what is asked; log m."""
        r = math.exp(log_r)
        a, u = v / (r + v), r / (r + v)
        share = a / a.max()
        m = _margin(float(p @ (u * share) / (p @ share**2) / a.max()))
        if alpha < 1:
            return math.log(float(p @ a) / alpha / float(ndtr(m))), math.log(m)
        left = float(p @ u) + alpha * math.erf(m / math.sqrt(2)) / 2
        return math.log((2 - alpha) / 2 / left), math.log(m)

    low = math.log(max((2 - alpha) * v.min() / 8, SMALLEST))
    high = math.log(min(4 / alpha, 1 / SMALLEST))
    if not at(low)[0] > 0 > at(high)[0]:
        return math.nan
    log_r = brentq(lambda each: at(each)[0], low, high, xtol=1e-15, rtol=1e-15, maxiter=STEPS, disp=False)
    (above, less), (off, found), (below, more) = (at(log_r + each) for each in (-NUDGE, 0.0, NUDGE))
    # how far rounding, or what remains, moves r and m, at these slopes
    moved, fallen = max(abs(more - less), 2 * NUDGE), above - below
    if not (ROUNDING * moved <= CLOSE * fallen and abs(off) * moved <= SMALL * fallen):
        return math.nan
    return math.exp(found + off * (more - less) / fallen)


def _margin(pull: float) -> float:
    """m of m phi(m)/Phi(m) + m^2 = pull, > 0, by Newton's method between logarithms: a slope from 1 to 2."""
    m = 2 * pull / (math.sqrt(2 / math.pi) + math.sqrt(2 / math.pi + 4 * pull))
    for _ in range(STEPS):
        mills = math.exp(-m * m / 2) / math.sqrt(2 * math.pi) / float(ndtr(m))
        slope = (mills * (1 - m * (m + mills)) + 2 * m) / (mills + m)
        ratio = pull / (m * (mills + m))
        m *= ratio ** (1 / slope)
        if abs(ratio - 1) <= 1e-15:
            break
    return m


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
