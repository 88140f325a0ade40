"""Start-up: commands in fresh processes, against imports at the top and against a first start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import partial

from teacherstudent.benchmarks.declaration import Job, Pair, Side

HELP = ("--help",)
THEORY = ("curve", "multiscale", "--dynamics", "flow", "--route", "asymptotic")
SIMULATED = ("--route", "simulation", "--seeds", "10", "--times", "1:100:5")
DESCENT = ("curve", "multiscale", "--dynamics", "descent", *SIMULATED)
LANGEVIN = ("curve", "multiscale", "--dynamics", "langevin", *SIMULATED)
EVERYTHING = "import jax, matplotlib.pyplot, numpy, scipy.integrate, scipy.optimize, xarray"


def command(arguments: Sequence[str], first: str = "", **environment: str) -> None:
    """Run one command line in a process of its own, after the imports in `first`."""
    code = f"{first}\nimport sys\nfrom teacherstudent.cli.command import main\nsys.exit(main(sys.argv[1:]))"
    subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    )


def started(arguments: Sequence[str], first: str, quick: bool) -> Job:
    """One run of that command, after a run that fills the disk cache."""

    def work() -> Iterable[float]:
        command(arguments, first)
        return [1.0]

    return Job(work)


def trained(arguments: Sequence[str], again: bool, quick: bool) -> Job:
    """A first simulated curve on this machine, or the next one."""
    folder = tempfile.TemporaryDirectory()
    chosen = {"JAX_ENABLE_COMPILATION_CACHE": "true", "XDG_CACHE_HOME": folder.name}
    if again:
        command(arguments, **chosen)

    def work() -> Iterable[float]:
        if not again:
            folder.cleanup()
        command(arguments, **chosen)
        return [1.0]

    return Job(work)


def _at_the_top(id: str, title: str, arguments: Sequence[str]) -> Pair:
    return Pair(
        id,
        title,
        Side("imports where they are needed", partial(started, arguments, "")),
        Side("every library imported at the top", partial(started, arguments, EVERYTHING)),
        within=0.0,
        why="starting gives no numbers to compare",
    )


def _compiled(id: str, title: str, arguments: Sequence[str]) -> Pair:
    return Pair(
        id,
        title,
        Side("compiled programs that were kept from an earlier start", partial(trained, arguments, True)),
        Side("the first start on a machine, which compiles them", partial(trained, arguments, False)),
        within=0.0,
        why="starting gives no numbers to compare",
    )


BENCHMARKS = (
    _at_the_top("start-help", "teacherstudent --help, from a cold start", HELP),
    _at_the_top("start-theory", "a theory curve, from a cold start", THEORY),
    _compiled("start-descent", "a simulated curve of gradient descent, from a cold start", DESCENT),
    _compiled("start-langevin", "a simulated curve of Langevin descent, from a cold start", LANGEVIN),
)
