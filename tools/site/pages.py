"""The generated parts of the pages: each function writes the Markdown of one marker.

A page asks for it by a line `<!-- generated: NAME -->`.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from teacherstudent.benchmarks import table as benchmarks
from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.ledger import checks, claims
from tools.site.api import ROOT, function
from tools.site.gallery import OUT, first, gallery
from tools.site.index import by_check, by_citation, papers
from tools.site.markdown import breaks, code, heading, plain, table
from tools.site.systems import systems
from tools.site.teaching import lesson_table


def equations() -> str:
    """The claims of every paper: the statement, the functions behind it, the check, the figure."""
    tested, cited = by_check(), by_citation(ROOT)
    parts = []
    for paper, listed in groupby(claims(), key=lambda claim: claim.paper):
        rows = []
        for claim in listed:
            reach = tested.get(claim.check)
            behind = set(cited.functions(claim)) | set(reach.claimed if reach else ())
            against = sorted(reach.observed - behind) if reach else []
            rows.append(
                (
                    plain(claim.id),
                    plain(claim.says),
                    breaks(
                        [*map(_short, sorted(behind)), *(f"*against* {_short(name)}" for name in against)]
                    ),
                    _check(claim.check) if claim.check else f"none: {plain(claim.reason)}",
                    breaks(_figure(name) for name in cited.figures(claim)),
                )
            )
        parts.append(heading(2, papers().get(paper, paper), paper))
        parts.append(table(("in the paper", "says", "function", "check", "figure"), rows))
    return "\n".join(parts)


def _short(name: str) -> str:
    """A function by its room and its last two names: columns are narrow."""
    return f"{name.split('.')[1]} {function(name, '.'.join(name.split('.')[-2:]))}"


def _check(name: str) -> str:
    return f"[{name}](checks.md#{name})"


def _figure(name: str) -> str:
    return f"[{name}](gallery.md#{name})"


def errata() -> str:
    """Every known misprint: the printed claim, its correction, and the check that distinguishes them."""
    outcomes = _outcomes()
    found = [(erratum, check) for check in checks().values() for erratum in check.errata]
    parts = []
    for paper in sorted({erratum.paper for erratum, _ in found}):
        rows = [
            (
                plain(erratum.ref),
                plain(erratum.printed),
                plain(erratum.corrected),
                breaks([_check(check.id), _refuted(outcomes, check.id, erratum.id)]),
            )
            for erratum, check in found
            if erratum.paper == paper
        ]
        parts += [
            heading(2, papers().get(paper, paper), paper),
            table(("where", "printed", "correct", "refuted by"), rows),
        ]
    return "\n".join(parts)


def _refuted(outcomes: dict[str, Any], check: str, erratum: str) -> str:
    each = next((each for each in outcomes.get(check, {}).get("errata", ()) if each["id"] == erratum), None)
    if each is None or not each["threshold"]:
        return ""
    ratio = each["statistic"] / each["threshold"] if each["statistic"] is not None else float("inf")
    return f"misses by {ratio:.3g} times what is allowed"


def check_table() -> str:
    """Every check with its negative controls, and its last outcome if `make reproduce` left one."""
    outcomes, tested = _outcomes(), by_check()
    parts = []
    for problem in catalogue.problems().values():
        own = [check for check in checks().values() if check.problem == problem.id]
        if not own:
            continue
        parts.append(heading(2, f"{code(problem.id)}: {plain(problem.title)}", f"of-{problem.id}"))
        for check in own:
            reach = tested[check.id]
            facts = [
                ("proves", plain(f"{check.paper} {check.ref}")),
                ("functions", ", ".join(map(function, sorted(reach.claimed)))),
                ("against", ", ".join(map(function, sorted(reach.observed)))),
                ("negative controls", plain("; ".join(tooth.name for tooth in check.teeth))),
                ("known misprints", plain("; ".join(erratum.id for erratum in check.errata))),
                ("outcome", _outcome(outcomes.get(check.id))),
            ]
            parts.append(heading(3, code(check.id), check.id) + f"\n{plain(check.title)}\n")
            parts.append("\n".join(f"- **{name}**: {fact}" for name, fact in facts if fact) + "\n")
    return "\n".join(parts)


def _outcomes() -> dict[str, Any]:
    """The outcomes that `check all --json` wrote, by check; none if it has not run."""
    path = OUT / "checks.json"
    return {each["id"]: each for each in json.loads(path.read_text("utf-8"))} if path.is_file() else {}


def _outcome(found: dict[str, Any] | None) -> str:
    if found is None or None in (found["statistic"], found["resolution"]):
        return ""
    verdict = "agrees" if found["passed"] else "**does not pass**"
    return (
        f"{verdict}: {found['statistic']:.3g} of {found['threshold']:.3g} allowed "
        f"({plain(found['reason'])}); smallest discrepancy that it could detect: "
        f"{found['resolution']:.2g} {plain(found['unit'])}"
    )


def summary() -> str:
    """The systems by name, and the number of routes, claims, checks and figures."""
    numbers = {
        "systems": len(catalogue.problems()),
        "routes to their observables": len(catalogue.routes()),
        "claims of papers on record": len(claims()),
        "checks": len(checks()),
        "negative controls of the checks": sum(len(check.teeth) for check in checks().values()),
        "known misprints, each refuted by a check": sum(len(check.errata) for check in checks().values()),
        "figures and maps": len(figures()),
    }
    names = [
        f"- [{plain(each.title)}](reference/systems.md#{each.id}), {plain(each.source)}"
        for each in catalogue.problems().values()
    ]
    counted = table(("", "number"), [(name, str(number)) for name, number in numbers.items()])
    return "\n".join(names) + f"\n\n{counted}"


GENERATED = {
    "systems": systems,
    "equations": equations,
    "errata": errata,
    "checks": check_table,
    "gallery": gallery,
    "film": first,
    "summary": summary,
    "lessons": lesson_table,
    "benchmarks": benchmarks.markdown,
}
