"""Which public functions of the witnesses a check calls, and in which part of it, measured by running it.

A wrong claim that is refuted says nothing of the functions that computed it: a check puts to the test what
its evidence, its claim and its judge call.
"""

from __future__ import annotations

import _thread
import cProfile
import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Any

from teacherstudent.house.catalogue import PACKAGE, WITNESSES, routes
from teacherstudent.house.declarations import load
from teacherstudent.paper_checks.judging.evidence import Check, Outcome, Seeds, run_check

PUT_TO_TEST = (*WITNESSES, "optimisers")
CALLERS = ("paper_checks", "house")
"""A check calls a function itself, or asks the house for a route by its name."""
THREADS = "house.interruptible"
"""Runs in a thread what a witness calls: since Python 3.12 a profile follows threads."""


def called_by(work: Callable[[], Any]) -> tuple[Any, set[str], set[str]]:
    """What the work returns, the functions that checks or the house called meanwhile, and all that ran.

    Names are `room.module:function`. Methods and private functions are left out; so is what a cache or a
    compiled program answered without Python's help, and what only says how much memory a route needs. What is
    called from within a witness ran, and is not among the functions called.
    """
    needs = {route.needs.removeprefix(f"{PACKAGE}.") for route in routes()}
    profile = cProfile.Profile(builtins=False)
    answer: Future[Any] = Future()
    running = _thread.allocate_lock()

    def run() -> None:
        try:
            answer.set_result(profile.runcall(work))
        except BaseException as error:
            answer.set_exception(error)
        finally:
            running.release()

    # Away from the main thread, which hands work on to others. It waits without a call of Python's own: since
    # Python 3.12 a profile follows all threads, and takes what one calls for what another does.
    running.acquire()
    _thread.start_new_thread(run, ())
    running.acquire()
    files = {getattr(module, "__file__", None): name for name, module in sys.modules.items()}

    def module(code: Any) -> str:
        """The module of a function, below the package; "" for one of any other package."""
        name = files.get(code.co_filename, "") if isinstance(code, CodeType) else ""
        return name.removeprefix(f"{PACKAGE}.") if name.startswith(f"{PACKAGE}.") else ""

    def name(code: Any) -> str:
        """Of a public function of a witness; "" for any other code."""
        home = module(code)
        witness = home.partition(".")[0] in PUT_TO_TEST and isinstance(code, CodeType) and _is_public(code)
        return f"{home}:{code.co_name}" if witness else ""

    found, ran = set(), set()
    for entry in profile.getstats():
        caller = module(entry.code)
        ran.add(name(entry.code))
        if caller.partition(".")[0] in CALLERS and caller != THREADS:
            found |= {name(callee.code) for callee in entry.calls or ()}
    return answer.result(), found - needs - {""}, ran - {""}


def _is_public(code: CodeType) -> bool:
    return code.co_qualname.isidentifier() and not code.co_name.startswith("_")


@dataclass
class Parts:
    """Names of the functions that each part of a check calls."""

    evidence: set[str] = field(default_factory=set)
    claim: set[str] = field(default_factory=set)
    judge: set[str] = field(default_factory=set)
    wrong: set[str] = field(default_factory=set)
    ran: set[str] = field(default_factory=set)
    """All that runs, at any depth, but for wrong claims."""

    @property
    def tested(self) -> set[str]:
        """Those that are put to the test."""
        return self.evidence | self.claim | self.judge

    @property
    def shared(self) -> set[str]:
        """Those that evidence and claim share, whose faults their agreement need not show."""
        return self.evidence & self.claim


def called_in_parts(check: Check, seeds: Seeds | None = None) -> tuple[Outcome, Parts]:
    """Run a check, and note which functions each part of it calls, also those that remember their answers."""
    parts = Parts()
    for name in check.functions:
        getattr(load(f"{PACKAGE}.{name}"), "cache_clear", lambda: None)()

    def noted(work: Callable[..., Any], into: set[str]) -> Callable[..., Any]:
        def working(*given: Any) -> Any:
            answer, called, ran = called_by(lambda: work(*given))
            into.update(called)
            if into is not parts.wrong:
                parts.ran.update(ran)
            return answer

        return working

    traced = replace(
        check,
        evidence=noted(check.evidence, parts.evidence),
        claim=noted(check.claim, parts.claim),
        judge=noted(check.judge, parts.judge),
        wrong=tuple(replace(each, claim=noted(each.claim, parts.wrong)) for each in check.wrong),
        errata=tuple(replace(each, claim=noted(each.claim, parts.wrong)) for each in check.errata),
    )
    return run_check(traced, seeds), parts
