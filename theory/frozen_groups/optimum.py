"""The minimum of a method's mean loss with weight decay: where its descent ends in small steps.

    L(w) = sum_i p_i [ln sum_k e^(w_k.x_i) - w_(y_i).x_i] + weight_decay/2 |w|^2,

p_i the share that row i has in a batch on average: the same for all that are kept (erm, suby, subg), or equal
for each class or group (rwy, rwg). L is strictly convex where weight_decay > 0. Axes: n rows, d features and
a constant, K classes, S seeds, T times, G groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import optimize, special
from scipy.sparse import linalg as sparse

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.frozen_groups import FrozenGroups
from teacherstudent.problems.frozen_groups.data import kept, sampling_probabilities
from teacherstudent.problems.frozen_groups.sources import Part

SLOPE = 1e-9
"""Slope, relative to that at w = 0, up to which values of the loss lead; from there on its slopes do."""

STEPS, SHORTEST = 200, 2.0**-20
"""Most steps in a region of trust, and then the least share of a step of Newton's method alone."""

SOLVED = 1e-8
"""Of a step of Newton's method: what is left of the slope in the system that it solves."""

CLOSE, NEAR = 1e-8, 1e-15
"""Relative to the weights: the last step, and how far neighbours are that show what rounding makes of it."""

FOUND, SHARP = 1e-6, 1e-12
"""Relative errors of the weights up to which accuracies are given, and the norm."""


class Loss(NamedTuple):
    """A mean loss: rows with a constant (n, d + 1), one-hot classes (n, K), shares (n,) that sum to 1."""

    rows: np.ndarray
    told: np.ndarray
    shares: np.ndarray
    decay: float

    def value_and_slope(self, flat: np.ndarray) -> tuple[float, np.ndarray]:
        logits = self.rows @ flat.reshape(self.rows.shape[1], -1)
        value = self.shares @ (special.logsumexp(logits, axis=1) - np.sum(logits * self.told, axis=1))
        wrong = special.softmax(logits, axis=1) * (1 - self.told)
        apart = wrong - self.told * wrong.sum(axis=1, keepdims=True)  # not 1 less the class's: that cancels
        slope = (self.rows.T @ (self.shares[:, None] * apart)).ravel() + self.decay * flat
        return float(value + self.decay / 2 * flat @ flat), slope

    def curvature(self, flat: np.ndarray, along: np.ndarray) -> np.ndarray:
        """Of the loss at `flat`, times a direction."""
        shape = (self.rows.shape[1], -1)
        chances = special.softmax(self.rows @ flat.reshape(shape), axis=1)
        moved = self.rows @ along.reshape(shape)
        moved = chances * (moved - np.sum(chances * moved, axis=1, keepdims=True))
        return np.asarray((self.rows.T @ (self.shares[:, None] * moved)).ravel() + self.decay * along)


def optimum(
    problem: FrozenGroups,
    times: np.ndarray,
    *,
    weight_decay: float,
    seeds: Sequence[int],
    **_: object,  # of the road, not of its end
) -> dict[str, np.ndarray]:
    """Accuracies and the norm at the minimum, (S, T, ...), the same at every time.

    NaN, with an `UnconvergedWarning`, where no minimum was found. Raises `InputError` for group DRO and just
    train twice, whose ends are no such minima, and without weight decay, where there may be none.
    """
    if problem.method in ("gdro", "jtt"):
        domain = "erm, suby, subg, rwy or rwg for route optimum: others do not minimise a mean loss"
        raise InputError("method", problem.method, domain)
    if not weight_decay:
        domain = "above 0 for route optimum: otherwise there may be no minimum"
        raise InputError("weight_decay", weight_decay, domain)
    used = kept(problem, seeds)
    ends = [minimum(problem, stays, weight_decay) for stays in used]
    rows = [_of(problem, stays, weights) for stays, (weights, _) in zip(used, ends, strict=True)]
    answer = {
        name: np.repeat(np.stack([each[name] for each in rows])[:, None], len(times), axis=1)
        for name in NAMES
    }
    off = np.repeat([[far] for _, far in ends], len(times), axis=1)
    answer = nan_where(~(off <= FOUND), "the minimum was not found", answer)
    reason = f"weight_decay {weight_decay:g}: rounding limits the relative accuracy to {off.max():.0e}"
    return answer | nan_where((off > SHARP) & (off <= FOUND), reason, {"norm": answer["norm"]})


