"""Waiting so that Ctrl-C is answered: Python hears of a signal only between two of its own instructions.

A compiled loop or a large decomposition is one instruction, however long it runs. So the answers of routes,
the evidence of checks and the numbers of figures are computed in a thread of their own while the main thread
waits, which a signal ends at once. What was begun is abandoned: it ends at an instruction of Python soon, or
with the process, which does not wait for it. Only what holds Python's lock for long would keep the main
thread from hearing: most decompositions of `scipy.linalg` do, those of NumPy do not.
"""

from __future__ import annotations

import _thread
import atexit
import ctypes
import gc
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, ExitStack, suppress
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")

INTERRUPTED = 130
"""Exit status of a process that leaves abandoned work behind, as a shell reports Ctrl-C."""

FAREWELL = 0.1
"""Seconds that a thread which has just ended needs at most to take down what libraries keep for it."""

POLL = 0.5
"""Seconds after which abandoned work is ended, and a thread that waits for others looks at signals again."""

APART = """import pickle, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
sys.path[:] = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(pickle.load(sys.stdin.buffer)()))"""


def run_interruptibly(work: Callable[[], T]) -> T:
    """What `work` gives or raises; `KeyboardInterrupt` ends the wait at once, and the work when it can be.

    Only the main thread hears of signals: in any other the work is simply done.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    (answer,) = in_threads([work], 1)
    return answer


def in_threads(pieces: Sequence[Callable[[], T]], threads: int) -> list[T]:
    """What each piece of work gives, in order, by at most that many threads at a time; or its error."""
    answers: list[Future[T]] = [Future() for _ in pieces]
    places = iter(range(len(pieces)))

    def run(settings: Sequence[AbstractContextManager[object]]) -> None:
        with ExitStack() as stack:
            for each in settings:
                stack.enter_context(each)
            for i in places:  # shared: each place goes to one thread
                try:
                    answers[i].set_result(pieces[i]())
                except BaseException as error:
                    answers[i].set_exception(error)

    # Daemons, unlike the threads of an executor: those are waited for when the process ends.
    started = [
        threading.Thread(target=copy_context().run, args=(run, _settings()), daemon=True)
        for _ in range(min(threads, len(pieces)))
    ]
    try:
        for thread in started:
            thread.start()
        while wait(answers, POLL).not_done:  # again: a signal that comes just before a wait does not end it
            pass
    except BaseException:  # Ctrl-C, or what another handler of signals raises
        for i in places:  # nothing more is begun
            answers[i].cancel()
        if any(thread.ident for thread in started):
            _thread.start_new_thread(_stop, (started,))
        atexit.register(_leave, started)
        raise
    return [answer.result() for answer in answers]


def _settings() -> list[AbstractContextManager[object]]:
    """What the caller has set of JAX for its own thread: nothing before JAX is imported as a whole."""
    jax: Any = sys.modules.get("jax")
    try:
        return [jax.default_device(jax.config.jax_default_device)]
    except AttributeError:
        return []


def run_in_new_process(work: Callable[[], T]) -> T:
    """What picklable `work` gives, by a new process: for work of minutes that holds Python's lock."""
    import pickle
    import subprocess

    command, told = [sys.executable, "-c", APART], pickle.dumps(sys.path) + pickle.dumps(work)
    done = subprocess.run(command, input=told, stdout=subprocess.PIPE, check=True)
    answer: T = pickle.loads(done.stdout)
    return answer


def _stop(abandoned: Sequence[threading.Thread]) -> None:
    """End these threads, silently, each where it is in code of this package: a library may not expect it."""
    while alive := [thread for thread in abandoned if thread.is_alive()]:
        time.sleep(POLL)  # a command has ended by then
        frames = sys._current_frames()
        for thread in alive:
            name = frames[thread.ident].f_globals.get("__name__", "") if thread.ident in frames else ""
            # One that has ended meanwhile may have left its identifier to another thread.
            if thread.is_alive() and name.startswith(("teacherstudent", threading.__name__)):
                ident, error = ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error)


def _leave(abandoned: Sequence[threading.Thread]) -> None:
    """End the process now if one of these threads still runs: compiled code does not survive Python's end.

    What a script has written and not closed is flushed first; what it registered for its exit earlier than
    the interruption is not called.
    """
    time.sleep(FAREWELL)
    if any(thread.is_alive() for thread in abandoned):
        for each in gc.get_objects():
            if isinstance(each, io.IOBase):
                with suppress(OSError, ValueError):  # closed, or its reader is gone
                    each.flush()
        os._exit(INTERRUPTED)
