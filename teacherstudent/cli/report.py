"""The report: failures, agreement by system, known misprints, figures, coverage and provenance.

One self-contained HTML file. What did not run, what failed and what is weak stand at the top.
"""

from __future__ import annotations

import base64
import math
import os
import platform
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Outcome
    from teacherstudent.paper_checks.ledger import PaperClaim

HERE = Path(__file__).parent


def render(outcomes: Sequence[Outcome], pictures: Path, lacks: Mapping[str, str] | None = None) -> str:
    """The report on these outcomes as HTML, with the PNG pictures of that folder inlined.

    lacks: for each requested check that was not run, what this machine lacks.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from teacherstudent.paper_checks.last_run import NOT_RUN, STATES, last_run
    from teacherstudent.paper_checks.ledger import checks, claims

    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["short"] = "{:.3g}".format
    environment.filters["percent"] = percent
    states = {outcome.check.id: outcome.state for outcome in outcomes}
    lacks = lacks or {}
    return environment.get_template("report.html.j2").render(
        outcomes=outcomes,
        states=states,
        count={state: Counter(states.values())[state] for state in STATES[:-1]},
        kept={id: str(each) for id, each in last_run().items() if each.state != NOT_RUN},
        failures=[outcome for outcome in outcomes if not outcome.passed],
        weak=_weak(outcomes),
        lacks=lacks,
        unasked=[id for id in checks() if id not in states and id not in lacks],
        systems=_by_system(outcomes),
        errata=[
            (outcome, erratum, outcome.errata[erratum.id])
            for outcome in outcomes
            for erratum in outcome.check.errata
        ],
        papers={paper: list(listed) for paper, listed in groupby(sorted(claims(), key=of_paper), of_paper)},
        pictures=_pictures(pictures),
        provenance=provenance(),
    )


def of_paper(claim: PaperClaim) -> str:
    """The key of its paper."""
    return claim.paper


def percent(share: float) -> str:
    """A share as a percentage, without powers of ten."""
    if not math.isfinite(share):
        return "an unknown fraction"
    return (
        f"{100 * share:.2g} %"
        if 1e-4 <= share < 1
        else f"{100 * share:.0f} %"
        if share >= 1
        else "under 0.01 %"
    )


def _by_system(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """The systems in the order of the catalogue, each with its outcomes, what needs attention first."""
    from teacherstudent.house.catalogue import problems
    from teacherstudent.paper_checks.last_run import STATES

    titles = {problem.id: problem.title for problem in problems().values()}
    asked = dict.fromkeys([*titles, *(outcome.check.problem for outcome in outcomes)])
    own = {id: [outcome for outcome in outcomes if outcome.check.problem == id] for id in asked}
    return [
        {
            "id": id,
            "title": titles.get(id, id),
            "outcomes": sorted(found, key=lambda outcome: STATES.index(outcome.state)),
        }
        for id, found in own.items()
        if found
    ]


def _weak(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """The weak ones by the effect that they could miss, the weakest first."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.state == "weak" and (effect := outcome.verdict.weakest.effect):
            found.setdefault(effect.what, []).append(outcome)
    for same in found.values():
        same.sort(key=lambda outcome: outcome.verdict.weakest.share, reverse=True)
    return found


def _pictures(folder: Path) -> list[dict[str, Any]]:
    """The pictures of a folder that belong to a figure, in the order of the figures."""
    from teacherstudent.figures.gallery import figures

    drawn = [(figure, folder / f"{figure.id}.png") for figure in figures().values()]
    return [
        {
            "figure": figure,
            "drawn": f"{datetime.fromtimestamp(path.stat().st_mtime, UTC):%Y-%m-%d %H:%M} UTC",
            "source": f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}",
        }
        for figure, path in drawn
        if path.is_file()
    ]


def provenance() -> dict[str, str]:
    """Date, machine and library versions of this process."""
    from teacherstudent.house.provenance import commit, package_version

    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    if jax := sys.modules.get("jax"):
        machine += f", JAX on {jax.default_backend()}"
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": machine,
        "teacherstudent": package_version(),
        "commit": commit() or "unknown, because this is no git clone",
        "Python": platform.python_version(),
        **{name: version(name) for name in _libraries()},
    }


def _libraries() -> list[str]:
    """Names of the libraries that the installed project requires; none where it is not installed."""
    try:
        required = requires("teacherstudent") or []
    except PackageNotFoundError:
        return []
    return [re.split(r"[^\w.-]", each)[0] for each in required if "extra ==" not in each]
