"""A process that asks one long question after the other, each in a fork of its own, and interrupts each.

Ctrl-C comes while a compiled loop runs: when for a while nothing more has been compiled. Prints the name
and exit status of each question, None where Ctrl-C was ignored.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import jax

from teacherstudent.cli.command import main

SIDE = 300
IDENTITY = ";".join(",".join("1" if i == j else "0" for j in range(SIDE)) for i in range(SIDE))

LONG = {  # questions about hours of simulated steps, one a system
    "linear-network": ("--dynamics", "descent", "--hidden", "400", "--times", "1:1e9:2", "--seeds", "2"),
    "multiscale": ("--dynamics", "langevin", "--d", "400", "--times", "1:1e7:2", "--seeds", "2"),
    "scale-invariant": (
        *("--dynamics", "flow", "--radius0", "42", "--teacher", "random"),
        *("--times", "1:1e9:500", "--seeds", "3"),
    ),
    "spurious-groups": ("--dynamics", "normalised", "--times", "1:1e9:2", "--seeds", "2"),
    "starvation": (
        *("--dynamics", "primal", "--learning-rate", "1e-9", "--times", "1:1e9:2"),
        *("--strengths", ",".join(["1"] * SIDE), "--vectors", IDENTITY),
    ),
}

QUIET = 0.3
"""Seconds without a compilation after which a loop is taken to run; a sooner Ctrl-C is answered as well."""

PATIENCE = 60.0
"""Seconds after which Ctrl-C counts as ignored: less than any of the questions takes."""


def interrupted(command: Sequence[str]) -> int | None:
    """The exit status of that command line after Ctrl-C."""
    heard, said = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        jax.monitoring.register_event_duration_secs_listener(lambda *_, **__: os.write(said, b"."))
        sys.argv = ["teacherstudent", *command]
        os._exit(main())
    os.close(said)
    patience: float | None = None  # until it compiles for the first time
    while select.select([heard], [], [], patience)[0] and os.read(heard, 1000):
        patience = QUIET
    os.close(heard)
    os.kill(child, signal.SIGINT)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


if __name__ == "__main__":
    for problem, words in LONG.items():
        out = str(Path(sys.argv[1]) / f"{problem}.csv")
        question = ["curve", problem, "--route", "simulation", *words, "--out", out]
        print(problem, interrupted(question), flush=True)
