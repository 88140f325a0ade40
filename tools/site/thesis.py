"""What the page of one figure of the thesis has from its declaration, the claims and the checks."""

from __future__ import annotations

import re

from teacherstudent.figures.gallery import figures
from teacherstudent.paper_checks.ledger import PaperClaim, checks, claims
from tools.site.citations import Citation, citations
from tools.site.markdown import breaks, heading, plain, table
from tools.site.pages import formula

THESIS = "pezeshki2022"
PLACE = re.compile(r"(Ch\. \d|App\.) |(\d)\.\d")
FIGURE = re.compile(r"(?:(?:Ch\. \d|App\.) )?Fig")


def facts(name: str) -> str:
    """The command that draws the figure, its caption, its equations with their checks, its misprints."""
    figure, listed = figures()[name], claims_of(name)
    rows = [
        (
            plain(each.id),
            breaks([plain(each.says), *formula(each.latex)]),
            _check(each) or plain(each.reason),
        )
        for each in listed
    ]
    parts = [
        heading(2, "Draw it", "draw"),
        f"```shell\nteacherstudent figure {name} --out figures\n```\n",
        heading(2, "Full caption", "caption"),
        f"{plain(figure.caption)}\n",
        heading(2, "Equations and checks", "checks"),
        table(("in the thesis", "says", "check"), rows),
    ]
    misprints = misprints_of(name)
    if misprints:
        parts += [heading(2, "Known misprints", "misprints"), *misprints]
    return "\n".join(parts)


def claims_of(name: str) -> list[PaperClaim]:
    """The claims with the figure's number, and those of the equations that its caption cites."""
    figure = figures()[name]
    shown = {*cited(figure.ref), *(each for each in citations(figure.caption, THESIS) if each[1] != "Fig")}
    return [claim for claim in claims() if claim.paper == THESIS and shown & cited(claim.id)]


def misprints_of(name: str) -> list[str]:
    """Links to the misprints that name the figure, or that a check of its claims refutes."""
    figure, tested = figures()[name], {claim.check for claim in claims_of(name)}
    system = figure.compute.__module__.split(".")[2].replace("_", "-")
    return [
        f"- [{plain(erratum.ref)}](../reference/errata.md#{erratum.id}). {plain(erratum.reading.because)}"
        for check in checks().values()
        for erratum in check.errata
        if erratum.paper == THESIS
        and (check.id in tested or (check.problem == system and cited(figure.ref) & cited(erratum.ref)))
    ]


def cited(place: str) -> set[Citation]:
    """What a place in the thesis cites. `8.4 Fig. 1` and `Ch. 8 Table 1, Fig. 1` mean Fig. 1 of chapter 8."""
    found = PLACE.match(place)
    chapter = (found[1] or f"Ch. {found[2]}") if found else "Ch. 4"
    said = place if chapter == "Ch. 4" else FIGURE.sub(f"{chapter} Fig", place)
    return set(citations(said, THESIS))


def _check(claim: PaperClaim) -> str:
    return f"[{claim.check}](../reference/checks.md#{claim.check})" if claim.check else ""
