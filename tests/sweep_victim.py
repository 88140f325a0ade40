"""A process that starts sweeps, each in a fork of its own, and kills them when it is told to.

Reads seconds of patience and the output's path, a line each time; answers with the exit status
and the seconds that it took.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import teacherstudent

ASKED: dict[str, Any] = {
    "problem": "multiscale",
    "dynamics": "ridge",
    "route": "asymptotic",
    "times": "1:1e4:4",
    "kappa": "1:100:14",
    "alpha": "0.5:3:14",
    "at_once": 4,
}


def serve() -> None:
    """One sweep a line of standard input; what they import is imported before."""
    with TemporaryDirectory() as folder:
        teacherstudent.sweep(**ASKED, out=Path(folder) / "warm.nc")
    for line in sys.stdin:
        patience, out = line.rstrip("\n").split(" ", 1)
        child, begun = os.fork(), time.perf_counter()
        if child == 0:
            teacherstudent.sweep(**ASKED, out=Path(out), resume=True)
            os._exit(0)
        if patience != "inf":
            time.sleep(float(patience))
            os.kill(child, signal.SIGKILL)  # not waited for yet: it cannot be another process
        status = os.waitpid(child, 0)[1]
        print(status, time.perf_counter() - begun, flush=True)


if __name__ == "__main__":
    serve()
