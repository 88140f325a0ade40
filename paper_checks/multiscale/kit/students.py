"""What several checks of this system share: problems, sizes, a negative control, data in a shorter format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.comparison import Changes, Own, Question, Values
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.problems.multiscale.fading import fading_penalty
from teacherstudent.theory.multiscale import instance

DETERMINED: dict[str, Any] = dict(n=30, d=20, p=12, kappa=20.0, noise=0.3, ridge=0.05, init=0.4)
"""A small problem in which every parameter matters, and whose samples determine the student."""

HELD = (
    PROBLEM.instance(n=150, kappa=1.0, noise=0.3, ridge=0.05),
    PROBLEM.instance(n=40, kappa=1.0, ridge=0.2),
    PROBLEM.instance(n=150, kappa=50.0, noise=0.2, ridge=1e-3),
    PROBLEM.instance(n=60, scales=((30, 1.0), (30, 0.3), (40, 0.05)), noise=0.5, ridge=0.01),
)
"""One scale and more, more and fewer samples than features, each with a ridge that holds its weights."""

HALF_THE_RIDGE: dict[str, Changes] = {"half the ridge": {"times": lambda times: [2 * t for t in times]}}
"""A negative control of ridge regression, whose ridge is 1/t."""


def sizes(d: int) -> dict[str, Any]:
    """The same ratios at any dimension d: n = 1.5 d, p = 0.6 d."""
    return {"n": 3 * d // 2, "d": d, "p": 3 * d // 5}


def rounded_inputs(draws: Draws, bits: int | None) -> Draws:
    """The draws with their inputs rounded to that many bits of mantissa; None: as they are."""
    if bits is None:
        return draws
    mantissa, exponent = np.frexp(draws.inputs)
    return replace(draws, inputs=np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits))


# Weights, draw by draw -------------------------------------------------------------------------------------

CLOCK = (
    "times", "learning_rate", "output_penalty_decay", "inverse_temperature", "observable", "bits",
    "precision", "late", "norm",
)  # fmt: skip
"""What of a question is not the problem's. bits: of the inputs that are rounded."""


def problem_of(asked: Question) -> MultiScale:
    """The problem of a question."""
    found: MultiScale = PROBLEM.instance(**{name: each for name, each in asked.items() if name not in CLOCK})
    return found


def drawn(asked: Question, seeds: list[int]) -> Draws:
    """The draws that belong to it."""
    return rounded_inputs(draw(problem_of(asked), seeds), asked.get("bits"))


def trained(dynamics: str, asked: Question, draws: Draws) -> np.ndarray:
    """Simulated weights of descent or ridge regression on these draws, (S, T, d)."""
    from teacherstudent.sims.multiscale.descent import faded_trajectory, student_trajectory
    from teacherstudent.sims.multiscale.ridge import ridge_students

    problem, times = problem_of(asked), np.array(asked["times"], dtype=float)
    held: dict[str, Any] = {"ridge": problem.ridge, "output_penalty": problem.output_penalty}
    if dynamics == "ridge":
        ridges = problem.ridge + 1 / times
        return np.asarray(ridge_students(draws, ridges, output_penalty=problem.output_penalty))
    if decay := asked.get("output_penalty_decay"):
        penalties = fading_penalty(problem, decay, int(times[-1]))
        return faded_trajectory(
            draws, times, asked["learning_rate"], penalties=penalties, ridge=problem.ridge
        )
    dtype = asked.get("precision", "float64")
    return student_trajectory(draws, times, asked["learning_rate"], dtype=dtype, **held)


def simulated_weights(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """By the simulation."""
    return {"weights": trained(dynamics, asked, drawn(asked, seeds)).astype(float)}


def closed_form(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """By Eq. .2.17; gradient flow without a learning rate. late: steps by which a schedule is late."""
    problem, times = problem_of(asked), np.array(asked["times"], dtype=float)
    rate, held = asked.get("learning_rate"), (problem.ridge, problem.output_penalty)
    if dynamics == "ridge":
        rule: instance.Rule = instance.ridge_rule(*held)
    elif rate is None:
        rule = instance.flow_rule(*held)
    elif decay := asked.get("output_penalty_decay"):
        penalties = fading_penalty(problem, decay, int(times[-1]))
        late = penalties[:1].repeat(asked.get("late", 0))
        fading = instance.fading_rule(problem.ridge, rate, np.concatenate([late, penalties]))
        return {"weights": instance.students(drawn(asked, seeds), times, fading)}
    else:
        rule = instance.descent_rule(problem.ridge, rate, problem.output_penalty)
    return {"weights": instance.students(drawn(asked, seeds), times, rule)}


SIMULATED, EXACT = Own(simulated_weights), Own(closed_form)

# Many students of one X -------------------------------------------------------------------------------------


def students_of_one_X(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """What simulated students measure that share inputs; teacher, noise and start are each one's own."""
    from teacherstudent.sims.multiscale.data import observables, training_set
    from teacherstudent.sims.multiscale.langevin import overlaps, replica_trajectories

    draws = drawn(asked, seeds)
    draws = replace(draws, inputs=np.broadcast_to(draws.inputs[:1], draws.inputs.shape))
    if dynamics == "langevin":
        problem, times = problem_of(asked), np.array(asked["times"])
        clock = times, asked["learning_rate"], asked["inverse_temperature"], seeds
        penalty = problem.output_penalty
        found = replica_trajectories(draws, *clock, ridge=problem.ridge, output_penalty=penalty)
        return overlaps(draws, found)
    weights = trained(dynamics, asked, draws)
    inputs, labels = training_set(draws)
    outputs = weights @ np.swapaxes(inputs, -1, -2)
    missed = np.mean((labels[:, None] - outputs) ** 2, axis=-1)
    seen = {"training_error": missed, "training_output": np.mean(outputs**2, axis=-1)}
    return {**observables(draws, weights), **seen}


def averages_of_that_X(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """What the instance route says of the first draw's inputs."""
    groups: dict[str, Any] = {} if dynamics == "langevin" else {"observable": ("training", "outputs")}
    answer = run("multiscale", dynamics, "instance", seeds=seeds[:1], **groups, **asked)
    return {str(name): answer[name].values[0] for name in answer.data_vars}


ONE_X = Own(students_of_one_X), Own(averages_of_that_X, sampled=False)
"""Evidence and claim about the averages over teachers, noise and starts at one X."""
