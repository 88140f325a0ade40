"""The noise of minibatches against what Eq. 4.2.4 takes it for: Gaussian, white, of one temperature.

Many students start from one weight vector, on one data set, and take steps so small that all gradients are
those of the start. What their batches add follows from the gradients of the examples, whatever these are:
second and fourth moments of a sum over b of n numbers that are drawn without repetition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw

SHAPE = PROBLEM.instance(n=32, d=6, p=3, kappa=3.0, noise=0.3)
STUDENTS = 4000
RATE = 1e-7
"""Of a step; what the gradients change during four steps is as small against them."""
TRAINED = 0.9
"""Share of the way to the least loss that the second weight vector has gone."""
ASKED = (
    ("start", 1, 1, "replacement"), ("start", 16, 1, "replacement"), ("trained", 1, 1, "replacement"),
    ("start", 8, 3, "replacement"), ("start", 8, 3, "reshuffled"),
)  # fmt: skip
"""Weights, batch size, steps and data of each case; four batches of 8 are an epoch, whose noise is 0."""


@dataclass(frozen=True)
class Case:
    """The gradient of each example, (n, d), the batches, and what each student's noise is, (S, d)."""

    gradients: np.ndarray
    others: np.ndarray
    """those of the other weights"""
    batch: int
    steps: int
    data: str
    noise: np.ndarray
    """minus the sum over steps of the batch's gradient, in place of that of all examples"""


def cases(seeds: Seeds) -> list[Case]:
    """Evidence: what students of the same data and weights have moved, less the mean."""
    from teacherstudent.sims.linear_students.sgd import Examples, rule, train_on_batches
    from teacherstudent.sims.multiscale.data import training_set

    inputs, labels = (each[0] for each in training_set(draw(SHAPE, seeds(1))))
    best = np.linalg.lstsq(inputs, labels, rcond=None)[0]
    weights = {"start": np.zeros(SHAPE.d), "trained": TRAINED * best}
    gradients = {name: inputs * (inputs @ at - labels)[:, None] for name, at in weights.items()}
    found = []
    for name, batch, steps, data in ASKED:
        chosen = seeds(STUDENTS, f"{name}/{batch}/{steps}/{data}")

        def shared(rows: np.ndarray, count: int = len(chosen)) -> np.ndarray:
            return np.broadcast_to(rows, (count, *rows.shape))

        start = shared(weights[name][:, None])
        how = rule(len(chosen), RATE, SHAPE.n, batch, 0.0)
        examples = Examples(shared(inputs), shared(labels[:, None]))
        moved = train_on_batches(examples, start, how, np.array([steps]), chosen, batch=batch, data=data)[
            :, 0, :, 0
        ]
        noise = (moved - start[..., 0]) / RATE + steps * gradients[name].sum(axis=0)
        other = gradients["start" if name == "trained" else "trained"]
        found.append(Case(gradients[name], other, batch, steps, data, noise))
    return found


def sums(a: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Second and fourth moments of the sum of `count` rows of a, of mean 0, without repetition, (d,)."""
    n, P2, P4 = len(a), np.sum(a**2, axis=0), np.sum(a**4, axis=0)
    one, two, three, four = np.cumprod([(count - i) / (n - i) for i in range(4)])
    pairs, triples, quadruples = 3 * P2**2 - 7 * P4, 6 * (2 * P4 - P2**2), 3 * P2**2 - 6 * P4
    return (one - two) * P2, one * P4 + two * pairs + three * triples + four * quadruples


def moments(case: Case, white: bool = False, of_other: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Of the noise after all steps; `white`: as if reshuffled batches were independent."""
    rows = case.others if of_other else case.gradients
    centred = (rows - rows.mean(axis=0)) * SHAPE.n / case.batch
    if case.data == "reshuffled" and not white:
        return sums(centred, case.batch * case.steps)
    second, fourth = sums(centred, case.batch)
    k = case.steps
    return k * second, k * fourth + 3 * k * (k - 1) * second**2


Moments = list[tuple[np.ndarray, np.ndarray]]


def of_gradients(evidence: list[Case], **changed: bool) -> Moments:
    """The claim: the moments follow from the gradients of the examples."""
    return [moments(case, **changed) for case in evidence]


def gaussian(evidence: list[Case]) -> Moments:
    """Wrong: by virtue of the central limit theorem, whatever the batch."""
    return [(second, 3 * second**2) for second, _ in of_gradients(evidence)]


def one_temperature(evidence: list[Case]) -> Moments:
    """Wrong: the same noise in every weight, of the variance that it has on average."""
    found = []
    for second, fourth in of_gradients(evidence):
        mean = second.mean()
        found.append((np.full_like(second, mean), fourth * (mean / np.maximum(second, 1e-300)) ** 2))
    return found


@worst_case
def as_drawn(case: Case, claimed: tuple[np.ndarray, np.ndarray]) -> Verdict:
    """Second and fourth moments of each weight's noise."""
    second, fourth = claimed
    scale = np.sqrt(np.mean(case.gradients**2) * SHAPE.n)
    noise = case.noise / scale
    sample = np.concatenate([noise**2, noise**4], axis=1)
    return mean_within_errors(sample, np.concatenate([second / scale**2, fourth / scale**4]))


NOISE = check(
    id="ms-sgd-noise",
    title="minibatch noise is not Gaussian at b = 1, not white if reshuffled, and has no single temperature",
    ref="Eq. 4.2.4, Section 4.2.3",
    evidence=cases,
    claim=of_gradients,
    judge=as_drawn,
    effect=Contrast("noise of a single temperature", "the different noise of the two scales"),
    wrong=(
        WrongClaim("noise of a single temperature", one_temperature),
        WrongClaim("Gaussian noise at every batch size", gaussian),
        WrongClaim("white noise for reshuffled examples", partial(of_gradients, white=True)),
        WrongClaim("trained weights with the noise of initial weights", partial(of_gradients, of_other=True)),
    ),
    slow=True,
)

CHECKS = (NOISE,)
