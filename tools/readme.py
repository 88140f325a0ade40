"""Writes the parts of README.md that come from the registry, so that nobody keeps them by hand.

A part stands between `<!-- systems -->` and `<!-- end of systems -->`. `python -m tools.readme`
rewrites it; a test fails when it is stale.
"""

from __future__ import annotations

import re
from pathlib import Path

from house.catalogue import problems, routes
from house.declarations import Problem

README = Path(__file__).resolve().parent.parent / "README.md"


def systems_table() -> str:
    """One Markdown row a problem: its id and title, source, routes by dynamics, observables."""
    head = [
        "| system | source | routes by dynamics (approximate ones in italics) | observables |",
        "|---|---|---|---|",
    ]
    return "\n".join(head + [_row(problem) for problem in problems().values()])


def _row(problem: Problem) -> str:
    by_dynamics = []
    for dynamics in problem.dynamics:
        names = [
            f"*{route.name}*" if route.approximate else route.name
            for route in routes()
            if (route.problem, route.dynamics) == (problem.id, dynamics.name)
        ]
        by_dynamics.append(f"`{dynamics.name}`: {', '.join(names)}")
    observables = ", ".join(f"`{observable.name}`" for observable in problem.observables)
    cells = [f"`{problem.id}`: {problem.title}", problem.source, "<br>".join(by_dynamics), observables]
    return f"| {' | '.join(cells)} |"


def refreshed(text: str) -> str:
    """The README's text with every generated part as the registry has it now."""
    part = re.compile(r"(<!-- systems -->\n).*?(<!-- end of systems -->)", re.DOTALL)
    return part.sub(lambda found: f"{found[1]}{systems_table()}\n{found[2]}", text)


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text()))
