"""What students do on their training samples and on fresh examples, and what causes their errors. No JAX.

Parts of the excess risk are means of products of outputs on the same fresh examples, of students that share
only some of the draws: no student is averaged first, and the parts have no bias but the one that
`_unlearnable` states. Write m_ij = g - E g - yhat_ij for what the student of features i and samples j misses
when it is trained on clean labels from zero, e_ij for what label noise adds to its output, and s_ij for what
first weights do. With means over examples and copies, where i and k differ, and j and l,

    whole = m_ij m_ij, by features = m_ij m_il, by samples = m_ij m_kj, none = m_ij m_kl,
    2 variance_features = by features - none, 2 variance_samples = by samples - none,
    2 variance_features_samples = whole - by features - by samples + none,
    2 variance_noise = e_ij e_kj, 2 variance_features_noise = e_ij e_ij - e_ij e_kj,
    2 variance_start = s_ij s_ij, 2 (bias + unlearnable) = none.

As g - E g is in every m, its products with outputs cancel from all variances. The other observables are then
means over the four students and over both signs of label noise and of first weights, each as likely as the
drawn one, which removes products of m, e and s. So the parts add up to `excess_risk` in every draw up to
rounding. In one draw any part may be negative; its mean over draws is what is meant.

Axes: S draws, T recorded times, b examples, I sets of features, J of samples, C columns (`training`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from teacherstudent.problems.random_features.data import Draws, fresh
from teacherstudent.sims.linear_students.forms import TrainingSets
from teacherstudent.sims.linear_students.outputs import outputs_of
from teacherstudent.sims.random_features.functions import is_linear
from teacherstudent.sims.random_features.sights import TEST_FEATURES, TEST_LABELS, Sight, own

BLOCK = 500
"""Fresh examples whose features are held at once."""

BLOCKS = 9
"""So many blocks of them test the students of one draw: a multiple of three (`_unlearnable`).

Of the variance of the excess risk over draws they make a tenth or less at d up to 200,
and up to a half early in training at d = 400."""


def observables(
    sight: Sight, seeds: Sequence[int], draws: Sequence[Draws], sets: TrainingSets, weights: np.ndarray
) -> dict[str, np.ndarray]:
    """The observables, (S, T), of students `weights` (S I J, T, C, N). Overflow gives infinities or NaN."""
    copies = len(draws)
    students = weights.reshape(len(seeds), copies, copies, *weights.shape[1:])
    with np.errstate(over="ignore", invalid="ignore"):  # a diverged student's weights may be anything
        errors = _training_errors(sets, weights).reshape(len(seeds), copies**2, -1).mean(axis=1)
        tested = [_tested(sight, seed, s, draws, students[s]) for s, seed in enumerate(seeds)]
    return {
        **{name: np.stack([each[name] for each in tested]) for name in tested[0]},
        "training_error": errors,
    }


def _training_errors(sets: TrainingSets, weights: np.ndarray) -> np.ndarray:
    """Mean square that each student misses of its labels, columns by columns, (S I J, T)."""
    found = []
    for inputs, labels, students in zip(sets.inputs, sets.labels, weights, strict=True):
        missed = [np.sum((outputs - labels) ** 2, axis=(1, 2)) for outputs in outputs_of(inputs, students)]
        found.append(np.concatenate(missed) / len(labels))
    return np.stack(found)


def _tested(
    sight: Sight, seed: int, s: int, draws: Sequence[Draws], weights: np.ndarray
) -> dict[str, np.ndarray]:
    """What the students (I, J, T, C, N) of one draw do on fresh examples, (T,)."""
    copies, _, times, columns, width = weights.shape
    students = weights.swapaxes(1, 2).reshape(copies, times, copies * columns, width)
    teacher, strengths = draws[0].teacher[s], draws[0].strengths
    total, linear, truths = np.zeros((times, 2 + (copies**2 * columns) ** 2)), [], []
    for block, z in enumerate(np.split(fresh(sight.problem, [seed], BLOCKS * BLOCK)[0], BLOCKS)):
        truth = sight.labels(z, teacher, own(seed, TEST_LABELS, block))
        seen = [
            sight.features(z * strengths, each.features[s], own(seed, TEST_FEATURES, i, block))
            for i, each in enumerate(draws)
        ]
        total += np.concatenate([_sums(truth, outputs) for outputs in _outputs(seen, students, columns)])
        linear.append(z @ teacher)
        truths.append(truth)
    overlap, square, products = np.split(total / (BLOCKS * BLOCK), [1, 2], axis=1)
    missed = products.reshape(times, *(copies, copies, columns) * 2)
    unlearnable = (
        0.0 if is_linear(sight.problem.teacher) else _unlearnable(np.array(linear), np.array(truths))
    )
    excess = np.einsum("tijcijc->t", missed) / (2 * copies**2)
    return {
        "R": overlap[:, 0],
        "Q": square[:, 0],
        "excess_risk": excess,
        "generalisation_error": 2 * excess + sight.problem.noise**2,
        **(_parts(missed, unlearnable) if copies == 2 else {}),
    }


def _outputs(seen: Sequence[np.ndarray], students: np.ndarray, columns: int) -> Iterator[np.ndarray]:
    """Outputs (t, I, J, C, b), t times at once, of students (I, T, J C, N) on features (b, N) of each set."""
    for chunk in zip(*map(outputs_of, seen, students), strict=True):
        outputs = np.stack(chunk, axis=1)  # (t, I, b, J C)
        yield outputs.reshape(*outputs.shape[:3], -1, columns).transpose(0, 1, 3, 4, 2)


def _sums(truth: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Sums over examples, (t, 2 + K^2), for outputs (t, I, J, C, b), K = I J C of them, and the truth (b,).

    The overlap and the square of outputs, as means over sets, and products of what any two outputs miss:
    column 0 of the truth, the others of nothing.
    """
    times, sets = len(outputs), outputs.shape[1] * outputs.shape[2]
    overlap = np.sum(outputs[:, :, :, 0] @ truth, axis=(1, 2)) / sets
    square = np.sum(outputs**2, axis=(1, 2, 3, 4)) / sets
    missed = -outputs
    missed[:, :, :, 0] += truth
    missed = missed.reshape(times, -1, len(truth))
    products = missed @ missed.swapaxes(1, 2)
    return np.concatenate([overlap[:, None], square[:, None], products.reshape(times, -1)], axis=1)


