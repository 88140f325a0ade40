"""The routes' entries: problems in, angle, radius and effective learning rate out, (T,) each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant import ScaleInvariant
from teacherstudent.theory.scale_invariant import angle_laws, online, online_equilibrium, plane, schedules
from teacherstudent.theory.scale_invariant.losses import FREE, law
from teacherstudent.theory.scale_invariant.recording import recorded, told, undecided

Arrays = Mapping[str, np.ndarray]


def flow(problem: ScaleInvariant, times: np.ndarray) -> Arrays:
    """Gradient flow of sgd, closed forms at times s, (T,), as far as rounding permits."""
    problem.demand_scheme("sgd")
    problem.demand_positive_shrinkage(problem.learning_rate)
    return _named(*told(lambda each: _flow(each, times), problem, times, "the flow"))


def _flow(problem: ScaleInvariant, times: np.ndarray) -> np.ndarray:
    tau = angle_laws.sphere_time(times, problem.ridge, problem.radius0)
    r = angle_laws.flow_radius(times, problem.ridge, problem.radius0)
    with np.errstate(over="ignore", divide="ignore"):
        rate = problem.learning_rate / (1 - problem.learning_rate * problem.ridge) / r**2  # Table 1
    return np.stack([angle_laws.flow_angle(law(problem), tau, problem.angle0), r, rate])


def flow_descent(problem: ScaleInvariant, times: np.ndarray, **data: object) -> Arrays:
    """`flow` at s = learning_rate k, for steps k, (T,)."""
    _demand_population(data)
    return flow(problem, problem.learning_rate * times)


def theory_descent(problem: ScaleInvariant, times: np.ndarray, **data: object) -> Arrays:
    """Every scheme on the population loss, exactly, at steps k, (T,)."""
    _demand_population(data)
    problem.demand_positive_shrinkage(problem.learning_rate)
    return _named(*recorded(plane.path, problem, times))


def schedule_descent(problem: ScaleInvariant, times: np.ndarray, **data: object) -> Arrays:
    """sgd with L2 from sgd without, on the schedule of Eq. 44, exactly, at steps k, (T,)."""
    _demand_population(data)
    problem.demand_scheme("sgd")
    problem.demand_positive_shrinkage(problem.learning_rate)
    return _named(*recorded(plane.scheduled_path, problem, times))


def adagradg_descent(problem: ScaleInvariant, times: np.ndarray, **data: object) -> Arrays:
    """sgd with L2 from the AdaGradG of Theorem 4, at steps k, (T,); the radius is eta^e's, by Table 1."""
    _demand_population(data)
    problem.demand_scheme("sgd")
    problem.demand_positive_shrinkage(problem.learning_rate)
    eta, ridge = problem.learning_rate, problem.ridge
    same = schedules.adagradg_of_sgd(eta, ridge, problem.radius0)
    scheme = replace(
        problem,
        scheme="adagradg",
        learning_rate=same.learning_rate,
        beta2=same.beta,
        v0=same.v0,
        ridge=0.0,
        radius0=1.0,
    )
    angle, _, rate = recorded(plane.path, scheme, times)
    return _named(angle, np.sqrt(eta / ((1 - eta * ridge) * rate)), rate)


def second_order_descent(problem: ScaleInvariant, times: np.ndarray, **data: object) -> Arrays:
    """sgd without L2 to second order in the learning rate, at steps k, (T,), as far as rounding permits."""
    _demand_population(data)
    problem.demand_scheme("sgd")
    if problem.ridge:
        raise InputError("ridge", problem.ridge, "0 for route second-order")
    return _named(*told(lambda each: _second_order(each, times), problem, times, "the law"))


def _second_order(problem: ScaleInvariant, times: np.ndarray) -> np.ndarray:
    question = problem.learning_rate, problem.angle0, problem.radius0
    angle = angle_laws.second_order_angle(law(problem), times, *question)
    r = angle_laws.second_order_radius(law(problem), angle, *question)
    return np.stack([angle, r, problem.learning_rate / r**2])


def theory_online(problem: ScaleInvariant, times: np.ndarray, *, noise: float) -> Arrays:
    """SGD's variants on one new sample a step as d goes to infinity, at t = steps/d, (T,).

    Raises `ArithmeticError` where the laws break (`online.solution`), of which the house makes NaN.
    """
    problem.demand_scheme(*online.EXACT)
    return _online(problem, times, noise)


def averaged_online(problem: ScaleInvariant, times: np.ndarray, *, noise: float) -> Arrays:
    """The other schemes likewise, their second moments replaced by their means, (T,); raises as above."""
    problem.demand_scheme(*online.AVERAGED)
    _demand_no_axes(problem)
    return _online(problem, times, noise)


def equilibrium_online(problem: ScaleInvariant, times: np.ndarray, *, noise: float) -> Arrays:
    """The fixed point of `theory_online` or `averaged_online`, the same at every time, (T,)."""
    problem.demand_scheme(*online.EXACT, *online.AVERAGED)
    problem.demand_loss(*FREE, why="hinge-kr may have more than one equilibrium")
    problem.demand_positive_shrinkage(problem.learning_rate / problem.d)
    _demand_no_axes(problem)
    angle, radius, rate = online_equilibrium.rest(problem, noise)
    lost = problem.loss == "squared-correlation" and angle != np.pi / 2 and undecided(problem)
    why = "equilibrium route: angle0 is so close to pi/2 that rounding determines the direction"
    told_angle = nan_where(lost, why, np.array(angle))
    return _named(*(np.full(times.shape, each) for each in (told_angle, radius, rate)))


def _online(problem: ScaleInvariant, times: np.ndarray, noise: float) -> Arrays:
    problem.demand_certain_labels(noise)
    problem.demand_positive_shrinkage(problem.learning_rate / problem.d)
    return _named(*online.solution(problem, times, noise))


def _named(angle: np.ndarray, radius: np.ndarray, rate: np.ndarray) -> Arrays:
    return {"angle": angle, "radius": radius, "effective_learning_rate": rate}


def _demand_population(data: Mapping[str, object]) -> None:
    if data["data"] != "population":
        raise InputError("data", data["data"], "population: theory describes descent on the population loss")


def _demand_no_axes(problem: ScaleInvariant) -> None:
    if problem.scheme in ("adam", "adamw") and problem.teacher != "random":
        raise InputError("teacher", problem.teacher, f"random: scheme {problem.scheme} divides by coordinate")
