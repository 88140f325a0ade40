"""Saddle-point equations of ridge regression on random features, as gerace2020 iterates them.

With h(z) the average of 1/(e + z) over Marchenko-Pastur's law of F^T F/d they contain those of e/(e + z),
e^2/(e + z)^2 and e z/(e + z)^2: `once`, `twice` and `both`, here without cancellation at large z.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from teacherstudent.paper_checks.random_features.kit.asking import Nonlinearity

STOP = 1e-13
MOST = 10_000
"""Steps: a case that gains nothing more from them never meets `STOP`."""
STARTED = 1e-3
"""Every overlap at the first step."""


@dataclass(frozen=True)
class Overlaps:
    """V, q and m of the weights' image in the inputs (x), and V and q of the weights themselves (w)."""

    vx: float = STARTED
    qx: float = STARTED
    mx: float = STARTED
    vw: float = STARTED
    qw: float = STARTED

    def variance(self, own: Nonlinearity) -> float:
        """V."""
        return own.mu1**2 * self.vx + own.rest * self.vw

    def risk(self, own: Nonlinearity) -> float:
        """1 + Q - 2M: the excess risk without the half, of a linear teacher."""
        return 1 + own.mu1**2 * self.qx + own.rest * self.qw - 2 * own.mu1 * self.mx


@dataclass(frozen=True)
class Student:
    """One case: ratios of sizes, the ridge lambda of the published code, and the variance of label noise."""

    psi1: float
    psi2: float
    own: Nonlinearity
    lam: float = 0.1
    delta: float = 0.5

    def step(self, at: Overlaps) -> Overlaps:
        """All overlaps once more."""
        u, rest, scale = self.own.mu1**2, self.own.rest, self.psi2 / (1 + at.variance(self.own))
        vx, vw = scale * u, scale * rest + self.lam
        mx = scale * self.own.mu1
        missed = scale * (at.risk(self.own) + self.delta) / (1 + at.variance(self.own))
        qx, qw = missed * u + mx**2, missed * rest
        z = vw / vx
        root = np.sqrt((z + self.psi1 - 1) ** 2 + 4 * z)
        h = 2 / (z + self.psi1 - 1 + root)  # z h^2 + (z + psi1 - 1) h = 1
        once = self.psi1 * h / (1 + h)
        beyond = (self.psi1 - 1) ** 2 + 2 * z * (self.psi1 + 1)  # root^2 - z^2
        twice = once * beyond / (root * (root + z))
        both = once * z / root
        return Overlaps(
            once / vx,
            qx * twice / vx**2 + qw * both / (vw * vx),
            mx * once / vx,
            (self.psi1 - once) / vw,
            qw * (self.psi1 - once - both) / vw**2 + qx * both / (vx * vw),
        )

    def fixed_point(self) -> Overlaps:
        """Half of every step is taken, until none changes more than by rounding.

        Raises `ArithmeticError` where that takes too many.
        """
        at = Overlaps()
        for _ in range(MOST):
            new = self.step(at)
            pairs = [(getattr(at, each.name), getattr(new, each.name)) for each in fields(at)]
            at = Overlaps(*((old + now) / 2 for old, now in pairs))
            if all(abs(now - old) <= STOP * abs(now) for old, now in pairs):
                return at
        raise ArithmeticError(f"saddle point: no fixed point after {MOST} steps")

    def trained(self, at: Overlaps) -> float:
        """The training error, (1 + Q - 2M + Delta)/(1 + V)^2."""
        return (at.risk(self.own) + self.delta) / (1 + at.variance(self.own)) ** 2

    def printed(self, at: Overlaps, own: Nonlinearity) -> float:
        """What the published code calls train_loss, put together with the coefficients of `own`."""
        v = at.variance(own)
        fit = (at.risk(own) + v**2 * self.delta) / (4 * (1 + v) ** 2)
        return fit - self.lam * self.psi1 / (2 * self.psi2) * at.qw