NAMES = (
    "worst_group_accuracy",
    "test_accuracy",
    "group_accuracy",
    "validation_worst_group_accuracy",
    "validation_accuracy",
    "training_worst_group_accuracy",
    "norm",
)


def minimum(problem: FrozenGroups, stays: np.ndarray, decay: float) -> tuple[np.ndarray, float]:
    """Weights (d + 1, K) of the least loss over the rows that stay, (n,), and their relative error."""
    part, count = problem.features.training, len(problem.features.labels)
    shares = sampling_probabilities(problem) * stays
    rows = _with_constant(part.features)[stays]
    loss = Loss(rows, np.eye(count)[part.classes[stays]], shares[stays] / shares.sum(), decay)
    start = np.zeros(rows.shape[1] * count)
    result = optimize.minimize(
        loss.value_and_slope,
        start,
        jac=True,
        hessp=loss.curvature,
        method="trust-ncg",
        options={"gtol": SLOPE * float(np.linalg.norm(loss.value_and_slope(start)[1])), "maxiter": STEPS},
    )
    weights, off = _polished(loss, result.x)
    return weights.reshape(-1, count), off


def _polished(loss: Loss, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights whose slope is rounding, by Newton's method with falling slopes, and their relative error."""
    slope, step = _newton(loss, weights)
    share = 1.0
    while share >= SHORTEST and np.linalg.norm(step) > CLOSE * np.linalg.norm(weights):
        tried = weights - share * step
        if np.linalg.norm(loss.value_and_slope(tried)[1]) < np.linalg.norm(slope):
            weights, share = tried, 1.0
            slope, step = _newton(loss, weights)
        else:
            share /= 2
    weights = weights - step
    step = _newton(loss, weights)[1]
    # What rounding makes of the step is seen where the weights differ by some roundings.
    near = weights * (1 + NEAR * np.resize([1.0, -1.0, -1.0], weights.size))
    apart = near - _newton(loss, near)[1] - (weights - step)
    return weights, float((np.linalg.norm(apart) + np.linalg.norm(step)) / np.linalg.norm(weights))


def _newton(loss: Loss, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The slope there and Newton's step, which is to be subtracted."""
    slope = loss.value_and_slope(weights)[1]
    curvature = sparse.LinearOperator((slope.size,) * 2, matvec=partial(loss.curvature, weights))
    return slope, sparse.cg(curvature, slope, rtol=SOLVED)[0]


def _of(problem: FrozenGroups, stays: np.ndarray, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Observables of weights (d + 1, K)."""
    rows = problem.features
    count = len(rows.groups)
    tested, validated, trained = (
        _right(part, weights) for part in (rows.test, rows.validation, rows.training)
    )
    by_group = _by_group(tested, rows.test.groups, count)
    seen = _by_group(trained[stays], rows.training.groups[stays], count)
    found = (
        by_group.min(),
        tested.mean(),
        by_group,
        _by_group(validated, rows.validation.groups, count).min(),
        validated.mean(),
        np.nanmin(seen),
        np.linalg.norm(weights),
    )
    return dict(zip(NAMES, map(np.asarray, found), strict=True))


def _with_constant(features: np.ndarray) -> np.ndarray:
    return np.concatenate([features, np.ones((len(features), 1))], axis=1)


def _right(part: Part, weights: np.ndarray) -> np.ndarray:
    """Whether the largest logit of each row is its class, (n,)."""
    right: np.ndarray = (_with_constant(part.features) @ weights).argmax(axis=1) == part.classes
    return right


def _by_group(right: np.ndarray, groups: np.ndarray, count: int) -> np.ndarray:
    """Share of each group's rows that are right, (G,); NaN where a group has none."""
    sizes = np.bincount(groups, minlength=count)
    with np.errstate(invalid="ignore"):
        return np.bincount(groups, right, minlength=count) / sizes
