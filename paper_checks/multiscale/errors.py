"""How wrong the misprints about multi-scale features are, each in one setting.

How wrong the misprints about the figures of ch. 4 are, each in one setting.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.reading import largest_relative_error
from teacherstudent.paper_checks.multiscale.kit.students import sizes
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale import one_scale, ridge_as_time
from teacherstudent.theory.multiscale.free_energy import stationary_point

FIGURE_3: dict[str, Any] = {"kappa": 50.0, "n": 150, "d": 100, "p": 60}
TIMES = np.geomspace(10, 1e5, 5)
WARM = PROBLEM.instance(**sizes(100), kappa=3.0, noise=0.2, ridge=0.1)
BETA = 10.0
MANY = 100
"""Samples or features, where a misprint is off by their number."""


def of_twice_the_ridge() -> float:
    """The first step of 1 - 1/(1 + x/2) against that of 1 - e^-x, at a small x = eta c t."""
    x = 1e-6
    return largest_relative_error(x / 2 / (1 + x / 2), -np.expm1(-x))


def of_small_logarithms() -> float:
    """The largest 1/(1 + x) - e^-x: both are shares of the error at the start."""
    x = np.geomspace(1e-3, 1e3, 2000)
    return float(np.max(1 / (1 + x) - np.exp(-x)))


def of_the_normalisation() -> float:
    """The slope of -1/2 ln Q0 against that of the entropy, 1/2 ln(Q0 - Q), at the stationary point."""
    order = stationary_point(WARM, BETA)
    own = order.self_overlap.sum()
    return float((own - order.overlap.sum()) / own)


def of_the_weight() -> float:
    """Eq. 2.3.22 against the error on fresh inputs."""
    return _generalisation(16.0)


def of_the_interpretation() -> float:
    """The same where the divergence shows."""
    return _generalisation(300.0)


def _generalisation(time: float) -> float:
    from teacherstudent.paper_checks.multiscale.fresh_examples import printed_generalisation

    problem = PROBLEM.instance(n=160, scales=((160, 1.0),), noise=0.5, init=0.5)
    times = np.array([time])
    right = one_scale.flow(problem, times, observable=["generalisation"])["generalisation_error"]
    return largest_relative_error(printed_generalisation(problem, times), right)


def of_susceptibilities() -> float:
    """The printed excess risk against the limit, at the worst time."""
    printed, right = (
        run("multiscale", "ridge", route, TIMES, **FIGURE_3)["excess_risk"].values
        for route in ("printed", "asymptotic")
    )
    return float(np.max(np.abs(printed / right - 1)))


def of_the_onset() -> float:
    """The condition number from which the printed risk descends twice, against that of flow."""
    from teacherstudent.paper_checks.multiscale.landmarks import FIGURE_4
    from teacherstudent.theory import turning
    from teacherstudent.theory.multiscale import landmarks

    def onset(curve: str) -> float:
        def count(kappa: float) -> int:
            return landmarks.descents(PROBLEM.instance(kappa=kappa, **FIGURE_4), curve)

        return turning.boundary(count, 4.0, 16.0, 1e-2)

    return largest_relative_error(onset("printed"), onset("flow"))


def of_the_lemma() -> float:
    """d Q against |yhat|^2 on the training examples, at the end of training on n = 1.2 d of them."""
    question: dict[str, Any] = {"kappa": 10.0, "n": 120, "d": 100, "p": 70, "observable": ("outputs",)}
    answer = run("multiscale", "flow", "asymptotic", [1e4], **question)
    return largest_relative_error(answer["Q"].values / 1.2, answer["training_output"].values)


def of_the_penalty() -> float:
    """The end of a penalised student, shrunk by 1 + 2a for 1 + a, at a = .6."""
    return largest_relative_error(1 / (1 + 2 * 0.6), 1 / (1 + 0.6))


def of_the_rates() -> float:
    """The rate of the fast features, as without a penalty, against 1 + a times that, at a = .6."""
    return largest_relative_error(1.0, 1 + 0.6)


def of_the_norm() -> float:
    """Eq. .2.66's Q at the right R = alpha/a, for two scales and n < d."""
    problem = PROBLEM.instance(n=50, d=100, p=60, kappa=10.0, ridge=1e-6)
    order = stationary_point(problem, BETA)
    alpha, a = problem.alpha, problem.alpha / order.alignment.sum()
    return largest_relative_error(alpha / (a**2 - alpha) * (1 - alpha * (2 - a) / a), order.overlap.sum())


def of_ridge_as_time() -> float:
    """The largest difference of the excess risks, as a share of their start, 1/2."""
    problem = PROBLEM.instance(**{**FIGURE_3, "kappa": 1.0})
    return abs(ridge_as_time.largest_gap(problem).value) / (1 / 2)


