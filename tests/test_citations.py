"""Every paper that a declaration names by its key is spelled out where a reader can look it up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import yaml

from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.ledger import checks, claims, titles
from tools.nested import ROOT
from tools.site.citations import keys_of


@cache
def spelled_out() -> set[str]:
    """The keys of CITATION.cff, and those of papers whose list of claims has a title of its own."""
    listed = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    return {each["abbreviation"] for each in listed if "abbreviation" in each} | set(titles())


def sources() -> Iterator[tuple[str, str]]:
    """Every declaration by its id, and the text in which it names its papers."""
    for problem in catalogue.problems().values():
        yield problem.id, problem.source
    for route in catalogue.routes():
        yield route.id, route.source
    for figure in figures().values():
        yield figure.id, f"{figure.ref} {figure.caption}"


def keys() -> Iterator[tuple[str, str]]:
    """Every declaration that has a paper's key of its own. What some checks prove stands in no paper."""
    for check in checks().values():
        if check.paper or check.covers:
            yield check.id, check.paper
        yield from ((erratum.id, erratum.paper) for erratum in check.errata if erratum.paper)
    yield from ((figure.id, figure.paper) for figure in figures().values())
    yield from ((f"list of {claim.paper}", claim.paper) for claim in claims())


def test_the_papers_of_checks_misprints_figures_and_lists_are_spelled_out() -> None:
    assert [(name, key) for name, key in keys() if key not in spelled_out()] == []


def test_the_papers_that_a_source_names_are_spelled_out() -> None:
    missing = [(name, key) for name, text in sources() for key in keys_of(text) if key not in spelled_out()]
    assert missing == []


def test_every_key_is_read_as_one() -> None:
    """Otherwise what a text says of that paper is credited to the one before."""
    assert [
        key for key in sorted(spelled_out()) if keys_of(f"earlier1900 Eq. 1 and {key} Fig. 3")[1:] != [key]
    ] == []


def test_a_paper_that_is_nowhere_spelled_out_is_noticed() -> None:
    assert set(keys_of("nobody2000 Eq. 3")) - spelled_out() == {"nobody2000"}
