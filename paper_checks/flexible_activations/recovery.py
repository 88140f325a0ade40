"""Recovery without training: the pencil of two mixtures of Jacobians gives the teacher, to rounding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.paper_checks.flexible_activations import check
from teacherstudent.paper_checks.flexible_activations.kit.asking import PENCIL, ask, system
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
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
    """A drawn teacher: its system and seed, V, W and c, inputs (K, m) and its Jacobians there, (K, n, m)."""

    of: dict[str, int]
    seed: int
    network: tuple[np.ndarray, np.ndarray, np.ndarray]
    x: np.ndarray
    slices: np.ndarray


def teachers(seeds: Seeds) -> list[Teacher]:
    """Evidence: drawn teachers of each system."""
    found = []
    for k, of in enumerate(SYSTEMS):
        problem = PROBLEM.instance(**of)
        for seed in seeds(DRAWS, str(k)):
            drawn, x = networks(problem, [seed]), examples(problem, [seed], theory.ASKED)[0]
            network = drawn.V[0], drawn.W[0], drawn.c[0]
            found.append(Teacher(of, seed, network, x, theory.jacobians(*network, x, problem.powers)))
    return found


def recovered(found: list[Teacher]) -> np.ndarray:
    """The claim: direction error and misfit of the recovered students, (draws, 2)."""
    answers = [ask("pencil", [1], seeds=[each.seed], **each.of) for each in found]
    return np.array([[each[name].item() for name in ("direction_error", "misfit")] for each in answers])


def orthogonal(found: list[Teacher]) -> np.ndarray:
    """Wrong: the singular vectors of the mean Jacobian, which are the units only if these are orthogonal."""
    missed = []
    for each in found:
        left, _, right = np.linalg.svd(each.slices.mean(axis=0))
        units = each.of["units"]
        missed.append([theory.direction_error(each.network[:2], (right[:units].T, left[:, :units])), 0.0])
    return np.array(missed)


def six_digits(found: list[Teacher]) -> np.ndarray:
    """Wrong: the same from Jacobians that are right to six digits."""
    missed = []
    for each in found:
        noise = 1e-6 * np.random.default_rng(each.seed).standard_normal(each.slices.shape)
        recovered = theory.directions(each.slices * (1 + noise), each.of["units"])
        missed.append([theory.direction_error(each.network[:2], recovered), 0.0])
    return np.array(missed)


def lower(found: list[Teacher]) -> np.ndarray:
    """Wrong: activations without the highest power, fitted at the teacher's own directions."""
    missed = []
    for each in found:
        powers = PROBLEM.instance(**each.of).powers
        true, (V, W, _) = theory.outputs(*each.network, each.x, powers), each.network
        linear = np.einsum("ni,kis->knis", W, theory.monomials(V, each.x, powers)[..., :-1])
        linear = linear.reshape(true.size, -1)
        left = true.ravel() - linear @ np.linalg.lstsq(linear, true.ravel())[0]
        missed.append([0.0, np.linalg.norm(left) / np.linalg.norm(true)])
    return np.array(missed)


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


def to_rounding(found: list[Teacher], claimed: np.ndarray) -> Verdict:
    """Both errors of every draw within the bound of its teacher."""
    bounds = np.array([bound(each) for each in found])[:, None]
    return within_bound(claimed, bounds, "rounding times the condition of teacher and pencil", "sine")


RECOVERY = check(
    id="fa-recovery",
    title="two mixtures of a teacher's Jacobians give its directions, activations and outputs, to rounding",
    ref="the network as a canonical polyadic decomposition of the tensor of its Jacobians",
    evidence=teachers,
    claim=recovered,
    judge=to_rounding,
    effect=Effect(1.0, "a direction at a right angle"),
    teeth=(
        Tooth("singular vectors in place of the pencil's eigenvectors", orthogonal),
        Tooth("activations of one degree less", lower),
        Tooth("Jacobians that are right to six digits", six_digits),
    ),
    functions=(
        PENCIL,
        "theory.flexible_activations.pencil:jacobians",
    ),
    covers=("Zniyed: Jacobian tensor",),
)

CHECKS = (RECOVERY,)
