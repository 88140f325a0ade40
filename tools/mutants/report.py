"""What became of the changes: a table by room, the survivors by place, and the same as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.mutants.changes import Change
from tools.mutants.running import Noticed

OUTCOMES = ("both", "tests", "checks", "survived", "harmless")
HEADS = ("room", "n", "both", "tests only", "checks only", "survived", "harmless", "noticed")


def outcome(noticed: Noticed) -> str:
    """Who noticed a change: `both`, `tests`, `checks`, or nobody: it `survived`."""
    groups = [group for group, test in noticed.by.items() if test]
    return "both" if len(groups) > 1 else groups[0] if groups else "survived"


def place(change: Change) -> str:
    """Where a change is and what it is, on one line."""
    before, after = (" ".join(text.split()) for text in (change.before, change.after))
    return f"{change.file}:{change.line}: {before} -> {after}"


def table(noticed: Iterable[Noticed], judged_harmless: Iterable[Change]) -> str:
    """Counts by room, with the share that was noticed of the changes that matter."""
    rows: dict[str, Counter[str]] = {}
    for each in noticed:
        rows.setdefault(each.change.file.partition("/")[0], Counter())[outcome(each)] += 1
    for change in judged_harmless:
        rows.setdefault(change.file.partition("/")[0], Counter())["harmless"] += 1
    rows = dict(sorted(rows.items()))
    rows["all"] = sum(rows.values(), Counter())
    lines: list[tuple[str, ...]] = [HEADS]
    for room, counts in rows.items():
        numbers = [counts.total(), *(counts[each] for each in OUTCOMES)]
        lines.append((room, *map(str, numbers), _share(counts)))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _share(counts: Counter[str]) -> str:
    matter = counts.total() - counts["harmless"]
    return f"{(matter - counts['survived']) / matter:.0%}" if matter else ""


def write(path: Path, asked: dict[str, Any], noticed: Iterable[Noticed], skipped: Iterable[Change]) -> None:
    """Everything that is known, as JSON: what was asked, and each change with who noticed it."""
    changes = [
        {**_described(each.change), "outcome": outcome(each), **each.by, "tried": each.tried}
        for each in noticed
    ]
    changes += [{**_described(change), "outcome": "harmless"} for change in skipped]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**asked, "changes": changes}, indent=1, ensure_ascii=False), encoding="utf-8")


def _described(change: Change) -> dict[str, Any]:
    return {"file": change.file, "line": change.line, "before": change.before, "after": change.after}
