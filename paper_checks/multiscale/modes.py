"""Mode by mode: the simulated student of one drawn data set against Eqs. 2.3.13 and 2.3.29.

Nothing is averaged. Gradient descent approaches the flow of Eq. 2.3.5 at first order in the
learning rate, tau = 1/eta for the loss with one-half (tau = 1/(2 eta) for Eq. 2.3.4 as it stands).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import first_order
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.theory.multiscale import instance

SHAPES = tuple(PROBLEM.instance(n=n, scales=((20, 1.0),), noise=0.4, init=0.5) for n in (12, 20, 30))
TIMES = np.array([0.8, 8.0])
RATES = (0.02, 0.01, 0.005, 0.0025)


@dataclass(frozen=True)
class Modes:
    """The quantities of Eqs. 2.3.6-2.3.11 for each of S draws, rank r = min(N, P).

    eigenvalues of X X^T (S, N), zeros included; teacher wbar V, start w(0) V, both (S, N);
    noise eps U (S, P), its first r entries the modes', the others eps U_perp.
    """

    eigenvalues: np.ndarray
    vectors: np.ndarray
    teacher: np.ndarray
    start: np.ndarray
    noise: np.ndarray
    rank: int


@dataclass(frozen=True)
class TrainedModes:
    """At each learning rate: the student's modes z = w V, (S, T, N), and the loss 2.3.4, (S, T)."""

    draws: Draws
    modes: Modes
    students: dict[float, np.ndarray]
    losses: dict[float, np.ndarray]


def modes_of(draws: Draws) -> Modes:
    """Teacher, start and noise of each draw in the eigenbasis of its X X^T."""
    count, P, N = draws.inputs.shape
    U, singular, V = np.linalg.svd(draws.inputs, full_matrices=True)  # X = Z^T = V Lambda^(1/2) U^T
    eigenvalues = np.zeros((count, N))
    eigenvalues[:, : min(N, P)] = singular**2
    vectors = np.swapaxes(V, -1, -2)

    def rotated(rows: np.ndarray, basis: np.ndarray) -> np.ndarray:
        return np.einsum("si,sij->sj", rows, basis)

    teacher, start = rotated(draws.teacher, vectors), rotated(draws.initial, vectors)
    return Modes(eigenvalues, vectors, teacher, start, rotated(draws.noise, U), min(N, P))


def trained(seeds: Seeds) -> list[TrainedModes]:
    """Evidence: simulated errors of each shape."""
    return [_trained(problem, seeds) for problem in SHAPES]


def _trained(problem: MultiScale, seeds: Seeds) -> TrainedModes:
    from teacherstudent.sims.multiscale.data import training_set
    from teacherstudent.sims.multiscale.descent import student_trajectory

    draws = draw(problem, seeds(4, str(problem.n)))
    inputs, labels = training_set(draws)
    modes = modes_of(draws)
    students, losses = {}, {}
    for rate in RATES:
        weights = student_trajectory(draws, np.rint(TIMES / rate), rate)
        students[rate] = weights @ modes.vectors
        missed = labels[:, None, :] - weights @ np.swapaxes(inputs, -1, -2)
        losses[rate] = np.sum(missed**2, axis=-1)  # Eq. 2.3.4: a total, although called a mean
    return TrainedModes(draws, modes, students, losses)


def by_theory(case: TrainedModes, time: float = 1.0) -> np.ndarray:
    """The theory's students of the same draws along gradient flow, (S, T, N)."""
    return instance.students(case.draws, time * TIMES, instance.flow_rule(0.0))


# Eq. 2.3.13 ---------------------------------------------------------------------------------------


@per_case
def learned(
    case: TrainedModes, time: float = 1.0, noise: float = 1.0, start: float = 1.0
) -> tuple[np.ndarray, ...]:
    """z(t) of Eq. 2.3.13, (S, T, N), with factors on its ingredients for the negative controls."""
    m, r = case.modes, case.modes.rank
    decay = np.exp(-m.eigenvalues[:, None] * time * TIMES[:, None])
    gap = (m.teacher - start * m.start)[:, None] * decay
    kick = noise * m.noise[:, None, :r] / np.sqrt(m.eigenvalues[:, None, :r])
    gap[..., :r] -= kick * (1 - decay[..., :r])  # Eq. 2.3.13; a mode without data stays as it is
    return (m.teacher[:, None] - gap,)


