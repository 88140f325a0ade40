"""Rescaling and transport of the momentum: what RT is, and the algorithm that applies it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.claims import per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.training import (
    D,
    Repeatable,
    Training,
    both_tasks,
    start,
    train_on,
)
from teacherstudent.theory.scale_invariant import sphere

STEPS = 300
RATES = {"sgd-mrt": 0.1, "adam-srt": 0.02}


def transported(seeds: Seeds) -> list[Training]:
    """Schemes with RT as printed in Eq. 75, on both tasks."""
    return [
        train_on(task, scheme, learning_rate, STEPS, ridge=0.02)
        for task in both_tasks(seeds)
        for scheme, learning_rate in RATES.items()
    ]


def spread(r: np.ndarray) -> float:
    """How much rounding grows because x is kept in the place of x' + s a."""
    return float(np.max(r) / np.min(r))


# RT ------------------------------------------------------------------------------------------------

Transport = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""RT(a) of momenta a, (K, d), from weights before and after the step, (K, d) each."""


@dataclass(frozen=True)
class Momenta:
    """Momenta a_k, (K, d), the weights before and after their steps, and what training made of RT(a_k)."""

    a: np.ndarray
    old: np.ndarray
    new: np.ndarray
    carried: np.ndarray


def momenta(seeds: Seeds) -> list[Momenta]:
    """RT(a_k) as the next momentum less the next gradient and ridge term."""
    found = []
    for t in transported(seeds):
        full = t.gradients + t.ridge * t.x[:-1]
        carried = (t.a[1:] - full[1:]) / t.beta1
        found.append(Momenta(t.a[:-1], t.x[:-2], t.x[1:-1], carried))
    return found


def claimed_transport(law: Transport, evidence: list[Momenta]) -> list[np.ndarray]:
    """RT(a_k), (K-1, d)."""
    return [law(t.old, t.new, t.a) for t in evidence]


def projection(old: np.ndarray, new: np.ndarray, a: np.ndarray) -> np.ndarray:
    """P_{u'} a."""
    return sphere.tangent(new / np.linalg.norm(new, axis=1, keepdims=True), a)


def two_steps(old: np.ndarray, new: np.ndarray, a: np.ndarray) -> np.ndarray:
    """(r/r') times the parallel transport of the tangent part, Eqs. 69-73: norms kept."""
    r, rr = (np.linalg.norm(x, axis=1, keepdims=True) for x in (old, new))
    u, uu = old / r, new / rr
    return r / rr * sphere.transport(u, uu, sphere.tangent(u, a))


def off_radially(old: np.ndarray, new: np.ndarray, a: np.ndarray) -> np.ndarray:
    """RT(a - lambda u), Eq. 74."""
    return sphere.rescaled_transport(old, new, a - 0.3 * old / np.linalg.norm(old, axis=1, keepdims=True))


def laws(*others: Transport) -> Callable[[list[Momenta]], list[list[np.ndarray]]]:
    """Several ways to one RT, each a claim on its own."""
    return lambda evidence: [claimed_transport(law, evidence) for law in others]


@worst_of
def same_momentum(evidence: list[Momenta], claimed: list[list[np.ndarray]]) -> Iterator[Verdict]:
    """Every law gives what training carried on, and that is tangent where the step went."""
    for answers in claimed:
        for t, carried in zip(evidence, answers, strict=True):
            r = np.linalg.norm(t.new, axis=1)
            radial = np.sum(carried * (t.new / r[:, None]), axis=1)
            for error in (np.linalg.norm(carried - t.carried, axis=1), radial):
                relative = np.max(np.abs(error) / np.linalg.norm(t.a, axis=1))
                reason = "a dozen operations on d entries, each rounded"
                yield within_operations(relative, D, spread(r), reason=reason)


def rotated_only(old: np.ndarray, new: np.ndarray, a: np.ndarray) -> np.ndarray:
    """T(a) without R(a)."""
    r, rr = (np.linalg.norm(x, axis=1, keepdims=True) for x in (old, new))
    return sphere.coplanar_transport(old / r, new / rr, a)


RT = check(
    id="sphere-transport",
    title="RT projects at the new point, equals the rescaled parallel transport, and ignores radial parts",
    ref="Eqs. 18, 69-76",
    evidence=momenta,
    claim=laws(sphere.rescaled_transport, projection, two_steps, off_radially),
    judge=same_momentum,
    wrong=(
        WrongClaim("transport without rescaling", laws(rotated_only)),
        WrongClaim("projection at the old point", laws(lambda old, new, a: projection(new, old, a))),
        WrongClaim("no transport", laws(lambda old, new, a: a)),
    ),
)


# Algorithm 1 ----------------------------------------------------------------------------------------

Lines = Callable[[np.ndarray, float, np.ndarray, np.ndarray], tuple[np.ndarray, float]]
"""Lines 10-11: m and v from m, v, x and x'."""


def adam_srt(seeds: Seeds) -> list[Repeatable]:
    """Adam-SRT by its equations on both tasks."""
    numbers = {"ridge": 0.02, "epsilon": 1e-3}
    return [
        Repeatable(train_on(task, "adam-srt", 0.02, STEPS, **numbers), task.gradient)
        for task in both_tasks(seeds)
    ]


def corrected(m: np.ndarray, v: float, x: np.ndarray, xx: np.ndarray) -> tuple[np.ndarray, float]:
    """m <- ((x'.x) m - (m.x') x)/(x'.x'), v <- v (x.x)/(x'.x')."""
    return ((xx @ x) * m - (m @ xx) * x) / (xx @ xx), v * (x @ x) / (xx @ xx)


def printed(m: np.ndarray, v: float, x: np.ndarray, xx: np.ndarray) -> tuple[np.ndarray, float]:
    """Line 10 as printed, with one m too many, element by element."""
    return m * ((xx @ x) * m - (m @ xx) * x) / (xx @ xx), v * (x @ x) / (xx @ xx)


def kept(m: np.ndarray, v: float, x: np.ndarray, xx: np.ndarray) -> tuple[np.ndarray, float]:
    """Line 11 left out."""
    return corrected(m, v, x, xx)[0], v


@per_case
def by_algorithm(lines: Lines, case: Repeatable) -> np.ndarray:
    """Weights, (K+1, d), by Algorithm 1 with these lines 10-11."""
    t = case.training
    x, m, v = t.x[0], np.zeros(D), 0.0
    path = [x]
    for k, eta in enumerate(t.learning_rates):
        g = case.gradient(k, x) + t.ridge * x  # line 4
        m = t.beta1 * m + (1 - t.beta1) * g
        v = t.beta2 * v + (1 - t.beta2) * float(g @ g) / D
        mhat, vhat = m / (1 - t.beta1 ** (k + 1)), v / (1 - t.beta2 ** (k + 1))
        after = x - eta * mhat / (np.sqrt(vhat) + t.epsilon)  # line 9
        m, v = lines(m, v, x, after)
        x = after
        path.append(x)
    return np.array(path)


@worst_case
def same_weights(case: Repeatable, path: np.ndarray) -> Verdict:
    """The same weights after every step."""
    error = np.linalg.norm(path - case.training.x, axis=1) / case.training.r
    return within_operations(np.max(error), D, STEPS * spread(case.training.r))


ALGORITHM = check(
    id="sphere-algorithm",
    title="the corrected Algorithm 1 agrees with the equations of Adam-SRT",
    ref="Algorithm 1, Eqs. 19-21",
    evidence=adam_srt,
    claim=partial(by_algorithm, corrected),
    judge=same_weights,
    wrong=(WrongClaim("second moment not rescaled", partial(by_algorithm, kept)),),
    errata=misprints({"sphere-algorithm-line": partial(by_algorithm, printed)}),
)


# R alone --------------------------------------------------------------------------------------------


BETA, RIDGE = 0.9, 0.02


@dataclass(frozen=True)
class Rescaled:
    """Weights, gradients and momenta of each step, (K, d)."""

    x: np.ndarray
    gradients: np.ndarray
    a: np.ndarray


def rescaled_only(seeds: Seeds) -> list[Rescaled]:
    """SGD with the momentum rescaled but not transported, Eq. 70."""
    found = []
    for task in both_tasks(seeds):
        x, a, before = start(task.seed), np.zeros(D), 0.0
        steps = []
        for k in range(60):
            g, r = task.gradient(k, x), float(np.linalg.norm(x))
            a = BETA * before / r * a + g + RIDGE * x
            steps.append((x, g, a))
            x, before = x - 0.1 * a, r
        found.append(Rescaled(*(np.array(column) for column in zip(*steps, strict=True))))
    return found


Weights = Callable[[np.ndarray], np.ndarray]
"""Factors of the ridge terms, (k+1,), from the radii up to now, (k+1,)."""


@per_case
def summed(weights: Weights, t: Rescaled, past: bool = True) -> np.ndarray:
    """a_k, (K, d), by Eq. 71: (1/r_k) sum beta^(k-i) (grad L(u_i) + lambda weights_i u_i)."""
    rows = []
    for k in range(len(t.a)):
        r = np.linalg.norm(t.x[: k + 1], axis=1)
        u, gradients = t.x[: k + 1] / r[:, None], t.gradients[: k + 1] * r[:, None]
        if not past:
            gradients = np.tile(gradients[-1], (k + 1, 1))
        fading = BETA ** np.arange(k, -1, -1)
        rows.append(fading @ (gradients + RIDGE * weights(r)[:, None] * u) / r[-1])
    return np.array(rows)


@worst_case
def same_sums(t: Rescaled, a: np.ndarray) -> Verdict:
    """The momenta of the training."""
    error = np.linalg.norm(a - t.a, axis=1) / np.max(np.linalg.norm(t.a, axis=1))
    steps, reason = (
        len(a) * spread(np.linalg.norm(t.x, axis=1)),
        "a sum over k steps of d entries, each rounded",
    )
    return within_operations(np.max(error), D, steps, reason=reason)


RESCALED = check(
    id="sphere-rescaling",
    title="a rescaled momentum sums gradients on the sphere without radii, and ridge terms with r_i^2",
    ref="Eqs. 69-71",
    evidence=rescaled_only,
    claim=partial(summed, lambda r: r**2),
    judge=same_sums,
    wrong=(WrongClaim("ridge terms with r_k^2", partial(summed, lambda r: 0 * r + r[-1] ** 2)),),
    errata=misprints(
        {
            "sphere-rescaled-momentum": partial(summed, lambda r: r),
            "sphere-rescaled-momentum-thesis": partial(summed, lambda r: r * r[-1], past=False),
        }
    ),
)

CHECKS = (RT, ALGORITHM, RESCALED)
