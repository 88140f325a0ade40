"""Checks: tests of the papers' claims, with their outcomes as plain numbers."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from teacherstudent.house.domains import flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.parameters import pick
from teacherstudent.house.waiting import waited

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Outcome, Verdict


CHECKS = "teacherstudent list checks"
"""The command that lists the checks."""


def check(id: str = "all", *, fresh_seeds: bool = False) -> list[Outcome]:
    """The outcomes of one check, or of all that this machine can run.

    Raises `InputError`, and `MissingExtra` (an `ImportError`) where one is named that this installation lacks
    a library for.

    Seeds come from the check's name; `fresh_seeds` draws new ones. An outcome has the `verdict` on the
    claim, those on the negative controls, `teeth`, and on the known misprints, `errata`, by name, the
    wrong claims `blunt` that were not refuted, `passed`, `seeds` and `seconds`. Its `state` is `agrees`,
    `weak`, `disagrees` or `misses errors`; a weak one passed, but the smallest error that it could detect is
    more than half of the effect that it is about. A verdict has `statistic`
    and `threshold` (in standard errors, in shares of a bound or as exponents: `reason` says which),
    `agrees`, the `resolution` in `unit` (the smallest error that it could detect), the `effect` with its
    `size` in the same unit, the `share` of the one in the other, the number of
    `points`, `parts`, the verdicts that it is the worst of, and the `weakest` of these.

    Examples:
        >>> import teacherstudent as ts
        >>> (outcome,) = ts.check("ln-sigmoid")
        >>> outcome.passed, list(outcome.blunt)
        (True, [])
    """
    from teacherstudent.paper_checks.judging.evidence import Seeds, put_to_test
    from teacherstudent.paper_checks.ledger import checks

    fresh = flag("fresh_seeds", fresh_seeds)
    outcomes = []
    for each in runnable(id)[0]:
        try:
            seeds = Seeds.fresh(each) if fresh else None
            outcomes.append(waited(partial(put_to_test, checks()[each], seeds)))
        except MissingExtra:
            if id != "all":
                raise
    return outcomes


def runnable(id: str) -> tuple[list[str], dict[str, str]]:
    """Ids of the checks that this machine can run, of that one or of `all`, and what it lacks for the others.

    Raises `InputError` where a check is named that this machine cannot run.
    """
    from teacherstudent.paper_checks.ledger import checks

    chosen = checks() if isinstance(id, str) and id == "all" else {id: pick("check", id, checks(), CHECKS)}
    lacks = {name: lack for name, each in chosen.items() if (lack := each.lacks())}
    if id in lacks:
        raise InputError("ID", id, f"a check that this machine can run: it lacks {lacks[id]}")
    return [name for name in chosen if name not in lacks], lacks


def outcome_fields(id: str, *, fresh_seeds: bool = False) -> dict[str, Any]:
    """The fields of one check's outcome, without the check itself: it cannot be sent between processes."""
    (outcome,) = check(id, fresh_seeds=fresh_seeds)
    return {name: value for name, value in vars(outcome).items() if name != "check"}


def outcome_from(id: str, fields: dict[str, Any]) -> Outcome:
    """The outcome that has those fields."""
    from teacherstudent.paper_checks.judging.evidence import Outcome
    from teacherstudent.paper_checks.ledger import checks

    return Outcome(checks()[id], **fields)


def record(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data for JSON; numbers that are not finite become None.

    `detectable` (in `detectable_unit`) is the smallest error that the weakest part of the verdict could
    detect, `effect` and `effect_size` (in the same unit) what this part is about, and `share` the one
    over the other; `effects` lists the same for each effect that the check is about. `compared` says which
    routes are held to what, "" of a check that is written by hand. `code` is a digest of
    the code that the check runs. `statistic`,
    `threshold`, `resolution`, `unit` and `reason` are of the part that strains its threshold most.
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
        "teeth": [{"id": name, **_plain(verdict)} for name, verdict in outcome.teeth.items()],
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
