"""The generated parts of the pages: each function writes the Markdown of one marker.

A page asks for it by a line `<!-- generated: NAME -->`.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from teacherstudent.benchmarks import table as benchmarks
from teacherstudent.cli.report import percent
from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.last_run import last_run
from teacherstudent.paper_checks.ledger import PaperClaim, checks, claims
from tools.site.api import ROOT, function
from tools.site.bibtex import bibtex
from tools.site.citations import citations
from tools.site.gallery import gallery, outcomes
from tools.site.index import by_check, by_citation, papers
from tools.site.markdown import breaks, code, heading, plain, table
from tools.site.misprints import errata
from tools.site.tables import errors_table, lesson_table, systems

BARS = {r"\|": r"\Vert ", "|": r"\vert "}
BAR = re.compile(r"\\?\|")


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
                    breaks([plain(claim.says), *formula(claim.latex), *_misprinted(claim)]),
                    breaks(
                        [*map(_short, sorted(behind)), *(f"*against* {_short(name)}" for name in against)]
                    ),
                    _check(claim.check) if claim.check else f"no check: {plain(claim.reason)}",
                    breaks(_figure(name) for name in cited.figures(claim)),
                )
            )
        parts.append(heading(2, papers().get(paper, paper), paper))
        columns = ("place in the paper", "claim", "functions", "check", "figures")
        parts.append(f'<div class="stacked" markdown>\n\n{table(columns, rows)}\n</div>\n')
    return "\n".join(parts)


def formula(latex: str) -> list[str]:
    """A formula in a table, where a bare bar would end the cell."""
    return [f"${BAR.sub(lambda bar: BARS[bar[0]], latex)}$"] if latex else []


def _misprinted(claim: PaperClaim) -> list[str]:
    """Links to the misprints of what a claim's id names."""
    named = set(citations(claim.id, claim.paper))
    return [
        f"*misprint:* [{erratum.id}](errata.md#{erratum.id})"
        for check in checks().values()
        for erratum in check.errata
        if named & set(citations(erratum.ref, erratum.paper))
    ]


def _short(name: str) -> str:
    """A function by its room and its last two names: columns are narrow."""
    return f"{name.split('.')[1]} {function(name, '.'.join(name.split('.')[-2:]))}"


def _check(name: str) -> str:
    return f"[{name}](checks.md#{name})"


def _figure(name: str) -> str:
    return f"[{name}](gallery.md#{name})"


def check_table() -> str:
    """Every check with its negative controls, and its last outcome if `make reproduce` left one."""
    judged, tested = outcomes(), by_check()
    parts = []
    for problem in catalogue.problems().values():
        own = [check for check in checks().values() if check.problem == problem.id]
        if not own:
            continue
        parts.append(heading(2, f"{code(problem.id)}: {plain(problem.title)}", f"of-{problem.id}"))
        for check in own:
            reach = tested[check.id]
            facts = [
                ("tests", plain(f"{check.paper} {check.ref}".strip())),
                ("functions", ", ".join(map(function, sorted(reach.claimed)))),
                ("compared with", ", ".join(map(function, sorted(reach.observed)))),
                ("negative controls", plain("; ".join(each.name for each in check.wrong))),
                ("known misprints", plain("; ".join(e.id for e in check.errata if e.paper))),
                ("remarks on formulas", plain("; ".join(e.id for e in check.errata if not e.paper))),
                ("last outcome", _outcome(judged.get(check.id)) or _last(check.id)),
            ]
            parts.append(heading(3, code(check.id), check.id) + f"\n{plain(check.title)}\n")
            parts.append("\n".join(f"- **{name}**: {fact}" for name, fact in facts if fact) + "\n")
    return "\n".join(parts)


VERDICTS = {
    "agrees": "agrees",
    "weak": "**weak**, agrees",
    "disagrees": "**disagrees**",
    "misses errors": "**misses errors**",
}
"""What the page says of each state of an outcome."""


def _outcome(found: dict[str, Any] | None) -> str:
    if found is None or None in (found["statistic"], found["detectable"], found["share"]):
        return ""
    detectable = f"{found['detectable']:.2g} {plain(found['detectable_unit'])}"
    share = f"{percent(found['share'])} of {plain(found['effect'])}"
    return (
        f"{VERDICTS[found['state']]}: statistic {found['statistic']:.3g}, allowed {found['threshold']:.3g} "
        f"({plain(found['reason'])}); smallest detectable error: "
        + (f"{detectable}, {share}" if found["detectable"] else "any, because the comparison is algebraic")
    )


def _last(check: str) -> str:
    """What is kept of the last run, for checks that were not run in this copy."""
    last = last_run()[check]
    share = "" if last.share is None else f", share of the effect {last.share:g}"
    said = VERDICTS.get(last.state, last.state) + share
    return f"{said} (stale: the code of the check has changed since)" if last.stale else said


def summary() -> str:
    """The systems by their questions, and the number of routes, claims, checks and figures."""
    numbers = {
        "systems": len(catalogue.problems()),
        "routes (ways to compute an answer)": len(catalogue.routes()),
        "recorded claims of papers": len(claims()),
        "checks": len(checks()),
        "negative controls of the checks": sum(len(check.wrong) for check in checks().values()),
        "known misprints, each refuted by a check": sum(
            bool(erratum.paper) for check in checks().values() for erratum in check.errata
        ),
        "figures and maps": len(figures()),
    }
    names = [
        f"- [{plain(each.question or each.title)}](reference/systems.md#{each.id}) {code(each.id)}"
        for each in catalogue.problems().values()
    ]
    counted = table(("", "number"), [(name, str(number)) for name, number in numbers.items()])
    return "\n".join(names) + f"\n\n{counted}"


GENERATED = {
    "bibtex": bibtex,
    "systems": systems,
    "equations": equations,
    "errata": errata,
    "checks": check_table,
    "gallery": gallery,
    "summary": summary,
    "lessons": lesson_table,
    "benchmarks": benchmarks.markdown,
    "trust": errors_table,
}
