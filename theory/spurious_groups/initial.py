r"""The start of training: the gradient of the mean loss at zero weights.

There every example contributes equally, for any loss: -dL/dw = 1/2 sum_i pi_i y_i gamma x_i, with pi_i its
sampling probability. As logits at learning rate 1,

    e_s = gamma_s^2 (1 - 2 p)/2,  e_c = gamma_c^2/2,  r = (gamma_n noise_std)^2 sqrt(d sum_i pi_i^2)/2,

p being the probability that a batch's next example has a != y. So e_s : e_c is (gamma_s/gamma_c)^2 (1 - 2 p)
for ERM, and 0 where groups are balanced: why reweighting them starts right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from teacherstudent.problems.spurious_groups import GROUPS, SpuriousGroups
from teacherstudent.theory.spurious_groups.balance import Balance, balance


@dataclass(frozen=True)
class InitialGradient:
    """-dL/dw at w = 0 as logits: e_s, e_c, and r over fresh noise.

    own: what the noise features of a training example add to its own margin, by group, (4,).
    """

    spurious: float
    core: float
    noise: float
    own: np.ndarray


def initial_gradient(problem: SpuriousGroups, weighed: Balance | None = None) -> InitialGradient:
    """The gradient of the problem's method, or of other weights, in the limit of large n and d."""
    weighed = weighed or balance(problem)
    squares = float(weighed.kept @ weighed.per_example**2)  # sum of pi_i^2
    scale = (problem.gamma_noise * problem.noise_std) ** 2
    return InitialGradient(
        spurious=problem.gamma_spurious**2 * (1 - 2 * weighed.sampled_minority) / 2,
        core=problem.gamma_core**2 / 2,
        noise=scale * np.sqrt(problem.noise_features * squares) / 2,
        own=scale * problem.noise_features * weighed.per_example / 2,
    )


def training_accuracies(gradient: InitialGradient, feature_std: float) -> np.ndarray:
    """Accuracy of the first step on the training examples of each group, (4,).

    As `accuracy.group_accuracies`, but each example's own noise is in the weights and adds `own`.
    """
    e_s, e_c, toward = gradient.spurious, gradient.core, np.array([y * a for y, a in GROUPS])
    spread = np.sqrt(feature_std**2 * (e_s**2 + e_c**2) + gradient.noise**2)
    return ndtr((e_c + toward * e_s + gradient.own) / spread)
