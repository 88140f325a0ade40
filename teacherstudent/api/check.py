"""Checks: tests of the papers' claims, with their outcomes as plain numbers."""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from teacherstudent.house.domains import check_flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.parameters import pick

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Outcome, Verdict


CHECKS = "teacherstudent list checks"
"""The command that lists the checks."""


def check(id: str = "all", *, fresh_seeds: bool = False) -> list[Outcome]:
    """Run one check of theory against simulation or against a paper, or all that this machine can run.

    Args:
        id: Id of a check, one of `teacherstudent.listing("checks")`, or `"all"`.
        fresh_seeds: Whether to draw new seeds. By default, the check's name determines the seeds.

    Returns:
        The outcomes, one for each check. An outcome has the `verdict` on the claim; the verdicts on the wrong
            claims that the check must reject, by name (`wrong`, the negative controls, and `errata`, the
            known misprints); the names `missed` of those that it did not reject; `passed`, `seeds` and
            `seconds`. Its `state` is `agrees`, `weak` (it passed, but the smallest detectable error exceeds
            half of the effect), `disagrees` or `misses errors`. A verdict has `statistic` and `threshold`,
            the `reason` for the threshold, `agrees`, the smallest detectable error `resolution` in `unit`,
            the `effect` with its `size` in that unit, the `share` resolution/size, the number of `points`,
            the verdicts on its `parts`, and the `weakest` of these.

    Raises:
        InputError: For an unknown id; for your own system if its theory and simulation import each other.
        MissingExtra: An `ImportError`, if a named check needs a library that is not installed.

    Examples:
        >>> import teacherstudent as ts
        >>> (outcome,) = ts.check("ln-sigmoid")
        >>> outcome.passed, list(outcome.missed)
        (True, [])
    """
    from teacherstudent.paper_checks.judging.evidence import Seeds, run_check
    from teacherstudent.paper_checks.ledger import checks

    fresh = check_flag("fresh_seeds", fresh_seeds)
    outcomes = []
    for each in runnable(id)[0]:
        try:
            seeds = Seeds.fresh(each) if fresh else None
            with explained(checks()[each].problem):
                outcomes.append(run_interruptibly(partial(run_check, checks()[each], seeds)))
        except MissingExtra:
            if id != "all":
                raise
    return outcomes


def runnable(id: str) -> tuple[list[str], dict[str, str]]:
    """Ids of the requested checks that this machine can run, and what it lacks for the others.

    Raises `InputError` for a named check that this machine cannot run, and for an outside system whose theory
    and simulation are not independent.
    """
    from teacherstudent.paper_checks.ledger import checks

    chosen = checks() if isinstance(id, str) and id == "all" else {id: pick("check", id, checks(), CHECKS)}
    demand_independent({each.problem for each in chosen.values()})
    lacks = {name: lack for name, each in chosen.items() if (lack := each.lacks())}
    if id in lacks:
        raise InputError("ID", id, f"a check that this machine can run; it lacks {lacks[id]}")
    return [name for name in chosen if name not in lacks], lacks


def explained(problem: str) -> AbstractContextManager[None]:
    """Turn an error in the code of an outside system into one line; leave other errors alone."""
    from teacherstudent.house.catalogue import from_outside

    own = (each.system for each in from_outside() if each.problem.id == problem)
    return next((system.explained() for system in own), nullcontext())


def demand_independent(problems: Collection[str]) -> None:
    """Raise `InputError` if theory and simulation of an outside system are not independent."""
    from teacherstudent.house.catalogue import from_outside
    from teacherstudent.house.outside.independence import demand_independence

    for each in from_outside():
        if each.problem.id in problems:
            demand_independence(each.system)


def outcome_fields(id: str, *, fresh_seeds: bool = False) -> dict[str, Any]:
    """The fields of one check's outcome, without the check itself: it cannot be sent between processes."""
    (outcome,) = check(id, fresh_seeds=fresh_seeds)
    return {name: value for name, value in vars(outcome).items() if name != "check"}


def outcome_from(id: str, fields: dict[str, Any]) -> Outcome:
    """The outcome with these fields."""
    from teacherstudent.paper_checks.judging.evidence import Outcome
    from teacherstudent.paper_checks.ledger import checks

    return Outcome(checks()[id], **fields)


def record(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data for JSON; numbers that are not finite become None.

    `detectable` (in `detectable_unit`) is the smallest error that the weakest part of the verdict could
    detect, `effect` and `effect_size` (in the same unit) the effect of this part, and `share` the ratio
    detectable/effect_size; `effects` lists these numbers for each effect of the check. `compared` says which
    routes
    are compared; it is "" for a check that is written by hand. `code` is a digest of the code that the check
    runs. `statistic`, `threshold`, `resolution`, `unit` and `reason` belong to the part whose statistic is
    closest to its threshold or furthest above it.
    """
    from teacherstudent.paper_checks.code import code_of

    checked = outcome.check
    return {
        "id": checked.id,
        "problem": checked.problem,
        "title": checked.title,
        "paper": checked.paper,
        "ref": checked.ref,
        "about": checked.about,
        "compared": checked.compared,
        "passed": outcome.passed,
        "state": outcome.state,
        **_power(outcome.verdict.weakest),
        "effects": [_power(each) for each in outcome.verdict.weakest_of_each],
        **_plain(outcome.verdict),
        "teeth": [{"id": name, **_plain(verdict)} for name, verdict in outcome.wrong.items()],
        "errata": [{"id": name, **_plain(verdict)} for name, verdict in outcome.errata.items()],
        "seeds": outcome.seeds.name,
        "code": code_of(checked),
        "seconds": outcome.seconds,
    }


def _power(weakest: Verdict) -> dict[str, Any]:
    """What the weakest part of a verdict could detect, beside the effect that it is about."""
    effect = weakest.effect
    return {
        "detectable": _finite(weakest.resolution),
        "detectable_unit": weakest.unit,
        "effect": effect.what if effect else "",
        "effect_size": _finite(effect.size) if effect else None,
        "share": _finite(weakest.share),
    }


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {
        **{name: _finite(getattr(verdict, name)) for name in ("statistic", "threshold", "resolution")},
        "unit": verdict.unit,
        "reason": verdict.reason,
        "points": verdict.points,
        "agrees": verdict.agrees,
    }
