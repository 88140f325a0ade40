"""Start-up: commands in fresh processes, against imports at the top and against a first start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import partial

from benchmarks.declaration import Job, Pair, Side

HELP = ("--help",)
THEORY = ("curve", "multiscale", "--dynamics", "flow", "--route", "asymptotic")
TRAINING = ("curve", "multiscale", "--dynamics", "descent", "--route", "simulation", "--seeds", "10")
EVERYTHING = "import jax, matplotlib.pyplot, numpy, scipy.integrate, scipy.optimize, xarray"


def command(arguments: Sequence[str], first: str = "", **environment: str) -> None:
    """Run one command line in a process of its own, after the imports in `first`."""
    code = f"{first}\nimport sys\nfrom teacherstudent.command import main\nsys.exit(main(sys.argv[1:]))"
    subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    )


def started(arguments: Sequence[str], first: str, quick: bool) -> Job:
    """That command once, after once that warms the disk."""

    def work() -> Iterable[float]:
        command(arguments, first)
        return [1.0]

    return Job(work)


def trained(again: bool, quick: bool) -> Job:
    """A first simulated curve on this machine, or the next one."""
    folder = tempfile.TemporaryDirectory()
    chosen = {"JAX_ENABLE_COMPILATION_CACHE": "true", "XDG_CACHE_HOME": folder.name}
    if again:
        command(TRAINING, **chosen)

    def work() -> Iterable[float]:
        if not again:
            folder.cleanup()
        command(TRAINING, **chosen)
        return [1.0]

    return Job(work)


def _pair(id: str, title: str, arguments: Sequence[str]) -> Pair:
    return Pair(
        id,
        title,
        Side("imports where they are needed", partial(started, arguments, "")),
        Side("every library imported at the top", partial(started, arguments, EVERYTHING)),
        within=0.0,
        why="a start has no numbers",
    )


BENCHMARKS = (
    _pair("start-help", "teacherstudent --help, from a cold start", HELP),
    _pair("start-theory", "a theory curve, from a cold start", THEORY),
    Pair(
        "start-simulation",
        "a simulated curve, from a cold start",
        Side("programs kept from an earlier start", partial(trained, True)),
        Side("the first start on a machine, which compiles them", partial(trained, False)),
        within=0.0,
        why="a start has no numbers",
    ),
)
