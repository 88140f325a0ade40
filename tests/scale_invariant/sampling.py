"""Teachers, starts and samples, from the text of `problems/scale_invariant/`."""

from __future__ import annotations

import numpy as np
from scipy import stats

from teacherstudent.problems.scale_invariant import PROBLEM, draw_samples, draw_start
from tests.sampling import Drawn

MANY, NOISE, ANGLE = 2**18, 0.7, 1.1
PHI = {
    "correlation": lambda h: h,
    "squared-correlation": lambda h: (h**2 - 1) / np.sqrt(2),
    "mse": lambda h: h,
}
"""The target without its noise, at h = u* . z."""
CLASSES = {"loss": "hinge-kr", "class_mean": 1.7, "class_noise": 0.6}


def _samples(loss: str):
    problem = PROBLEM.instance(d=2, loss=loss, teacher="random")
    teachers = draw_start(problem, range(8))[0]
    inputs, targets = draw_samples(problem, teachers, range(8), MANY // 8, NOISE)
    return inputs, targets - PHI[loss](np.einsum("snd,sd->sn", inputs, teachers))


def _classes():
    """Inputs of hinge-kr relative to the mean of the class that the label names, and labels."""
    problem = PROBLEM.instance(d=2, teacher="random", **CLASSES)
    teachers = draw_start(problem, range(8))[0]
    inputs, labels = draw_samples(problem, teachers, range(8), MANY // 8, 0.0)
    return inputs - 1.7 * labels[..., None] * teachers[:, None], labels


def _signed(labels: np.ndarray) -> np.ndarray:
    """Standard normal numbers of sizes drawn here, if the labels are fair coins."""
    return labels * np.abs(np.random.default_rng(7).standard_normal(labels.shape))


def _start():
    return draw_start(PROBLEM.instance(d=3, teacher="random", angle0=ANGLE, radius0=2.0), range(2**12))


def _normal() -> np.ndarray:
    """w in x_0 = radius0 (cos(angle0) u* + sin(angle0) w)."""
    teacher, start = _start()
    return (start / 2 - np.cos(ANGLE) * teacher) / np.sin(ANGLE)


ANY_DIRECTION = stats.uniform(-1, 2)
"""Of one coordinate of a direction uniform on the sphere of R^3 (Archimedes)."""

DRAWN = (
    Drawn(draw_start, "teacher", ANY_DIRECTION, lambda: _start()[0][:, 0]),
    Drawn(draw_start, "normal direction", ANY_DIRECTION, lambda: _normal()[:, 0]),
    *(
        Drawn(draw_samples, "inputs", stats.norm(0, 1), lambda loss=loss: _samples(loss)[0][:, : MANY // 16])
        for loss in PHI
    ),
    *(
        Drawn(draw_samples, "labels", stats.norm(0, NOISE), lambda loss=loss: _samples(loss)[1])
        for loss in PHI
    ),
    Drawn(draw_samples, "inputs", stats.norm(0, 0.6), lambda: _classes()[0][:, : MANY // 16]),
    Drawn(draw_samples, "labels", stats.norm(), lambda: _signed(_classes()[1])),
)
