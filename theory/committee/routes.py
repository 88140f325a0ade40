"""The routes' entries: problems in, order parameters and errors out, over times and, if drawn, seeds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where, not_negative
from teacherstudent.problems.committee.data import draw
from teacherstudent.problems.committee.instance import Committee
from teacherstudent.theory.committee import ode
from teacherstudent.theory.committee import symmetric as alike
from teacherstudent.theory.committee.integration import integrate
from teacherstudent.theory.committee.log_differences import Field
from teacherstudent.theory.committee.ode import Path, State
from teacherstudent.theory.committee.quadrature import Followed, certain_path

Arrays = dict[str, np.ndarray]


def asymptotic(problem: Committee, times: np.ndarray) -> Arrays:
    """The limit d -> infinity at times t = steps/d, (T,)."""
    path = ode.solve(problem, times)
    return nan_where(path.status.lost, f"asymptotic route: {path.status.why}", named(problem, path))


def instance(problem: Committee, times: np.ndarray, *, seeds: Sequence[int]) -> Arrays:
    """The same from the overlaps that each draw starts with, (S, T)."""
    if problem.R0 is not None:  # all draws start with these
        paths = [ode.solve(problem, times)] * len(seeds)
    else:
        paths = [ode.solve(problem, times, _begun(problem, seed)) for seed in seeds]
    answers = [named(problem, path) for path in paths]
    answer = {name: np.stack([each[name] for each in answers]) for name in answers[0]}
    for why in dict.fromkeys(path.status.why for path in paths if path.status.why):
        lost = np.stack([path.status.lost & (path.status.why == why) for path in paths])
        answer = nan_where(lost, f"instance route: {why}", answer)
    return answer


def symmetric(problem: Committee, times: np.ndarray) -> Arrays:
    """The limit for K = M equal units, T = I, v = v* = 1, (T,); `InputError` for others."""
    system, start = alike.of(problem)
    patience = ode.PATIENCE.get(problem.activation, ode.ANY_PATIENCE)
    apart, scaled = system.apart, problem.learning_rate * times

    def field(of: Committee) -> Field:
        own, _ = alike.of(of)
        return apart.field(own.slopes, own.reach)

    def follow(one: Committee, other: Committee | None) -> Followed:
        beside = field(other) if other else None
        return integrate(field(one), apart.told(start), scaled, patience, apart.differences, beside)

    found, status = certain_path(problem, follow)
    states = np.array([apart.numbers(y) for y in found])
    one = np.eye(problem.width)
    R, S, Q, C = states.T[:, :, None, None]
    told = zip(states, status.lost, strict=True)
    risk = [np.nan if lost else system.excess_risk(y) for y, lost in told]
    v = np.ones((times.size, problem.width))
    path = Path(
        R * one + S * (1 - one),
        Q * one + C * (1 - one),
        v,
        not_negative(np.array(risk), ode.ROUNDED * problem.width**2),
        status,
    )
    return nan_where(status.lost, f"symmetric route: {status.why}", named(problem, path))


def _begun(problem: Committee, seed: int) -> State:
    drawn = draw(problem, [seed])
    student, teacher = drawn.student[0], drawn.teacher[0]
    R, Q = student @ teacher.T / problem.d, student @ student.T / problem.d
    return State(R, (Q + Q.T) / 2, np.array(problem.second_layer))


def named(problem: Committee, path: Path) -> Arrays:
    """The observables of a path."""
    return {
        "R": path.R,
        "Q": path.Q,
        "second_layer": path.second_layer,
        "excess_risk": path.excess_risk,
        "generalisation_error": 2 * path.excess_risk + problem.noise**2,
    }
