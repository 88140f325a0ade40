"""A lesson's server: marimo, made to follow sliders sooner. `python -m teacherstudent.api.serving ARGUMENTS`.

At each move of a slider marimo 0.25 reads what every installed package offers as a plug-in, which
takes some 15 ms with this project's packages: a sixth of the time within which a curve must follow.
Nothing is installed while a page is served, and so it is read once.
"""

from __future__ import annotations

import importlib.metadata
import runpy
from functools import cache


def main() -> None:
    """Become marimo, with the arguments of this process."""
    importlib.metadata.entry_points = cache(importlib.metadata.entry_points)  # type: ignore[assignment]
    runpy.run_module("marimo", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
