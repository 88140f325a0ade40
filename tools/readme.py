"""Writes the parts of README.md that come from the registry, so that nobody keeps them by hand.

A part stands between `<!-- systems -->` and `<!-- end of systems -->`. `python -m tools.readme`
rewrites it; a test fails when it is stale.
"""

from __future__ import annotations

import re
from pathlib import Path

from teacherstudent.house.catalogue import problems, routes
from teacherstudent.house.declarations import Problem

README = Path(__file__).resolve().parent.parent / "README.md"


def systems_table() -> str:
    """One Markdown row a problem that has a route: title, source, routes by dynamics, observables."""
    head = [
        "| system | source | routes by dynamics (approximate ones in italics) | observables |",
        "|---|---|---|---|",
    ]
    answered = {route.problem for route in routes()}
    return "\n".join(head + [_row(problem) for name, problem in problems().items() if name in answered])


def _row(problem: Problem) -> str:
    by_dynamics: dict[str, list[str]] = {}
    for route in routes():
        if route.problem == problem.id:
            name = f"*{route.name}*" if route.approximate else route.name
            by_dynamics.setdefault(route.dynamics, []).append(name)
    cells = [
        f"`{problem.id}`: {problem.title}",
        problem.source,
        "<br>".join(f"`{dynamics}`: {', '.join(names)}" for dynamics, names in by_dynamics.items()),
        ", ".join(f"`{observable.name}`" for observable in problem.observables),
    ]
    return f"| {' | '.join(cells)} |"


def refreshed(text: str) -> str:
    """The README's text with every generated part as the registry has it now."""
    part = re.compile(r"(<!-- systems -->\n).*?(<!-- end of systems -->)", re.DOTALL)
    return part.sub(lambda found: f"{found[1]}{systems_table()}\n{found[2]}", text)


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text("utf-8")), encoding="utf-8")
