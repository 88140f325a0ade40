"""A pytest plugin with two uses: to measure which test reaches which line, and to put a change to the tests.

It reads one plan, the JSON file that the variable `PLAN` names. `python -m pytest -p tools.mutants.inside`.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

PLAN = "MUTANTS_PLAN"
MOST_MEMORY = 8 * 2**30
"""Bytes a process may take, so that a changed size fails instead of filling the machine."""


def pytest_configure(config: pytest.Config) -> None:
    """Take up the plan's task: `reach` (a list of folders) or `order` (tests by group)."""
    plan = json.loads(Path(os.environ[PLAN]).read_text(encoding="utf-8"))
    lower(resource.RLIMIT_DATA, MOST_MEMORY)
    lower(resource.RLIMIT_CORE, 0)
    out = Path(plan["out"])
    plugin = Measured(plan["reach"], out) if "reach" in plan else Judged(plan["order"], out)
    config.pluginmanager.register(plugin)


def lower(what: int, limit: int) -> None:
    """Set a limit of this process that can be set anew, and none above what the user has."""
    most = resource.getrlimit(what)[1]
    resource.setrlimit(what, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))


class Measured:
    """Writes of every test its cost in CPU-seconds, whether it passed, and the lines that it ran."""

    def __init__(self, folders: list[str], out: Path) -> None:
        self.root, self.out = Path.cwd().resolve(), out
        inside = [f"{self.root / folder}/*" for folder in folders]
        self.coverage = coverage.Coverage(data_file=None, include=inside, config_file=False)
        self.coverage.set_option("run:disable_warnings", ["no-data-collected"])  # warnings are errors
        self.tests: dict[str, dict[str, Any]] = {}
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One context of the measurement for each test."""
        self.tests[item.nodeid] = {"passed": True}
        self.coverage.switch_context(item.nodeid)
        before = time.process_time()
        try:
            return (yield)
        finally:
            self.tests[item.nodeid]["cost"] = round(time.process_time() - before, 3)
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails or is skipped on the unchanged code can tell nothing of a changed one."""
        self.tests[report.nodeid]["passed"] &= report.passed

    def pytest_sessionfinish(self) -> None:
        """Write what was measured, by file and test."""
        self.coverage.stop()
        data = self.coverage.get_data()
        for test in self.tests.values():
            test["lines"] = {}
        for file in data.measured_files():
            name = Path(file).resolve().relative_to(self.root).as_posix()
            for line, contexts in data.contexts_by_lineno(file).items():
                for context in contexts:
                    if context in self.tests:
                        self.tests[context]["lines"].setdefault(name, []).append(line)
        self.out.write_text(json.dumps(self.tests), encoding="utf-8")


class Judged:
    """Runs the planned tests in their order, each group up to its first failure, and keeps a journal.

    order: for each group the tests with the CPU-seconds that each may take. The journal is a line for
    each event, so that it can be read whatever the change does to the process.
    """

    def __init__(self, order: dict[str, dict[str, float]], out: Path) -> None:
        self.limits = {test: limit for tests in order.values() for test, limit in tests.items()}
        self.group = {test: group for group, tests in order.items() for test in tests}
        self.open = set(order)
        self.journal = out.open("a", encoding="utf-8", buffering=1)

    def write(self, event: str, group: str, test: str) -> None:
        """One line of the journal, written before anything else happens."""
        self.journal.write(json.dumps([event, group, test]) + "\n")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Only the planned tests, in the order of the plan."""
        place = {test: k for k, test in enumerate(self.limits)}
        items[:] = sorted(
            (each for each in items if each.nodeid in place), key=lambda each: place[each.nodeid]
        )

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be imported any more fails with all that it holds."""
        if report.failed:
            for group in {group for test, group in self.group.items() if test.startswith(report.nodeid)}:
                self.fail(group, report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Pass over a group that has failed; let the system stop a test that no longer ends."""
        group = self.group[item.nodeid]
        if group not in self.open:
            pytest.skip("its group is decided")
        self.write("started", group, item.nodeid)
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = used.ru_utime + used.ru_stime + self.limits[item.nodeid]
        lower(resource.RLIMIT_CPU, int(limit) + 1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The first failure decides for its group."""
        if report.failed and self.group[report.nodeid] in self.open:
            self.fail(self.group[report.nodeid], report.nodeid)

    def fail(self, group: str, test: str) -> None:
        """Write that this test noticed the change."""
        self.open.discard(group)
        self.write("failed", group, test)

    def pytest_sessionfinish(self) -> None:
        """Groups that came to their end without a failure."""
        for group in sorted(self.open):
            self.write("passed", group, "")
