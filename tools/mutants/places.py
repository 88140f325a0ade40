"""Two lists kept beside the tool: places judged harmless, and changes that somebody aimed.

Both name text, not line numbers, so that they outlive edits elsewhere in the file.
"""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.changes import Change, statement_at

HERE = Path(__file__).parent
HARMLESS, AIMED = HERE / "harmless.toml", HERE / "aimed.toml"


@dataclass(frozen=True)
class Harmless:
    """A place whose change leaves every answer right, and why: `before` in a statement that holds `within`.

    after: the one change that is harmless there; "" for every change.
    """

    file: str
    within: str
    before: str
    why: str
    after: str = ""

    def covers(self, change: Change) -> bool:
        """Whether that change is judged."""
        return (
            (change.file, change.before) == (self.file, self.before)
            and self.within in change.text
            and self.after in ("", change.after)
        )


def harmless(path: Path = HARMLESS) -> list[Harmless]:
    """The places judged harmless."""
    return [Harmless(**each) for each in tomllib.loads(path.read_text(encoding="utf-8")).get("place", [])]


def aimed(root: Path, path: Path = AIMED) -> list[Change]:
    """The changes of a list, in the repository `root`.

    Raises `ValueError` where the text to change is not there, or not once, or Python cannot read the change.
    """
    found = []
    for each in tomllib.loads(path.read_text(encoding="utf-8"))["change"]:
        source = (root / each["file"]).read_text(encoding="utf-8")
        if source.count(each["before"]) != 1:
            times = source.count(each["before"])
            raise ValueError(f"{each['file']}: {each['before']!r} must stand there once, not {times} times")
        start = source.index(each["before"])
        line, statement, inside = statement_at(source, start)
        change = Change(
            each["file"],
            line,
            statement,
            inside,
            start,
            start + len(each["before"]),
            each["before"],
            each["after"],
            each["before"],
        )
        try:
            ast.parse(change.applied(source))
        except SyntaxError as error:
            raise ValueError(f"{each['file']}: {each['after']!r} is no Python there") from error
        found.append(change)
    return found
