"""Mode by mode: the simulated student of one drawn data set against Eqs. 2.3.13 and 2.3.29.

Nothing is averaged. Gradient descent approaches the flow of Eq. 2.3.5 at first order in the
learning rate, tau = 1/eta for the loss with one-half (tau = 1/(2 eta) for Eq. 2.3.4 as it stands).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import ABSENT, Changes, Found, Own, Values
from teacherstudent.paper_checks.judging.judges import FirstOrder, InGroups
from teacherstudent.paper_checks.multiscale import compared
from teacherstudent.paper_checks.multiscale.kit.students import closed_form, drawn, trained
from teacherstudent.problems.multiscale.data import Draws

TIMES = np.array([0.8, 8.0])


class Modes:
    """The quantities of Eqs. 2.3.6-2.3.11 for each of S draws, rank r = min(N, P).

    eigenvalues of X X^T (S, N), zeros included; teacher wbar V, start w(0) V, both (S, N);
    noise eps U (S, P), its first r entries the modes', the others eps U_perp.
    """

    def __init__(self, draws: Draws) -> None:
        count, P, N = draws.inputs.shape
        U, singular, V = np.linalg.svd(draws.inputs, full_matrices=True)  # X = Z^T = V Lambda^(1/2) U^T
        self.rank, self.vectors = min(N, P), np.swapaxes(V, -1, -2)
        self.eigenvalues = np.zeros((count, N))
        self.eigenvalues[:, : self.rank] = singular**2
        teacher, start = (
            np.einsum("si,sij->sj", each, self.vectors) for each in (draws.teacher, draws.initial)
        )
        self.teacher, self.start, self.noise = teacher, start, np.einsum("si,sij->sj", draws.noise, U)


def measured(draws: Draws, weights: np.ndarray, name: str) -> Values:
    """The modes z = w V of students (S, T, N), and their loss 2.3.4 (a total, called a mean), (S, T)."""
    labels = np.einsum("snd,sd->sn", draws.inputs, draws.teacher) + draws.noise
    missed = labels[:, None] - weights @ np.swapaxes(draws.inputs, -1, -2)
    return {f"modes {name}": weights @ Modes(draws).vectors, f"losses {name}": np.sum(missed**2, axis=-1)}


def simulated(dynamics: str, asked: dict[str, Any], seeds: list[int]) -> Values:
    """Students along descent: for the equations, and for the theory's students."""
    draws = drawn(asked, seeds)
    weights = trained(dynamics, asked, draws)
    return measured(draws, weights, "by equation") | measured(draws, weights, "of students")


def theory(
    dynamics: str, asked: dict[str, Any], seeds: list[int], z: str = "", loss: str = "", late: float = 1.0
) -> Values:
    """Eqs. 2.3.13 and 2.3.29 for these modes, and the theory's students along flow.

    z, loss: what is wrong with an equation. late: a factor on the time of the theory's students.
    """
    draws, times = drawn(asked, seeds), np.array(asked["times"])
    students = closed_form(dynamics, {**asked, "times": late * times}, seeds)["weights"]
    m = Modes(draws)
    claims = {"modes by equation": learned(m, times, z), "losses by equation": fitted(m, times, loss)}
    return claims | measured(draws, students, "of students")


def learned(m: Modes, times: np.ndarray, wrong: str) -> np.ndarray:
    """z(t) of Eq. 2.3.13, (S, T, N)."""
    r, s = m.rank, 1.01 if wrong == "fast" else 1.0
    decay = np.exp(-m.eigenvalues[:, None] * s * times[:, None])
    gap = (m.teacher - (0.0 if wrong == "forgotten" else m.start))[:, None] * decay
    eigenvalues = m.eigenvalues[:, None, :r]
    if wrong == "alike":  # every mode over-fits the noise as one of the mean eigenvalue does
        eigenvalues = eigenvalues.mean(axis=-1, keepdims=True)
    kick = (-1 if wrong == "sign" else 1) * m.noise[:, None, :r] / np.sqrt(eigenvalues)
    gap[..., :r] -= kick * (1 - decay[..., :r])  # a mode without data stays as it is
    return m.teacher[:, None] - gap


def fitted(m: Modes, times: np.ndarray, wrong: str) -> np.ndarray:
    """sum (sqrt(lambda)(zbar - z) + eps U)^2 e^{-2 lambda t} + |eps U_perp|^2, (S, T): Eq. 2.3.29."""
    r = m.rank
    some = slice(None) if wrong == "linear" else slice(r)  # without its square a mode without data counts
    pull = np.sqrt(m.eigenvalues[:, some]) * (m.teacher - m.start)[:, some]
    noise = np.zeros_like(pull)
    if wrong != "signal":
        noise[:, :r] = m.noise[:, :r]
    share = pull + noise if wrong == "linear" else (pull + noise) ** 2
    decay = np.exp(-(1 if wrong == "half" else 2) * m.eigenvalues[:, None, some] * times[:, None])
    rest = 0.0 if wrong == "within" else np.sum(m.noise[:, r:] ** 2, axis=-1, keepdims=True)
    return np.sum(share[:, None] * decay, axis=-1) + rest


def question(name: tuple[int, float]) -> dict[str, Any]:
    """So many samples, at flow times and that learning rate."""
    n, rate = name
    shape = {"n": n, "scales": ((20, 1.0),), "noise": 0.4, "init": 0.5}
    return {**shape, "times": np.rint(TIMES / rate), "learning_rate": rate}


def curvature(found: Found) -> float:
    """The largest eigenvalue of X X^T."""
    case = found.cases[0]
    return float(Modes(drawn(case.question, case.seeds or [])).eigenvalues.max())


def wrongly(**how: Any) -> Changes:
    """Something else of theory."""
    return {"route": Own(partial(theory, **how))}


modes = partial(
    compared,
    clocks={"descent": {}},
    questions=question,
    routes=(Own(simulated), Own(theory)),
    draws={(n, rate): 4 for n in (12, 20, 30) for rate in (0.02, 0.01, 0.005, 0.0025)},
    stream="{0[0]}",
    judge=InGroups(FirstOrder(curvature, each=True)),
    claimed={"times": TIMES, "learning_rate": ABSENT},
)

CHECKS = (
    modes(
        id="os-modes",
        title="each mode of a simulated student follows its own exponential",
        ref="Eqs. 2.3.5-2.3.13",
        observables=("modes by equation", "modes of students"),
        wrong={
            "training 1 % too fast": wrongly(z="fast"),
            "noise with the wrong sign": wrongly(z="sign"),
            "initial weights omitted": wrongly(z="forgotten"),
            "no more overfitting along small eigenvalues than along large ones": wrongly(z="alike"),
            "theory with training 1 % too fast": wrongly(late=1.01),
        },
    ),
    modes(
        id="os-training",
        title="the simulated training error agrees with Eq. 2.3.29, draw by draw",
        ref="Eqs. 2.3.23-2.3.29",
        observables=("losses by equation", "losses of students"),
        wrong={
            "the bracket not squared": wrongly(loss="linear"),
            "half the rate": wrongly(loss="half"),
            "no noise in the modes": wrongly(loss="signal"),
            "no noise outside the modes": wrongly(loss="within"),
            "theory with training 1 % too fast": wrongly(late=1.01),
        },
    ),
)
