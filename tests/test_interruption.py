"""Ctrl-C is answered, whatever is running: it is never lost, nothing half-written stays, one line says so."""

from __future__ import annotations

import ast
import gc
import signal
import subprocess
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest

from teacherstudent.cli.commands.sweep import EARLY, LOST, STORED
from teacherstudent.cli.interruption import PRINTED
from teacherstudent.house import catalogue
from teacherstudent.house.interruptible import in_threads, run_interruptibly
from teacherstudent.house.signals import heeding_signal
from tests.interrupt_victim import LARGE, LONG
from tests.support import HANGS, python, say
from tools.nested import ROOT, rooms

VICTIM = ROOT / "tests" / "interrupt_victim.py"
SWEPT = ("sweep", "toy", "--dynamics", "path", "--route", "interrupted", "--strength", "1:2:2:lin")


def interrupt() -> None:
    """Ctrl-C for this process."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


# Simulations ----------------------------------------------------------------------------------------


def signalled(number: int, folder: Path, *problems: str) -> subprocess.CompletedProcess[str]:
    """What became of a long simulation of each problem that was sent that signal."""
    return python(VICTIM, folder, int(number), *problems)


def test_every_system_that_is_simulated_has_a_long_simulation_to_interrupt() -> None:
    assert set(LONG) == {route.problem for route in catalogue.routes() if ".sims." in route.entry}


@pytest.mark.parametrize(
    "problems",
    [
        pytest.param(sorted(LONG)[:1], id="one system"),
        pytest.param(sorted(LONG), id="every system", marks=pytest.mark.thorough),
    ],
)
def test_a_long_simulation_answers_one_ctrl_c_and_leaves_no_file(tmp_path: Path, problems: list[str]) -> None:
    done = signalled(signal.SIGINT, tmp_path, *problems)
    assert done.stdout.splitlines() == [f"{problem} 130" for problem in problems], done.stderr
    assert done.stderr == "interrupted: nothing was written\n" * len(problems)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "route",
    [
        pytest.param(each, marks=() if each == "residual-digits/kernel" else pytest.mark.thorough)
        for each in LARGE
    ],
)
def test_a_theory_of_arrays_of_some_thousand_answers_too(tmp_path: Path, route: str) -> None:
    done = signalled(signal.SIGINT, tmp_path, route)
    assert done.stdout == f"{route} 130\n", done.stderr
    assert done.stderr.endswith("interrupted: nothing was written\n")
    assert list(tmp_path.iterdir()) == []


LOCKED = {  # what holds Python's lock in SciPy, however large its matrices are, and how large they are here
    "theory/starvation/roots.py": {"qr": "lets go of it", "solve_triangular": "128 columns at a time"},
    "theory/linear_network/riccati.py": {"qr": "lets go of it"},
    "theory/flexible_activations/pencil.py": {"eig": "10 x 10"},
    "theory/committee/plateau.py": {"eigvals": "4 x 4"},
    "theory/spectral/compression.py": {"eigh_tridiagonal": "a few nodes"},
    "paper_checks/measured_spectrum/pools.py": {"hadamard": "no decomposition"},
    "paper_checks/linear_network/butterflies.py": {"hadamard": "no decomposition"},
}


def test_no_decomposition_of_scipy_holds_the_lock_for_long() -> None:
    """The main thread could not hear of signals meanwhile. NumPy's decompositions let other threads run."""
    found: dict[str, set[str]] = {}
    for path in (path for room in rooms() for path in (ROOT / room).rglob("*.py")):
        if "scipy" not in (text := path.read_text(encoding="utf-8")) or "linalg" not in text:
            continue
        nodes = list(ast.walk(ast.parse(text)))
        imported = [
            (f"{node.module}.{alias.name}", alias.asname or alias.name)
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        ]
        called = {name for full, name in imported if full == "scipy.linalg"} | {"scipy.linalg"}
        used = {full.rpartition(".")[2] for full, _ in imported if full.startswith("scipy.linalg.")}
        attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
        used |= {node.attr for node in attributes if ast.unparse(node.value) in called}
        if used:
            found[str(path.relative_to(ROOT))] = used
    assert found == {name: set(why) for name, why in LOCKED.items()}


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.thorough)])
def test_other_signals_end_it_too_with_a_status_of_their_own(tmp_path: Path, number: signal.Signals) -> None:
    done = signalled(number, tmp_path, "multiscale")
    assert (done.stdout, done.stderr) == (f"multiscale {128 + number}\n", "")
    assert list(tmp_path.iterdir()) == []


