"""`python -m tools.mutants`: how many small changes do the tests and the checks notice?"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from tools.mutants import report
from tools.mutants.changes import Change, changes_of, draw
from tools.mutants.copies import copied
from tools.mutants.places import AIMED, aimed, harmless
from tools.mutants.reach import measured
from tools.mutants.running import put_all
from tools.nested import ROOT


@click.command()
@click.option("--count", default=100, show_default=True, help="changes, each of another statement")
@click.option("--seed", default=0, show_default=True, help="which changes")
@click.option("--rooms", default="theory sims problems optimisers", show_default=True, help="what is changed")
@click.option("--aimed", "use_list", is_flag=True, help=f"the changes of {AIMED.name} instead of random ones")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, help="changes at a time")
@click.option("--out", default=ROOT / "out", type=click.Path(path_type=Path), help="folder of the answers")
def main(count: int, seed: int, rooms: str, use_list: bool, workers: int, out: Path) -> None:
    """Make small changes in a copy of the package and say who notices them; survivors by place."""
    folders = rooms.split()
    if use_list:
        changes = aimed(ROOT)
        folders = sorted({change.file.partition("/")[0] for change in changes})
    else:
        changes = draw(_all_changes(ROOT, folders), count, seed)
    judged = harmless()
    skipped = [change for change in changes if any(each.covers(change) for each in judged)]
    asked = {"seed": None if use_list else seed, "rooms": folders}
    noticed: list[report.Noticed] = []
    with tempfile.TemporaryDirectory() as scratch:
        copies = [copied(ROOT, Path(scratch) / str(k)) for k in range(workers)]
        tests = []
        for name, found in measured(copies, folders, out / "mutants/reach"):
            click.echo(f"reach of {name}: {len(found)} tests", err=True)
            tests += found
        for each in put_all([change for change in changes if change not in skipped], tests, copies):
            noticed.append(each)
            progress = f"{len(noticed)}/{len(changes) - len(skipped)}"
            said = ", ".join(filter(None, each.by.values())) or f"nobody of {each.tried} tests"
            click.echo(f"{progress} {report.place(each.change)}: {said}", err=True)
            report.write(out / "mutants.json", asked, noticed, skipped)
    click.echo(report.table(noticed, skipped))
    for each in noticed:
        if report.outcome(each) == "survived":
            click.echo(f"survived: {report.place(each.change)}")


def _all_changes(root: Path, folders: list[str]) -> list[Change]:
    return [
        change
        for folder in folders
        for path in sorted((root / folder).rglob("*.py"))
        for change in changes_of(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    main()
