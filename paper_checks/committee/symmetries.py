"""What the equations must keep: names and signs of units, perfect learning; their moments by sampling."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import special

from teacherstudent.paper_checks.committee import check, compared, misprint
from teacherstudent.paper_checks.committee.kit.asking import BOTH_LAYERS, CLOCK, accuracy, ask, entry
from teacherstudent.paper_checks.judging.agreement import at_order, mean_within_errors, within_bound
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.problems.committee import PROBLEM
from teacherstudent.theory.committee.ode import State, right_hand_side

ACTIVATIONS = ("erf", "relu", "linear")
TIMES = (0.5, 4.0)
EVERY = ("R", "Q", "second_layer", "excess_risk")
Answer = dict[str, np.ndarray]


def equations(route: str = "asymptotic", **question: Any) -> Answer:
    """Every observable of a route of theory."""
    answer = ask(route, TIMES, **question)
    return {name: answer[name].values for name in EVERY}


@worst_case
def as_accurate(found: Answer, claim: Answer) -> Verdict:
    """Both to the declared accuracy, observable by observable relative to its largest value."""
    error = [np.max(np.abs(claim[name] - found[name])) / np.max(np.abs(found[name])) for name in EVERY]
    return within_bound(error, accuracy("asymptotic", "asymptotic"), "declared accuracy", "relative")


# Names and signs ------------------------------------------------------------

ORDER, SIGNS = [2, 0, 1], np.array([1.0, -1.0, 1.0])
TEACHERS = [1, 0]


def renamed(question: dict[str, Any], order: list[int], signs: np.ndarray, output: bool) -> dict[str, Any]:
    """The question with the student's units in another order, signs changed, and the teacher's swapped."""
    R, Q, T = (
        np.array(question[f"{name}_overlaps"])[np.ix_(rows, columns)]
        for name, rows, columns in (
            ("initial", order, TEACHERS),
            ("student", order, order),
            ("teacher", TEACHERS, TEACHERS),
        )
    )
    v = np.array(question["initial_second_layer"])[order] * (signs if output else 1)
    return {
        **question,
        "initial_overlaps": (signs[:, None] * R).tolist(),
        "student_overlaps": (np.outer(signs, signs) * Q).tolist(),
        "teacher_overlaps": T.tolist(),
        "initial_second_layer": v.tolist(),
        "teacher_second_layer": np.array(question["teacher_second_layer"])[TEACHERS].tolist(),
    }


def named(_: Seeds) -> dict[str, Answer]:
    """Evidence: the question as it is, unit by unit."""
    return {each: equations(activation=each, **BOTH_LAYERS) for each in ACTIVATIONS}


def by_other_names(_: object, output: bool = True, noise: float = 1.0) -> dict[str, Answer]:
    """The claim: the answer to the renamed question, named back. relu is not odd: its signs stay."""
    found = {}
    for each in ACTIVATIONS:
        signs = np.ones(3) if each == "relu" else SIGNS
        question = {**BOTH_LAYERS, "noise": noise * BOTH_LAYERS["noise"]}
        answer = equations(activation=each, **renamed(question, ORDER, signs, output))
        back = np.argsort(ORDER)
        sign = signs[back]
        found[each] = {
            "R": (signs[:, None] * answer["R"])[:, back][:, :, TEACHERS],
            "Q": (np.outer(signs, signs) * answer["Q"])[:, back][:, :, back],
            "second_layer": answer["second_layer"][:, back] * (sign if output else 1),
            "excess_risk": answer["excess_risk"],
        }
    return found


NAMES = check(
    id="cm-symmetries",
    title="reordering units, or flipping the signs of an odd unit and its output weight, changes no result",
    ref="symmetries of two-layer networks",
    evidence=named,
    claim=by_other_names,
    judge=as_accurate,
    wrong=(
        WrongClaim("signs flipped without the output weights", partial(by_other_names, output=False)),
        WrongClaim("label noise 0.1 % larger", partial(by_other_names, noise=1.001)),
    ),
    functions=(entry("asymptotic"),),
)

# Perfect learning ------------------------------------------------------------


def perfect(activation: str, **own: Any) -> dict[str, Any]:
    """A student that is the teacher, both layers in training."""
    T = ((1.0, 0.3), (0.3, 0.8))
    return {
        **{name: T for name in ("initial_overlaps", "student_overlaps", "teacher_overlaps")},
        **{f"{whose}_second_layer": (1.0, -0.8) for whose in ("initial", "teacher")},
        "activation": activation,
        "learning_rate": 0.2,
        "second_layer_learning_rate": 0.2,
        **own,
    }


def kept(_: Seeds, **own: Any) -> dict[str, np.ndarray]:
    """Evidence: R, Q and v of students that start perfect, (T, 10)."""
    names = ("R", "Q", "second_layer")
    found = {each: equations(**perfect(each, **own)) for each in ACTIVATIONS}
    rows = len(TIMES)
    return {
        each: np.concatenate([answer[name].reshape(rows, -1) for name in names], axis=1)
        for each, answer in found.items()
    }


def teachers(_: object, **own: Any) -> dict[str, np.ndarray]:
    """The claim: those of the teacher for ever; wrong with noise or decay, which move a student."""
    if own:
        return kept(Seeds(""), **own)
    row = [1.0, 0.3, 0.3, 0.8, 1.0, 0.3, 0.3, 0.8, 1.0, -0.8]
    return dict.fromkeys(ACTIVATIONS, np.array([row] * len(TIMES)))


@worst_case
def unmoved(found: np.ndarray, claim: np.ndarray) -> Verdict:
    """To the declared accuracy, of values up to 1."""
    return within_bound(found - claim, accuracy("asymptotic"), "declared accuracy", "relative")


PERFECT = check(
    id="cm-perfect",
    title="without label noise and weight decay, a student equal to its teacher stays equal",
    ref="Q = R = T is a fixed point",
    evidence=kept,
    claim=teachers,
    judge=unmoved,
    wrong=(
        WrongClaim("label noise of 0.01", partial(teachers, noise=0.01)),
        WrongClaim("weight decay of 0.0001", partial(teachers, weight_decay=1e-4)),
    ),
    functions=(entry("asymptotic"),),
)

# The reduced system ------------------------------------------------------------

SYMMETRIC = compared(
    id="cm-symmetric",
    title="four order parameters describe K = M units with equal initial overlaps",
    ref="R_ii, R_ij, Q_ii and Q_ij of equal units",
    clocks={CLOCK: {"times": TIMES, "init": 0.6, "noise": 0.3, "overlap": 0.1}},
    questions={
        "erf": {"activation": "erf", "width": 3, "teacher_width": 3, "learning_rate": 0.8},
        "linear": {"activation": "linear", "width": 4, "teacher_width": 4, "learning_rate": 0.2},
    },
    routes=("symmetric", "asymptotic"),
    observables=EVERY,
    wrong={
        "label noise 0.1 % larger": {"noise": scaled(1.001)},
        "initial overlap 0.1 % larger": {"overlap": scaled(1.001)},
    },
)

# A step, sampled ------------------------------------------------------------

SAMPLES = 200_000
STILL = {"weight_decay": 0.0, "second_layer_weight_decay": 0.0}
FEWER: dict[str, Any] = {
    "width": 2,
    "teacher_width": 3,
    "teacher_overlaps": ((0.5, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.5)),
    "initial_overlaps": ((0.2, -0.1, 0.3), (0.1, 0.3, -0.2)),
    "student_overlaps": ((0.5, 0.1), (0.1, 0.6)),
    "initial_second_layer": (1.0, 0.7),
    "teacher_second_layer": (1.0, -0.8, 0.5),
}
"""Two students of a teacher of three units, whose norms are graded."""
EXAMPLES: dict[str, dict[str, Any]] = {
    **{each: {**BOTH_LAYERS, **STILL, "activation": each} for each in ACTIVATIONS},
    "graded": {**BOTH_LAYERS, **STILL, **FEWER, "activation": "erf"},
}


def units(activation: str, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """g and g' of fields."""
    if activation == "relu":
        return np.maximum(a, 0), (a > 0).astype(float)
    if activation == "linear":
        return a, np.ones_like(a)
    return special.erf(a / np.sqrt(2)), np.sqrt(2 / np.pi) * np.exp(-(a**2) / 2)


