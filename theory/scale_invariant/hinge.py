"""The loss hinge-kr of a linear student on two Gaussian classes, and what it certifies.

Classes N(y mu u*, sigma^2 I), y = +-1, and

    L(f) = E_- f - E_+ f + lambda (E_+ max(gamma - f, 0) + E_- max(gamma + f, 0))

over 1-Lipschitz functions f, a mean over each class: lambda the weight of the hinge, gamma its margin. The
student is f(z) = u . z. With m = u . u*, y f has the law N(mu m, sigma^2). The share Phi(a) of the samples,
a = (gamma - mu m)/sigma, is misclassified or inside the margin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

ROOT = math.sqrt(2 * math.pi)


def mean_excess(mean: np.ndarray, deviation: float) -> np.ndarray:
    """E max(g, 0), (...), of g ~ N(mean, deviation^2): deviation (a Phi(a) + phi(a)), a = mean/deviation."""
    a = mean / deviation
    return deviation * (a * ndtr(a) + np.exp(-(a**2) / 2) / ROOT)


@dataclass(frozen=True)
class HingeKR:
    """The loss of the student u . z as a `losses.LossLaw`: lambda, gamma, mu and sigma in that order."""

    hinge_weight: float
    margin: float
    class_mean: float
    class_noise: float

    farthest = math.pi

    def inside(self, m: np.ndarray) -> np.ndarray:
        """Phi(a), (...): the share of samples whose y f is below the margin."""
        return ndtr((self.margin - self.class_mean * m) / self.class_noise)

    def pull(self, m: np.ndarray) -> np.ndarray:
        """-dL/dm = 2 mu (1 + lambda Phi(a)), (...)."""
        return 2 * self.class_mean * (1 + self.hinge_weight * self.inside(m))

    def stretch(self, m: np.ndarray) -> np.ndarray:
        """-d(ln pull)/dm, (...): lambda phi(a) mu/sigma over 1 + lambda Phi(a)."""
        a = (self.margin - self.class_mean * m) / self.class_noise
        grown = self.hinge_weight * np.exp(-(a**2) / 2) / ROOT * self.class_mean / self.class_noise
        return grown / (1 + self.hinge_weight * ndtr(a))

    def loss(self, m: np.ndarray) -> np.ndarray:
        """L, (...), at alignments m, (...): -2 mu m + 2 lambda E max(gamma - y f, 0)."""
        hinge = mean_excess(self.margin - self.class_mean * m, self.class_noise)
        return -2 * self.class_mean * m + 2 * self.hinge_weight * hinge

    @property
    def curvature(self) -> float:
        """L'' at the teacher, in radians^-2: there it is the pull."""
        return float(self.pull(np.ones(())))

    def slope(self, angle: float) -> float:
        """dL/dangle, by the C library's functions: of one number they are faster."""
        a = (self.margin - self.class_mean * math.cos(angle)) / self.class_noise
        share = math.erfc(-a / math.sqrt(2)) / 2
        return 2 * self.class_mean * (1 + self.hinge_weight * share) * math.sin(angle)

    def drop(self, start: float, angle: np.ndarray) -> np.ndarray:
        """L(start) - L(angle), (...), as accurate as L itself."""
        return self.loss(np.cos(start)) - self.loss(np.cos(angle))

    def alignment_drift(self, n: np.ndarray) -> np.ndarray:
        """(1 - m^2) pull, (...), with n = 1 - m."""
        return n * (2 - n) * self.pull(1 - n)

    def gradient_variance(self, n: np.ndarray, noise: float) -> np.ndarray:
        """V = 4 sigma^2 (1 + lambda (2 + lambda) Phi(a)), (...): E (2 sigma (1 + lambda [y f < gamma]))^2.

        noise must be 0: labels name classes. What the means add to |grad l|^2/d falls like 1/d.
        """
        squared = 1 + self.hinge_weight * (2 + self.hinge_weight) * self.inside(1 - n)
        return 4 * self.class_noise**2 * squared


def certified_accuracy(
    alignment: np.ndarray, radius: np.ndarray, class_mean: float, class_noise: float
) -> np.ndarray:
    """Share of samples, (...), that no move of length `radius` or less can misclassify: P(y f > radius).

    alignment: m of the student f(z) = u . z, (...). radius: in units of the inputs, (...), at least 0. A
    1-Lipschitz f changes by no more than z moves; u is the direction in which it changes by as much, so
    that the certificate is also exact: Phi((mu m - radius)/sigma).
    """
    return ndtr((class_mean * np.asarray(alignment) - radius) / class_noise)