def of_the_bound() -> float:
    """By how much flow may exceed the printed bound."""
    return ridge_as_time.ratio_bound() - 1


def of_the_script() -> float:
    """The script's curve, whose slow scale is weaker by sqrt 2, against the limit."""
    question: dict[str, Any] = {**FIGURE_3, "times": TIMES}
    drawn = run("multiscale", "ridge", "printed", **{**question, "kappa": 50.0 * np.sqrt(2)})
    right = run("multiscale", "ridge", "asymptotic", **question)
    return float(np.max(np.abs(drawn["excess_risk"].values / right["excess_risk"].values - 1)))


def of_equal_scales() -> float:
    """The printed risk at kappa = 1 where half of the features are called slow, against that of one scale."""
    question: dict[str, Any] = {"times": [10.0], "n": 150, "d": 100, "p": 50, "kappa": 1.0}
    printed, right = (
        run("multiscale", "ridge", route, **question)["excess_risk"].values
        for route in ("printed", "asymptotic")
    )
    return largest_relative_error(printed, right)


def of_the_ridge_term() -> float:
    """R = alpha/a without the ridge in a, a = max(1, alpha), against .2.35, at alpha = 1.5 and ridge .1."""
    alpha, ridge = 1.5, 0.1
    gap = 1 - alpha - ridge
    a = 1 + 2 * ridge / (gap + np.sqrt(gap**2 + 4 * ridge))  # .2.35
    return largest_relative_error(alpha / max(1, alpha), alpha / a)


def of_the_thermal_risk() -> float:
    """The risk with Q against that with Q0."""
    order = stationary_point(WARM, BETA)
    R, Q, own = (each.sum() for each in (order.alignment, order.overlap, order.self_overlap))
    return largest_relative_error(1 - 2 * R + Q, 1 - 2 * R + own)


def of_the_sum() -> float:
    """The learning rate eta in the place of eta/n."""
    return largest_relative_error(1.0, 1 / MANY)


def of_the_teacher() -> float:
    """The risk at the start, |w|^2/(2d), for |w| = 1 and for |w|^2 = d."""
    return largest_relative_error(1 / MANY, 1.0)


# The figures of ch. 4 ------------------------------------------------------------------------------------

HIGHEST = 0.7 + 0.3 * 70 / 40
"""Q at B of Fig. 4: p/d + (1 - p/d) p/(n - p)."""
LATE = np.unique(np.geomspace(1, 1e4, 60).round())


def curve(steps: Any, n: int, p: int, kappa: float, name: str = "excess_risk", **more: Any) -> np.ndarray:
    """An observable of descent in the exact limit, or by `route`, d = 100, (T,)."""
    question = {
        "n": n,
        "d": 100,
        "p": p,
        "kappa": kappa,
        "learning_rate": 0.25,
        "route": "asymptotic",
        **more,
    }
    values: np.ndarray = run("multiscale", "descent", times=steps, **question)[name].values
    return values


def of_the_ratio() -> float:
    """kappa = 50 against the ratio of half-times at n = 1.5 d."""
    from teacherstudent.paper_checks.multiscale.times import in_the_limit

    fast, slow = in_the_limit(50.0)
    return largest_relative_error(50.0, slow / fast)


def of_the_height() -> float:
    """The plane's edge at Q = 1.2 against B."""
    return largest_relative_error(1.2, HIGHEST)


def of_the_vicinity() -> float:
    """Q at B against the largest Q at kappa = 7."""
    return largest_relative_error(HIGHEST, curve(LATE, 110, 70, 7.0, "Q").max())


def of_the_condition() -> float:
    """The printed loss at step 3000, without a ridge, at kappa = 100 against kappa = 40."""
    risks = [curve([3000], 120, 80, kappa, noise=0.2, route="printed") for kappa in (100.0, 40.0)]
    return largest_relative_error(*(risk + 0.2**2 / 2 for risk in risks))


def of_the_axis() -> float:
    """The risk that is drawn at t = 2, that of t = 1, against the one there."""
    return largest_relative_error(*curve([1, 2], 150, 60, 50.0))


def of_the_rise() -> float:
    """The risk at the end of the large ridge, if it had the intermediate one's share of a rise."""
    ridges = (4 * 10 ** -(0.1 + 7.9 * i / 99) for i in (10, 30))
    large, between = (curve(LATE, 120, 80, 40.0, noise=0.2, ridge=ridge) for ridge in ridges)
    return largest_relative_error(large.min() * between[-1] / between.min(), large[-1])
