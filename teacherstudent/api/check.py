"""Checks: tests of the papers' claims, with their outcomes as plain numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from teacherstudent.house.declarations import pick
from teacherstudent.house.domains import InputError, flag

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Outcome, Verdict


CHECKS = "teacherstudent list checks"
"""The command that lists the checks."""


def check(id: str = "all", *, fresh_seeds: bool = False) -> list[Outcome]:
    """The outcomes of one check, or of all that this machine can run. Raises `InputError`.

    Seeds come from the check's name; `fresh_seeds` draws new ones. An outcome has the `verdict` on the
    claim, those on the negative controls, `teeth`, and on the known misprints, `errata`, by name, the
    wrong claims `blunt` that were not refuted, `passed`, `seeds` and `seconds`. A verdict has `statistic`
    and `threshold` (in standard errors, in shares of a bound or as exponents: `reason` says which),
    `agrees`, the `resolution` in `unit` (the smallest error that it could detect), the number of
    `points`, and `parts`, the verdicts that it is the worst of.

    Examples:
        >>> import teacherstudent as ts
        >>> (outcome,) = ts.check("ln-sigmoid")
        >>> outcome.passed, list(outcome.blunt)
        (True, [])
    """
    from teacherstudent.paper_checks.judging.evidence import Seeds, put_to_test
    from teacherstudent.paper_checks.ledger import checks

    fresh = flag("fresh_seeds", fresh_seeds)
    chosen = [checks()[each] for each in runnable(id)[0]]
    return [put_to_test(each, Seeds.fresh(each.id) if fresh else None) for each in chosen]


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
    """An outcome as plain data for JSON; numbers that are not finite become None."""
    checked = outcome.check
    return {
        "id": checked.id,
        "problem": checked.problem,
        "title": checked.title,
        "paper": checked.paper,
        "ref": checked.ref,
        "about": checked.about,
        "passed": outcome.passed,
        **_plain(outcome.verdict),
        "teeth": [{"id": name, **_plain(verdict)} for name, verdict in outcome.teeth.items()],
        "errata": [{"id": name, **_plain(verdict)} for name, verdict in outcome.errata.items()],
        "seeds": outcome.seeds.name,
        "seconds": outcome.seconds,
    }


def _plain(verdict: Verdict) -> dict[str, Any]:
    numbers = {name: float(getattr(verdict, name)) for name in ("statistic", "threshold", "resolution")}
    finite = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
    return {
        **finite,
        "unit": verdict.unit,
        "reason": verdict.reason,
        "points": verdict.points,
        "agrees": verdict.agrees,
    }
