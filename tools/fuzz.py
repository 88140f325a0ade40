"""Many odd lines, calls and files: `python -m tools.fuzz --lines 10000 --calls 3000 --files 10000`.

They run in a process of their own, which is ended where one of them takes longer than the limit. Prints what
did not keep to the rules (`tests/fuzzing.py`) and what took long; the status is 1 where there is any.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

SLOW = 10.0
"""CPU-seconds that one line or call may take."""

NOTHING = "(nothing begun)"

MEMORY = 16 * 2**30
"""Bytes of address space of the process."""


def drawn(kind: str, seed: int) -> tuple[Iterator[Any], Callable[[Any], str]]:
    """The lines, calls or files of that seed, and what tells what is wrong with one."""
    from tests.fuzzing import Lines, objection
    from tests.fuzzing_calls import Calls, refusal_of
    from tests.fuzzing_files import Files, complaint

    match kind:
        case "lines":
            return iter(Lines(seed)), objection
        case "calls":
            return iter(Calls(seed)), refusal_of
    return iter(Files(seed)), complaint


def work(kind: str, seed: int, first: int, count: int, pipe: Connection) -> None:
    """Run them from the first on, saying each before it begins and what came of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        os.chdir(folder)
        items, judge = drawn(kind, seed)
        for number, item in itertools.islice(enumerate(items), first, count):
            pipe.send((number, str(item)))
            begun = time.process_time()
            pipe.send((judge(item), time.process_time() - begun))
    pipe.send(None)


def faults(kind: str, seed: int, count: int, limit: float) -> Iterator[str]:
    """A line for each that did not keep to the rules."""
    first = 0
    spawned = multiprocessing.get_context("spawn")
    while first < count:
        ours, theirs = spawned.Pipe()
        process = spawned.Process(target=work, args=(kind, seed, first, count, theirs))
        process.start()
        theirs.close()
        number, item, first = first, NOTHING, first + 1
        while True:
            try:
                if not ours.poll(limit):
                    yield f"{kind} {number}: no end after {limit:g} s: {item}"
                    break
                if (begun := ours.recv()) is None:
                    first = count
                    break
                (number, item), first = begun, begun[0] + 1
                if not ours.poll(limit):
                    yield f"{kind} {number}: no end after {limit:g} s: {item}"
                    break
                wrong, seconds = ours.recv()
            except EOFError:
                yield f"{kind} {number}: the process died: {item}"
                if item == NOTHING:
                    return
                break
            if wrong:
                yield f"{kind} {number}: {wrong.strip()}: {item}"
            if seconds > SLOW:
                yield f"{kind} {number}: {seconds:.0f} CPU-seconds: {item}"
        process.kill()
        process.join()


def main() -> int:
    """Run what the command line asks for; 1 if anything did not keep to the rules."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=3_000)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds on the clock for each")
    asked = parser.parse_args()
    total = 0
    for kind, count in (("lines", asked.lines), ("calls", asked.calls), ("files", asked.files)):
        begun = time.monotonic()
        for line in faults(kind, asked.seed, count, asked.limit):
            total += 1
            print(line, flush=True)
        print(f"{count} {kind} in {time.monotonic() - begun:.0f} s", flush=True)
    print(f"{total} faults")
    return 1 if total else 0


if __name__ == "__main__":
    raise SystemExit(main())
