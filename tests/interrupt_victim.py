"""A process that asks one long question after the other, each in a fork of its own, and interrupts each.

The signal (its number is the second argument; the names of problems follow) comes while a compiled loop runs:
when the process has worked for a while without compiling. Prints the name and exit status of each question,
a negative one where the signal was ignored. It reads no clock but that of its own work: load changes nothing.
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

BUSY = 0.2
"""CPU-seconds after the last compilation from which on a loop is taken to run."""

PATIENCE = 120
"""CPU-seconds after which a child that ignores the signal is killed: far less than any question takes."""


def answer(command: Sequence[str], number: int) -> None:
    """Answer that command line in this process, and interrupt it once while a compiled loop runs."""
    last: list[Any] = ["", 0.0]  # what was done for a program, and when: compiling it comes last

    def note(event: str, *_: object, **__: object) -> None:
        last[:] = event, time.process_time()

    def send() -> None:
        while "backend_compile" not in last[0] or time.process_time() < last[1] + BUSY:
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    jax.monitoring.register_event_duration_secs_listener(note)
    threading.Thread(target=send, daemon=True).start()
    sys.argv = ["teacherstudent", *command]
    os._exit(main())


def interrupted(command: Sequence[str], number: int) -> int:
    """The exit status of that command line after that signal, by a child of this process."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        answer(command, number)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    folder, number, *problems = sys.argv[1:]
    for problem in problems:
        out = str(Path(folder) / f"{problem}.csv")
        question = ["curve", problem, "--route", "simulation", *LONG[problem], "--out", out]
        print(problem, interrupted(question, int(number)), flush=True)
