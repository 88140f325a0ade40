"""The statements of wu2024 on logistic regression, with wrong claims that each check must refute."""

from __future__ import annotations

from functools import partial
from math import ceil, e, log

import numpy as np

import teacherstudent as ts
from teacherstudent.paper_checks.judging.agreement import at_rate, none_wrong, within_bound
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim

from .problem import GAMMA, ID, Separable
from .theory import margin, oscillation

Runs = list[tuple[np.ndarray, float, np.ndarray]]
"""Rows, step size, and the loss after each step."""
check = partial(Check, problem=ID, paper="wu2024", functions=("sims.py:descent", "theory.py:margin"))


def losses(data: str, rate: float, times: object, seed: int = 0, seeds: int = 2) -> np.ndarray:
    """Simulated losses, (S, T)."""
    asked = {"dynamics": "descent", "route": "simulation", "data": data, "learning_rate": rate}
    return ts.sample(ID, **asked, times=times, seeds=seeds, seed=seed).loss.values


def runs(seeds: Seeds, rates: tuple[float, ...] = (1, 4, 16, 64, 1024), steps: int = 2000) -> Runs:
    """Twenty clouds and the pair, with every step size."""
    first, found = seeds(1)[0], []
    for data, rate in ((data, rate) for data in ("cloud", "pair") for rate in rates):
        rows = [Separable(data).rows(first + k) for k in range(20 if data == "cloud" else 2)]
        drawn = losses(data, rate, range(steps + 1), first, len(rows))
        found += [(z, rate, loss) for z, loss in zip(rows, drawn, strict=True)]
    return found


def average(found: Runs, share: float = 1.0) -> list[bool]:
    """For each run: is the mean loss over the first t steps below `share` times the bound of Thm. 1?"""
    held, t = [], np.arange(1, len(found[0][2]))
    for z, rate, loss in found:
        scale = margin(z) ** 2 * rate * t
        held.append((loss[:-1].cumsum() / t <= share * (1 + np.log(scale) ** 2 + rate**2 / 4) / scale).all())
    return held


def stable(found: Runs, factor: float = 1.0) -> list[bool]:
    """For each run: does the loss never rise after it is at most factor/eta (Eq. 2)?"""
    after = [loss[np.argmax(loss <= factor / rate) :] for _, rate, loss in found]
    return [bool((np.diff(each) <= 1e-15).all()) for each in after]


def left(found: Runs, share: float = 1.0) -> list[bool]:
    """For each run: is the loss at most 1/eta within share x tau steps (Thm. 1), or the simulated steps?"""
    held = []
    for z, rate, loss in found:
        n = len(z)
        tau = 60 / margin(z) ** 2 * max(rate, n, e, (rate + n) / rate * log((rate + n) / rate))
        held.append(loss[: ceil(share * tau)].min() <= 1 / rate)
    return held


def as_perceptron(found: Runs, power: float = 0.0) -> list[bool]:
    """For each run: is the loss first at most 1/eta at the last perceptron step times (eta/10^4)^power?"""
    first = [(z, rate, np.argmax(loss <= 1 / rate)) for z, rate, loss in found]
    return [step == round(oscillation(z) * (rate / 1e4) ** power) for z, rate, step in first]


def all_hold(_: object, held: list[bool]) -> Verdict:
    """The verdict: no run may violate the statement."""
    return none_wrong(len(held) - sum(held), len(held), "one by one", "runs")


def slopes(_: Seeds) -> dict[tuple[str, float], float]:
    """The mean change of 1/(eta loss) per step between t = 2^16 and 2^17."""
    t, found = 2.0**16, {}
    for data, rate in (("toy", 4.0), ("toy", 32.0), ("pair", 4.0), ("pair", 16.0)):
        first, second = losses(data, rate, [t, 2 * t])[0]
        found[data, rate] = (1 / second - 1 / first) / (rate * t)
    return found


def late_slopes(found: dict[tuple[str, float], float], norm: float = 1.0) -> np.ndarray:
    """The same change by the late route; `norm` is a factor of the margin."""
    asked = {"dynamics": "descent", "route": "late", "times": [1], "seeds": 2}
    late = [ts.sample(ID, **asked, data=data, learning_rate=rate).loss.values[0, 0] for data, rate in found]
    return norm**2 / (np.array(late) * [rate for _, rate in found])


BUDGETS = 5e4 * np.array([1.0, 2.0, 4.0])
CHECKS = (
    check(
        id="large-step-late", ref="Fig. 1 (b), Thm. 3", title="at late times the loss is 1/(margin^2 eta t)",
        functions=("sims.py:descent", "theory.py:late"),
        evidence=slopes, claim=late_slopes,
        judge=lambda found, claimed: within_bound(
            claimed / [*found.values()] - 1, 2e-3, "the next term, of the order of ln(t)/t", "relative", WHOLE
        ),
        wrong=(WrongClaim("a margin 1 % larger", partial(late_slopes, norm=1.01)),),
    ),
    check(
        id="large-step-average", ref="Thm. 1, EoS phase",
        title="the mean loss over the first steps is below the bound",
        evidence=runs, claim=average, judge=all_hold,
        wrong=(WrongClaim("below a hundredth of the bound", partial(average, share=0.01)),),
    ),
    check(
        id="large-step-stable", ref="Thm. 1, stable phase",
        title="the loss never rises after it is at most 1/eta",
        evidence=runs, claim=stable, judge=all_hold,
        wrong=(WrongClaim("the loss never rises after it is at most 30/eta", partial(stable, factor=30.0)),),
    ),
    check(
        id="large-step-exit", ref="Thm. 1, phase transition time",
        title="the loss is at most 1/eta within tau steps",
        evidence=runs, claim=left, judge=all_hold,
        wrong=(WrongClaim("within tau/1000 steps", partial(left, share=1e-3)),),
    ),
    check(
        id="large-step-oscillation", ref="abstract: in O(eta) steps",
        title="for large eta the loss oscillates for as many steps as the batch perceptron takes",
        evidence=partial(runs, rates=(1e4, 1e5, 1e6), steps=300), claim=as_perceptron, judge=all_hold,
        wrong=(WrongClaim("a number of steps that grows as sqrt(eta)", partial(as_perceptron, power=0.5)),),
        functions=("sims.py:descent", "theory.py:oscillation"),
    ),
    check(
        id="large-step-budget", ref="Cor. 2",
        title="with eta = margin^2 T/120, the loss after T steps falls as 1/T^2",
        evidence=lambda _: np.array([losses("pair", GAMMA**2 * T / 120, [T])[0, 0] for T in BUDGETS]),
        claim=lambda _: -2.0, judge=lambda found, power: at_rate(BUDGETS, found, power, slack=0.01),
        wrong=(WrongClaim("as 1/T", lambda _: -1.0),),
    ),
    check(
        id="large-step-figure", ref="Fig. 1", title="a step size of 4 never raises the loss; 8, 16 and 32 do",
        evidence=lambda _: [(np.diff(losses("toy", eta, range(500))) > 0).any() for eta in (4, 8, 16, 32)],
        claim=lambda _: [False, True, True, True],
        judge=lambda found, rises: all_hold(None, [a == b for a, b in zip(found, rises, strict=True)]),
        wrong=(WrongClaim("a step size of 8 never raises the loss", lambda _: [False, False, True, True]),),
        functions=("sims.py:descent",),
    ),
)  # fmt: skip