@per_case
def fitted_alike(case: TrainedModes) -> tuple[np.ndarray, ...]:
    """Wrong: every mode over-fits the noise as one of the mean eigenvalue does."""
    m, r = case.modes, case.modes.rank
    decay = np.exp(-m.eigenvalues[:, None] * TIMES[:, None])
    z = m.teacher[:, None] - (m.teacher - m.start)[:, None] * decay
    mean = m.eigenvalues[:, None, :r].mean(axis=-1, keepdims=True)
    z[..., :r] += m.noise[:, None, :r] / np.sqrt(mean) * (1 - decay[..., :r])
    return (z,)


@per_case
def twice_learned(case: TrainedModes, time: float = 1.0) -> tuple[np.ndarray, ...]:
    """Eq. 2.3.13 for these modes, and the modes of the theory's students."""
    return learned([case])[0][0], by_theory(case, time) @ case.modes.vectors


@worst_case
def at_first_order(quantity: str, case: TrainedModes, claims: tuple[np.ndarray, ...]) -> Iterator[Verdict]:
    """Simulated minus claimed over four learning rates, for students or losses."""
    for claim in claims:
        yield first_order(getattr(case, quantity), claim, case.modes.eigenvalues.max())


STUDENTS = check(
    id="os-modes",
    title="each mode of a simulated student against its own exponential",
    ref="Eqs. 2.3.5-2.3.13",
    evidence=trained,
    claim=twice_learned,
    judge=partial(at_first_order, "students"),
    teeth=(
        Tooth("one per cent fast", partial(learned, time=1.01)),
        Tooth("noise with the other sign", partial(learned, noise=-1.0)),
        Tooth("start forgotten", partial(learned, start=0.0)),
        Tooth("small eigenvalues over-fit no more than large ones", fitted_alike),
        Tooth("the theory's students one per cent fast", partial(twice_learned, time=1.01)),
    ),
)


# Eq. 2.3.29 ---------------------------------------------------------------------------------------

Sum = Callable[[Modes], np.ndarray]


def squared(modes: Modes) -> np.ndarray:
    """Each mode's share of the loss at t = 0, for the min(N, P) modes with data: (S, r)."""
    gap = modes.teacher[:, : modes.rank] - modes.start[:, : modes.rank]
    pull = np.sqrt(modes.eigenvalues[:, : modes.rank]) * gap
    return (pull + modes.noise[:, : modes.rank]) ** 2


def linear(modes: Modes) -> np.ndarray:
    """Wrong: the bracket without its square."""
    gap = modes.teacher - modes.start
    noise = np.zeros_like(gap)
    noise[:, : modes.rank] = modes.noise[:, : modes.rank]
    return np.sqrt(modes.eigenvalues) * gap + noise


def signal_only(modes: Modes) -> np.ndarray:
    """The initial training error of each mode, without its noise."""
    gap = modes.teacher[:, : modes.rank] - modes.start[:, : modes.rank]
    return modes.eigenvalues[:, : modes.rank] * gap**2


@per_case
def fitted(case: TrainedModes, share: Sum, rate: float = 2.0, beyond: float = 1.0) -> tuple[np.ndarray, ...]:
    """E_t(t) = sum share e^{-rate lambda t} + |eps U_perp|^2, (S, T): Eq. 2.3.29 with `squared`."""
    m = case.modes
    shares = share(m)
    decay = np.exp(-rate * m.eigenvalues[:, None, : shares.shape[-1]] * TIMES[:, None])
    rest = beyond * np.sum(m.noise[:, m.rank :] ** 2, axis=-1, keepdims=True)
    return (np.sum(shares[:, None] * decay, axis=-1) + rest,)


@per_case
def twice_fitted(case: TrainedModes, time: float = 1.0) -> tuple[np.ndarray, ...]:
    """Eq. 2.3.29 for these modes, and the loss 2.3.4 of the theory's students."""
    outputs = by_theory(case, time) @ np.swapaxes(case.draws.inputs, -1, -2)
    labels = np.einsum("snd,sd->sn", case.draws.inputs, case.draws.teacher) + case.draws.noise
    return fitted([case], share=squared)[0][0], np.sum((labels[:, None] - outputs) ** 2, axis=-1)


LOSSES = check(
    id="os-training",
    title="the simulated training error against Eq. 2.3.29, draw by draw",
    ref="Eqs. 2.3.23-2.3.29",
    evidence=trained,
    claim=twice_fitted,
    judge=partial(at_first_order, "losses"),
    teeth=(
        Tooth("the bracket not squared", partial(fitted, share=linear)),
        Tooth("half the rate", partial(fitted, share=squared, rate=1.0)),
        Tooth("no noise in the modes", partial(fitted, share=signal_only)),
        Tooth("no noise beyond the modes", partial(fitted, share=squared, beyond=0.0)),
        Tooth("the theory's students one per cent fast", partial(twice_fitted, time=1.01)),
    ),
)

CHECKS = (STUDENTS, LOSSES)
