"""Random labels: Gardner's margins, Cover's count, and labels that are separable though they are noisy."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import at_rate, jackknife, mean_within_errors, within_bound
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim, worst_verdict
from teacherstudent.paper_checks.judging.exactness import EPS, relatively
from teacherstudent.paper_checks.perceptron import check
from teacherstudent.paper_checks.perceptron.kit import formulas
from teacherstudent.paper_checks.perceptron.kit.asking import limit
from teacherstudent.paper_checks.perceptron.kit.separating import most_separable
from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.problems.perceptron.data import draw
from teacherstudent.theory.perceptron import separability, storage

LOADS = (0.1, 0.5, 1.0, 1.5, 1.9)
MARGINS = (0.0, 0.3, 1.0, 2.5)
SOLVED = 1e-9
"""A solver of the theory, to 1e-10 or better, against bracketing and adaptive quadrature to 1e-12."""

# Gardner ------------------------------------------------------------------------------------------------


def margins(_: Seeds) -> list[np.ndarray]:
    """Evidence: margins of random labels by the route and by the function, and loads at given margins."""
    return [
        limit(["margin"], LOADS, rule="max-stability", labels="random"),
        np.array([storage.margin_at(a) for a in LOADS]),
        np.array([storage.capacity(margin) for margin in MARGINS]),
    ]


def gardner(_: object, doubled: float = 1.0, shift: float = 0.0) -> list[np.ndarray]:
    """The claim, by its integral; wrong with a factor on the load or another margin."""

    def margin(a: float) -> float:
        return float(
            optimize.brentq(lambda x: doubled * formulas.storage(x) - a, -3.0, 30.0, **formulas.TIGHT)
        )

    found = np.array([margin(a) for a in LOADS])
    return [found, found, np.array([doubled * formulas.storage(each + shift) for each in MARGINS])]


TWO_SOLVERS = relatively(SOLVED, "two solvers, each accurate to 1e-10 or better")

GARDNER = check(
    id="pc-gardner",
    title="for random labels, the largest margin follows Gardner's integral, up to two examples per input",
    ref="maximal storage with a margin",
    paper="gardner1988",
    evidence=margins,
    claim=gardner,
    judge=worst_case(TWO_SOLVERS),
    wrong=(
        WrongClaim("at most one example per input", partial(gardner, doubled=0.5)),
        WrongClaim("integral started 1e-6 above the margin", partial(gardner, shift=1e-6, doubled=1 + 1e-7)),
    ),
    functions=(
        "theory.perceptron.asymptotic:examples",
        "theory.perceptron.storage:capacity",
        "theory.perceptron.storage:margin_at",
    ),
    covers=("Storage capacity", "Storage with a margin"),
)

# Cover --------------------------------------------------------------------------------------------------

PLACES = tuple((n, d) for d in (1, 5, 20, 100) for n in (1, d, 2 * d - 1, 2 * d, 3 * d))


def counted(_: Seeds) -> np.ndarray:
    """Evidence: Cover's probability at `PLACES`."""
    return np.array([separability.cover(n, d) for n, d in PLACES])


def recursion(_: object, shift: int = 0) -> np.ndarray:
    """The claim, in whole numbers; wrong with an input more or less, as of planes not through the origin."""
    return np.array([formulas.cover(n, d + shift) for n, d in PLACES])


COUNT = check(
    id="pc-cover-count",
    title="Cover's probability that random labels are separable agrees with an integer recursion",
    ref="number of linearly separable dichotomies",
    paper="cover1965",
    evidence=counted,
    claim=recursion,
    judge=lambda found, claimed: within_bound(
        claimed - found, 1e3 * EPS, "logarithms of factorials: a few hundred eps", "share"
    ),
    effect=Contrast("planes that need not pass through the origin", "one more dimension"),
    wrong=(WrongClaim("planes that need not pass through the origin", partial(recursion, shift=1)),),
    functions=("theory.perceptron.separability:cover",),
    covers=("Function counting theorem",),
)

DIMENSION, DRAWN = 8, 600
ROWS = 7 * DIMENSION
"""Of a million draws none is separable to the last."""
HELD = tuple(range(10, 24, 2))
"""Numbers of examples whose share of separable draws is compared."""


def separated(seeds: Seeds) -> np.ndarray:
    """Evidence: by draw whether the first n examples are separable, n of `HELD`, and how many are at most."""
    problem = PROBLEM.instance(rule="max-stability", labels="random", d=DIMENSION)
    most = most_separable(draw(problem, seeds(DRAWN), ROWS))
    return np.column_stack([most[:, None] >= HELD, most])


