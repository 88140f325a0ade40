r"""Power laws lambda_k = k^-a with target power k^-(1 + 2ra): exponents of learning curves, and a plateau.

Let kappa = 1/q. Without a ridge n = sum lambda/(lambda + kappa), so that kappa is like (n + 1/2)^-a: sums
over k = 1, 2, ... fall short of integrals by half a mode. The bias sum_k power_k (kappa/(kappa + lambda_k))^2
is like kappa^2r where its terms near k = n count, that is for r < 1, and like kappa^2 where its first ones
do. It is amplified by 1/(1 - T), T = (1/n) sum (lambda/(lambda + kappa))^2, which without a ridge is
a n/(n + 1/2); of noise this leaves T/(1 - T), the plateau a - 1. With a ridge T is like
kappa^(-1/a)/n. At the best kappa bias and variance are alike: it is like n^(-a/(1 + 2ra)).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, per_case, worst_case
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.asking import errors

RIDGELESS = 1e12
"""The time of a ridge far below n kappa of every law here."""
LOUD = 1e3
"""Noise beside which no target counts."""


@dataclass(frozen=True)
class Law:
    """Capacity a and source r of a power law."""

    a: float
    r: float

    def excess(
        self, size: int, n: int, time: float, noise: float = 0.0, route: str = "asymptotic", **more: Any
    ) -> Any:
        """Error of ridge regression at 1/time beyond the noise of a fresh label; (S,) of a sampled route."""
        law = {"capacity": self.a, "source": self.r, "size": size, "noise": noise, **more}
        return errors("ridge", route, [time], n=n, **law)[..., 0, 0] - noise**2

    def cut_off(self, modes: Any, size: int) -> Any:
        """Share of the learned modes' sums that lies beyond the last mode."""
        return (modes / size) ** (self.a - 1)


LAWS = (Law(2.0, 0.4), Law(2.0, 1.5), Law(3.0, 0.3))
SIZE = 30_000
ROWS = np.array([40, 80, 160, 320])
SMALLER = 3000
MANY = np.array([4000, 32000, 256000])
"""Rows at which noise decides: few modes are learned, and fewer modes are enough."""


@dataclass(frozen=True)
class Exponents:
    """What is claimed of a law: exponents of the error without noise and ridge, and of the error beyond the
    noise at its best ridge; and the plateau of noise without a ridge, over the noise, (N,)."""

    noiseless: float
    noisy: float
    plateau: np.ndarray


def derived(law: Law, saturates: float = 1.0, power: float = 2.0, half: float = 0.5) -> Exponents:
    """By the module's docstring, with factors on its ingredients for the negative controls."""
    twice = power * law.a * min(law.r, saturates)
    plateau = (ROWS * (law.a - 1) - half) / (ROWS + half)
    return Exponents(-twice, -twice / (twice + 1), plateau)


@dataclass(frozen=True)
class Curves:
    """Errors of one law beyond the noise at every n, as in `Exponents`."""

    law: Law
    noiseless: np.ndarray
    noisy: np.ndarray
    plateau: np.ndarray


def curves(_: Seeds) -> list[Curves]:
    """Evidence: the ridge route at large size."""
    return [
        Curves(
            law,
            np.array([law.excess(SIZE, n, RIDGELESS) for n in ROWS]),
            np.array([at_best(law, n) for n in MANY]),
            np.array([law.excess(SIZE, n, RIDGELESS, LOUD) / LOUD**2 for n in ROWS]),
        )
        for law in LAWS
    ]


def at_best(law: Law, n: int) -> float:
    """The error with noise 1 at the best ridge."""
    return float(
        optimize.minimize_scalar(
            lambda log: law.excess(SMALLER, n, np.exp(-log), 1.0),
            bounds=(-4.0, 10.0), method="bounded", options={"xatol": 0.02},
        ).fun
    )  # fmt: skip


def amplified_alike(errors: np.ndarray, rows: np.ndarray = ROWS) -> np.ndarray:
    """Errors over n/(n + 1/2), which is no power of n."""
    return errors * (1 + 0.5 / rows)


