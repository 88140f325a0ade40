"""Table 1: effective learning rates and directions told from the history on the sphere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, within_operations
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.training import (
    D,
    Training,
    both_tasks,
    seen,
    start,
    train,
    train_on,
    trainings,
)
from teacherstudent.theory.scale_invariant import table

LAST = (0, 1, 7, 60, 399)
"""Steps at which the history is summed up."""

BY_COORDINATE = ("adam", "adamw")
Row = dict[str, Any]
"""Claimed of one training: `rate`, (steps,), and `direction`, (steps, d); absent: not in the table."""


@per_case
def by_table_1(
    t: Training,
    rescaled: Callable[..., float] = table.rescaled_second_moment,
    second: Callable[..., float] = table.second_moment,
    ratio: float = 1.0,
    transport: bool = True,
    decoupled: bool = False,
    adamw_ridge: float = 0.0,
) -> Row:
    """The table's rows; with other ingredients for the negative controls and the misprints."""
    rates, directions = [], []
    transported = t.scheme in ("sgd-mrt", "adam-srt")
    beta = 0.0 if t.scheme == "sgd" else t.beta1
    ridge = adamw_ridge if t.scheme == "adamw" else t.ridge  # AdamW's moments know of no L2
    for k in LAST:
        r, u, gradients = t.r[: k + 1], t.u[: k + 1], t.gradients_on_sphere[: k + 1]
        if transported and transport:
            c = table.transported_momentum(u, gradients, beta) + ridge * r[-1] ** 2 * u[-1]
        else:
            c = table.momentum_on_sphere(r[-1] * (r / r[-1]) ** ratio, u, gradients, beta, ridge)
        nu = r[-1]
        if t.scheme.startswith("adam"):
            moment = rescaled if t.scheme == "adam-srt" else second
            nu = moment(r, u, gradients, t.beta1, t.beta2, 0.0 if decoupled and transported else ridge)
        if t.scheme in BY_COORDINATE:
            c = c / t.b[k] * np.linalg.norm(t.b[k]) / np.sqrt(D)
        rates.append(table.rate(float(t.learning_rates[k]), r[-1], nu, float(c @ u[-1]), t.shrinkage))
        directions.append(c - (c @ u[-1]) * u[-1])
    return {"rate": np.array(rates), "direction": np.array(directions)}


def printed_moment(ridge_factor: Callable[..., np.ndarray], *history: Any) -> float:
    """nu^R with another factor of the ridge in the sum of squares."""
    r, u, gradients, beta1, beta2, ridge = history
    squares = np.sum((gradients + ridge * ridge_factor(r)[:, None] * u) ** 2, axis=1)
    k = len(r)
    corrections = (1 - beta1**k) / (1 - beta1) * np.sqrt((1 - beta2) / (1 - beta2**k))
    return float(corrections * np.sqrt(np.sum(beta2 ** np.arange(k - 1, -1, -1) * squares) / D))


def radius_times_moment(r: np.ndarray, *history: Any) -> float:
    """nu^R = r v as the text defines it, for the uncorrected v of Eq. 21."""
    u, gradients, _, beta2, ridge = history
    squares = np.sum((gradients + ridge * (r**2)[:, None] * u) ** 2, axis=1)
    v = (1 - beta2) * np.sum(beta2 ** np.arange(len(r) - 1, -1, -1) * squares) / D / r[-1] ** 2
    return float(r[-1] * v)


def without_radius(evidence: list[Training]) -> list[Row]:
    """eta^e of Adam as that of SGD times 1/B read as 1/B itself (roburin2022 C.1)."""
    rows = by_table_1(evidence)
    for row, t in zip(rows, evidence, strict=True):
        if t.scheme == "adam":
            row["rate"] = np.sqrt(D) / np.linalg.norm(t.b[list(LAST)], axis=1)
    return rows


