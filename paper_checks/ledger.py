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
from functools import cache
from pathlib import Path
from typing import Any

from teacherstudent.house.catalogue import announcements, by_id
from teacherstudent.paper_checks.judging.evidence import Check

PAPERS = Path(__file__).parent / "papers"


FUNCTIONS = Path(__file__).with_name("functions.json")
"""By check the functions that it puts to the test, as `tools.witnesses --write` measured them."""


@cache
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

    return by_id(whole(check) for table in announcements("paper_checks", "CHECKS") for check in table)


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


def claims(folder: Path = PAPERS) -> tuple[PaperClaim, ...]:
    """What each paper claims, paper by paper, in the order of its file."""
    return tuple(
        PaperClaim(key, **entry) for key, listed in _read(folder).items() for entry in listed["claim"]
    )


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
