"""Pieces of work on other processes of this machine, which are reached through pipes alone.

A pipe between parent and child has no name and no port, so nobody else can send work to a process. A
process that dies is replaced, and its piece of work is given to another. A process that keeps
much memory of its work is replaced, too.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pickle
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

from teacherstudent.house.errors import InputError, OutsideError
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.machine import LONG_LIVED, WORKERS, memory_held
from teacherstudent.house.outside import VARIABLE, fault_outside, named_systems
from teacherstudent.house.signals import heeding_signal

T = TypeVar("T")
Job = Callable[[], T]
"""A piece of work. It and its result must be picklable."""

SURVIVED = 3
"""Deaths in turn over one piece of work after which it is given up."""

UNBORN = -1
"""Place under which the deaths of processes that had not started are counted."""

MOST = LONG_LIVED / 1.5
"""Bytes that a process may keep of its pieces of work: JAX keeps what it compiles."""

REPLACED = 80
"""Exit status of a process that kept more."""

LEAVING = 1.0
"""Seconds that processes may take to end when they are told to."""

SPAWN = multiprocessing.get_context("spawn")  # not forked: JAX's threads do not survive a fork

CALM = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Settings of the processes, unless the user has others: they keep the cores busy among themselves."""


class ProcessesDied(Exception):
    """Several processes died in turn over the same piece of work."""


class ProcessesDidNotStart(Exception):
    """Processes died before they could take any work."""


@dataclass
class _Helper(Generic[T]):
    """A process, this end of its pipe, and the piece of work that it has, with its place."""

    process: SpawnProcess
    pipe: Connection
    ready: bool = False
    place: int = -1
    job: Job[T] | None = None


@dataclass
class WorkerProcesses:
    """Up to `size` processes of this machine, started when there is work for them (`worker_processes`)."""

    size: int
    helpers: list[_Helper[Any]] = field(default_factory=list)

    def answers(self, jobs: Iterable[Job[T]]) -> Generator[tuple[int, T]]:
        """What each job gives, with its place in the order of the jobs, as they are finished.

        The next job is taken when a process has nothing to do, so that a generator may decide late.
        Raises what a job raises, `ProcessesDied` and `ProcessesDidNotStart`.
        """
        fresh = enumerate(jobs)
        again: deque[tuple[int, Job[T]]] = deque()
        deaths: dict[int, int] = {}
        try:
            while True:
                self._hand_out(itertools.chain(_drained(again), fresh))
                busy = {helper.pipe: helper for helper in self.helpers if helper.job is not None}
                if not busy:
                    return
                for pipe in wait(list(busy)):
                    helper = busy[pipe]  # type: ignore[index]
                    try:
                        said = helper.pipe.recv_bytes()
                    except (EOFError, OSError):  # it died
                        again.append(self._bury(helper, deaths))
                        continue
                    if not said:  # it has started
                        helper.ready = True
                        deaths.pop(UNBORN, None)
                        continue
                    helper.job = None
                    went_well, result = pickle.loads(said)
                    if not went_well:
                        raise result
                    yield helper.place, result
        finally:
            if any(helper.job is not None for helper in self.helpers):
                self.dismiss()  # what they would still answer, nobody waits for

    def _hand_out(self, jobs: Iterator[tuple[int, Job[T]]]) -> None:
        """Give every process that has nothing to do a job, and start those that are missing."""
        idle = [helper for helper in self.helpers if helper.job is None]
        while idle or len(self.helpers) < self.size:
            place, job = next(jobs, (-1, None))
            if job is None:
                return
            helper = idle.pop() if idle else self._started()
            helper.place, helper.job = place, job
            with suppress(ConnectionError):  # it died meanwhile: its pipe will say so
                helper.pipe.send(job)

    def _bury(self, helper: _Helper[Any], deaths: dict[int, int]) -> tuple[int, Job[Any]]:
        """Forget a dead process: the piece of work that it leaves. Raises where too many died of the same."""
        self.helpers.remove(helper)
        helper.pipe.close()
        helper.process.join()
        assert helper.job
        over = helper.place if helper.ready else UNBORN
        deaths[over] = deaths.get(over, 0) + (helper.process.exitcode != REPLACED)
        if deaths[over] > SURVIVED:
            raise ProcessesDied if helper.ready else ProcessesDidNotStart
        return helper.place, helper.job

    def _started(self) -> _Helper[Any]:
        here, there = SPAWN.Pipe()
        process = SPAWN.Process(target=_serve, args=(there,), daemon=True)
        with _calm(self.size):
            process.start()
        there.close()  # so that the death of the process closes the pipe
        helper: _Helper[Any] = _Helper(process, here)
        self.helpers.append(helper)
        return helper

    def dismiss(self) -> None:
        """End all processes, also in the midst of work."""
        for helper in self.helpers:
            helper.process.terminate()
        deadline = time.monotonic() + LEAVING
        for helper in self.helpers:
            helper.process.join(max(0.0, deadline - time.monotonic()))
            helper.process.kill()
            helper.process.join()
            helper.pipe.close()
        self.helpers.clear()


@contextmanager
def worker_processes(size: int) -> Iterator[WorkerProcesses]:
    """Up to `size` processes, which end with the block. Raises `InputError` where this one may start none."""
    if multiprocessing.current_process().daemon:
        cure = "1: this is a daemonic process, as in multiprocessing.Pool, which may start no processes"
        raise InputError("workers", size, cure)
    gathered = WorkerProcesses(size)
    try:
        yield gathered
    finally:
        gathered.dismiss()


def _drained(again: deque[tuple[int, Job[T]]]) -> Iterator[tuple[int, Job[T]]]:
    while again:
        yield again.popleft()


@contextmanager
def _calm(size: int) -> Iterator[None]:
    """The environment that one of so many processes is to start with."""
    systems = {VARIABLE: os.pathsep.join(str(each.folder) for each in named_systems())}
    before = {name: os.environ.get(name) for name in (*CALM, WORKERS, VARIABLE)}
    given = {name: value for name, value in before.items() if value}
    os.environ.update({**CALM, **given, WORKERS: str(size), **systems})
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _serve(pipe: Connection) -> None:
    """Answer jobs until the other end of the pipe is closed; told to end, tidy up first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all: the parent handles it
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with heeding_signal(signal.SIGTERM), suppress(EOFError, ConnectionError):
            pipe.send_bytes(b"")  # started
            before = memory_held()
            while True:
                pipe.send_bytes(_outcome(pipe.recv_bytes()))
                if memory_held() > before + MOST:
                    os._exit(REPLACED)
    except KeyboardInterrupt:
        os._exit(0)  # at once: nobody waits for what threads still compute


def _outcome(job: bytes) -> bytes:
    """Whether the job went well, and its result or what it raised, as bytes."""
    try:
        return pickle.dumps((True, pickle.loads(job)()))
    except Exception as error:
        told = "".join(traceback.format_exception(error))
        if not isinstance(error, InputError | MissingExtra | MemoryError) and (said := fault_outside(error)):
            error = OutsideError(said)  # here, where the line is known: it does not travel
        error.add_note(f"In another process:\n{told}")
        try:
            sent = pickle.dumps((False, error))
            pickle.loads(sent)  # an exception may pickle and yet not come back
        except Exception:
            return pickle.dumps((False, RuntimeError(told)))
        return sent
