"""`teacherstudent reproduce`: all figures and checks, or those of some systems, on a page that fills."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from teacherstudent.api.check import demand_independent, outcome_from, record
from teacherstudent.api.progress import progress
from teacherstudent.api.sweep import WORKERS
from teacherstudent.cli.commands.check import print_failures
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.interruption import told_on_interruption
from teacherstudent.cli.log_output import notes_to_stderr
from teacherstudent.cli.options import Declared, Target, Word, what_takes
from teacherstudent.cli.streams import Ended, print_text, print_to_stderr
from teacherstudent.house.catalogue import problems
from teacherstudent.house.control_characters import in_one_line
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.machine import most_workers

if TYPE_CHECKING:
    from teacherstudent.api.reproducing.results import Result
    from teacherstudent.api.reproducing.tasks import Task


@click.command(
    "reproduce",
    cls=Command,
    complete=lambda typed: ["reproduce", next(iter(problems())), *typed],
    short_help="Draw all figures and run all checks, on a page that fills.",
)
@click.argument(
    "systems",
    nargs=-1,
    type=Word(
        lambda _: problems(),
        "teacherstudent list problems",
        lambda _, word: what_takes(word, ("figures", "checks")),
    ),
)
@click.option(
    "--out", type=Target(), default="out", metavar="DIR", show_default=True, help="folder to write to"
)
@click.option("--fresh", is_flag=True, help="compute everything again, also what is kept and has not changed")
@click.option(
    "--workers", type=Declared(WORKERS), default=lambda: str(most_workers()), metavar="N",
    show_default="one per core, as far as the memory allows",
    help=f"number of processes on this machine [{WORKERS.domain.describe()}]",
)  # fmt: skip
def COMMAND(systems: tuple[str, ...], out: Path, fresh: bool, workers: int) -> int:
    """Draw all figures and run all checks, or those of the given SYSTEMS only.

    The page DIR/index.html shows figures and checks as they are finished, the main figures first. On a
    desktop it opens in the browser. Pictures and their numbers are written to DIR/figures, a report to
    DIR/report.html, and all outcomes to DIR/checks.json. Results are kept in DIR/kept: the next run computes
    only what depends on code, libraries or a processor that have changed, and Ctrl-C loses only what is being
    computed. The exit status is 1 if any check did not pass, else 0.
    """
    from teacherstudent.api.reproduce import reproduce
    from teacherstudent.api.reproducing.results import write_text
    from teacherstudent.api.reproducing.tasks import measured_seconds, tasks_of
    from teacherstudent.cli.progress_page import Page, open_in_browser
    from teacherstudent.cli.report import render
    from teacherstudent.paper_checks import ledger
    from teacherstudent.paper_checks.last_run import STATES

    everything = tasks_of(systems)
    asked = {each.id: ledger.checks()[each.id] for each in everything if each.kind == "check"}
    demand_independent({each.problem for each in asked.values()})
    lacks = {id: lack for id, each in asked.items() if (lack := each.lacks())}
    tasks = [each for each in everything if each.kind == "figure" or each.id not in lacks]
    page = Page(out, tasks, workers, measured_seconds())
    print_to_stderr(f"{page.file} shows figures and checks as they are finished")
    open_in_browser(page.file)
    results: dict[Task, Result] = {}
    undrawn: dict[str, str] = {}
    try:
        with (
            notes_to_stderr(),
            told_on_interruption(page.summary),
            progress("reproduce", len(tasks)) as announce,
        ):

            def begun(task: Task) -> None:
                announce(task.name)
                page.begin(task)

            for task, result in reproduce(tasks, out, fresh=fresh, workers=workers, begun=begun):
                page.finish(task, result)
                if isinstance(result, MissingExtra):
                    (lacks if task.kind == "check" else undrawn)[task.id] = result.lack
                else:
                    results[task] = result
                    if result.kept:
                        announce(task.name)
        found = {task: results[task] for task in tasks if task in results}
        checked = [(task.id, each) for task, each in found.items() if task.kind == "check"]
        outcomes = [outcome_from(id, each.fields) for id, each in checked]
        bases = ({"rests_on": each.rests_on} for _, each in checked)
        records = [record(outcome) | basis for outcome, basis in zip(outcomes, bases, strict=True)]
        write_text(out / "checks.json", json.dumps(records, indent=2))
        write_text(out / "report.html", render(outcomes, out / "figures", lacks))
        seconds = {task.name: round(each.seconds, 2) for task, each in found.items()}
        write_text(out / "seconds.json", json.dumps(seconds, indent=0))
        page.write("finished")
    except BaseException as error:
        stopped = isinstance(error, KeyboardInterrupt | Ended)
        with suppress(InputError):
            page.write("interrupted" if stopped else "stopped", "" if stopped else in_one_line(str(error)))
        raise
    states = Counter(each.state for each in outcomes)
    drawn = sum(each.kind == "figure" for each in found)
    print_text(f"figures: {drawn}, in {out / 'figures'}")
    print_text(
        ", ".join(
            [f"checks: {len(outcomes)}", *(f"{each}: {states[each]}" for each in STATES if states[each])]
        )
    )
    print_text(out / "report.html")
    for id, lack in undrawn.items():
        print_to_stderr(f"{id} was not drawn: this installation lacks {lack}")
    print_failures(outcomes, lacks)
    return 0 if all(each.passed for each in outcomes) else 1
