r"""Losses l(y h) of an output h, and what becomes of an example that is trained on.

An example that the student would give y h = t without it has y h = prox(t) = argmin (h - t)^2/(2 V) + l(h)
with it, V the response of the output to a force on it. Its force is F = (prox(t) - t)/V = -l'(prox(t)), and
-F' = l''/(1 + V l''). Each loss integrates over a variable in which these are smooth between edges; for the
logistic loss that is prox(t) itself, so that no equation is solved within an integral.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import expit

from teacherstudent.theory.perceptron.panels import panels

PROX_STEPS = 60


@dataclass(frozen=True)
class Pulled:
    """Examples at nodes, (T, N): t, the node's weight in an integral over t, the force, -F', and the loss of
    what they become."""

    t: np.ndarray
    weight: np.ndarray
    force: np.ndarray
    stiffness: np.ndarray
    loss: np.ndarray


class Loss(Protocol):
    """A convex loss that decreases; `push` is -l'(0)."""

    @property
    def push(self) -> float: ...

    def pulled(self, edges: np.ndarray, V: np.ndarray) -> Pulled:
        """Examples with t from the first to the last of increasing edges (T, B), at a response V (T, 1)."""
        ...


class Hinge:
    """max(0, 1 - h): prox is t + V up to 1, then 1, then t."""

    push = 1.0

    def pulled(self, edges: np.ndarray, V: np.ndarray) -> Pulled:
        """With kinks at 1 - V and 1."""
        t, short, weight = _beside_margin(edges, V)
        pulled, held = np.clip(short / V, 0.0, 1.0), (short > 0) & (short < V)
        return Pulled(t, weight, pulled, held / V, np.maximum(short - V, 0.0))


class Hard:
    """No loss from a margin of 1 on, and no less margin than that: prox is 1, then t."""

    push = np.inf

    def pulled(self, edges: np.ndarray, V: np.ndarray) -> Pulled:
        """With a kink at 1."""
        t, short, weight = _beside_margin(edges, V)
        short = np.maximum(short, 0.0)
        return Pulled(t, weight, short / V, (short > 0) / V, np.zeros_like(t))


def _beside_margin(edges: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes t, 1 - t and weights, with edges at 1 - V and 1: t near 0 keeps its digits, and so does 1 - t."""
    low, high = edges[:, :1], edges[:, -1:]
    kinks = np.concatenate([np.zeros_like(V), V], axis=1)
    far = panels(np.concatenate([edges, 1 - kinks], axis=1), low, np.minimum(high, 0.5))
    near = panels(np.concatenate([1 - edges, kinks], axis=1), 1 - high, np.minimum(1 - low, 0.5))
    t, short, weight = (
        np.concatenate(each, axis=1)
        for each in zip((far[0], 1 - far[0], far[1]), (1 - near[0], near[0], near[1]), strict=True)
    )
    return t, short, weight


class Logistic:
    """log(1 + e^-h)."""

    push = 0.5
    _BENDS = np.array([-40.0, -20, -10, -5, -2.5, 0, 2.5, 5, 10, 20, 40])
    _TURNS = np.array([-8.0, -6, -4, -2, 0, 2, 4, 6, 8, 12, 16, 24, 40])

    def pulled(self, edges: np.ndarray, V: np.ndarray) -> Pulled:
        """Nodes in h, t = h - V F with F = 1/(1 + e^h). It bends at 0, and at log V, where the pulled lie."""
        edges = self.prox(edges, V)
        turns = np.log(np.maximum(V, 1.0)) + self._TURNS
        bends = np.broadcast_to(self._BENDS, (len(V), self._BENDS.size))
        h, weight = panels(np.concatenate([edges, bends, turns], axis=1), edges[:, :1], edges[:, -1:])
        force = expit(-h)
        bend = force * expit(h)
        slope = 1 + V * bend
        return Pulled(h - V * force, weight * slope, force, bend / slope, np.logaddexp(0.0, -h))

    def prox(self, t: np.ndarray, V: np.ndarray) -> np.ndarray:
        """h: log(h - t) + log(1 + e^h) = log V by Newton's method from above, convex in log(h - t)."""
        log_v = np.log(V)
        bound = np.maximum(log_v, 0.0) + np.maximum(-t, 0.0) + 1
        x = np.minimum(log_v, np.log(bound))
        for _ in range(PROX_STEPS):
            pulled = np.exp(x)
            h = t + pulled
            step = (x + np.logaddexp(0.0, h) - log_v) / (1 + pulled * expit(h))
            x = x - step
            if np.all(np.abs(step) <= 1e-9):
                break
        return np.asarray(t + np.exp(x))


LOSSES: dict[str, Loss] = {"hinge": Hinge(), "logistic": Logistic()}
