"""Recovery without training: the pencil of two mixtures of Jacobians gives the teacher, to rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from teacherstudent.paper_checks.flexible_activations import check
from teacherstudent.paper_checks.flexible_activations.kit.asking import PENCIL, ask, system
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, within_operations
from teacherstudent.problems.flexible_activations import PROBLEM
from teacherstudent.problems.flexible_activations.data import examples, networks
from teacherstudent.theory.flexible_activations import pencil as theory

SYSTEMS = (
    system(3, 3, 3, 3, 2), system(4, 4, 3, 3, 2), system(4, 4, 3, 2, 2), system(10, 8, 8, 5, 2),
    system(10, 10, 10, 3, 1),
)  # fmt: skip
DRAWS = 6


@dataclass(frozen=True)
class Teacher:
    """A drawn teacher: its system and seed, V, W and c, inputs (K, m), its outputs there, (K, n), and their
    differences over complex steps, (K, n, m), which are free of cancellation."""

    of: dict[str, int]
    seed: int
    network: tuple[np.ndarray, np.ndarray, np.ndarray]
    x: np.ndarray
    values: np.ndarray
    slices: np.ndarray


def stated(V: np.ndarray, W: np.ndarray, c: np.ndarray, x: np.ndarray, lowest: int) -> np.ndarray:
    """f(x), (..., n), as the problem states it, power by power."""
    z, powers = x @ V, range(lowest, lowest + c.shape[1])
    odd = [np.sqrt(float(np.prod(np.arange(1, 2 * s, 2)))) for s in powers]  # of (2s - 1)!!
    g = sum(c[:, k] * z**s / odd[k] for k, s in enumerate(powers))
    return np.asarray(g @ W.T)


def teachers(seeds: Seeds) -> list[Teacher]:
    """Evidence: drawn teachers of each system."""
    found, tiny = [], 1e-30
    for k, of in enumerate(SYSTEMS):
        problem = PROBLEM.instance(**of)
        for seed in seeds(DRAWS, str(k)):
            drawn, x = networks(problem, [seed]), examples(problem, [seed], theory.ASKED)[0]
            network = drawn.V[0], drawn.W[0], drawn.c[0]
            told = stated(*network, x[:, None] + tiny * 1j * np.eye(problem.inputs), problem.lowest)
            found.append(Teacher(of, seed, network, x, told.real[:, 0], told.imag.swapaxes(1, 2) / tiny))
    return found


def missed(each: Teacher, V: np.ndarray, W: np.ndarray) -> float:
    """The worst of the units: by what sine, |a - b| |a + b|/2, the nearest found misses its v or its w."""
    sines = []
    for true, found in zip(each.network[:2], (V, W), strict=True):
        a, b = (of / np.linalg.norm(of, axis=0) for of in (true, found))
        apart, twice = (np.linalg.norm(a[:, :, None] + sign * b[:, None], axis=0) for sign in (-1, 1))
        sines.append(apart * twice / 2)
    return float(np.max(np.min(np.maximum(*sines), axis=1)))


class Claimed(NamedTuple):
    """Of a teacher: direction error and misfit of the recovered student, (2,), the directions that its true
    Jacobians give, V (m, r) and W (n, r), and what theory takes for these and for the outputs."""

    errors: np.ndarray
    directions: tuple[np.ndarray, np.ndarray]
    slices: np.ndarray
    values: np.ndarray


def recovered(found: list[Teacher], jacobians: Callable[..., np.ndarray] = theory.jacobians) -> list[Claimed]:
    """The claim: the route's answer, and the functions that it goes by."""
    claimed = []
    for each in found:
        answer, powers = ask("pencil", [1], seeds=[each.seed], **each.of), PROBLEM.instance(**each.of).powers
        errors = np.array([answer[name].item() for name in ("direction_error", "misfit")])
        slices, values = (of(*each.network, each.x, powers) for of in (jacobians, theory.outputs))
        claimed.append(Claimed(errors, theory.directions(each.slices, each.of["units"]), slices, values))
    return claimed


def powers_forgotten(V: np.ndarray, W: np.ndarray, c: np.ndarray, x: np.ndarray, powers: range) -> np.ndarray:
    """Wrong: the derivative of z^s taken for z^(s-1). It gives the same directions."""
    return theory.jacobians(V, W, c / np.array(powers), x, powers)


def orthogonal(found: list[Teacher]) -> list[Claimed]:
    """Wrong: the singular vectors of the mean Jacobian, which are the units only if these are orthogonal."""
    wrong = []
    for each, right in zip(found, recovered(found), strict=True):
        left, _, other = np.linalg.svd(each.slices.mean(axis=0))
        units = each.of["units"]
        wrong.append(right._replace(directions=(other[:units].T, left[:, :units])))
    return wrong


