"""A process that asks one long question after the other, each in a fork of its own, and interrupts each.

The signal (its number is the second argument; the names of problems follow) comes while a compiled loop runs:
when the process has worked for a while without compiling. For a theory (PROBLEM/ROUTE) it comes when the main
thread has waited for it for a while. Prints the name and exit status of each question, a negative one where
the signal was ignored. It reads no clock but that of its own work: load changes nothing.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax

from teacherstudent.cli.command import main
from teacherstudent.house.interruptible import in_threads

SIDE = 300
IDENTITY = ";".join(",".join("1" if i == j else "0" for j in range(SIDE)) for i in range(SIDE))

LONG = {  # questions about hours of simulated steps, one a system
    "committee": ("--dynamics", "online", "--d", "1000", "--times", "1:1e6:2", "--seeds", "2"),
    "flexible-activations": (
        *("--dynamics", "examples", "--inputs", "10", "--outputs", "10", "--units", "10", "--degree", "6"),
        *("--starts", "1000", "--times", "1000", "--seeds", "2"),
    ),
    "frozen-groups": ("--dynamics", "descent", "--times", "1:1e9:2", "--seeds", "2"),
    "gan": ("--dynamics", "discriminator", "--width", "1e5", "--times", "1:1e4:2", "--seeds", "2"),
    "heavy-tails": ("--dynamics", "sgd", "--d", "100", "--times", "1:1e9:2", "--seeds", "2"),
    "linear-network": ("--dynamics", "descent", "--hidden", "400", "--times", "1:1e9:2", "--seeds", "2"),
    "measured-spectrum": (
        *("--dynamics", "descent", "--size", "2000", "--n", "2000", "--learning-rate", "1e-4"),
        *("--times", "1:1e9:2", "--seeds", "2"),
    ),
    "multiscale": ("--dynamics", "langevin", "--d", "400", "--times", "1:1e7:2", "--seeds", "2"),
    "orthogonal-convolution": (
        *("--dynamics", "descent", "--outputs", "64", "--inputs", "64", "--kernel-size", "8"),
        *("--times", "1:1e6:2", "--seeds", "2"),
    ),
    "perceptron": (
        *("--dynamics", "examples", "--rule", "gibbs", "--d", "200", "--times", "4.9:5:2:lin"),
        *("--seeds", "200"),
    ),
    "random-features": (
        *("--dynamics", "descent", "--d", "1000", "--width", "2000", "--n", "2000"),
        *("--learning-rate", "1e-4", "--times", "1:1e9:2", "--seeds", "2"),
    ),
    "residual-digits": ("--dynamics", "descent", "--times", "1:1e9:2", "--seeds", "2"),
    "scale-invariant": ("--dynamics", "descent", "--d", "1000", "--times", "1:1e9:2", "--seeds", "2"),
    "spurious-groups": ("--dynamics", "normalised", "--times", "1:1e9:2", "--seeds", "2"),
    "stable-noise": ("--dynamics", "relaxation", "--step", "1e-6", "--times", "1:10:2", "--walkers", "1e5"),
    "starvation": (
        *("--dynamics", "primal", "--learning-rate", "1e-9", "--times", "1:1e9:2"),
        *("--strengths", ",".join(["1"] * SIDE), "--vectors", IDENTITY),
    ),
}

LARGE = {  # theories that decompose, or solve for, arrays of some thousand
    "multiscale/instance": ("--dynamics", "flow", "--n", "3000", "--d", "3000", "--seeds", "9"),
    "measured-spectrum/instance": (
        *("--dynamics", "flow", "--size", "3000", "--n", "3000", "--capacity", "1.5", "--source", "0.5"),
        *("--seeds", "9"),
    ),
    "random-features/instance": (
        *("--dynamics", "ridge", "--d", "3000", "--width", "3000", "--n", "3000", "--seeds", "9"),
    ),
    "residual-digits/kernel": ("--dynamics", "descent", "--n", "1700", "--seeds", "99"),
    "linear-network/riccati": (
        *("--dynamics", "flow", "--start", "rotated", "--hidden", "1200", "--inputs", "1000"),
        *("--outputs", "1000", "--singular-values", ",".join(["1"] * 900), "--u0", ",".join(["1e-3"] * 900)),
        *("--seeds", "9"),
    ),
    "gan/kernel": (
        *("--dynamics", "discriminator", "--target", "gaussian", "--n", "1000", "--particles", "1500"),
        *("--d", "10", "--seeds", "9"),
    ),
    "perceptron/metastable": (
        *("--dynamics", "examples", "--weights", "binary", "--rule", "gibbs", "--times", "1:1.4:5000:lin"),
    ),
    "committee/asymptotic": (
        *(
            "--dynamics",
            "online",
            "--width",
            "48",
            "--teacher-width",
            "48",
            "--d",
            "1e5",
            "--start",
            "random",
        ),
        *("--times", "1:1e9:500"),
    ),
}

BUSY = 0.2
"""CPU-seconds after the last compilation from which on a loop is taken to run."""

PATIENCE = 120
"""CPU-seconds after which a child that ignores the signal is killed: far less than any question takes."""


def main_waits() -> bool:
    """Whether the main thread waits for another."""
    frame: Any = sys._current_frames()[threading.main_thread().ident or 0]
    while frame and frame.f_code is not in_threads.__code__:
        frame = frame.f_back
    return bool(frame)


def answer(command: Sequence[str], number: int, *, theory: bool) -> None:
    """Answer that command line in this process, and interrupt it once while it is at work."""
    last: list[Any] = ["", 0.0]  # what was done for a program, and when: compiling it comes last

    def note(event: str, *_: object, **__: object) -> None:
        last[:] = event, time.process_time()

    def send() -> None:
        while "backend_compile" not in last[0] or time.process_time() < last[1] + BUSY:
            time.sleep(0.01)
            if theory and not main_waits():
                note("no backend_compile yet")
        os.kill(os.getpid(), number)

    jax.monitoring.register_event_duration_secs_listener(note)
    threading.Thread(target=send, daemon=True).start()
    sys.argv = ["teacherstudent", *command]
    os._exit(main())


def interrupted(command: Sequence[str], number: int, *, theory: bool) -> int:
    """The exit status of that command line after that signal, by a child of this process."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        answer(command, number, theory=theory)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    folder, number, *problems = sys.argv[1:]
    for each in problems:
        problem, _, route = each.partition("/")
        out = str(Path(folder) / f"{problem}.csv")
        asked = LARGE[each] if route else LONG[each]
        question = ["curve", problem, "--route", route or "simulation", *asked, "--out", out]
        print(each, interrupted(question, int(number), theory=bool(route)), flush=True)