@worst_case
def same_row(t: Training, row: Row) -> Iterator[Verdict]:
    """Eq. 11 of the training's own a and b, in units of the largest term of the history."""
    true, steps = seen(t), list(LAST)
    bound = (LAST[-1] + D) * EPS
    reason = "a sum over k steps of d entries, each rounded"
    rate, direction = true.rate[steps], true.direction[steps]
    scale = np.linalg.norm(t.r[steps, None] * t.a[steps], axis=1) + np.linalg.norm(direction, axis=1)
    for error in (
        np.abs(row["rate"] - rate) / np.abs(rate),
        np.linalg.norm(row["direction"] - direction, axis=1) / scale,
    ):
        yield within_bound(np.max(error), bound, reason, "relative")


TABLE = check(
    id="sphere-table",
    title="Table 1 gives the effective learning rate and direction of every scheme",
    ref="Table 1, Eqs. 16-17, 64-68, 77",
    evidence=trainings,
    claim=by_table_1,
    judge=same_row,
    wrong=(
        WrongClaim("momenta with the inverse radius ratio", partial(by_table_1, ratio=-1.0)),
        WrongClaim("momenta without transport", partial(by_table_1, transport=False)),
        WrongClaim("L2 in AdamW's direction", partial(by_table_1, adamw_ridge=0.02)),
        WrongClaim("nu without the radius ratio", partial(by_table_1, second=table.rescaled_second_moment)),
    ),
    errata=misprints(
        {
            "sphere-rescaled-moment": partial(by_table_1, rescaled=partial(printed_moment, lambda r: r)),
            "sphere-rescaled-moment-thesis": partial(
                by_table_1, rescaled=partial(printed_moment, lambda r: r * r[-1])
            ),
            "sphere-rescaled-scheduling": partial(by_table_1, rescaled=radius_times_moment),
            "sphere-adaptive-rate": without_radius,
            "sphere-decoupling": partial(by_table_1, decoupled=True),
        }
    ),
)


# Division by coordinate bends directions; standardisation keeps its schedule alone (Section 4.1) -------


@dataclass(frozen=True)
class Standardised:
    """Adam-S, and Adam's division vectors, (K, d), after the same gradients."""

    training: Training
    by_coordinate: np.ndarray


def adam_s(seeds: Seeds) -> list[Standardised]:
    """Both tasks, with a ridge."""
    found = []
    for task in both_tasks(seeds):
        t = train_on(task, "adam-s", 0.02, 200, ridge=0.02)
        v, rows = np.zeros(D), []
        for k, g in enumerate(t.gradients + t.ridge * t.x[:-1]):
            v = t.beta2 * v + (1 - t.beta2) * g**2  # Eq. 8
            vhat = v / (1 - t.beta2 ** (k + 1))
            rows.append((1 - t.beta1 ** (k + 1)) / (1 - t.beta1) * np.sqrt(vhat))
        found.append(Standardised(t, np.array(rows)))
    return found


Standard = Callable[[np.ndarray], np.ndarray]
"""S(b), (K, d), of b, (K, d)."""


@per_case
def standardised(law: Standard, case: Standardised) -> np.ndarray:
    """S of Adam's division vectors."""
    return law(case.by_coordinate)


def scaled_norm(power: float) -> Standard:
    """d^power |b| in every entry."""
    return lambda b: D**power * np.linalg.norm(b, axis=1, keepdims=True) * np.ones(D)


@worst_case
def schedule_without_deformation(case: Standardised, S: np.ndarray) -> Iterator[Verdict]:
    """Eqs. 51-52, and the division vectors of Adam-S (Eqs. 57-63)."""
    b = case.by_coordinate
    scheduling = np.linalg.norm(S, axis=1) / np.linalg.norm(b, axis=1) - 1
    deformation = S / np.linalg.norm(S, axis=1, keepdims=True) * np.sqrt(D) - 1
    for error in (scheduling, deformation, S / case.training.b - 1):
        bound = (D + len(b)) * EPS
        yield within_bound(np.max(np.abs(error)), bound, "k updates and a norm of d entries", "relative")


