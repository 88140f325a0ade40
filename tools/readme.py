"""Writes the table of systems in README.md from the declarations, so that nobody keeps it by hand.

The table is between `<!-- systems -->` and `<!-- end of systems -->`. `python -m tools.readme`
rewrites it; a test fails when it is stale.
"""

from __future__ import annotations

import re
from pathlib import Path

from teacherstudent.house.catalogue import problems, routes

README = Path(__file__).resolve().parent.parent / "README.md"


def systems_table() -> str:
    """One Markdown row for each problem that has a route: its question (or its title) and its name."""
    answered = {route.problem for route in routes()}
    rows = [
        f"| {problem.question or problem.title} | `{name}` |"
        for name, problem in problems().items()
        if name in answered
    ]
    return "\n".join(["| question | system |", "|---|---|", *rows])


def refreshed(text: str) -> str:
    """The README's text with the table as the declarations have it now."""
    part = re.compile(r"(<!-- systems -->\n).*?(<!-- end of systems -->)", re.DOTALL)
    return part.sub(lambda found: f"{found[1]}{systems_table()}\n{found[2]}", text)


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text("utf-8")), encoding="utf-8")
