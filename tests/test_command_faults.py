"""How a command line ends when something else fails: streams, signals, devices, and our own code."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from teacherstudent.cli import faults
from tests.support import Said, python, refusal, say
from tools.nested import ROOT

TOY_PATH = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--route")
ASKED = "curve multiscale --dynamics flow --route asymptotic --times 1:10:2 --n 5 --d 4 --p 2"


def in_a_shell(folder: Path, redirected: str, more: str = "") -> Said:
    """One question asked in a process of its own, its streams as the shell leaves them."""
    line = f'exec "$0" -m teacherstudent {ASKED} {more} {redirected}'
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        ["sh", "-c", line, sys.executable],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": ""},  # as users have it
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("redirected", ["<&- >&- 2>&-", ">/dev/null 2>/dev/full"])
def test_a_file_is_written_whatever_streams_are_closed(tmp_path: Path, redirected: str) -> None:
    said = in_a_shell(tmp_path, redirected, "--out answer.csv")
    assert said == (0, "", "")
    assert (tmp_path / "answer.csv").read_text(encoding="utf-8").startswith("time,R,")


def test_an_answer_for_a_closed_output_is_missed_in_one_line(tmp_path: Path) -> None:
    assert in_a_shell(tmp_path, ">&-") == (2, "", "error: standard output: must be open\n")


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_the_process_leaves_no_file(
    toy: Any, tmp_path: Path, ending: signal.Signals
) -> None:
    def ended(toy: Any, times: Any) -> Any:
        assert len(list(tmp_path.iterdir())) == 1  # what is being written
        os.kill(os.getpid(), ending)

    toy("ended", ended)
    before = signal.getsignal(ending)
    assert say(*TOY_PATH, "ended", "--out", tmp_path / "answer.csv") == (128 + ending, "", "")
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(ending) == before


def test_a_signal_that_the_caller_ignores_stays_ignored(toy: Any) -> None:
    def hung_up(toy: Any, times: Any) -> Any:
        os.kill(os.getpid(), signal.SIGHUP)
        return {"growth": times}

    toy("hung-up", hung_up)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert say(*TOY_PATH, "hung-up").status == 0
    finally:
        signal.signal(signal.SIGHUP, before)


OURS = [
    KeyError("lost"),
    AssertionError(),
    RecursionError("deep"),
    OSError(5, "Input/output error"),
    TypeError("\n"),
]


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Said:
    """A command line that meets an error of ours."""

    def broken(kind: object) -> None:
        raise error

    monkeypatch.setattr("teacherstudent.cli.commands.list.listing", broken)
    return say("list", "routes")


@pytest.mark.parametrize("error", OURS, ids=lambda error: type(error).__name__)
def test_a_fault_of_ours_has_a_status_and_a_line_of_its_own_that_says_where_the_traceback_lies(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    said = failing(monkeypatch, error)
    assert (said.status, said.out) == (70, "")
    line = rf"error: a defect of this program \({type(error).__name__}: .*\); traceback in (.+)\n"
    (kept,) = re.fullmatch(line, said.err).groups()
    text = Path(kept).read_text(encoding="utf-8")
    assert text.startswith("Traceback")
    assert "in broken" in text


def test_where_nothing_can_be_written_the_line_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a-file").touch()
    monkeypatch.setattr(faults, "_folders", lambda: iter([tmp_path / "a-file" / "log"]))
    said = failing(monkeypatch, KeyError("lost"))
    assert (said.status, said.err.count("\n")) == (70, 1)
    assert said.err.endswith("; the traceback could not be written to any folder\n")


def test_a_kind_of_processor_that_is_not_there_is_refused_in_one_line() -> None:
    """In a process of its own: JAX looks for processors once."""
    asked = "curve multiscale --dynamics ridge --route simulation --times 1:10:2 --n 5 --d 4 --p 2 --seeds 2"
    done = python("-m", "teacherstudent", *asked.split(), JAX_PLATFORMS="abacus")
    line = refusal(Said(done.returncode, done.stdout, done.stderr))
    assert line.startswith("JAX_PLATFORMS abacus: must be unset, or ")


def test_a_backend_that_is_none_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    with pytest.raises(ValueError, match=r"^Key backend: ") as refused:  # as at its first import
        matplotlib.rcParams["backend"] = "nonsense"
    monkeypatch.setenv("MPLBACKEND", "nonsense")
    line = refusal(failing(monkeypatch, refused.value))
    assert line == "MPLBACKEND nonsense: must be a backend of matplotlib, or not set"