UNFINISHED = """
import signal, sys, threading, time
from teacherstudent.house.interruptible import run_interruptibly
file = open(sys.argv[1], "w")
threading.Timer(0.2, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
try:
    run_interruptibly(lambda: time.sleep(60))
except KeyboardInterrupt:
    file.write("what the script goes on to say")
"""


def test_what_a_script_writes_after_an_interruption_is_kept(tmp_path: Path) -> None:
    python("-c", UNFINISHED, tmp_path / "log.txt")
    assert (tmp_path / "log.txt").read_text(encoding="utf-8") == "what the script goes on to say"


def test_every_compiled_function_of_the_simulations_is_one_that_ctrl_c_interrupts() -> None:
    """Only `sims.compilation` names `jax.jit`: all else uses its `compiled`."""
    found = {
        file.name
        for file in (ROOT / "sims").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if "jit" in (getattr(node, "attr", ""), getattr(node, "name", ""))
    }
    assert found == {"compilation.py"}


# Waiting --------------------------------------------------------------------------------------------


def test_work_is_done_and_its_error_raised() -> None:
    assert run_interruptibly(lambda: 3) == 3
    assert in_threads([partial(pow, 2, i) for i in range(5)], 2) == [1, 2, 4, 8, 16]
    with pytest.raises(ZeroDivisionError):
        run_interruptibly(lambda: 1 // 0)


def test_away_from_the_main_thread_work_needs_no_other_thread() -> None:
    def where() -> list[int]:
        return [threading.get_ident(), run_interruptibly(threading.get_ident)]

    (found,) = in_threads([where], 1)
    assert found[0] == found[1] != threading.get_ident()


def test_ctrl_c_ends_the_wait_and_begins_no_more_work() -> None:
    begun: list[int] = []
    go_on = threading.Event()

    def work(i: int) -> None:
        begun.append(i)
        interrupt()
        go_on.wait()

    with pytest.raises(KeyboardInterrupt):
        in_threads([partial(work, i) for i in range(3)], 1)
    go_on.set()
    assert begun == [0]


def test_a_process_does_not_wait_for_work_that_was_abandoned() -> None:
    code = """
import signal, threading, time
from teacherstudent.house.interruptible import run_interruptibly
def work():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    time.sleep(3600)
try:
    run_interruptibly(work)
except KeyboardInterrupt:
    print("left")
"""
    done = python("-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "left\n", "")


def test_ctrl_c_is_not_lost_in_a_callback_of_the_garbage_collector() -> None:
    def callback(phase: str, _: Any) -> None:
        if phase == "stop":
            gc.callbacks.remove(callback)
            interrupt()

    def collect() -> None:
        gc.callbacks.append(callback)
        gc.collect()
        threading.Event().wait(60)

    with heeding_signal(signal.SIGINT), pytest.raises(KeyboardInterrupt):
        collect()


def endless(begun: threading.Event) -> Callable[[], None]:
    """Work in Python that never ends, as if a module of this package did it."""
    module: dict[str, Any] = {"__name__": "teacherstudent.theory.endless", "begun": begun}
    exec("def work():\n while True:\n  begun.set()", module)
    return module["work"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("nested", [False, True])
def test_abandoned_work_in_python_ends_soon(nested: bool) -> None:
    begun, threads = threading.Event(), set(threading.enumerate())
    work = endless(begun)

    def interrupting() -> None:
        begun.wait()
        interrupt()

    threading.Thread(target=interrupting).start()
    with pytest.raises(KeyboardInterrupt):
        run_interruptibly((lambda: in_threads([work], 1)) if nested else work)
    for thread in set(threading.enumerate()) - threads:
        thread.join(HANGS)
        assert not thread.is_alive()


IMPORTING = """
import signal, sys, threading

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.argv[1] = ""
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

import teacherstudent as ts
sys.meta_path.insert(0, Interrupting())
signal.signal(signal.SIGINT, signal.default_int_handler)
asked = {"dynamics": "descent", "route": "simulation", "times": [1], "n": 9, "d": 8, "p": 4, "seeds": 2}
try:
    ts.curve("multiscale", **asked)
except KeyboardInterrupt:
    print(ts.curve("multiscale", **asked).sizes["time"])
"""


@pytest.mark.parametrize(
    "library",
    [
        "pandas.core",
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ("numpy.linalg", "jax.numpy")),
    ],
)
def test_a_call_interrupted_while_a_library_is_imported_can_be_made_again(library: str) -> None:
    done = python("-c", IMPORTING, library)
    assert done.stdout == "1\n", done.stderr


def test_routes_counts_and_checks_are_computed_away_from_the_main_thread(toy: Callable[..., None]) -> None:
    where: list[threading.Thread] = []

    def route(toy: Any, times: Any) -> Any:
        where.append(threading.current_thread())
        return {"growth": toy.strength * times}

    toy("where", route)
    assert say("curve", "toy", "--strength", "1", "--dynamics", "path", "--route", "where").status == 0
    assert where
    assert threading.main_thread() not in where


# Commands -------------------------------------------------------------------------------------------


KEPT = STORED.format(store="answer.nc.cells")


@pytest.mark.parametrize(("out", "line"), [((), LOST), (("--out", "answer.nc"), KEPT)])
def test_a_sweep_says_what_is_stored(toy: Callable[..., None], here: Path, out: Any, line: str) -> None:
    def second_is_interrupted(toy: Any, times: Any) -> Any:
        if toy.strength == 2:
            raise KeyboardInterrupt
        return {"growth": toy.strength * times}

    toy("interrupted", second_is_interrupted)
    assert say(*SWEPT, *out) == (130, "", f"interrupted: {line}\n")
    assert "--resume" in line
    assert [path.name for path in here.iterdir()] == ([f"{out[1]}.cells"] if out else [])


def test_a_sweep_that_stored_nothing_does_not_say_that_it_did(
    toy: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def early(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("teacherstudent.cli.commands.sweep.sweep", early)
    toy("interrupted", early)
    assert say(*SWEPT, "--out", tmp_path / "answer.nc") == (130, "", f"interrupted: {EARLY}\n")


@pytest.mark.parametrize("command", ["sweep", "curve"])
def test_a_table_whose_printing_is_interrupted_is_not_said_to_be_missing(
    toy: Callable[..., None], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def echo(text: str, *more: Any, **named: Any) -> None:
        really_echo(text, *more, **named)
        if not named.get("err"):
            raise KeyboardInterrupt

    toy("interrupted", lambda toy, times: {"growth": toy.strength * times})
    really_echo = click.echo
    monkeypatch.setattr(click, "echo", echo)
    status, printed, said = say(command, *SWEPT[1:-1], "1:2:2:lin" if command == "sweep" else "1")
    assert (status, said) == (130, f"interrupted: {PRINTED}\n")
    assert printed.startswith("strength," if command == "sweep" else "time,")


def test_an_interrupted_figure_says_where_finished_ones_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("teacherstudent.cli.commands.figure.picture_files", interrupted)
    said = say("figure", "ch4-fig1", "--out", tmp_path)
    assert said == (130, "", f"interrupted: the finished figures are in {tmp_path}\n")


def test_ctrl_c_ends_worker_processes_too_and_they_leave_no_unfinished_file(tmp_path: Path) -> None:
    done = python("-c", "import sys, tests.worker_victim as v; v.two_workers(sys.argv[1])", tmp_path)
    assert done.returncode != 0
    assert done.stderr.endswith("KeyboardInterrupt\n")
    assert {path.suffix for path in tmp_path.iterdir()} == {".begun"}
