"""What each method makes of the groups: how many examples it keeps, and how it weighs them.

Numbers of the drawn laws are expectations; a subset is as large as the smallest class or group, and the
expectation of that minimum is exact: it lies a standard deviation, not 1/n, below the smallest mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from teacherstudent.problems.spurious_groups import BALANCED, SUBSAMPLING, SpuriousGroups

MINORITY = np.array([False, True, True, False])
"""Which of `GROUPS` have a != y."""


@dataclass(frozen=True)
class Balance:
    """kept: examples in each group after subsampling, (4,). sampling: probability that the next example of a
    batch is of each group, (4,)."""

    kept: np.ndarray
    sampling: np.ndarray

    @property
    def examples(self) -> float:
        """Number of examples that are kept."""
        return float(self.kept.sum())

    @property
    def minority(self) -> float:
        """Share of a != y among the examples that are kept."""
        return float(self.kept[MINORITY].sum() / self.kept.sum())

    @property
    def sampled_minority(self) -> float:
        """Probability that the next example of a batch has a != y."""
        return float(self.sampling[MINORITY].sum())

    @property
    def per_example(self) -> np.ndarray:
        """Probability that the next example of a batch is one given example of each group, (4,)."""
        return self.sampling / self.kept


def balance(problem: SpuriousGroups) -> Balance:
    """What the problem's method keeps and samples; of just train twice, in its first training."""
    counts = expected_counts(problem)
    classes = counts.reshape(2, 2)
    by_class = (classes / classes.sum(axis=1, keepdims=True)).ravel()  # shares of the groups in their class
    what = BALANCED.get(problem.method)
    if problem.method == "suby":
        counts = classes.sum(axis=1).min() * by_class
    if problem.method == "subg":
        counts = np.full(4, smallest_group(problem))
    if what is None or problem.method in SUBSAMPLING:
        return Balance(counts, counts / counts.sum())
    return Balance(counts, by_class / 2 if what == "classes" else np.full(4, 1 / 4))


def expected_counts(problem: SpuriousGroups) -> np.ndarray:
    """Expected number of training examples in each group, (4,)."""
    if problem.groups:
        return np.array(problem.groups, dtype=float)
    half = problem.n // 2
    classes = np.repeat([half, problem.n - half], 2)
    return classes * np.where(MINORITY, problem.minority, 1 - problem.minority)


FAR = 40
"""Standard deviations from the mean beyond which no count lies: the probability is below 1e-300."""


def smallest_group(problem: SpuriousGroups) -> float:
    """Expected number of training examples in the smallest group of a draw.

    Law published: round(minority n) examples drawn without replacement are the minority, so that their
    number in the first class is hypergeometric; law printed: binomial in each class.
    """
    if problem.groups:
        return float(min(problem.groups))
    n, half, most = problem.n, problem.n // 2, np.arange(problem.n // 2 + 1)
    if problem.law == "published":
        flipped = round(problem.minority * n)
        mean = flipped * half / n
        far = FAR * (1 + np.sqrt(mean))
        most = most[max(0, int(mean - far)) : int(mean + far) + 1]
        sizes = np.stack([most, half - most, flipped - most, n - half - flipped + most])
        return float(stats.hypergeom(n, half, flipped).pmf(most) @ np.maximum(sizes.min(axis=0), 0))
    reach = most[1:, None]
    sizes = np.array([half, n - half])
    law = stats.binom(sizes, problem.minority)
    at_least = np.maximum(law.cdf(sizes - reach) - law.cdf(reach - 1), 0)  # both groups of a class >= reach
    return float(np.sum(np.prod(at_least, axis=-1)))
