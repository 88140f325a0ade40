"""Inputs of one strength, each step on new examples: exact at any size, as directions are equivalent."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.theory.heavy_tails import answers, growth, tails

Arrays = dict[str, np.ndarray]

FEW, ORDERS = 8.0, (8.0, 64.0, 300.0, answers.HIGHEST)
"""Nodes serve orders up to one of these: the larger, the more nodes. rho needs the few."""

WIDENED = 1.5
"""Factor by which a step size that is too small grows in the search for the largest."""


def stationary(problem: HeavyTails, times: np.ndarray) -> Arrays:
    """rho, tail index and excess risk of the law that v has in the end, over step sizes, (T,)."""
    answers.demand_one_strength(problem)
    rho = np.array([lyapunov(problem.batch, problem.d, eta) for eta in times])
    alpha = np.array([_index(problem, eta, each) for eta, each in zip(times, rho, strict=True)])
    critical = critical_rate(problem.batch, problem.d)
    with np.errstate(divide="ignore"):
        risk = times * problem.noise**2 * problem.d / (problem.batch + problem.d + 1) / (critical - times) / 2
    return {
        "lyapunov": rho,
        "tail_index": answers.tail_index(problem, times, rho, alpha),
        "excess_risk": answers.stationary_risk(times, critical, risk),
    }


def sgd(problem: HeavyTails, times: np.ndarray, *, learning_rate: float) -> Arrays:
    """Excess risk and mean logarithm of the distance of two students over steps, (T,)."""
    answers.demand_one_strength(problem)
    b, d = problem.batch, problem.d
    change = learning_rate * (learning_rate * (b + d + 1) / b - 2)  # h(2) - 1
    with np.errstate(over="ignore"):
        grown = times * math.log1p(change)
        ever = np.expm1(grown) / change if change else times
        risk = d / 2 * (problem.init**2 * np.exp(grown) + (learning_rate * problem.noise) ** 2 / b * ever)
    rho = lyapunov(b, d, learning_rate)
    return {"excess_risk": answers.risk_of_steps(risk), "log_separation": times * rho}


def orders(problem: HeavyTails, times: np.ndarray, *, learning_rate: float) -> Arrays:
    """ln h over orders s, (T,)."""
    answers.demand_one_strength(problem)

    def log_moment(order: float) -> float:
        serving = next(each for each in ORDERS if order <= each)
        return growth.of(learning_rate, problem.batch, problem.d, serving).log_moment(order)

    return {"log_growth": np.array([log_moment(float(order)) for order in times])}


def lyapunov(batch: int, d: int, learning_rate: float) -> float:
    """rho of steps of that size on b examples of d inputs of variance 1."""
    return growth.of(learning_rate, batch, d, FEW).lyapunov()


def critical_rate(batch: int, d: int) -> float:
    """eta_var, the step size at which the tail index is 2: h(2) = 1."""
    return 2 * batch / (batch + d + 1)


def largest_rate(batch: int, d: int) -> float:
    """eta_max, the step size at which rho is 0."""
    low = critical_rate(batch, d)  # of mean square 1 there, so rho < 0
    high = WIDENED * low
    while lyapunov(batch, d, high) < 0:
        low, high = high, WIDENED * high
    return float(brentq(lambda eta: lyapunov(batch, d, eta), low, high, rtol=1e-14))


def _index(problem: HeavyTails, learning_rate: float, rho: float) -> float:
    if rho >= 0:
        return math.nan
    return tails.index(
        rho,
        lambda highest: growth.of(learning_rate, problem.batch, problem.d, highest).log_moment,
        ORDERS,
    )
