"""Which public functions of the witnesses a check calls, measured by running it."""

from __future__ import annotations

import cProfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

from teacherstudent.house.catalogue import WITNESSES
from tools.nested import ROOT, module_name

PUT_TO_TEST = (*WITNESSES, "optimisers")
CALLERS = ("paper_checks", "house")
"""A check calls a function itself, or asks the house for a route by its name."""


def called_by(work: Callable[[], Any]) -> tuple[Any, set[str]]:
    """What the work returns, and the functions that checks or the house called meanwhile.

    Names are `room.module:function`. Methods, private functions, and what is called from within a
    witness are left out; so is what a cache or a compiled program answered without Python's help.
    """
    profile = cProfile.Profile()
    answer = profile.runcall(work)
    found = set()
    for entry in profile.getstats():
        if isinstance(entry.code, CodeType) and _room(entry.code) in CALLERS:
            found |= {_name(callee.code) for callee in entry.calls or () if _is_public(callee.code)}
    return answer, found


def _room(code: CodeType) -> str:
    path = Path(code.co_filename)
    return path.relative_to(ROOT).parts[0] if path.is_relative_to(ROOT) else ""


def _is_public(code: Any) -> bool:
    if not isinstance(code, CodeType) or _room(code) not in PUT_TO_TEST:
        return False
    return code.co_qualname.isidentifier() and not code.co_name.startswith("_")


def _name(code: CodeType) -> str:
    return f"{module_name(Path(code.co_filename)).partition('.')[2]}:{code.co_name}"
