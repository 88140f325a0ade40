r"""Exact dynamics given the drawn data: one decomposition, then any time.

pezeshki2022 Eqs. 4.2.9-4.2.10 and .2.15-.2.20, for any F, ridge, noise and start. With
X^T X = V c V^T, the student is w_hat = V [f(c) V^T X^T y + p(c) V^T w_hat_0], where p is the
propagator of the dynamics and f = (1 - p)/(c + ridge) (.2.15-.2.17). The printed form of A
contains F^-1, which loses all digits at large kappa; X^T y = X^T Z w needs no inverse. Where the
student knows the teacher so well that 1 - 2R + Q would cancel, `theory.multiscale.instance_error`
sums what it misses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.schedules import Schedule
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws, Inputs, draw_inputs
from teacherstudent.problems.multiscale.fading import demand_rate, fading_penalty
from teacherstudent.theory import rules
from teacherstudent.theory.algorithms.descent import ALGORITHM as DESCENT
from teacherstudent.theory.algorithms.flow import ALGORITHM as FLOW
from teacherstudent.theory.algorithms.ridge import ALGORITHM as RIDGE
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.multiscale import fading
from teacherstudent.theory.multiscale.answers import Arrays, asked_for
from teacherstudent.theory.multiscale.instance_error import summed_where_it_cancels
from teacherstudent.theory.multiscale.instance_parts import parts
from teacherstudent.theory.rules import Modes, Rule

SPREAD = 1e5
"""Largest over smallest eigenvalue up to which that of X^T X keeps a relative error of at most 1e-9."""


@dataclass(frozen=True)
class Eigensystem:
    """Spectrum of each drawn X^T X, (S, d), its eigenvectors as columns, (S, d, d), and X^T Z
    in that basis, (S, d, d)."""

    eigenvalues: np.ndarray
    vectors: np.ndarray
    cross: np.ndarray


def eigensystem(draws: Inputs) -> Eigensystem:
    """Decompose X^T X, or X itself where a small eigenvalue would lose its digits in X^T X (`SPREAD`)."""
    count, n, d = draws.inputs.shape
    rank = min(n, d)
    strongest = np.sort(draws.strengths)[d - rank :]
    if strongest[-1] < SPREAD**0.5 * strongest[0]:
        moments = draws.strengths[:, None] * (np.swapaxes(draws.inputs, -1, -2) @ draws.inputs)  # X^T Z
        eigenvalues, vectors = (each[..., ::-1] for each in np.linalg.eigh(moments * draws.strengths))
        cross = np.swapaxes(vectors, -1, -2) @ moments
        lost = eigenvalues[:, 0] >= SPREAD * eigenvalues[:, rank - 1]
    else:
        eigenvalues, vectors, cross = np.empty((count, d)), *np.empty((2, count, d, d))
        lost = np.ones(count, dtype=bool)
    eigenvalues[:, rank:], cross[:, rank:] = 0, 0
    for i in np.flatnonzero(lost):
        left, singular, right = np.linalg.svd(draws.inputs[i] * draws.strengths, full_matrices=n < d)
        eigenvalues[i, :rank], vectors[i] = singular**2, right.T
        cross[i, :rank] = singular[:, None] * (left.T @ draws.inputs[i])
    return Eigensystem(eigenvalues, vectors, cross)


def averaged(
    problem: MultiScale,
    draws: Inputs,
    times: np.ndarray,
    rule: Rule,
    observable: Sequence[str] | None = None,
    system: Eigensystem | None = None,
) -> Arrays:
    """R, Q and excess_risk, (S, T), averaged over teacher, noise and start for each drawn X.

    `observable` names groups to add. system: `eigensystem(draws)`, where it is known.
    """
    system = system or eigensystem(draws)
    f, p, missed = rule(system.eigenvalues, times)
    modulated = draws.strengths[:, None] * system.vectors  # F V
    overlap = np.swapaxes(modulated, -1, -2) @ modulated  # V^T F^T F V
    strength = np.diagonal(overlap, axis1=-2, axis2=-1)
    gram = overlap * (system.cross @ np.swapaxes(system.cross, -1, -2))
    R = _dot(f, system.eigenvalues) / problem.d  # Eq. .2.18
    signal = np.sum((f @ gram) * f, axis=-1) / problem.d  # Tr A^T A, Eq. .2.20
    noise = problem.noise**2 * _dot(f**2, system.eigenvalues * strength) / problem.d  # Tr B^T B, Eq. .2.20
    start = problem.init**2 * _dot(p**2, strength) / problem.d
    bias = summed_where_it_cancels(1 - 2 * R + signal, problem, system, overlap, missed)
    excess = (bias + noise + start) / 2  # Eq. 4.2.6
    answer = {
        "R": R,
        "Q": signal + noise + start,  # Eq. .2.19
        "excess_risk": excess,
        "generalisation_error": 2 * excess + problem.noise**2,
        **_on_training_examples(problem, system, f, p, missed),
    }
    if "parts" in (observable or ()):
        answer |= parts(problem, system, modulated, f, p, missed)
    return asked_for(answer, observable)


def _on_training_examples(
    problem: MultiScale, system: Eigensystem, f: np.ndarray, p: np.ndarray, missed: np.ndarray
) -> dict[str, np.ndarray]:
    """1/n |y - X w_hat|^2 and 1/n |X w_hat|^2 averaged over teacher, noise and start, (S, T).

    Along an eigenvector of X X^T the output is f c of the labels and the residual M = 1 - f c;
    n - d more directions (n > d) are beyond the student, and the residual keeps all their noise.
    """
    c = system.eigenvalues
    learned = f * c[:, None, :]
    labels = np.sum(system.cross**2, axis=-1) / np.where(c > 0, c, np.inf)  # of noiseless y, per direction
    rank = min(problem.n, problem.d)
    beyond = problem.noise**2 * (problem.n - rank)
    start = problem.init**2 * _dot(p**2, c)

    def of_labels(share: np.ndarray) -> np.ndarray:
        return _dot(share**2, labels) + problem.noise**2 * np.sum(share[..., :rank] ** 2, axis=-1)

    return {
        "training_error": (of_labels(missed) + beyond + start) / problem.n,
        "training_output": (of_labels(learned) + start) / problem.n,
    }


def students(draws: Draws, times: np.ndarray, rule: Rule) -> np.ndarray:
    """The student's weights of every draw at every time, (S, T, d): Eq. .2.17, nothing averaged."""
    system = eigensystem(draws)
    f, p, _ = rule(system.eigenvalues, times)
    inputs = draws.inputs * draws.strengths
    labels = np.einsum("snd,sd->sn", draws.inputs, draws.teacher) + draws.noise
    target = np.einsum("sdi,snd,sn->si", system.vectors, inputs, labels, optimize=True)
    start = np.einsum("sdi,sd->si", system.vectors, draws.initial)
    return (f * target[:, None] + p * start[:, None]) @ np.swapaxes(system.vectors, -1, -2)


