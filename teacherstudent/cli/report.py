"""The report: agreement, known misprints, figures, coverage, provenance in one self-contained HTML file."""

from __future__ import annotations

import base64
import os
import platform
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Outcome

HERE = Path(__file__).parent


def render(outcomes: Sequence[Outcome], pictures: Path) -> str:
    """The report on these outcomes as HTML, with the PNG pictures of that folder inlined."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from teacherstudent.paper_checks.ledger import checks, claims

    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["short"] = "{:.3g}".format
    return environment.get_template("report.html.j2").render(
        outcomes=outcomes,
        errata=[
            (outcome, erratum, outcome.errata[erratum.id])
            for outcome in outcomes
            for erratum in outcome.check.errata
        ],
        papers={paper: list(listed) for paper, listed in groupby(claims(), key=lambda claim: claim.paper)},
        passed={outcome.check.id: outcome.passed for outcome in outcomes},
        omitted=len(checks()) - len(outcomes),
        pictures=_pictures(pictures),
        provenance=provenance(),
    )


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
    """When, where and with what this process runs."""
    from teacherstudent.house.provenance import commit, package_version

    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    if jax := sys.modules.get("jax"):
        machine += f", JAX on {jax.default_backend()}"
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": machine,
        "teacherstudent": package_version(),
        "commit": commit() or "unknown: this is no clone",
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
