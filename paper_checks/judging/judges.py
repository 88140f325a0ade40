"""Judges of declared comparisons, as data: each says in `says` what it holds the routes to.

They take the evidence and the observables that are claimed of each case. Where `once` is true the claim is
about the last case alone: its size is nearest to the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from teacherstudent.paper_checks.judging.agreement import (
    at_order,
    first_order,
    mean_within_errors,
    within_bound,
)
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import Case, Found, Judge, Question, Values, flat
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Verdict, in_words
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.judging.finite_size import (
    agree_beyond_bias,
    agree_extrapolated,
    agree_less_bias,
)


def _pairs(found: Found, claimed: list[Values]) -> Iterator[tuple[Case, np.ndarray]]:
    """Each case with its claim, flat: (P,), or (S, P) where the second route is sampled too."""
    for case, claim in zip(found.cases, claimed, strict=True):
        second = case.routes[1]
        sampled = bool(second) and found.asked.route(second, case.dynamics).sampled
        yield case, flat(claim, sampled)


@dataclass(frozen=True)
class Means:
    """Means over draws are the claim within standard errors, case by case."""

    says: ClassVar[str] = "means agree within standard errors"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        for case, claim in _pairs(found, claimed):
            yield mean_within_errors(case.flat, claim)


@dataclass(frozen=True)
class PairedMeans:
    """Differences at equal seeds have a mean of zero within standard errors, case by case."""

    says: ClassVar[str] = "differences at equal seeds have mean zero within standard errors"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        for case, claim in _pairs(found, claimed):
            yield mean_within_errors(case.flat - claim, 0.0)


@dataclass(frozen=True)
class Accuracies:
    """Each observable within the declared accuracies of both routes, of its largest magnitude in the case."""

    says: ClassVar[str] = "each observable differs by at most the sum of the declared errors of both routes"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        for case, claim in zip(found.cases, claimed, strict=True):
            routes = [found.asked.route(each, case.dynamics) for each in case.routes if each]
            bound: float = sum(route.accuracy for route in routes)
            for name, values in case.values.items():
                error = (values - claim[name]) / np.abs(values).max()
                yield within_bound(error, bound, f"declared accuracies for {name}", "relative", WHOLE)


@dataclass(frozen=True)
class Bound:
    """Errors within a bound whose `reason` is arithmetic, relative to each value.

    least: to that where a value is smaller. of_largest: to the largest value of the case instead.
    """

    bound: float
    reason: str
    least: float = 0.0
    of_largest: bool = False

    @property
    def says(self) -> str:
        """The bound in words."""
        return f"relative errors are at most {self.bound:.2g} ({self.reason})"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        for case, claim in _pairs(found, claimed):
            size = np.abs(case.flat)
            size = size.max() if self.of_largest else np.maximum(self.least, size)
            yield within_bound((claim - case.flat) / size, self.bound, self.reason, "relative")


@dataclass(frozen=True)
class Rounding:
    """Equal at equal seeds to the rounding of so many operations on the largest value of the case.

    operations: a number, or a function of the question: steps times the entries of a sum; (P,) where they
    differ from value to value.
    """

    operations: float | Callable[[Question], Any]
    reason: str
    unit: str = "observable"

    @property
    def says(self) -> str:
        """The bound in words."""
        return f"equal at equal seeds, up to {self.reason}"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        for case, claim in _pairs(found, claimed):
            count = self.operations(case.question) if callable(self.operations) else self.operations
            yield equal_after_steps(case.flat, claim, count, 1, reason=self.reason, unit=self.unit)


@dataclass(frozen=True)
class AtSizes:
    """Drawn sizes against their limit: a bias like 1/size at all but the last, where means must agree.

    whole, slack: as in `finite_size.agree_beyond_bias`. extrapolated: of two sizes, too few for an exponent;
    means at a third, less the bias that those two show, are the limit too.
    """

    whole: bool = False
    slack: float = 0.0
    extrapolated: bool = False
    once: ClassVar[bool] = True

    @property
    def says(self) -> str:
        """How in words."""
        if self.extrapolated:
            return (
                "means extrapolated in 1/size agree within standard errors, also at a third size after "
                "subtracting the bias"
            )
        return "the bias falls like 1/size; the means at the largest size agree within errors and this bias"

    def __call__(self, found: Found, claimed: list[Values]) -> Verdict:
        samples, limit = found.along(), np.concatenate([flat(claim, False) for claim in claimed])
        if self.extrapolated:
            return (
                agree_extrapolated(samples, limit) if len(samples) == 2 else agree_less_bias(samples, limit)
            )
        return agree_beyond_bias(samples, limit, self.whole, self.slack)


@dataclass(frozen=True)
class FirstOrder:
    """Errors at equal seeds in proportion to the learning rate, along which the questions go.

    curvature: the largest eigenvalue of the training, a number or a function of the evidence. each: every
    observable is compared for itself; else all side by side.
    """

    curvature: float | Callable[[Found], float]
    each: bool = False
    once: ClassVar[bool] = True
    says: ClassVar[str] = "the error is of first order in the learning rate"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        case = found.cases[-1]
        drawn = found.asked.route(found.asked.routes[1], case.dynamics).sampled
        curvature = self.curvature(found) if callable(self.curvature) else self.curvature
        for names in [[each] for each in case.values] if self.each else [list(case.values)]:
            claim = np.concatenate(
                [flat({each: of[each] for each in names}, drawn) for of in claimed], axis=-1
            )
            yield first_order(found.only(names).along(), claim, curvature)


@dataclass(frozen=True)
class AtOrder:
    """Errors that fall like that power of the number along which the questions go: a whole order.

    each: every observable at every time has that order for itself; else the root of the sum of squares of
    all. relative: of errors over values. Claims are asked along the same numbers. No draws.
    """

    order: float
    each: bool = False
    relative: bool = False

    @property
    def says(self) -> str:
        """The order in words."""
        which = "each value" if self.each else "all values together"
        return f"the error falls as the power {self.order:g} ({which})"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        errors: dict[Any, list[np.ndarray]] = {}
        for case, claim in _pairs(found, claimed):
            error = np.abs(case.flat - claim) / (np.abs(case.flat) if self.relative else 1.0)
            errors.setdefault(case.name, []).append(error)
        all_of = [np.concatenate(each) for each in errors.values()]
        columns = np.array(all_of).T if self.each else [[np.linalg.norm(each) for each in all_of]]
        for column in columns:
            yield at_order(list(errors), column, self.order)


@dataclass(frozen=True)
class InGroups:
    """That judge of each group: cases named (group, number), along the numbers."""

    judge: Judge

    @property
    def says(self) -> str:
        """What the judge of a group requires."""
        return f"in each group, {in_words(self.judge)}"

    @worst_of
    def __call__(self, found: Found, claimed: list[Values]) -> Iterator[Verdict]:
        groups: dict[Any, list[tuple[Case, Values]]] = {}
        for case, claim in zip(found.cases, claimed, strict=True):
            group, number = case.name
            groups.setdefault(group, []).append((replace(case, name=number), claim))
        for pairs in groups.values():
            cases, claims = zip(*pairs, strict=True)
            once = slice(-1 if getattr(self.judge, "once", False) else 0, None)
            yield self.judge(replace(found, cases=cases), list(claims[once]))
