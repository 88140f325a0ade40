"""What other rooms leave to be shown: lessons by their docstrings, measurements by their files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from teacherstudent.teaching import lessons
from tools.site.api import ROOT
from tools.site.markdown import code, plain, table

QUESTION = re.compile(r"\*\*The question\.\*\*(.*?)\n\s*\n", re.DOTALL)
RESULTS = ROOT / "benchmarks" / "results"


def lesson_table() -> str:
    """Every lesson with its title and its question, and the command that opens it."""
    rows = [
        (plain(each.title), _question(each.path), code(f"teacherstudent lesson {name}"))
        for name, each in lessons().items()
    ]
    return table(("lesson", "question", "open it"), rows)


def _question(notebook: Path) -> str:
    """What a notebook asks, after its words `The question.`; nothing where it asks nothing."""
    found = QUESTION.search(notebook.read_text(encoding="utf-8"))
    return " ".join(found[1].split()).replace("|", "&#124;") if found else ""


def benchmarks(folder: Path = RESULTS) -> str:
    """Every file of measurements, whatever its shape: lists of records as tables, the rest as lists."""
    files = sorted(folder.glob("*.json"))
    parts = [f"## {plain(path.stem)}\n\n{_shown(json.loads(path.read_text('utf-8')))}" for path in files]
    return "\n".join(parts) if parts else "Nothing has been measured on this copy yet.\n"


def _shown(data: Any, level: int = 3) -> str:
    """Data of any shape as Markdown; what is nested gets headings."""
    if isinstance(data, list) and data and all(isinstance(each, dict) for each in data):
        columns = list(dict.fromkeys(name for each in data for name in each))
        return table(
            list(map(plain, columns)), [[_cell(each.get(name, "")) for name in columns] for each in data]
        )
    if not isinstance(data, dict):
        return f"{_cell(data)}\n"
    flat = {name: value for name, value in data.items() if not isinstance(value, dict | list)}
    nested = {name: value for name, value in data.items() if name not in flat}
    parts = [table(("", ""), [(plain(name), _cell(value)) for name, value in flat.items()])] if flat else []
    for name, value in nested.items():
        parts.append(f"{'#' * min(level, 6)} {plain(name)}\n\n{_shown(value, level + 1)}")
    return "\n".join(parts)


def _cell(value: Any) -> str:
    """A number to four digits, and anything else as text."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