STANDARDISATION = check(
    id="sphere-standardisation",
    title="S(b) = d^-1/2 |b| 1 keeps Adam's schedule without its deformation, and defines Adam-S",
    ref="Section 4.1, Eqs. 15, 51-63",
    evidence=adam_s,
    claim=partial(standardised, scaled_norm(-0.5)),
    judge=schedule_without_deformation,
    wrong=(
        WrongClaim(
            "the mean of b", partial(standardised, lambda b: b.mean(axis=1, keepdims=True) * np.ones(D))
        ),
        WrongClaim("b itself", partial(standardised, lambda b: b)),
        WrongClaim("|b|", partial(standardised, scaled_norm(0.0))),
    ),
    errata=misprints({"sphere-standardised-scale": partial(standardised, scaled_norm(0.5))}),
)


# The first step ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class First:
    """The first step of Adam and of Adam-S: c by Eq. 11, the gradient on the sphere and u, (d,) each."""

    u: np.ndarray
    gradient: np.ndarray
    adam: np.ndarray
    adam_s: np.ndarray


def first_steps(seeds: Seeds) -> list[First]:
    """On each loss from several points on the sphere, one step without ridge or momentum."""
    found = []
    for task in both_tasks(seeds):
        for seed in seeds(4, "points"):
            cs = []
            for scheme in ("adam", "adam-s"):
                t = train(task.gradient, scheme, start(seed), np.array([0.02]), beta1=0.0)
                cs.append(t.r[0] * t.a[0] / t.b[0] * np.linalg.norm(t.b[0]) / np.sqrt(D))
            found.append(First(t.u[0], t.gradients_on_sphere[0], *cs))
    return found


Deformation = Callable[[np.ndarray], np.ndarray]


@per_case
def deformed(psi: Deformation, straight: Deformation, case: First) -> tuple[np.ndarray, ...]:
    """Adam's c and its radial part, and those of Adam-S, from the gradient on the sphere."""
    c, s = psi(case.gradient), straight(case.gradient)
    return c, c @ case.u, s, np.zeros(())


def everywhere_alike(evidence: list[First]) -> list[tuple[np.ndarray, ...]]:
    """Wrong: Adam's c leaves the tangent space by one share of its length, wherever u is."""
    right = deformed(signs, as_it_is, evidence)
    shares = [radial / np.linalg.norm(c) for c, radial, _, _ in right]
    return [(c, np.mean(shares) * np.linalg.norm(c), s, none) for c, _, s, none in right]


def signs(gradient: np.ndarray) -> np.ndarray:
    """psi of Fig. 2 (b): the gradient over its absolute values, of the same norm."""
    return np.sign(gradient) * np.linalg.norm(gradient) / np.sqrt(D)


def as_it_is(gradient: np.ndarray) -> np.ndarray:
    """Eq. 53."""
    return gradient


@worst_case
def same_directions(case: First, claims: tuple[np.ndarray, ...]) -> Iterator[Verdict]:
    """c of the first steps, and how far they leave the tangent space."""
    true = (case.adam, case.adam @ case.u, case.adam_s, case.adam_s @ case.u)
    size = np.linalg.norm(case.gradient)
    for claim, value in zip(claims, true, strict=True):
        error = np.max(np.abs(claim - value)) / size
        yield within_operations(error, D, reason="norms of d entries")


DEFORMATION = check(
    id="sphere-deformation",
    title="Adam's first step leaves the tangent space along the gradient's signs; Adam-S stays in this space",
    ref="Fig. 2 (b), Eq. 53",
    evidence=first_steps,
    claim=partial(deformed, signs, as_it_is),
    judge=same_directions,
    wrong=(
        WrongClaim("Adam without deformation", partial(deformed, as_it_is, as_it_is)),
        WrongClaim("Adam-S with deformation", partial(deformed, signs, signs)),
        WrongClaim("Adam leaves the tangent space equally far at every place", everywhere_alike),
    ),
)

CHECKS = (
    TABLE,
    STANDARDISATION,
    DEFORMATION,
)