def _parts(missed: np.ndarray, unlearnable: float) -> dict[str, np.ndarray]:
    """The parts of the excess risk, (T,), from mean products (T, I, J, C, I, J, C) of what students miss."""
    clean, noisy, begun = (missed[:, :, :, c, :, :, c] for c in range(3))
    whole, none = _shared(clean, True, True), _shared(clean, False, False)
    by_features, by_samples = _shared(clean, True, False), _shared(clean, False, True)
    by_noise, anew = _shared(noisy, True, True), _shared(noisy, False, True)
    return {
        "bias": none / 2 - unlearnable,
        "unlearnable": np.full(len(missed), unlearnable),
        "variance_features": (by_features - none) / 2,
        "variance_samples": (by_samples - none) / 2,
        "variance_features_samples": (whole - by_features - by_samples + none) / 2,
        "variance_noise": anew / 2,
        "variance_features_noise": (by_noise - anew) / 2,
        "variance_start": _shared(begun, True, True) / 2,
    }


def _shared(products: np.ndarray, features: bool, samples: bool) -> np.ndarray:
    """Mean, (T,), of products (T, I, J, I, J) of two students that share these draws, and not the others."""
    same, other = np.eye(2), 1 - np.eye(2)
    pairs = (same if features else other, same if samples else other)
    return np.einsum("tijkl,ik,jl->t", products, *pairs) / 4


def _unlearnable(linear: np.ndarray, truth: np.ndarray) -> float:
    """Half the variance of the truth that is not linear in z.w, from both at all fresh examples.

    Of each third of the examples the mean product of residuals from two lines through 0, each with the slope
    of another third. So the estimate is too large by half the square of the bias of a slope, which
    is of order 1/examples.
    """
    linear, truth = linear.reshape(3, -1), truth.reshape(3, -1)
    slopes = np.sum(linear * truth, axis=1) / np.sum(linear**2, axis=1)
    residuals = truth[:, None] - slopes[:, None] * linear[:, None]  # [third, slope of]
    return float(np.mean([residuals[i, (i + 1) % 3] * residuals[i, (i + 2) % 3] for i in range(3)]) / 2)