def _dot(modes: np.ndarray, each: np.ndarray) -> np.ndarray:
    return np.einsum("sti,si->st", modes, each)


class Trained(rules.Trained):
    """NaN, with the reason, of draws with which weights grow, but for their start."""

    def __call__(self, c: np.ndarray, times: np.ndarray) -> Modes:
        return _said(self, super().__call__(c, times), c, times)


def _said(rule: rules.Trained, found: Modes, c: np.ndarray, times: np.ndarray) -> Modes:
    if "learning_rate" not in rule.options:
        return found
    eta, reason = rule.rates(np.max(c, axis=-1))
    lost = np.isnan(eta)[:, None] & (times > 0)
    if isinstance(rule.options["learning_rate"], Schedule):
        lost, reason = np.isnan(found.propagator).any(axis=-1), rule.reason
    return Modes(**nan_where(lost, reason, found._asdict())) if reason else found


def flow_rule(ridge: float, output_penalty: float = 0.0) -> Trained:
    """That of gradient flow."""
    return Trained(FLOW, ridge, output_penalty)


def descent_rule(
    ridge: float, learning_rate: float | str | np.ndarray | Schedule, output_penalty: float = 0.0
) -> Trained:
    """That of gradient descent. An array of learning rates, (S,), serves one draw each."""
    return Trained(DESCENT, ridge, output_penalty, learning_rate=learning_rate)


def ridge_rule(ridge: float, output_penalty: float = 0.0) -> Trained:
    """That of ridge regression at ridge + 1/time."""
    return Trained(RIDGE, ridge, output_penalty)


def fading_rule(ridge: float, learning_rate: float | str | np.ndarray, penalties: np.ndarray) -> Rule:
    """Gradient descent with a separate output penalty at each step, (K,), and none after them."""
    plain = rules.Trained(DESCENT, ridge, learning_rate=learning_rate)

    def rule(c: np.ndarray, times: np.ndarray) -> Modes:
        eta, _ = plain.rates(np.max(c, axis=-1))
        answers = []
        for f, p, missed, rest in fading.iterate_penalties(c, times, eta[:, None], ridge, penalties):
            later_f, later_p, _ = (each[:, 0] for each in plain(c, np.array([rest])))
            answers.append((later_f + later_p * f, later_p * p, later_p * missed + ridge * later_f))
        return _said(plain, Modes(*(np.stack(each, axis=1) for each in zip(*answers, strict=True))), c, times)

    return rule


def trained(
    problem: MultiScale,
    times: np.ndarray,
    *,
    algorithm: Algorithm,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
    **options: Any,
) -> Arrays:
    """Students at times, (T,), on the clock of the algorithm, on the data drawn by each seed, (S, T)."""
    rule = Trained(algorithm, problem.ridge, problem.output_penalty, **options)
    return averaged(problem, draw_inputs(problem, seeds), times, rule, observable)


def descent(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str | Schedule,
    output_penalty_decay: float = 0.0,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> Arrays:
    """Gradient descent after whole steps k (T,) on the data drawn by each seed."""
    rule: Rule = descent_rule(problem.ridge, learning_rate, problem.output_penalty)
    if problem.output_penalty and output_penalty_decay:
        rate = demand_rate(output_penalty_decay, learning_rate)
        penalties = fading_penalty(problem, output_penalty_decay, int(times[-1]))
        rule = fading_rule(problem.ridge, rate, penalties)
    return averaged(problem, draw_inputs(problem, seeds), times, rule, observable)


def __getattr__(name: str) -> Callable[..., Arrays]:
    """The route of the algorithm of that name."""
    return by_algorithm(trained, name)
