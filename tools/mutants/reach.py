"""Which test runs which line, and at what cost: measured once for each test file, and kept.

A measurement is made anew when the test file, or a file that its tests ran, has changed. Processes that
a test starts (commands, workers) are not followed: lines that only they run count as reached by nothing.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.mutants.copies import run_tests, side_by_side

LONGEST = 3600.0
"""Seconds that one test file may take."""


@dataclass(frozen=True)
class Test:
    """A test that passes on the unchanged code: its cost in CPU-seconds, and by file the lines it ran."""

    id: str
    cost: float
    lines: dict[str, frozenset[int]]

    @property
    def file(self) -> str:
        """The test file."""
        return self.id.partition("::")[0]


def test_files(root: Path) -> list[str]:
    """Every test file of a repository, but those that drive a browser."""
    found = (path.relative_to(root).as_posix() for path in (root / "tests").rglob("test_*.py"))
    return sorted(name for name in found if not name.startswith("tests/browser/"))


def measured(copies: list[Path], rooms: list[str], kept: Path) -> Iterator[tuple[str, list[Test]]]:
    """Test files with their tests, as each is known, in copies of the repository.

    rooms: folders whose lines are recorded. kept: the folder of measurements, which it takes from and adds
    to. A file whose tests do not end gives no tests.
    """

    def known(name: str, copy: Path) -> tuple[str, list[Test]]:
        place = kept / f"{name}.json"
        if not _is_current(place, copy, rooms):
            _measure(copy, rooms, name, place)
        tests = json.loads(place.read_text(encoding="utf-8"))["tests"]
        return name, [_test(id, each) for id, each in tests.items() if each["passed"]]

    return side_by_side(known, test_files(copies[0]), copies)


def _test(id: str, found: dict[str, Any]) -> Test:
    lines = {file: frozenset(numbers) for file, numbers in found["lines"].items()}
    return Test(id, found["cost"], lines)


def _measure(copy: Path, rooms: list[str], name: str, place: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "reach.json"
        run_tests(copy, [name], {"reach": rooms, "out": str(out)}, Path(scratch), LONGEST)
        tests = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    files = {name, *(file for test in tests.values() for file in test["lines"])}
    hashes = {file: _hash(copy / file) for file in sorted(files)}
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"rooms": rooms, "hashes": hashes, "tests": tests}), encoding="utf-8")


def _is_current(place: Path, copy: Path, rooms: list[str]) -> bool:
    if not place.exists():
        return False
    found = json.loads(place.read_text(encoding="utf-8"))
    return set(rooms) <= set(found["rooms"]) and all(
        (copy / file).exists() and _hash(copy / file) == old for file, old in found["hashes"].items()
    )


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
