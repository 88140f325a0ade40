"""A copy of the repository in a folder of its own, and a pytest run in it. The checkout is never changed."""

from __future__ import annotations

import compileall
import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, TypeVar

from tools.mutants.inside import PLAN

Item = TypeVar("Item")
Answer = TypeVar("Answer")

LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "out", "build", "__pycache__", ".*_cache", ".hypothesis")


def copied(root: Path, folder: Path) -> Path:
    """Copy the repository `root` to the new `folder`; there, as in any clone, the rooms are one package."""
    shutil.copytree(root, folder, ignore=LEFT_OUT, symlinks=True)
    compileall.compile_dir(str(folder), quiet=2)
    return folder


def rewrite(file: Path, text: str) -> None:
    """Give a file of a copy another text, and drop what was compiled from the old one."""
    file.write_text(text, encoding="utf-8")
    Path(cache_from_source(str(file))).unlink(missing_ok=True)


def run_tests(copy: Path, files: list[str], plan: dict[str, Any], scratch: Path, limit: float) -> int:
    """Run test files of a copy under a plan (see `inside`); returns pytest's exit status.

    limit: seconds of real time. A run that outlasts it is ended, with the status -9.
    """
    described = scratch / "plan.json"
    described.write_text(json.dumps(plan), encoding="utf-8")
    environment = {
        **os.environ,
        PLAN: str(described),
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",  # a file changes within a second, which compiled files do not notice
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "pytest", "-p", "tools.mutants.inside", "-p", "no:cacheprovider"]
    with (scratch / "output.txt").open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [*command, "-q", "--tb=line", *files], cwd=copy, env=environment, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return -9
        finally:
            end_all(process)


def end_all(process: subprocess.Popen[bytes]) -> None:
    """End a run with all the processes that its tests began."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def side_by_side(
    work: Callable[[Item, Path], Answer], items: Iterable[Item], copies: list[Path]
) -> Iterator[Answer]:
    """What `work` gives for each item in a copy that nothing else uses meanwhile, as each is done."""
    free: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for copy in copies:
        free.put(copy)

    def one(item: Item) -> Answer:
        copy = free.get()
        try:
            return work(item, copy)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        for done in as_completed([pool.submit(one, item) for item in items]):
            yield done.result()
