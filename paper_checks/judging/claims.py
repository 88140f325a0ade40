"""Claims and judges made from simpler ones: of a value, of one case, of one verdict.

A case is one piece of the evidence: a problem, a training, a draw. Evidence and claim are lists of
cases in one order, or mappings with the same keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from teacherstudent.paper_checks.judging.agreement import above_zero
from teacherstudent.paper_checks.judging.evidence import Verdict, worst_verdict

T = TypeVar("T")


def constant_claim(value: T) -> Callable[[object], T]:
    """A claim of that value, whatever the evidence."""
    return lambda _: value


def per_case(claim: Callable[..., T]) -> Callable[..., list[T]]:
    """Make `claim(*fixed, case)` a claim about a list of cases: the last positional argument is the list."""

    @wraps(claim)
    def claimed(*arguments: Any, **keywords: Any) -> list[T]:
        *fixed, evidence = arguments
        return [claim(*fixed, case, **keywords) for case in evidence]

    return claimed


def worst_of(judge: Callable[..., Iterable[Verdict]]) -> Callable[..., Verdict]:
    """Make a judge that yields verdicts a judge that gives the worst of them."""

    @wraps(judge)
    def judged(*arguments: Any, **keywords: Any) -> Verdict:
        return worst_verdict(*judge(*arguments, **keywords))

    return judged


def worst_case(judge: Callable[..., Verdict | Iterable[Verdict]]) -> Callable[..., Verdict]:
    """Make `judge(*fixed, case, claim)` a judge of all cases with their claims, by the worst verdict.

    The last two positional arguments are evidence and claim. The judge of one case returns one verdict
    or yields several. Raises `ValueError` where a case has no claim, or a claim no case.
    """

    @wraps(judge)
    def judged(*arguments: Any, **keywords: Any) -> Iterator[Verdict]:
        *fixed, evidence, claimed = arguments
        for case, claim in _paired(evidence, claimed):
            verdict = judge(*fixed, case, claim, **keywords)
            yield from (verdict,) if isinstance(verdict, Verdict) else verdict

    return worst_of(judged)


def judge_signs(unit: str) -> Callable[..., Verdict]:
    """A judge of cases whose claim is a sign: the mean of each, (draws,) in that unit, has it (+1 or -1)."""

    @worst_case
    def judge(found: np.ndarray, sign: int) -> Verdict:
        return above_zero(sign * found[None], unit)

    return judge


def positive(unit: str) -> Callable[[object, np.ndarray], Verdict]:
    """A judge of a claim that is what must be positive of the evidence: rows of draws in that unit."""
    return lambda _, claimed: above_zero(claimed, unit)


def _paired(evidence: Any, claimed: Any) -> Iterable[tuple[Any, Any]]:
    if not isinstance(evidence, Mapping):
        return zip(evidence, claimed, strict=True)
    if evidence.keys() != claimed.keys():
        raise ValueError(f"cases {list(evidence)} with claims about {list(claimed)}")
    return ((evidence[key], claimed[key]) for key in evidence)
