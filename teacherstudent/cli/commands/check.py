"""`teacherstudent check`: where theory and simulation agree, and how sharply that was tested."""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from teacherstudent.api.check import parts, record, runnable, whole
from teacherstudent.api.progress import progress
from teacherstudent.cli.grammar import Command, Target, Word
from teacherstudent.cli.several import on_workers, workers_option
from teacherstudent.cli.tables import show
from teacherstudent.house.files import whole_file

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Outcome

COLUMNS = ("check", "compared", "verdict", "statistic/threshold", "resolution", "teeth", "errata", "seconds")


def _ids() -> list[str]:
    from teacherstudent.paper_checks.ledger import checks

    return list(checks())


@click.command("check", cls=Command, short_help="Put the papers' claims to the test.")
@click.argument("id", type=Word(lambda _: [*_ids(), "all"]))
@click.option("--fresh-seeds", is_flag=True, help="draw seeds that nobody has seen before")
@click.option(
    "--json", "json_file", type=Target(), metavar="FILE", help="write the outcomes as a list of objects"
)
@click.option(
    "--report",
    type=Target(".html"),
    metavar="FILE.html",
    help="write a report, with the pictures in figures/ beside it",
)
@workers_option
def COMMAND(id: str, fresh_seeds: bool, workers: int, json_file: Path | None, report: Path | None) -> int:
    """Run check ID (or all) with its teeth and errata. Exit status 1 if any did not pass.

    A check passes when its claim agrees and every wrong claim, tooth or erratum, is refuted.
    The resolution is the smallest discrepancy that the check would have seen; teeth and errata
    are counted as refuted/all. What needs a machine unlike this one is not run, and named.
    """
    chosen, lacks = runnable(id)
    outcomes: list[Outcome] = []
    with ExitStack() as written:
        # Entered before the work: a file that cannot be written is found at once.
        json_page = json_file and written.enter_context(whole_file(json_file, "json"))
        report_page = report and written.enter_context(whole_file(report, "report"))
        with progress("check", len(chosen)) as announce:
            work = partial(parts, fresh_seeds=fresh_seeds)
            for each, found in zip(chosen, on_workers(work, chosen, workers, announce), strict=True):
                outcomes.append(whole(each, found))
        if json_page:
            json_page.write_text(json.dumps([record(each) for each in outcomes], indent=2), encoding="utf-8")
        if report and report_page:
            from teacherstudent.cli.report import render

            report_page.write_text(render(outcomes, report.parent / "figures"), encoding="utf-8")
    show(COLUMNS, [_row(each) for each in outcomes])
    for left_out, lack in lacks.items():
        click.echo(f"{left_out} was not run: this machine lacks {lack}", err=True)
    for failed in (each for each in outcomes if not each.passed):
        click.echo(f"{failed.check.id} did not pass, seeds {failed.seeds.name}: {_why(failed)}", err=True)
    return 0 if all(each.passed for each in outcomes) else 1


def _row(outcome: Outcome) -> tuple[str, ...]:
    verdict = outcome.verdict
    return (
        outcome.check.id,
        outcome.check.title,
        "agrees" if outcome.passed else "DISAGREES" if not verdict.agrees else "TOOTHLESS",
        f"{verdict.statistic:.3g}/{verdict.threshold:.3g}",
        f"{verdict.resolution:.2g} {verdict.unit}",
        f"{sum(each.refutes for each in outcome.teeth.values())}/{len(outcome.teeth)}",
        f"{sum(each.refutes for each in outcome.errata.values())}/{len(outcome.errata)}",
        f"{outcome.seconds:.1f}",
    )


def _why(outcome: Outcome) -> str:
    verdict = outcome.verdict
    if not verdict.agrees:
        return f"{verdict.statistic:.3g} exceeds {verdict.threshold:.3g} ({verdict.reason})"
    return f"it let through {', '.join(outcome.blunt)}"