def shares(_: object, shift: int = 0) -> np.ndarray:
    """The claim: Cover's probabilities, and twice as many examples as inputs on average."""
    d = DIMENSION + shift
    return np.array([*(separability.cover(n, d) for n in HELD), 2 * d])


DRAWS = check(
    id="pc-cover-draws",
    title="drawn random labels are separable as often as Cover's formula predicts",
    ref="separating capacity: two examples per input on average, at any size",
    paper="cover1965",
    evidence=separated,
    claim=shares,
    judge=mean_within_errors,
    effect=Contrast("planes that need not pass through the origin", "one more dimension"),
    wrong=(
        WrongClaim("planes that need not pass through the origin", partial(shares, shift=1)),
        WrongClaim("one dimension fewer", partial(shares, shift=-1)),
    ),
    functions=("theory.perceptron.separability:cover",),
    covers=("Separating capacity",),
    slow=True,
)

# Noisy labels -------------------------------------------------------------------------------------------

NOISES = (0.2, 0.5, 1.0, 3.0)


def thresholds(_: Seeds) -> np.ndarray:
    """Evidence: the threshold of noisy labels by theory."""
    return np.array([separability.threshold(noise) for noise in NOISES])


def least_wanting(_: object, sure: float = 1.0) -> np.ndarray:
    """The claim, by the least over c of a mean; wrong with a factor on the noise."""
    return np.array([formulas.separable_up_to(noise, sure) for noise in NOISES])


MINIMUM = check(
    id="pc-separable-minimum",
    title="noisy labels are separable up to a threshold given by a minimal mean squared shortfall",
    ref="existence of the maximum-likelihood estimate",
    paper="candes2020",
    evidence=thresholds,
    claim=least_wanting,
    judge=relatively(SOLVED, "the minimum depends on its position only to second order"),
    wrong=(WrongClaim("label noise 1e-7 (relative) too large", partial(least_wanting, sure=1 + 1e-7)),),
    functions=("theory.perceptron.separability:threshold",),
    covers=("Phase transition",),
)

LABELS: dict[str, Any] = {"rule": "max-stability", "noise": 0.5, "kappa": 3.0}
SEPARATED = {6: 700, 12: 300, 24: 700}
"""Draws by dimension."""


def most(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: by dimension and draw, examples per input up to which noisy labels are separable, (S, 1)."""
    found = {}
    for d, count in SEPARATED.items():
        rows = int((8 if d < 10 else 5) * formulas.separable_up_to(LABELS["noise"]) * d / 2)
        drawn = draw(PROBLEM.instance(d=d, **LABELS), seeds(count, f"d={d}"), rows)
        found[d] = most_separable(drawn)[:, None] / d
    return found


def threshold(_: object, noise: float = 1.0, factor: float = 1.0) -> np.ndarray:
    """The claim; wrong at a noise times a factor, or with a factor on itself."""
    return np.array([factor * separability.threshold(noise * LABELS["noise"])])


def converging(found: dict[int, np.ndarray], claimed: np.ndarray) -> Verdict:
    """The mean at the larger sizes is the threshold, and draws scatter around it like 1/sqrt(d).

    So at large d all draws are separable below the threshold and none above. The means have a bias too small
    to be seen, as those of random labels have none (`pc-cover-draws`), so nothing is extrapolated.
    """
    sizes = sorted(found)
    spread = [float(found[d].std(ddof=1)) for d in sizes]
    error = [jackknife(lambda sample: float(sample.std(ddof=1)), found[d], 50) for d in sizes]
    means = (mean_within_errors(found[d], claimed) for d in sizes[1:])
    return worst_verdict(at_rate(sizes, spread, -0.5, error), *means)


THRESHOLD = check(
    id="pc-separable-draws",
    title="drawn noisy labels stop being separable at the threshold, more sharply for more inputs",
    ref="inputs of two strengths, which do not affect the threshold",
    paper="candes2020",
    evidence=most,
    claim=threshold,
    judge=converging,
    effect=Contrast("label noise 25 % larger", "the effect of a quarter of the label noise"),
    wrong=(
        WrongClaim("label noise 25 % larger", partial(threshold, noise=1.25)),
        WrongClaim("random labels", partial(threshold, noise=1e6)),
    ),
    functions=("theory.perceptron.separability:threshold",),
    slow=True,
)

CHECKS = (GARDNER, COUNT, DRAWS, MINIMUM, THRESHOLD)
