"""Drawn data against the limit of large size: equal but for a bias that falls like 1/d.

The bias and its exponent are measured at small sizes of one shape; at a larger size, with draws
of its own, simulation and limit must agree within standard errors plus the bias extrapolated to
that size. Any problem with a notion of size can ask this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import shrinking_bias, within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst


@dataclass(frozen=True)
class Family:
    """One question at many sizes: its keywords at size d, and how often it is drawn.

    `question(d)` are the keywords of `house.running.run`; `draws` counts draws at the small sizes,
    `large` is (size, draws) of the comparison; `variables` are compared at every time. `drawn` is the sampled
    route that is compared. `whole`: the bias goes in whole powers of 1/d. `averaged` is a route that gives
    averages over everything but the inputs, for each draw of them: where there is one, it measures the bias
    at the small sizes, with less noise.
    """

    problem: str
    dynamics: str
    variables: tuple[str, ...]
    question: Callable[[int], dict[str, Any]]
    draws: Mapping[int, int]
    large: tuple[int, int]
    drawn: str = "simulation"
    averaged: str = ""
    whole: bool = False

    def simulated(self, seeds: Seeds) -> Sized:
        """Draw and train at every size."""
        asked = [(self.averaged or self.drawn, d, count) for d, count in self.draws.items()]
        asked.append((self.drawn, *self.large))
        return Sized(
            self, {d: self.answer(route, d, seeds=seeds(count, f"d={d}")) for route, d, count in asked}
        )

    def answer(self, route: str, d: int, **changes: Any) -> np.ndarray:
        """The variables at size d side by side: (S, P) of a sampled route, else (P,)."""
        return self._flat(run(self.problem, self.dynamics, route, **{**self.question(d), **changes}))

    def _flat(self, answer: xr.Dataset) -> np.ndarray:
        leading = answer.sizes.get("seed")
        shape = (-1,) if leading is None else (leading, -1)
        return np.concatenate([answer[name].values.reshape(shape) for name in self.variables], axis=-1)


@dataclass(frozen=True)
class Sized:
    """Simulated variables of each draw at each size, (S, P)."""

    family: Family
    samples: dict[int, np.ndarray]


Changes = Mapping[str, Callable[[Any], Any]]
"""Keywords of the question, and what each becomes in a wrong claim."""


def scaled(factor: float) -> Callable[[float], float]:
    """A keyword multiplied by a factor."""
    return lambda value: factor * value


def limit(route: str, changes: Changes, evidence: Sized) -> np.ndarray:
    """The claim (P,): a route's answer, with some keywords changed for the negative controls."""
    family = evidence.family
    keywords = family.question(family.large[0])
    changed = {name: change(keywords[name]) for name, change in changes.items()}
    return family.answer(route, family.large[0], **changed)


def agree_at_large_size(evidence: Sized, claimed: np.ndarray, slack: float = 0.0) -> Verdict:
    """The exponent of the bias over the small sizes, and agreement at the large one."""
    return agree_beyond_bias(evidence.samples, claimed, evidence.family.whole, slack)


def against_limit(
    family: Family,
    route: str,
    wrong: Mapping[str, Changes],
    *others: Tooth,
    effect: Contrast,
    further: tuple[str, ...] = (),
    slack: float = 0.0,
) -> dict[str, Any]:
    """What a slow check of a family against a route consists of; `wrong` names the changes of keywords.

    effect: what the comparison of means is about. further: functions that its negative controls or known
    misprints call, as in `Check.functions`. slack: by how much the next order moves the exponent.
    """
    controls = (Tooth(name, partial(limit, route, changes)) for name, changes in wrong.items())
    return {
        "evidence": family.simulated,
        "claim": partial(limit, route, {}),
        "judge": partial(agree_at_large_size, slack=slack),
        "effect": effect,
        "teeth": (*controls, *others),
        "functions": (
            *(_function(family, each) for each in (family.drawn, family.averaged, route) if each),
            *further,
        ),
        "slow": True,
    }


def _function(family: Family, route: str) -> str:
    """The function behind a route, as `Check.functions` names it."""
    entry = find_route(find_problem(family.problem), family.dynamics, route).entry
    return entry.partition(".")[2]


def agree_beyond_bias(
    samples: Mapping[int, np.ndarray], claimed: np.ndarray, whole: bool = False, slack: float = 0.0
) -> Verdict:
    """The same for drawn values of any origin: at each size (S, P), against a claim (P,).

    whole: of values that go in whole powers of 1/d, as averages of polynomials in Gaussian inputs do, where
    the next order shows at the small sizes (`Shrinking.verdict`). slack: by how much the next order moves any
    other exponent.
    """
    *sizes, large = sorted(samples)
    small = shrinking_bias(sizes, [samples[d] - claimed for d in sizes], -1)
    drawn = drawn_mean(samples[large])
    scale = sizes[0] / large
    stderr = np.hypot(drawn.stderr, small.bias_stderr * scale)
    bias = np.abs(small.bias) * scale
    means = within_errors(drawn.mean, claimed, stderr, degrees=drawn.degrees, bias=bias)
    exponent = small.verdict(-1, whole, slack)
    seen = f"{exponent.unit}, or {means.resolution:.1g} {means.unit} at the largest size"
    return worst(replace(exponent, unit=seen), means)


def agree_extrapolated(samples: Mapping[int, np.ndarray], claimed: np.ndarray) -> Verdict:
    """The same of two sizes, too few for an exponent: their means extrapolated in 1/d to infinite size."""
    small, large = sorted(samples)
    smaller, drawn = drawn_mean(samples[small]), drawn_mean(samples[large])
    step = small / (large - small)
    return within_errors(
        drawn.mean + step * (drawn.mean - smaller.mean),
        claimed,
        np.hypot((1 + step) * drawn.stderr, step * smaller.stderr),
        degrees=min(drawn.degrees, smaller.degrees),
    )
