"""Table 1: effective learning rates and directions told from the history on the sphere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.steps import seen, trainings
from teacherstudent.paper_checks.scale_invariant.kit.tasks import D
from teacherstudent.paper_checks.scale_invariant.kit.training import Training
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
    title="Table 1: effective learning rate and direction of every scheme from radii, directions, gradients",
    ref="Table 1, Eqs. 16-17, 64-68, 77",
    evidence=trainings,
    claim=by_table_1,
    judge=same_row,
    teeth=(
        Tooth("momenta with the inverse radius ratio", partial(by_table_1, ratio=-1.0)),
        Tooth("momenta not transported", partial(by_table_1, transport=False)),
        Tooth("L2 in AdamW's direction", partial(by_table_1, adamw_ridge=0.02)),
        Tooth("nu without its radius ratio", partial(by_table_1, second=table.rescaled_second_moment)),
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

CHECKS = (TABLE,)
