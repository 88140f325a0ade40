r"""The flows themselves, by a stiff solver with analytic Jacobians.

The two ascents on a dual run in the logit of alpha, which keeps alpha inside (0, 1) whatever a
trial step does. Their clock is dual; the mirror flow and the two descents share the primal one.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import expit, logit

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation.duality import Dual, of_decoupling, of_ridge, responses

Arrays = Mapping[str, np.ndarray]
Field = Callable[[float, np.ndarray], np.ndarray]

RELATIVE, ABSOLUTE = 1e-11, 1e-12
"""Tolerances of one step; measured on whole paths they give errors of z below 2e-9 (n = 50)."""
MOST_EVALUATIONS = 100_000
"""Of the field, on one path: ten times what n = 50 took. A solver that is stuck never says so itself."""


@dataclass(frozen=True)
class Path:
    """States (T, k) at the times asked for, NaN after the solver gave up, with what it said then."""

    states: np.ndarray
    failure: str = ""


class GaveUp(Exception):
    """The solver is stuck, or has left the range of floating-point numbers."""


def integrate(field: Field, jacobian: Field, start: np.ndarray, times: np.ndarray) -> Path:
    """x' = field(x) from x(0) = start, at increasing times (T,) >= 0.

    While the state is so small that `ABSOLUTE` is more than its last digits, each requested time begins a
    separate stretch, whose tolerance is proportional to the state at its end.
    """
    states = np.full((times.size, start.size), np.nan)
    states[times == 0] = start
    evaluations = itertools.count(1)

    def counted(t: float, x: np.ndarray) -> np.ndarray:
        if next(evaluations) > MOST_EVALUATIONS:
            raise GaveUp(f"stuck at time {t:g}")
        velocity = field(t, x)
        if not np.all(np.isfinite(velocity)):  # the solver would accept it
            raise GaveUp(f"overflow at time {t:g}: alpha is 0 or 1 to machine precision")
        return velocity

    now, state, done = 0.0, start, int(np.sum(times == 0))
    while done < times.size:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", UserWarning)  # the solver's own account of its failure
            first = times[done]
            try:
                ahead = np.max(np.abs(state)) + (first - now) * np.max(np.abs(counted(now, state)))
                absolute = min(ABSOLUTE, RELATIVE * ahead)
                asked = times[done : done + 1] if absolute < ABSOLUTE else times[done:]
                solution = solve_ivp(
                    counted, (now, asked[-1]), state, "LSODA", asked,
                    jac=jacobian, rtol=RELATIVE, atol=absolute,
                )  # fmt: skip
            except GaveUp as reason:
                return Path(states, str(reason))
        reached = np.asarray(solution.y).reshape(start.size, -1).T
        states[done:][: len(reached)] = reached
        if not solution.success:
            return Path(states, solution.message)
        done, now, state = done + asked.size, asked[-1], reached[-1]
    return Path(states)


def certified(path: Path, dynamics: str) -> np.ndarray:
    """The states; an `UnconvergedWarning` where some are missing."""
    why = f"{dynamics} flow: the solver gave up ({path.failure})"
    return nan_where_not_finite({"states": path.states}, why, points=1)["states"]


def ascent_path(dual: Dual, alpha0: float, times: np.ndarray) -> Path:
    """alpha (T, n) along the gradient ascent 6.3.9 (6.3.18 for the dual of decoupling)."""

    def curvature(m: np.ndarray) -> np.ndarray:
        return expit(m) * expit(-m)  # alpha (1 - alpha), and m' = -alpha'/(alpha (1 - alpha))

    def field(_: float, m: np.ndarray) -> np.ndarray:
        return -(m - dual.A @ expit(-m) - dual.offset) / curvature(m)

    def jacobian(t: float, m: np.ndarray) -> np.ndarray:
        c = curvature(m)
        return np.diag(np.tanh(m / 2) * field(t, m)) - (np.eye(m.size) + dual.A * c) / c[:, None]

    path = integrate(field, jacobian, np.full(len(dual.A), -logit(alpha0)), times)
    return Path(expit(-path.states), path.failure)


def approximate_ascent_path(dual: Dual, alpha0: float, times: np.ndarray) -> Path:
    """alpha (T, n) along 6.3.10, in w = -log alpha."""
    B = dual.A + np.eye(len(dual.A))

    def field(_: float, w: np.ndarray) -> np.ndarray:
        return -(w - B @ np.exp(-w) - dual.offset) * np.exp(w)

    def jacobian(t: float, w: np.ndarray) -> np.ndarray:
        return np.diag(field(t, w)) - (np.eye(w.size) + B * np.exp(-w)) * np.exp(w)[:, None]

    path = integrate(field, jacobian, np.full(len(B), -np.log(alpha0)), times)
    return Path(np.exp(-path.states), path.failure)


def mirror_path(dual: Dual, ridge: float, times: np.ndarray) -> Path:
    """Margins m (T, n) from 0 along m' = ridge (A sigma(-m) + offset - m).

    It is 6.3.9 in the entropy metric, alpha' = ridge alpha (1 - alpha) (gradient), and the image
    of descent on the primal loss.
    """

    def field(_: float, m: np.ndarray) -> np.ndarray:
        return ridge * (dual.A @ expit(-m) + dual.offset - m)

    def jacobian(_: float, m: np.ndarray) -> np.ndarray:
        return -ridge * (dual.A * (expit(m) * expit(-m)) + np.eye(m.size))

    return integrate(field, jacobian, np.zeros(len(dual.A)), times)


def descent_path(
    problem: Starvation, times: np.ndarray, weight_decay: float, pull: float, shift: float
) -> Path:
    """theta (T, n) from 0 along -gradient of sum l(m) + weight_decay/2 |theta|^2 + pull/2 |m - shift|^2."""
    X = problem.U * problem.s  # margins m = X theta, V = 1

    def field(_: float, theta: np.ndarray) -> np.ndarray:
        m = X @ theta
        return X.T @ (expit(-m) - pull * (m - shift)) - weight_decay * theta

    def jacobian(_: float, theta: np.ndarray) -> np.ndarray:
        m = X @ theta
        return -(X.T * (expit(m) * expit(-m) + pull)) @ X - weight_decay * np.eye(problem.n)

    return integrate(field, jacobian, np.zeros(problem.n), times)


# The routes: z (T, n) under the names of the observables. --------------------------------------
# Of their options, learning_rate is the simulation's: these are its limit 0.


def dual(problem: Starvation, times: np.ndarray, *, alpha0: float, learning_rate: float | str) -> Arrays:
    """Ascent on the dual of the ridge loss (6.3.9) from alpha0, dual time."""
    alpha = certified(ascent_path(of_ridge(problem), alpha0, times), "dual")
    return problem.named(responses(problem, alpha))


def approximate(
    problem: Starvation, times: np.ndarray, *, alpha0: float, learning_rate: float | str
) -> Arrays:
    """6.3.10 from alpha0, dual time."""
    alpha = certified(approximate_ascent_path(of_ridge(problem), alpha0, times), "approximate dual")
    return problem.named(responses(problem, alpha))


def mirror(problem: Starvation, times: np.ndarray, *, learning_rate: float | str) -> Arrays:
    """Ascent in the entropy metric from margins 0, primal time."""
    margins = certified(mirror_path(of_ridge(problem), problem.ridge, times), "mirror")
    return problem.named(margins @ problem.U)


def primal(problem: Starvation, times: np.ndarray, *, learning_rate: float | str) -> Arrays:
    """Descent on the ridge loss (6.3.5) from theta = 0, primal time."""
    path = descent_path(problem, times, weight_decay=problem.ridge, pull=0.0, shift=0.0)
    return problem.named(problem.s * certified(path, "primal"))


def decoupled(
    problem: Starvation, times: np.ndarray, *, alpha0: float, shift: float, learning_rate: float | str
) -> Arrays:
    """Ascent on the dual of spectral decoupling (6.3.18) from alpha0, dual time.

    Raises `InputError` where the features have rank below n.
    """
    alpha = certified(ascent_path(of_decoupling(problem, shift), alpha0, times), "decoupled")
    return problem.named((shift + alpha / problem.ridge) @ problem.U)


def primal_decoupled(
    problem: Starvation, times: np.ndarray, *, shift: float, learning_rate: float | str
) -> Arrays:
    """Descent on the spectrally decoupled loss (6.3.17) from theta = 0, primal time.

    Raises `InputError` where the features have rank below n.
    """
    problem.demand_full_rank()
    path = descent_path(problem, times, weight_decay=0.0, pull=problem.ridge, shift=shift)
    return problem.named(problem.s * certified(path, "primal decoupled"))
