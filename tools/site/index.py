"""The index behind the pages: for every claim of a paper its functions, by two ways, and its figures.

By its check: what the check says that it puts to the test. By citation: what names the claim's number in a
comment or docstring, as CONTRIBUTING.md asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.ledger import PaperClaim, checks, titles
from tools.nested import FRONT, ROOT
from tools.site.citations import Citation, citations, citing, keys_of
from tools.site.markdown import plain

ROOMS = ("problems", "theory", "sims", "optimisers")


@cache
def papers() -> dict[str, str]:
    """How each paper's key is spelled out: authors, year and title from CITATION.cff, or its list's title."""
    listed = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["references"]
    cited = {each["abbreviation"]: _spelled_out(each) for each in listed if "abbreviation" in each}
    return {**{key: plain(title) for key, title in titles().items()}, **cited}


def _spelled_out(paper: dict[str, Any]) -> str:
    names = [who.get("family-names") or who["name"] for who in paper["authors"]]
    who = " and ".join(names) if len(names) < 3 else f"{names[0]} and others"
    return f"{plain(who)} {paper['year']}: {plain(paper['title'])} ({paper['abbreviation']})"


@dataclass(frozen=True)
class Tested:
    """What a check puts to the test, by dotted names: functions of closed forms, and of simulations."""

    claimed: frozenset[str]
    observed: frozenset[str]


def by_check() -> dict[str, Tested]:
    """What each check says that it puts to the test."""
    return {check.id: _tested(check.functions) for check in checks().values()}


def _tested(functions: Iterable[str]) -> Tested:
    simulating = {name for name in functions if name.startswith("sims.")}
    parts = (simulating, set(functions) - simulating)
    observed, claimed = (frozenset(f"{FRONT}.{name.replace(':', '.')}" for name in part) for part in parts)
    return Tested(claimed, observed)


@dataclass(frozen=True)
class Cited:
    """Names of functions and ids of figures by what they cite."""

    in_code: dict[Citation, list[str]]
    in_figures: dict[Citation, list[str]]

    def functions(self, claim: PaperClaim) -> list[str]:
        """Those that cite what the claim's id names."""
        return _of(self.in_code, claim)

    def figures(self, claim: PaperClaim) -> list[str]:
        """Those whose caption or source cite it."""
        return _of(self.in_figures, claim)


def _of(table: dict[Citation, list[str]], claim: PaperClaim) -> list[str]:
    return sorted({name for each in citations(claim.id, claim.paper) for name in table.get(each, ())})


def by_citation(root: Path) -> Cited:
    """All citations in the rooms below `root`, and in the captions."""
    keys = {
        f"{FRONT}.{room}.{problem.id.replace('-', '_')}": next(iter(keys_of(problem.source)), "")
        for room in ROOMS
        for problem in catalogue.problems().values()
    }
    code = [(each.name, each.cites) for room in ROOMS for each in citing(root / room, root, keys)]
    drawn = [
        (figure.id, citations(f"{figure.ref}. {figure.caption}", figure.paper))
        for figure in figures().values()
    ]
    return Cited(_inverted(code), _inverted(drawn))


def _inverted(pairs: Iterable[tuple[str, Iterable[Citation]]]) -> dict[Citation, list[str]]:
    table: dict[Citation, list[str]] = {}
    for name, cites in pairs:
        for each in cites:
            table.setdefault(each, []).append(name)
    return table
