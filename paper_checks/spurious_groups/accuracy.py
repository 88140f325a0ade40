"""Accuracies from effective weights against trained classifiers, and the core feature alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from teacherstudent.house.extras import needed
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import FALSE_ALARM, quantile, within_bound
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.spurious_groups import check
from teacherstudent.theory.spurious_groups.accuracy import core_error, group_accuracies

EPOCHS = (0, 10, 40, 160, 640)
TESTS = 16000


@dataclass(frozen=True)
class Tested:
    """Trained classifiers: e_s, e_c and r, (P, 3), r = 0 where tests have no noise, and the accuracies of
    their groups on `TESTS` drawn examples each, (P, 4). feature_std: sigma of both."""

    e: np.ndarray
    accuracies: np.ndarray
    feature_std: float


def tested(seeds: Seeds) -> Tested:
    """Students of three methods at a few epochs, on tests with and without noise features."""
    rows, accuracies, sigma = [], [], 0.5
    for method in ("erm", "rwg", "subg"):
        for noise in ("zero", "fresh"):
            answer = run(
                "spurious-groups", "descent", "simulation", EPOCHS, seeds=seeds(3, method), method=method,
                n=100, noise_features=60, minority=0.2, feature_std=sigma, test_noise=noise,
                learning_rate=1e-4, batch_size=25, test_examples=TESTS,
            )  # fmt: skip
            e = np.stack([answer[name].values for name in ("spurious_weight", "core_weight", "noise_weight")])
            rows.append(e.reshape(3, -1).T * [1, 1, noise == "fresh"])
            accuracies.append(answer["group_accuracy"].values.reshape(-1, 4))
    return Tested(np.concatenate(rows), np.concatenate(accuracies), sigma)


def closed_form(
    evidence: Tested, noise: float = 1.0, spurious: float = 1.0, spread: float = 1.0
) -> np.ndarray:
    """Accuracies of the groups, (P, 4), with factors on the ingredients for the negative controls."""
    e_s, e_c, r = evidence.e.T
    return group_accuracies(spurious * e_s, e_c, noise * r, spread * evidence.feature_std)


def as_counted(evidence: Tested, claimed: np.ndarray) -> Verdict:
    """Judge: counts of right answers by their binomial law, however rare, as scores of a normal one.

    The tail of a count includes the count itself, so that no claim fails more often than it may.
    """
    counts = np.rint(evidence.accuracies * TESTS)
    tail = np.minimum(stats.binom.cdf(counts, TESTS, claimed), stats.binom.sf(counts - 1, TESTS, claimed))
    score, allowed = stats.norm.isf(tail), quantile(counts.size)
    return Verdict(
        statistic=float(np.max(score)),
        threshold=allowed,
        resolution=float(np.median(allowed * np.sqrt(claimed * (1 - claimed) / TESTS))),
        unit="accuracy (median over points)",
        reason=f"binomial tail of {allowed:.2f} scores: {FALSE_ALARM:g} quantile over {counts.size} points",
        points=counts.size,
    )


ACCURACY = check(
    id="wg-accuracy",
    title="accuracies of the groups follow from the effective weights of core, spurious and noise features",
    ref="Eq. 8.4.1",
    evidence=tested,
    claim=closed_form,
    judge=as_counted,
    effect=Contrast("noise that adds twice", "what counting noise twice changes"),
    teeth=(
        Tooth("tests without noise throughout", partial(closed_form, noise=0.0)),
        Tooth("noise that adds twice", partial(closed_form, noise=np.sqrt(2))),
        Tooth("groups exchanged", partial(closed_form, spurious=-1.0)),
        Tooth("features with a tenth more spread", partial(closed_form, spread=1.1)),
    ),
)


# The core feature alone ----------------------------------------------------------------------------------

SPREADS = np.array([0.1, 0.15, 0.5, 2.0])


def integrated(_: Seeds) -> np.ndarray:
    """The probability of a normal variable of mean 1 and standard deviation sigma below 0, by quadrature."""
    with needed("a quadrature of many digits"):
        import mpmath

    with mpmath.workdps(40):
        tails = [
            mpmath.quad(lambda x, s=s: mpmath.npdf(x, 1, s), [-step * s for step in (30, 10, 3, 1, 0.3, 0)])
            for s in map(mpmath.mpf, SPREADS)
        ]
    return np.array([float(tail) for tail in tails])


def core_alone(_: Any, power: float = 1.0, sides: float = 1.0) -> np.ndarray:
    """1 - Phi(1/sigma), with a power of sigma and a number of tails for the negative controls."""
    return sides * core_error(SPREADS**power)


def to_rounding(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Judge: relative errors of a tail far out, where a rounding of its argument t counts t^2 times."""
    bound = 4 * EPS * (1 + SPREADS**-2)
    return within_bound(claimed / evidence - 1, bound, "rounding of 1/sigma, 1/sigma^2 times", "relative")


CORE = check(
    id="wg-core-alone",
    title="the core feature alone misclassifies with probability 1 - Phi(1/sigma), 1.3e-11 at sigma = .15",
    ref="end of Sect. 8.4",
    evidence=integrated,
    claim=core_alone,
    judge=to_rounding,
    teeth=(
        Tooth("sigma squared", partial(core_alone, power=2.0)),
        Tooth("both tails", partial(core_alone, sides=2.0)),
    ),
)

CHECKS = (ACCURACY, CORE)
