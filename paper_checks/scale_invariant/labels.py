"""The label noise of a data set, seen by what a simulation does with it.

Both witnesses read the law of the labels from one module, so that their agreement says nothing of a mistake
there. Here the law is written anew: a student that is aligned with the teacher is moved by noise alone.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.scale_invariant import check

D, SAMPLES, RATE, NOISE, DRAWS = 20, 40, 0.1, 1.5, 2000
LOSSES = ("mse", "correlation", "squared-correlation")

Moved = dict[str, np.ndarray]
"""tan^2 of the angle that one step on the whole data set turns an aligned student by, (S, 1), by loss."""


def moved(seeds: Seeds) -> Moved:
    """One step of sgd on all samples at once, from the teacher itself, radius 1."""
    found = {}
    for loss in LOSSES:
        answer = run(
            "scale-invariant", "descent", "simulation", [1], seeds=seeds(DRAWS, loss), d=D, loss=loss,
            angle0=0.0, learning_rate=RATE, data="minibatch", n=SAMPLES, batch=SAMPLES, noise=NOISE,
            teacher="random",
        )  # fmt: skip
        found[loss] = np.tan(answer["angle"].values) ** 2
    return found


def by_law(_: Moved, noise: float = NOISE, samples: float = SAMPLES, spread: float = 1.0) -> dict[str, float]:
    """Its mean, eta^2 (d - 1)/n E[l'^2]: each sample pulls along its z by l', independently across u.

    With t = phi(h) + noise xi and h = u.z: l' = t - h, t, or sqrt 2 h t, of mean squares noise^2, 1 + noise^2
    and E[(h^2 - 1)^2 h^2] + 2 noise^2 = 10 + 2 noise^2.
    """
    squares = {
        "mse": noise**2,
        "correlation": spread + noise**2,
        "squared-correlation": 10 * spread + 2 * noise**2,
    }
    return {loss: RATE**2 * (D - 1) / samples * square for loss, square in squares.items()}


def mean_squares(evidence: Moved, claimed: dict[str, float]) -> Verdict:
    """The means over draws, all losses at once."""
    sample = np.concatenate([evidence[loss] for loss in LOSSES], axis=1)
    return mean_within_errors(sample, [claimed[loss] for loss in LOSSES])


LABELS = check(
    id="sphere-label-noise",
    title="labels are phi(u*.z) + noise xi: by how much they move a student that is already aligned",
    ref="Section 2.1, stochastic gradients of teacher and noise",
    evidence=moved,
    claim=by_law,
    judge=mean_squares,
    effect=Contrast("labels without the teacher", "the share that the teacher's part of labels has"),
    teeth=(
        Tooth("noise 5 % larger", partial(by_law, noise=1.05 * NOISE)),
        Tooth("noise of variance 1", partial(by_law, noise=1.0)),
        Tooth("one sample in ten fewer", partial(by_law, samples=0.9 * SAMPLES)),
        Tooth("labels without the teacher", partial(by_law, spread=0.0)),
    ),
    slow=True,
)

CHECKS = (LABELS,)
