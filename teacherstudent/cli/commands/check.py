"""`teacherstudent check`: whether theory and simulation agree, and which errors a check could detect."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from teacherstudent.api.check import outcome_fields, outcome_from, record, runnable
from teacherstudent.api.progress import progress
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Target, Word, elsewhere
from teacherstudent.cli.streams import print_to_stderr
from teacherstudent.cli.tables import show
from teacherstudent.cli.workers import on_workers, workers_option
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.files import room_for, whole_file

if TYPE_CHECKING:
    from teacherstudent.paper_checks.judging.evidence import Outcome

COLUMNS = (
    "check", "compared", "verdict", "statistic/threshold", "resolution",
    "controls", "errata", "seconds", "share",
)  # fmt: skip


def _ids() -> list[str]:
    from teacherstudent.paper_checks.ledger import checks

    return list(checks())


def _complete(typed: Sequence[str]) -> list[str]:
    from teacherstudent.paper_checks.ledger import checks

    return ["check", next(id for id, each in checks().items() if not each.slow), *typed]


@click.command(
    "check", cls=Command, complete=_complete, short_help="Test claims of papers, or of your own system."
)
@click.argument(
    "ids",
    nargs=-1,
    required=True,
    metavar="ID",
    type=Word(lambda _: [*_ids(), "all"], "teacherstudent list checks", elsewhere("checks")),
)
@click.option(
    "--fresh-seeds",
    is_flag=True,
    help="use new random seeds; by default the name of the check fixes them",
)
@click.option(
    "--json", "json_file", type=Target(), metavar="FILE", help="write the outcomes as a JSON list of objects"
)
@click.option(
    "--report",
    type=Target(".html"),
    metavar="FILE.html",
    help="write a report, which includes the pictures in the folder figures next to it",
)
@workers_option
def COMMAND(
    ids: tuple[str, ...], fresh_seeds: bool, workers: int, json_file: Path | None, report: Path | None
) -> int:
    """Run check ID, several, or all, each with its negative controls and known misprints.

    A check passes if its claim agrees and if it rejects every wrong claim: the negative controls (plausible
    errors) and the known misprints (errata) of a paper. The table shows the numbers of these wrong claims as
    rejected/all. The resolution is the smallest error that the check could detect; the share is its ratio to
    the effect that the check tests. For a check in several parts, the table shows the weakest part. A check
    that passes with a share above one half is weak: it could accept a claim that is wrong by the whole
    effect. Checks that need other hardware or a library that is not installed are skipped and listed. The
    exit status is 1 if any check did not pass, else 0, also for weak checks.
    """
    chosen, lacks = runnable("all") if "all" in ids else ([], {})
    for each in () if chosen else dict.fromkeys(ids):
        chosen += runnable(each)[0]
    outcomes: list[Outcome] = []
    with ExitStack() as written:
        # Entered before the work: a file that cannot be written is found at once.
        json_page = json_file and written.enter_context(whole_file(json_file, "json"))
        report_page = report and written.enter_context(whole_file(report, "report"))
        with progress("check", len(chosen)) as announce:
            work = partial(outcome_fields, fresh_seeds=fresh_seeds)
            for each, found in zip(chosen, on_workers(work, chosen, workers, announce), strict=True):
                if not isinstance(found, MissingExtra):
                    outcomes.append(outcome_from(each, found))
                elif "all" in ids:
                    lacks[each] = found.lack
                else:
                    raise found
        if json_file and json_page:
            with room_for(json_file, "json"):
                text = json.dumps([record(each) for each in outcomes], indent=2)
                json_page.write_text(text, encoding="utf-8")
        if report and report_page:
            from teacherstudent.cli.report import render

            page = render(outcomes, report.parent / "figures", lacks)
            with room_for(report, "report"):
                report_page.write_text(page, encoding="utf-8")
    show(COLUMNS, [_row(each) for each in outcomes])
    for outcome in () if "all" in ids else outcomes:
        if outcome.check.compared:
            print_to_stderr(f"{outcome.check.id} compares {outcome.check.compared}")
    print_failures(outcomes, lacks)
    return 0 if all(each.passed for each in outcomes) else 1


def print_failures(outcomes: Sequence[Outcome], lacks: Mapping[str, str]) -> None:
    """Say which checks were not run, are weak, or did not pass."""
    for left_out, lack in lacks.items():
        print_to_stderr(f"{left_out} was not run: this machine lacks {lack}")
    if weak := [each for each in outcomes if each.state == "weak"]:
        print_to_stderr(
            f"weak checks, whose smallest detectable error exceeds half of the effect: {_named(weak)}"
        )
    for failed in (each for each in outcomes if not each.passed):
        print_to_stderr(f"{failed.check.id} did not pass, seeds {failed.seeds.name}: {failed.why}")


def _row(outcome: Outcome) -> tuple[str, ...]:
    verdict, weakest = outcome.verdict, outcome.verdict.weakest
    return (
        outcome.check.id,
        outcome.check.title,
        outcome.state if outcome.passed else outcome.state.upper(),
        f"{verdict.statistic:.3g}/{verdict.threshold:.3g}",
        f"{weakest.resolution:.2g} {weakest.unit}",
        f"{sum(each.refutes for each in outcome.wrong.values())}/{len(outcome.wrong)}",
        f"{sum(each.refutes for each in outcome.errata.values())}/{len(outcome.errata)}",
        f"{outcome.seconds:.1f}",
        f"{weakest.share:.2g}",
    )


def _named(outcomes: list[Outcome]) -> str:
    return ", ".join(each.check.id for each in outcomes)
