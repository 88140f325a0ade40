"""The best 1-Lipschitz function of hinge-kr on two Gaussian classes, for every weight of the hinge.

Classes N(y mu u*, sigma^2 I) in any dimension: averaging over what is normal to u* leaves a function
1-Lipschitz and the loss, which is convex, no larger. So the optimum is a function of x = u* . z, and it is

    f(x) = x up to the margin gamma, gamma from there to T, x - (T - gamma) beyond, and odd.

T = gamma, and f is the teacher itself, where 1 + lambda <= Phi((mu - gamma)/sigma)/Phi(-(mu + gamma)/sigma).
Beyond, Phi((mu - T)/sigma)/Phi(-(mu + T)/sigma) = 1 + lambda. For with g(x) the slope of the loss in f(x) and
C(t) the sum of g up to t, f is optimal where C is not negative, and 0 wherever f is flat. Below -T
C = Phi((t + mu)/sigma) - (1 + lambda) Phi((t - mu)/sigma) is positive; on the flat part, at the kink of the
hinge of class -1, its slope 1 to 1 + lambda is such that C stays 0; and between the margins
g = (1 + lambda)(q - p) is odd.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from teacherstudent.theory.scale_invariant.hinge import HingeKR, mean_excess


def largest_hinge_weight(margin: float, class_mean: float, class_noise: float) -> float:
    """The largest lambda at which the teacher f(z) = u* . z is the best of all 1-Lipschitz functions.

    Infinite where it leaves the range of numbers.
    """
    with np.errstate(over="ignore"):
        return float(np.expm1(_log_quotient(margin, class_mean, class_noise)))


def flat_end(law: HingeKR) -> float:
    """T, at least the margin. Raises `ArithmeticError` where the solver does not settle."""

    def surplus(t: float) -> float:
        return float(_log_quotient(t, law.class_mean, law.class_noise) - np.log1p(law.hinge_weight))

    if surplus(law.margin) >= 0:
        return law.margin
    far = law.margin + law.class_noise
    while surplus(far) < 0:  # the quotient grows like exp(2 mu t/sigma^2)
        far *= 2
    root, report = brentq(surplus, law.margin, far, xtol=1e-14 * far, full_output=True, disp=False)
    if not report.converged:
        raise ArithmeticError("the end of the flat part was not found")
    return float(root)


def values(law: HingeKR, x: np.ndarray) -> np.ndarray:
    """f, (...), at x = u* . z, (...)."""
    size = np.abs(x)
    return np.sign(x) * (np.minimum(size, law.margin) + np.maximum(size - flat_end(law), 0))


def least_loss(law: HingeKR) -> float:
    """L of f: the least over all 1-Lipschitz functions. Up to the threshold that of the teacher."""
    flat = flat_end(law)

    def beyond(x: float) -> float:
        """E_- max(x' - x, 0) over x' ~ N(-mu, sigma^2)."""
        return float(mean_excess(np.array(-law.class_mean - x), law.class_noise))

    hinge = beyond(-law.margin) - beyond(law.margin) + beyond(flat)  # E_- max(gamma + f, 0)
    mean = -law.class_mean + flat - law.margin - beyond(-flat) + hinge  # E_- f
    return 2 * (mean + law.hinge_weight * hinge)


def certified_accuracy(law: HingeKR, radius: np.ndarray) -> np.ndarray:
    """Share of samples with y f > radius, (...), which no move as short can misclassify; radius >= 0.

    Up to the margin it equals the teacher's, for any lambda; beyond it is smaller. So at radius 0 it equals
    that of Bayes' classifier if the margin is above 0. At margin 0 the flat part has no sign, and costs
    accuracy too.
    """
    needed = np.asarray(radius) + np.where(np.asarray(radius) < law.margin, 0, flat_end(law) - law.margin)
    return ndtr((law.class_mean - needed) / law.class_noise)


def _log_quotient(t: float, class_mean: float, class_noise: float) -> float:
    """ln of Phi((mu - t)/sigma)/Phi(-(mu + t)/sigma), which grows with t."""
    return float(log_ndtr((class_mean - t) / class_noise) - log_ndtr(-(class_mean + t) / class_noise))
