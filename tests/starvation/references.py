"""Answers of exact routes of starvation: other variables, an explicit method, ends in sixty digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import expit, logit

from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality, ends

Answer = Mapping[str, np.ndarray]
DIGITS = 60


def end_of_ridge(problem: Starvation) -> tuple[mp.matrix, mp.matrix]:
    """z (n,) and dz_j/d(s_i^2) (n, n), in sixty digits, by the first form of `starving`; all s_j > 0.

    Newton in z from the float64 answer: the loss is convex, so where it settles is the one end.
    """
    n, ridge = problem.n, mp.mpf(problem.ridge)
    U, s = mp.matrix(problem.U.tolist()), [mp.mpf(each) for each in problem.strengths]
    z = mp.matrix(problem.s / np.sqrt(problem.ridge) * ends.fixed_point(duality.of_ridge(problem)).y)
    for _ in range(100):
        alpha = [1 / (1 + mp.exp(m)) for m in U * z]
        curved = U.T * mp.diag([a * (1 - a) for a in alpha]) * U
        pull = U.T * mp.matrix(alpha)
        fall = mp.matrix([pull[j] - ridge * z[j] / s[j] ** 2 for j in range(n)])
        step = mp.lu_solve(curved + mp.diag([ridge / each**2 for each in s]), fall)
        longest = mp.norm(U * step, mp.inf)
        if longest < mp.mpf(10) ** (15 - DIGITS):
            mixing = mp.eye(n) + mp.diag([each**2 / ridge for each in s]) * curved
            return z, (mixing**-1) * mp.diag([p / ridge for p in pull])
        z += mp.log1p(longest) / longest * step
    raise ArithmeticError("not settled")


def end_of_decoupling(problem: Starvation, shift: float) -> tuple[mp.matrix, mp.matrix]:
    """z (n,) where ridge (m - shift) = sigma(-m) in every example, and no derivatives."""
    ridge = mp.mpf(problem.ridge)
    margin = mp.findroot(lambda m: ridge * (m - mp.mpf(shift)) - 1 / (1 + mp.exp(m)), 1.0)
    return margin * mp.matrix(problem.U.tolist()).T * mp.ones(problem.n, 1), mp.zeros(problem.n)


def _end(solve: Callable[..., tuple[mp.matrix, mp.matrix]]) -> Callable[..., Answer]:
    def answer(problem: Starvation, times: np.ndarray, **options: Any) -> Answer:
        with mp.workdps(DIGITS):
            z, jacobian = solve(problem, **({"shift": options["shift"]} if "shift" in options else {}))
        found = dict(problem.named(np.array([float(each) for each in z])))
        slopes = np.array(jacobian.tolist(), dtype=float)
        if problem.n == 2:
            found |= {f"dz{j + 1}_ds{i + 1}sq": slopes[j, i] for j in range(2) for i in range(2)}
        else:
            found["dz_dssq"] = slopes
        return {name: np.broadcast_to(each, (times.size, *np.shape(each))) for name, each in found.items()}

    return answer


def _integrated(
    slope: Callable[[np.ndarray], np.ndarray], start: np.ndarray, times: np.ndarray
) -> np.ndarray:
    """(T, n) by an explicit method of eighth order."""
    solved = solve_ivp(lambda _, y: slope(y), (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-15)
    assert solved.success
    return np.asarray(solved.y.T)


def dual(problem: Starvation, times: np.ndarray, *, alpha0: float, **_: Any) -> Answer:
    """6.3.9 in alpha itself; the route runs in its logit."""
    K = (problem.U * problem.s**2) @ problem.U.T
    start = np.full(problem.n, alpha0)
    alpha = _integrated(lambda alpha: -logit(alpha) - K @ alpha / problem.ridge, start, times)
    return problem.named(alpha @ problem.U * problem.s**2 / problem.ridge)


def decoupled(problem: Starvation, times: np.ndarray, *, alpha0: float, shift: float, **_: Any) -> Answer:
    """6.3.18 in alpha itself."""
    start = np.full(problem.n, alpha0)
    alpha = _integrated(lambda alpha: -logit(alpha) - shift - alpha / problem.ridge, start, times)
    return problem.named((shift + alpha / problem.ridge) @ problem.U)


def ridge_in_margins(problem: Starvation, times: np.ndarray, **_: Any) -> Answer:
    """Descent on the ridge loss as the mirror flow has it: m' = K sigma(-m) - ridge m."""
    K = (problem.U * problem.s**2) @ problem.U.T
    margins = _integrated(lambda m: K @ expit(-m) - problem.ridge * m, np.zeros(problem.n), times)
    return problem.named(margins @ problem.U)


def ridge_in_responses(problem: Starvation, times: np.ndarray, **_: Any) -> Answer:
    """The mirror flow as descent has it: z' = S^2 U^T sigma(-U z) - ridge z."""
    U, s = problem.U, problem.s
    start = np.zeros(problem.n)
    return problem.named(_integrated(lambda z: s**2 * (expit(-U @ z) @ U) - problem.ridge * z, start, times))


def decoupled_in_margins(problem: Starvation, times: np.ndarray, *, shift: float, **_: Any) -> Answer:
    """Descent on the decoupled loss: m' = K (sigma(-m) - ridge (m - shift))."""
    K = (problem.U * problem.s**2) @ problem.U.T
    start = np.zeros(problem.n)
    margins = _integrated(lambda m: K @ (expit(-m) - problem.ridge * (m - shift)), start, times)
    return problem.named(margins @ problem.U)


REFERENCES = {
    "starvation/dual/theory": dual,
    "starvation/mirror/theory": ridge_in_responses,
    "starvation/primal/theory": ridge_in_margins,
    "starvation/decoupled/theory": decoupled,
    "starvation/primal-decoupled/theory": decoupled_in_margins,
    **{f"starvation/{dynamics}/fixed-point": _end(end_of_ridge) for dynamics in ("dual", "mirror", "primal")},
    **{
        f"starvation/{dynamics}/fixed-point": _end(end_of_decoupling)
        for dynamics in ("decoupled", "primal-decoupled")
    },
}
