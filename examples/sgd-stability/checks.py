"""The statements of mulayoff2024 on quadratic losses, with wrong claims that each check must refute."""

from __future__ import annotations

from functools import partial
from math import ceil

import numpy as np
from scipy.optimize import brentq

import teacherstudent as ts
from teacherstudent.paper_checks.judging.agreement import above_zero, none_wrong, within_bound
from teacherstudent.paper_checks.judging.comparison import scaled, shifted
from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim

from .problem import ID, Regression, variance
from .theory import sharpness

Cases = list[tuple[np.ndarray, int]]
MEASURE = "theory.py:sharpness"
check = partial(Check, problem=ID, paper="mulayoff2024", functions=(MEASURE,))


def drawn(seeds: Seeds, count: int, *shapes: tuple[int, int]) -> list[np.ndarray]:
    """Drawn rows of each shape."""
    return [
        np.random.default_rng(s).standard_normal(each) for each in shapes for s in seeds(count, str(each))
    ]


def cases(seeds: Seeds) -> Cases:
    """Drawn rows, with every batch size."""
    return [(x, b) for x in drawn(seeds, 3, (8, 4), (6, 8), (20, 6)) for b in range(1, len(x) + 1)]


def largest(x: np.ndarray) -> float:
    """The largest curvature."""
    return float(np.linalg.eigvalsh(x.T @ x / len(x))[-1])


def by_bisection(x: np.ndarray, batch: int) -> float:
    """2 divided by the step beyond which the second moments of the mixture of Prop. 7 grow, by bisection."""
    x = x @ np.linalg.svd(x, full_matrices=False)[2].T  # the span of the rows
    H, one = x.T @ x / len(x), np.eye(x.shape[1])
    p = variance(len(x), batch)

    def excess(eta: float) -> float:
        rows = [np.kron(each, each) for each in (one - eta * np.outer(row, row) for row in x)]
        step = (1 - p) * np.kron(one - eta * H, one - eta * H) + p * np.mean(rows, axis=0)
        return float(np.abs(np.linalg.eigvalsh(step)).max() - 1)

    return 2 / float(brentq(excess, 1e-6, 2.01 / largest(x), xtol=1e-14, rtol=1e-13))


def formula(found: Cases, half: float = 0.5, repeated: bool = False) -> np.ndarray:
    """lambda_max(C^+ D) of each case; with `repeated`, for batches drawn with repetition (p = 1/B)."""
    return np.array([sharpness(x, 1 / b if repeated else variance(len(x), b), half=half) for x, b in found])


def judge_threshold(found: Cases, claimed: np.ndarray) -> Verdict:
    """The verdict on the relative errors of the formula."""
    error = claimed / [by_bisection(*case) for case in found] - 1
    return within_bound(error, 1e-9, "both solved to 1e-12", "relative", WHOLE)


def judge_order(found: Cases, sign: int) -> Verdict:
    """The verdict: the sharpness must change with the batch in the claimed direction."""
    change = np.diff(formula(found))[np.diff([b for _, b in found]) > 0]
    return none_wrong((sign * change < -1e-9).sum(), change.size, "batch after batch", "batch sizes")


def enough(found: Cases, share: float) -> list[bool]:
    """Whether that share of the batch of Prop. 8 is enough, Eq. 16."""
    held = []
    for x in {id(x): x for x, _ in found}.values():
        for epsilon in (0.1, 0.3, 0.6):
            least = share * (1 - epsilon) / epsilon * sharpness(x, 1.0, -1.0) / largest(x)  # Eq. 15
            p = variance(len(x), max(1, min(len(x), ceil(least))))
            held.append((1 - epsilon) * sharpness(x, p) <= largest(x) * (1 + 1e-9))
    return held


def ratios(seeds: Seeds) -> np.ndarray:
    """Ratio of the thresholds of SGD and descent: 256 rows, batches of 32, 16 and 128 features, (2, 10)."""
    of = [largest(x) / sharpness(x, variance(256, 32)) for x in drawn(seeds, 10, (256, 16), (256, 128))]
    return np.reshape(of, (2, -1))


def beyond(seeds: Seeds) -> np.ndarray:
    """Squared distances after 1000 steps at 1.05 times the threshold, with one row per step: (1, 2000)."""
    rate = 2.1 / sharpness(Regression(12, 4, 0, 1, 0).drawn()[0], 1.0)
    asked = {"dynamics": "sgd", "route": "simulation", "times": [1000], "learning_rate": rate}
    return ts.sample(ID, **asked, seeds=2000, seed=seeds(1)[0]).distance.values.reshape(1, -1)


CHECKS = (
    declared(
        id="sgd-stability-moments", problem=ID, paper="mulayoff2024", ref="Eq. 10, Thm. 12",
        title="the second moments of simulated SGD equal the predicted ones",
        clocks={"sgd": {"times": (1, 10, 100), "learning_rate": 0.12}},
        questions={"fitted": {"batch": 3}, "noisy": {"batch": 3, "noise": 0.5}},
        routes=("simulation", "moments"), draws=8000,
        effect=Contrast("batches of four", "a batch larger by one"),
        wrong={"batches of four": {"batch": shifted(1)}, "larger steps": {"learning_rate": scaled(1.1)}},
    ),
    check(
        id="sgd-stability-threshold", ref="Thm. 5, Prop. 7, Thm. 14",
        title="the largest stable step of the mixture of Prop. 7 is 2/lambda_max(C^+ D)",
        evidence=cases, claim=formula, judge=judge_threshold,
        wrong=(
            WrongClaim("batches with repetition", partial(formula, repeated=True)),
            WrongClaim("C without its half", partial(formula, half=1.0)),
        ),
    ),
    check(
        id="sgd-stability-monotone", ref="Prop. 6",
        title="the largest stable step does not fall with the batch size",
        evidence=cases, claim=lambda _: -1, judge=judge_order,
        wrong=(WrongClaim("the largest stable step falls with the batch size", lambda _: 1),),
    ),
    check(
        id="sgd-stability-gap", ref="Prop. 8", title="the batch of Prop. 8 is large enough",
        evidence=cases, claim=partial(enough, share=1.0),
        judge=lambda _, held: none_wrong(held.count(False), len(held), "one by one", "inequalities"),
        wrong=(WrongClaim("a third of the batch of Prop. 8 is large enough", partial(enough, share=1 / 3)),),
    ),
    check(
        id="sgd-stability-moderate", ref="abstract: even with moderate batch sizes",
        title="the threshold of batches of 32 is near descent for 16 Gaussian features, but not for 128",
        evidence=ratios, claim=lambda found: np.stack([found[0] - 0.75, 2 / 3 - found[1]]),
        judge=lambda _, claimed: above_zero(claimed, "share of the step"),
        wrong=(WrongClaim("near gradient descent for 128 features too", lambda found: found - 0.75),),
    ),
    check(
        id="sgd-stability-probability", ref="Sect. 5: convergence in probability",
        title="at 5 % beyond the threshold, at least 95 % of the runs converge",
        evidence=beyond, claim=lambda found: (found < 1e-3) - 0.95,
        judge=lambda _, claimed: above_zero(claimed, "share of runs"),
        wrong=(WrongClaim("more than 5 % of the runs do not converge", lambda found: (found > 1e-3) - 0.05),),
        functions=("sims.py:sgd", MEASURE),
    ),
)  # fmt: skip
