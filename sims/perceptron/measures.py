"""What is observed of students, exactly given their weights and the teacher's."""

from __future__ import annotations

import numpy as np

from teacherstudent.house.functions import UserFunction


def overlaps(weights: np.ndarray, teacher: np.ndarray, strengths: np.ndarray) -> dict[str, np.ndarray]:
    """R, angle, generalisation_error and Q, (...), of weights and teachers (..., d); strengths: (d,)."""
    of_inputs = np.sqrt(strengths / len(strengths))  # x has the covariance diag(of_inputs^2)
    seen, wanted = weights * of_inputs, teacher * of_inputs
    size = np.linalg.norm(seen, axis=-1)
    with np.errstate(invalid="ignore"):
        unit, aim = seen / size[..., None], wanted / np.linalg.norm(wanted, axis=-1, keepdims=True)
    near, far = (np.linalg.norm(unit + sign * aim, axis=-1) for sign in (1, -1))
    angle = 2 * np.arctan2(far, near)  # keeps its digits where both are nearly parallel
    return {
        "R": np.sum(unit * aim, axis=-1),
        "angle": angle,
        "generalisation_error": angle / np.pi,
        "Q": size**2,
    }


def loss(rule: str | UserFunction, outputs: np.ndarray) -> np.ndarray:
    """Mean loss, (...), of examples with the signed outputs y w.x, (..., n), without ridge."""
    match rule:
        case UserFunction():
            each = rule(outputs)
        case "square":
            each = (1 - outputs) ** 2 / 2
        case "logistic":
            each = np.maximum(0, -outputs) + np.log1p(np.exp(-np.abs(outputs)))
        case "hinge":
            each = np.maximum(0, 1 - outputs)
    return np.asarray(np.mean(each, axis=-1))