def six_digits(found: list[Teacher]) -> list[Claimed]:
    """Wrong: the same from Jacobians that are right to six digits."""
    wrong = []
    for each, right in zip(found, recovered(found), strict=True):
        noise = 1e-6 * np.random.default_rng(each.seed).standard_normal(each.slices.shape)
        directions = theory.directions(each.slices * (1 + noise), each.of["units"])
        wrong.append(right._replace(directions=directions))
    return wrong


def lower(found: list[Teacher]) -> list[Claimed]:
    """Wrong: activations without the highest power, fitted at the teacher's own directions."""
    wrong = []
    for each, right in zip(found, recovered(found), strict=True):
        V, W, _ = each.network
        linear = theory.monomials(V, each.x, PROBLEM.instance(**each.of).powers)[..., :-1]
        linear = np.einsum("ni,kis->knis", W, linear).reshape(each.values.size, -1)
        left = each.values.ravel() - linear @ np.linalg.lstsq(linear, each.values.ravel())[0]
        wrong.append(
            right._replace(errors=np.array([0.0, np.linalg.norm(left) / np.linalg.norm(each.values)]))
        )
    return wrong


def bound(each: Teacher) -> float:
    """First-order effect of rounding on the eigenvectors, and on what the pseudo-inverse of W makes of them.

    Mixtures A = W D_A V^T and B are off by eps times their norm and the length of the sums. To a unit's
    eigenvector y_i = V^-T e_i that adds of the other units, in proportion to |y_i|, the length of row j of
    W^-1, and 1 over the determinant of the two pairs of numbers in D_A and D_B; B y_i = W D_B V^T y_i. What
    is off in W the rows W^-1 J multiply by the condition of W, relative to the units' slopes.
    """
    V, W, _ = each.network
    inverse, y = np.linalg.pinv(W), np.linalg.norm(np.linalg.pinv(V), axis=1)
    diagonals = np.einsum("in,knm,mi->ki", inverse, each.slices, np.linalg.pinv(V).T)
    mixing = np.random.default_rng(0).standard_normal((2, len(diagonals)))  # as the route draws them
    size = sum(np.linalg.norm(np.tensordot(one, each.slices, 1), 2) for one in mixing)
    a, b = mixing @ diagonals
    apart = np.abs(np.outer(a, b) - np.outer(b, a)) + np.diag(np.full(a.size, np.inf))
    off = EPS * sum(each.slices.shape) * size * y / np.abs(b)
    in_W = np.max(off * (1 + np.sum(np.abs(b) * np.linalg.norm(inverse, axis=1) / apart, axis=1)))
    slopes = np.linalg.norm(diagonals, axis=0)
    return float(in_W * np.linalg.cond(W) * slopes.max() / slopes.min())


@worst_of
def to_rounding(found: list[Teacher], claimed: list[Claimed]) -> Iterator[Verdict]:
    """Errors of every draw within the bound of its teacher, as the route tells them and as measured here;
    Jacobians and outputs those of the network as it is stated."""
    bounds = np.array([bound(each) for each in found])
    measured = [missed(each, *one.directions) for each, one in zip(found, claimed, strict=True)]
    reason = "rounding times the condition numbers of the teacher and the matrix pencil"
    yield within_bound(np.array([one.errors for one in claimed]), bounds[:, None], reason, "sine")
    yield within_bound(measured, bounds, reason, "sine")
    for each, one in zip(found, claimed, strict=True):
        terms = each.of["units"] * each.of["degree"]
        for true, told in ((each.slices, one.slices), (each.values, one.values)):
            yield within_operations(np.max(np.abs(told - true)) / np.max(np.abs(true)), terms)


RECOVERY = check(
    id="fa-recovery",
    title="two mixtures of Jacobians give a teacher's directions, activations and outputs, up to rounding",
    ref="the network as a canonical polyadic decomposition of the tensor of its Jacobians",
    evidence=teachers,
    claim=recovered,
    judge=to_rounding,
    effect=Effect(1.0, "a direction off by a right angle"),
    wrong=(
        WrongClaim("singular vectors instead of the pencil's eigenvectors", orthogonal),
        WrongClaim("activations of one degree less", lower),
        WrongClaim("Jacobians correct to six digits only", six_digits),
        WrongClaim("slopes without the factor s of z^s", partial(recovered, jacobians=powers_forgotten)),
    ),
    functions=(
        PENCIL,
        "theory.flexible_activations.pencil:jacobians",
        "theory.flexible_activations.pencil:directions",
        "theory.flexible_activations.pencil:outputs",
    ),
    covers=("Zniyed: Jacobian tensor",),
)

CHECKS = (RECOVERY,)
