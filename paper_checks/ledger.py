"""Every check by name, and what each paper claims: the run over all of them starts here.

A paper's claims are the `[[claim]]` tables of `papers/<paper>.toml`: `id`, `says`, the formula as `latex`
where it states one, and either `check`, the check that proves it, or `reason`, why none does. A source that
CITATION.cff does not spell out has its own `title` at the top.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from teacherstudent.house.catalogue import announcements, by_id, from_outside, listed
from teacherstudent.house.errors import in_short
from teacherstudent.house.outside.announced import Announced, table
from teacherstudent.house.reading import PAGE, file_text
from teacherstudent.paper_checks.judging.evidence import Check

PAPERS = Path(__file__).parent / "papers"


FUNCTIONS = Path(__file__).with_name("functions.json")
"""The functions that each check tests, as `tools.witnesses --write` measured them."""


@listed
def checks() -> dict[str, Check]:
    """Every check by its id: the `CHECKS` of every module of this room, with what is declared elsewhere.

    That is the entries of papers that name it, and the measured functions of one that names none.
    """
    measured = json.loads(FUNCTIONS.read_text(encoding="utf-8"))
    named: dict[str, list[tuple[str, str]]] = {}
    for claim in claims():
        named.setdefault(claim.check, []).append((claim.paper, claim.id))

    def whole(check: Check) -> Check:
        further = [each for each in named.get(check.id, ()) if each not in check.proves]
        return replace(
            check,
            functions=check.functions or tuple(measured.get(check.id, ())),
            covers=(*check.covers, *(entry for paper, entry in further if paper == check.paper)),
            also=(*check.also, *(each for each in further if each[0] != check.paper)),
        )

    found = by_id(check for table in announcements("paper_checks", "CHECKS") for check in table)
    for each in from_outside():
        for check in table(each.system, "checks", "CHECKS", Check):
            if check.id in found or check.problem != each.problem.id:
                taken = f"the check {check.id}" + (
                    " has the same id as another check"
                    if check.id in found
                    else f" belongs to {check.problem}"
                )
                raise each.system.refusal(taken, "checks.py")
            found[check.id] = replace(check, functions=tuple(each.short(name) for name in check.functions))
    return {id: whole(check) for id, check in found.items()}


@dataclass(frozen=True)
class PaperClaim:
    """One statement of a paper, and the check that proves it or the reason why none does.

    `latex` is its formula as it holds, not as printed where the print is wrong, unless it says so.
    """

    paper: str
    id: str
    says: str
    check: str = ""
    reason: str = ""
    latex: str = ""


def claims(folder: Path | None = None) -> tuple[PaperClaim, ...]:
    """What each paper claims, paper by paper, in the order of its file.

    Those that a system from outside lists in its `claims.toml` come last. They belong to the `paper` that
    stands at its top, or to one that is called as the system. With a `folder`, those of its files alone.
    """
    own = tuple(
        PaperClaim(key, **entry)
        for key, listed in _read(folder or PAPERS).items()
        for entry in listed["claim"]
    )
    return own if folder else (*own, *(claim for each in from_outside() for claim in claims_of(each)))


def claims_of(each: Announced) -> tuple[PaperClaim, ...]:
    """What a system from outside lists in its `claims.toml`. Raises `InputError`."""
    path = each.system.folder / "claims.toml"
    if not path.is_file():
        return ()
    try:
        listed = tomllib.loads(file_text(path, PAGE))
        key = listed.get("paper", each.problem.id)
        return tuple(PaperClaim(str(key), **entry) for entry in listed.get("claim", ()))
    except (AttributeError, OSError, TypeError, ValueError) as error:
        cure = "each [[claim]] needs id, says, and either check or reason"
        raise each.system.refusal(in_short(str(error)), path.name, cure=cure) from None


def titles(folder: Path = PAPERS) -> dict[str, str]:
    """Titles of the sources whose lists state one, by their keys."""
    return {key: listed["title"] for key, listed in _read(folder).items() if "title" in listed}


def _read(folder: Path) -> dict[str, dict[str, Any]]:
    paths = sorted(folder.glob("*.toml"))
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}


def inconsistencies(claims: Iterable[PaperClaim], checks: Mapping[str, Check]) -> list[str]:
    """Where claims and checks contradict each other, one line each; empty when they agree.

    A claim needs either a check or a reason, and once only; the check it names must exist and
    cover it, in that paper; what a check covers must be listed for its paper.
    """
    found, listed = [], set()
    for claim in claims:
        name = f"{claim.paper}: claim {claim.id}"
        if (claim.paper, claim.id) in listed:
            found.append(f"{name} is listed twice")
        if bool(claim.check) == bool(claim.reason):
            found.append(f"{name} needs either a check or a reason")
        if claim.check and claim.check not in checks:
            found.append(f"{name} names the check {claim.check}, which does not exist")
        elif claim.check and (claim.paper, claim.id) not in checks[claim.check].proves:
            found.append(f"{name} names the check {claim.check}, which does not cover it")
        listed.add((claim.paper, claim.id))
    for check in checks.values():
        for paper, covered in check.proves:
            if (paper, covered) not in listed:
                found.append(f"{paper}: claim {covered}, which {check.id} covers, is not listed")
    return found
