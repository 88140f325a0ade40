"""Every algorithm that is declared by a recursion, on every source: steps, closed forms and limits agree.

A simulation takes the step of `sims.algorithms`; closed forms and limits follow from the recursion. Whoever
adds an algorithm has these checks without a line of their own. Where means over draws are compared, a wrong
learning rate is 10 % larger, as 1 % of it changes a risk by less than a standard error; where single draws
are, 1e-6.

The network of `residual-digits` has no exact route: it approaches the kernel as it becomes wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.domains import Number
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.comparison import ABSENT, Found, Judge, Values, flat, scaled, shifted
from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Verdict
from teacherstudent.paper_checks.judging.judges import AtSizes, PairedMeans, Rounding

TRAINED: dict[str, Any] = {"noise": 0.5, "init": 0.5, "ridge": 0.02}
INSTEAD = "plain gradient descent instead"


@dataclass(frozen=True)
class Source:
    """What is asked of one source.

    short: how its checks are called. sized: the question at a size, at which the learning rate is stable.
    small: the size of single draws, `exact` of which the simulation is, up to the rounding of that many
    operations a step; else `draws` of means. sizes: draws by size.
    """

    problem: str
    short: str
    sized: Callable[[int], dict[str, Any]]
    learning_rate: float
    small: int
    observables: tuple[str, ...]
    sizes: Mapping[int, int] = field(default_factory=dict)
    draws: int = 0
    exact: int = 0
    times: tuple[int, ...] = (2, 10, 30, 100)
    ridge: str = "ridge"


def scales(d: int) -> dict[str, Any]:
    """Two scales of features."""
    weak = 2 * d // 5
    return {"scales": ((d - weak, 2.0), (weak, 0.3)), "n": 4 * d // 5, **TRAINED, "observable": ("training",)}


def modes(d: int) -> dict[str, Any]:
    """A law of the same eigenvalues."""
    weak = 2 * d // 5
    return {"modes": ((d - weak, 4 / d, 0.6), (weak, 0.09 / d, 0.4)), "n": 4 * d // 5, **TRAINED}


def features(d: int) -> dict[str, Any]:
    """Features of one scale."""
    return {"d": d, "width": 3 * d // 2, "n": d, **TRAINED}


def digits(width: int) -> dict[str, Any]:
    """Few images, of networks of that width."""
    return {"n": 20, "components": 10, "width": width, "weight_decay": 0.05}


SOURCES = (
    Source(
        "multiscale", "ms", scales, 0.03, 20, ("excess_risk", "training_error"),
        {20: 30000, 40: 15000, 80: 4000, 160: 300}, draws=6000,
    ),
    Source(
        "measured-spectrum", "own", modes, 0.03, 20, ("generalisation_error", "training_error"),
        {40: 12000, 160: 1500}, draws=3, exact=40,
    ),
    Source(
        "random-features", "rf", features, 0.05, 20, ("excess_risk", "training_error"),
        {20: 12000, 40: 6000, 80: 1500, 160: 200}, draws=4000,
    ),
    Source(
        "residual-digits", "rd", digits, 3.0, 64, ("test_loss", "training_loss"),
        {32: 40, 128: 40}, ridge="weight_decay", times=(3, 10, 30),
    ),
)  # fmt: skip


def numbers_of(by: Algorithm) -> dict[str, float]:
    """Its numerical options with their defaults, without the learning rate."""
    named = {each.name: each for each in by.options if each.name != "learning_rate"}
    return {name: each.default for name, each in named.items() if isinstance(each.domain, Number)}


def asked(by: Algorithm, source: Source, reference: str, less: float, more: float) -> dict[str, Any]:
    """What all checks of an algorithm on a source have in common, against that route.

    less, more: by which share its own numbers are less, or the learning rate larger, in wrong claims.
    """
    clock = {"times": source.times, "learning_rate": source.learning_rate, **numbers_of(by)}
    return {
        "problem": source.problem,
        "paper": "",
        "ref": by.meaning,
        "clocks": {by.name: clock},
        "observables": source.observables,
        "effect": Contrast(INSTEAD, "the difference between the algorithm and plain gradient descent"),
        "slow": True,
        "wrong": {
            "one step too many": {"times": shifted(1)},
            **{f"{name} {less:g} (relative) too small": {name: scaled(1 - less)} for name in numbers_of(by)},
            f"learning rate {more:g} (relative) too large": {"learning_rate": scaled(1 + more)},
            "no ridge": {source.ridge: 0.0},
            INSTEAD: dict.fromkeys(numbers_of(by), ABSENT) | {"route": f"descent/{reference}"},
        },
    }


def simulated(by: Algorithm, source: Source) -> Check:
    """The simulation against the closed form given the draws: draw by draw where that knows all of a draw."""
    judge: Judge = PairedMeans()
    common = asked(by, source, "instance", less=0.01, more=0.1)
    if source.exact:
        judge = Rounding(max(source.times) * source.exact, "rounding of one sum per step")
        common = asked(by, source, "instance", less=1e-6, more=1e-6) | {"slow": False, "effect": None}
    return declared(
        **common,
        id=f"{source.short}-{by.name}-steps",
        title=f"{by.meaning}: simulated steps agree with the closed form for the same data",
        questions=source.sized(source.small),
        routes=("simulation", "instance"),
        draws=source.draws,
        judge=judge,
    )


def limit(by: Algorithm, source: Source) -> Check:
    """The closed form given the draws against the limit."""
    return declared(
        **asked(by, source, "asymptotic", less=0.01, more=0.1),
        id=f"{source.short}-{by.name}-limit",
        title=f"{by.meaning}: the closed form for drawn data approaches the large-system limit",
        questions=source.sized,
        routes=("instance", "asymptotic"),
        draws=source.sizes,
        judge=AtSizes(whole=True) if len(source.sizes) > 2 else AtSizes(extrapolated=True),
    )


def equivalent(by: Algorithm, source: Source) -> Check:
    """Gaussian features, which have the same limit as the nonlinear ones."""
    return declared(
        **asked(by, source, "asymptotic", less=0.05, more=0.1),
        id=f"{source.short}-{by.name}-equivalent",
        title=f"{by.meaning}: Gaussian features with the same moments approach the large-system limit",
        questions=source.sized,
        routes=("gaussian-equivalent", "asymptotic"),
        draws={40: 2000, 160: 300},
        judge=AtSizes(extrapolated=True),
    )


@dataclass(frozen=True)
class WithinChange:
    """Equal at equal seeds on average, with a bias that is at most what the last step in size changed.

    The bias shrinks like the power -1/2 or faster while the size grows by 4: what is left is what was lost.
    """

    once: ClassVar[bool] = True
    says: ClassVar[str] = "mean differences at equal seeds, at most the change due to a fourfold width"

    def __call__(self, found: Found, claimed: list[Values]) -> Verdict:
        narrow, wide = found.along().values()
        apart = wide - np.concatenate([flat(each, True) for each in claimed], axis=-1)
        return mean_within_errors(apart, 0.0, bias=np.abs(wide.mean(axis=0) - narrow.mean(axis=0)))


def widened(by: Algorithm, source: Source) -> Check:
    """The network, wide, against its kernel on the same images."""
    return declared(
        **asked(by, source, "kernel", less=0.01, more=0.1),
        id=f"{source.short}-{by.name}-width",
        title=f"{by.meaning}: a wide network agrees with its tangent kernel, on the same images",
        questions=source.sized,
        routes=("simulation", "kernel"),
        draws=source.sizes,
        stream="",
        judge=WithinChange(),
    )


def generated() -> Iterator[Check]:
    """All of them."""
    for by in catalogue.algorithms().values():
        for source in SOURCES if by.recursion else ():
            routes = {
                each.name
                for each in catalogue.routes()
                if (each.problem, each.dynamics) == (source.problem, by.name)
            }
            if "kernel" in routes:
                yield widened(by, source)
            if "instance" in routes:
                yield simulated(by, source)
            if "asymptotic" in routes:
                yield limit(by, source)
            if "gaussian-equivalent" in routes:
                yield equivalent(by, source)


CHECKS = tuple(generated())
