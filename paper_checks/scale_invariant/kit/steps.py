"""Every generic scheme trained on both tasks, and the image of each of its steps on the sphere."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.evidence import Seeds
from teacherstudent.paper_checks.scale_invariant.kit.tasks import both_tasks
from teacherstudent.paper_checks.scale_invariant.kit.training import GENERIC, Training, train_on
from teacherstudent.theory.scale_invariant.image import Image, image

STEPS = 400


def trainings(seeds: Seeds, epsilon: float = 0.0) -> list[Training]:
    """Every generic scheme on both tasks, with a ridge."""
    return [
        train_on(task, scheme, 0.1 if scheme.startswith("sgd") else 0.02, STEPS, ridge=0.02, epsilon=epsilon)
        for task in both_tasks(seeds)
        for scheme in GENERIC
    ]


def seen(training: Training) -> Image:
    """The images of all steps of a training."""
    t = training
    return image(t.x[:-1], t.a, t.b, float(t.learning_rates[0]), t.shrinkage)