def sampled(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: what examples change in R, Q and v, in units of 1/d, without decay: (S, K M + K^2 + K)."""
    found = {}
    for name, question in EXAMPLES.items():
        p = PROBLEM.instance(**question)
        overlaps = np.block([[np.array(p.Q0), np.array(p.R0)], [np.array(p.R0).T, np.array(p.T)]])
        v, target, K = np.array(p.second_layer), np.array(p.teacher_second_layer), p.width
        rng = np.random.default_rng(seeds(1, name))
        fields = rng.standard_normal((SAMPLES, len(overlaps))) @ np.linalg.cholesky(overlaps).T
        g, slope = units(question["activation"], fields)
        missed = g[:, :K] @ v - g[:, K:] @ target - p.noise * rng.standard_normal(SAMPLES)
        pull = p.learning_rate * missed[:, None] * v * slope[:, :K]
        along = -pull[:, :, None] * fields[:, None, :]
        R, Q = along[:, :, K:], along[:, :, :K]
        Q = Q + Q.transpose(0, 2, 1) + pull[:, :, None] * pull[:, None, :]
        moved = -p.second_layer_learning_rate * missed[:, None] * g[:, :K]
        found[name] = np.concatenate([R.reshape(SAMPLES, -1), Q.reshape(SAMPLES, -1), moved], axis=1)
    return found


def slopes(_: object, **own: float) -> dict[str, np.ndarray]:
    """The claim: the right hand side of the equations at the same overlaps, without decay."""
    found = {}
    for name, question in EXAMPLES.items():
        problem = PROBLEM.instance(**{**question, **own})
        at = right_hand_side(problem, State(*map(np.array, (problem.R0, problem.Q0, problem.second_layer))))
        found[name] = np.concatenate([at.R.ravel(), at.Q.ravel(), at.second_layer])
    return found


SLOPES = check(
    id="cm-slopes",
    title="the mean step of both layers agrees with sampled examples, for erf, relu and linear units",
    ref="averages over the fields of one example",
    evidence=sampled,
    claim=slopes,
    judge=worst_case(mean_within_errors),
    effect=Contrast("steps 10 % smaller", "the effect of a tenth of the learning rate"),
    wrong=(
        WrongClaim("steps 10 % smaller", partial(slopes, learning_rate=0.9 * BOTH_LAYERS["learning_rate"])),
        WrongClaim("no label noise", partial(slopes, noise=0.0)),
        WrongClaim("second layer 10 % slower", partial(slopes, second_layer_learning_rate=0.36)),
    ),
    functions=("theory.committee.ode:right_hand_side",),
    also=(("saad1995", "Equations of motion"), ("saad1995", "Unrealizable and graded teachers")),
)

# Steps of time, and the decay ------------------------------------------------------------

STEPS = (0.02, 0.01, 0.005)
DECAYING = {**BOTH_LAYERS, "second_layer_learning_rate": 0.0, "second_layer_weight_decay": 0.0}


def at_one(_: Seeds) -> np.ndarray:
    """Evidence: Q at t = 1."""
    return ask("asymptotic", (1.0,), **DECAYING)["Q"].values[0]


def in_steps(_: object, of_time: bool = True, decay: float = 1.0) -> dict[float, np.ndarray]:
    """The claim: Q by Euler's steps; wrong where the decay of Q does not know the length of a step."""
    found = {}
    problem = PROBLEM.instance(**{**DECAYING, "weight_decay": decay * DECAYING["weight_decay"]})
    for dt in STEPS:
        R, Q = np.array(problem.R0), np.array(problem.Q0)
        v = np.array(problem.second_layer)
        for _step in range(round(1 / dt)):
            at = right_hand_side(problem, State(R, Q, v))
            more = 0.0 if of_time else 2 * problem.weight_decay * (1 - dt)
            R, Q = R + dt * at.R, Q + dt * at.Q - more * Q
        found[dt] = Q
    return found


def first_order_in_time(found: np.ndarray, claimed: dict[float, np.ndarray]) -> Verdict:
    """Euler's error falls like the length of a step."""
    return at_order(STEPS, [float(np.linalg.norm(Q - found)) for Q in claimed.values()], 1)


DECAY = check(
    id="cm-decay",
    title="with weight decay, Euler steps approach the solution with an error proportional to the step",
    ref="dQ = ... - 2 kappa Q",
    evidence=at_one,
    claim=in_steps,
    judge=first_order_in_time,
    wrong=(WrongClaim("half the weight decay", partial(in_steps, decay=0.5)),),
    errata=(
        misprint(
            "cm-decay-without-time",
            "published code, scm_ode_erf.pyx",
            "Q <- Q - 2 wd Q in each step of length dt",
            "Q <- Q - 2 wd Q dt",
            partial(in_steps, of_time=False),
        ),
    ),
    functions=(entry("asymptotic"), "theory.committee.ode:right_hand_side"),
)

CHECKS = (NAMES, PERFECT, SYMMETRIC, SLOPES, DECAY)