@worst_case
def as_derived(case: Curves, claim: Exponents) -> Iterator[Verdict]:
    """Exponents to the next order in the number of learned modes, and to what is cut off."""
    law, right = case.law, derived(case.law)
    next_order = (right.noiseless / ROWS[0]) ** 2 + law.cut_off(ROWS[-1], SIZE)
    yield at_rate(ROWS + 0.5, amplified_alike(case.noiseless), claim.noiseless, slack=next_order)
    learned = MANY[0] ** (1 + right.noisy)  # kappa^(-1/a) at the best kappa
    yield at_rate(MANY, case.noisy, claim.noisy, slack=abs(right.noisy) / learned)
    bound = law.a * (1 / ROWS**2 + law.cut_off(ROWS, SIZE))
    reason = "next order in 1/n, and modes cut off"
    yield within_bound(case.plateau / claim.plateau - 1, bound, reason, "relative")


@per_case
def claimed(case: Curves, saturates: float = 1.0, power: float = 2.0, half: float = 0.5) -> Exponents:
    """By the module's docstring. Wrong where the source saturates elsewhere, where the bias has another power
    than h h', or where half a mode is forgotten."""
    return derived(case.law, saturates, power, half)


@per_case
def never_noisy(case: Curves) -> Exponents:
    """Wrong: noise that does not slow down learning."""
    right = derived(case.law)
    return Exponents(right.noiseless, right.noiseless, right.plateau)


LIMIT = check(
    id="own-exponents",
    title="for power laws, learning curves have the derived exponents without noise and at the best ridge, "
    "and label noise causes the derived plateau",
    ref="exponents -2a min(r, 1) and -2ar/(2ar + 1), plateau a - 1",
    evidence=curves,
    claim=claimed,
    judge=as_derived,
    wrong=(
        WrongClaim("the source saturates at 2", partial(claimed, saturates=2.0)),
        WrongClaim("h instead of h h'", partial(claimed, power=1.0)),
        WrongClaim("half a mode omitted", partial(claimed, half=0.0)),
        WrongClaim("noise does not slow down learning", never_noisy),
    ),
)

# On drawn rows -----------------------------------------------------------------------------------------

STEEP = LAWS[2]
FEW_MODES, FEW_ROWS, DRAWS = 400, np.array([16, 32, 64]), 300


def drawn(seeds: Seeds) -> np.ndarray:
    """Evidence: errors of ridgeless regression on drawn rows, (N, S)."""
    return np.stack(
        [
            STEEP.excess(FEW_MODES, n, RIDGELESS, route="instance", seeds=seeds(DRAWS, f"n={n}"))
            for n in FEW_ROWS
        ]
    )


def as_drawn(evidence: np.ndarray, claimed: float) -> Verdict:
    """Means differ from the limit by a share like 1/n."""
    found = drawn_mean(evidence, axis=1)
    errors, stderr = (amplified_alike(each, FEW_ROWS) for each in (found.mean, found.stderr))
    slack = 1 / FEW_ROWS[0] + STEEP.cut_off(FEW_ROWS[-1], FEW_MODES)
    return at_rate(FEW_ROWS + 0.5, errors, claimed, stderr, slack)


DRAWN = check(
    id="own-exponents-drawn",
    title="for a power law, least-norm interpolators of drawn rows have the derived learning-curve exponent",
    ref="exponent -2ar",
    evidence=drawn,
    claim=constant_claim(derived(STEEP).noiseless),
    judge=as_drawn,
    wrong=(
        WrongClaim("the saturated exponent", constant_claim(derived(Law(STEEP.a, 1.0)).noiseless)),
        WrongClaim("the exponent with noise at the best ridge", constant_claim(derived(STEEP).noisy)),
        WrongClaim("h instead of h h'", constant_claim(derived(STEEP, power=1.0).noiseless)),
    ),
    slow=True,
)

CHECKS = (LIMIT, DRAWN)
