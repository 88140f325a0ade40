"""Puts changes to the tests that reach them, one change at a time in a copy of the repository."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.changes import Change
from tools.mutants.copies import rewrite, run_tests, side_by_side
from tools.mutants.reach import Test

CHECKS = "tests/test_checks.py"
"""The test file that puts every quick check to work; all other files are tests."""
GROUPS = ("tests", "checks")
SLOWER, STARTING = 5, 10.0
"""A test that takes so many times its cost, and so many CPU-seconds more, has noticed the change."""
SOON = 20
"""As many tests of each group run before the files of all the others are read."""
CHEAP = 0.05
"""CPU-seconds below which a test may have found its answers in what an earlier test left."""
LONGEST = 3600.0
"""Seconds of real time for all the tests of one change."""


@dataclass(frozen=True)
class Noticed:
    """What became of a change: by group the test that noticed it first, or "" where none did.

    tried: the number of tests that reach it.
    """

    change: Change
    by: dict[str, str]
    tried: int


def reaching(change: Change, tests: list[Test]) -> list[Test]:
    """The tests that run a change, the cheapest first, then those that may share what these computed.

    What stands outside functions runs when the file is imported, and every test that runs the file has it.
    Tests of one file share results and compiled programs, which only the first of them is seen to compute.
    """
    first, last = change.statement
    span = set(range(first, last + 1)) if change.inside else None

    def runs(test: Test) -> bool:
        lines = test.lines.get(change.file, frozenset())
        return bool(lines if span is None else lines & span)

    direct = [test for test in tests if runs(test)]
    files = {test.file for test in direct}
    known = {test.id for test in direct}
    others = [test for test in tests if test.file in files and test.id not in known]
    beside = [test for test in others if change.file in test.lines or test.cost < CHEAP]
    return sorted(direct, key=lambda test: test.cost) + sorted(beside, key=lambda test: test.cost)


def group_of(test: Test) -> str:
    """Whether a test puts a check to work."""
    return "checks" if test.file == CHECKS else "tests"


def put(change: Change, tests: list[Test], copy: Path, scratch: Path) -> Noticed:
    """Put one change to the tests, in a copy of the repository, which is afterwards as it was.

    Each group runs up to its first failure, in two parts: the `SOON` cheapest tests need few files.
    """
    tried = reaching(change, tests)
    order: dict[str, dict[str, float]] = {group: {} for group in GROUPS}
    for test in tried:
        order[group_of(test)][test.id] = SLOWER * test.cost + STARTING
    by = {group: "" for group in GROUPS}
    file = copy / change.file
    source = file.read_text(encoding="utf-8")
    rewrite(file, change.applied(source))
    try:
        for part in (slice(0, SOON), slice(SOON, None)):
            left = {group: dict(list(order[group].items())[part]) for group in GROUPS if not by[group]}
            by |= _first_failures(
                {group: planned for group, planned in left.items() if planned}, copy, scratch
            )
    finally:
        rewrite(file, source)
    return Noticed(change, by, len(tried))


def _first_failures(left: dict[str, dict[str, float]], copy: Path, scratch: Path) -> dict[str, str]:
    """The test of each group that fails first, where one does.

    A process that a change ends or fills up counts as noticed by the test that ran; the other group then
    gets a process of its own.
    """
    journal = scratch / "journal.jsonl"
    failed: dict[str, str] = {}
    while left := {group: planned for group, planned in left.items() if planned}:
        journal.unlink(missing_ok=True)
        files = sorted({test.partition("::")[0] for planned in left.values() for test in planned})
        status = run_tests(copy, files, {"order": left, "out": str(journal)}, scratch, LONGEST)
        decided = read_journal(journal)
        if not decided:
            output = (scratch / "output.txt").read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"no test ran (status {status}): {output[-2000:]}")
        failed |= {group: test for group, test in decided.items() if test}
        left = {group: planned for group, planned in left.items() if group not in decided}
    return failed


def read_journal(journal: Path) -> dict[str, str]:
    """The groups that a run decided, each with the test that noticed, or "" where all passed.

    A group that neither failed nor passed was ended in the midst of its last test.
    """
    if not journal.exists():
        return {}
    events = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    decided = {group: test for event, group, test in events if event != "started"}
    if events and events[-1][0] == "started":
        decided.setdefault(events[-1][1], events[-1][2])
    return decided


def put_all(changes: list[Change], tests: list[Test], copies: list[Path]) -> Iterator[Noticed]:
    """Put changes to the tests, as many at a time as there are copies, and give each as it is decided."""

    def one(change: Change, copy: Path) -> Noticed:
        with tempfile.TemporaryDirectory() as scratch:
            return put(change, tests, copy, Path(scratch))

    return side_by_side(one, changes, copies)
