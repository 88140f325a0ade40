"""Where radius and speed settle under noise and a ridge, for every scheme with a radius.

Gradients independent from step to step, isotropic on the tangent space, with E|grad L(u)|^2 = G: what
training looks like once noise outweighs drift. Adam's variants with epsilon = 0 and beta2 near 1, where
division by coordinate does as division by the root of G/d. Small eta lambda, but for sgd, exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Equilibrium:
    """radius: E r^4, r^3 or r^2 to its root. angle: root mean square angle of a step on the sphere."""

    radius: float
    angle: float


def equilibrium(
    scheme: str, learning_rate: float, ridge: float, G: float, d: int, memory: float = 0.0
) -> Equilibrium:
    """The equilibrium of a scheme with momentum factor `memory` (momentum or beta1; sgd has none)."""
    shrunk, speed = learning_rate * ridge, (1 - memory) / (1 + memory)
    adaptive = learning_rate * np.sqrt(d * G) / (2 * ridge)  # eta d sigma/(2 lambda), sigma^2 = G/d
    match scheme:
        case "sgd":
            radius, angle = (learning_rate * G / (ridge * (2 - shrunk))) ** 0.25, np.arccos(1 - shrunk)
        case "sgd-momentum":
            radius = (learning_rate * G / (2 * ridge * (1 - memory))) ** 0.25
            angle = np.sqrt(2 * shrunk / (1 + memory))
        case "sgd-mrt":
            radius = (learning_rate * G / (2 * ridge * (1 - memory**2))) ** 0.25
            angle = np.sqrt(2 * shrunk)
        case "adam" | "adam-s":
            radius = adaptive ** (1 / 3)
            angle = learning_rate * np.sqrt(d * speed) / radius
        case "adam-srt":
            radius = (adaptive / (1 + memory)) ** (1 / 3)
            angle = learning_rate * np.sqrt(d * speed) / radius
        case "adamw":
            radius = np.sqrt(learning_rate * d / (2 * ridge))
            angle = np.sqrt(2 * shrunk * speed)
        case _:
            raise ValueError(f"scheme {scheme} has no radius")
    return Equilibrium(float(radius), float(angle))
