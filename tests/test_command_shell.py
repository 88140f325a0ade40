"""What the shell around us may rely on: completion, interruption, a reader that leaves."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from teacherstudent.api import progress as progress_module
from teacherstudent.api.progress import counting, progress
from teacherstudent.cli.command import COMPLETION
from tests.support import python, say
from tools.nested import ROOT


def completions(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """What fish would offer for the last of these words."""
    with monkeypatch.context() as patch:
        patch.setenv(COMPLETION, "fish_complete")
        patch.setenv("COMP_WORDS", " ".join(["teacherstudent", *words[:-1]]))
        patch.setenv("COMP_CWORD", words[-1])
        offered = say(*words).out
    return [line.split(",")[1].split("\t")[0] for line in offered.splitlines() if "," in line]


@pytest.mark.usefixtures("toy")
def test_the_shell_completes_commands_problems_options_words_and_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions(monkeypatch, "cu") == ["curve"]
    assert completions(monkeypatch, "curve", "to") == ["toy"]
    assert completions(monkeypatch, "curve", "toy", "--str") == ["--strength"]
    assert completions(monkeypatch, "curve", "toy", "--dynamics", "") == ["steps", "path"]
    assert completions(monkeypatch, "curve", "toy", "--dynamics", "path", "--route", "") == [
        "grown",
        "modes",
        "drawn",
    ]
    assert completions(monkeypatch, "list", "pro") == ["problems"]
    assert "all" in completions(monkeypatch, "check", "")
    assert "all" in completions(monkeypatch, "figure", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_that_asks_us(shell: str) -> None:
    said = say("completion", shell)
    assert (said.status, said.err) == (0, "")
    assert f"{COMPLETION}={shell}_complete" in said.out
    assert "teacherstudent" in said.out


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = [sys.executable, "-m", "teacherstudent", "list", "routes"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_output_without_room_is_refused_in_one_line() -> None:
    command = [sys.executable, "-m", "teacherstudent", "list", "routes", "--json"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        said = subprocess.run(
            command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False
        )
    assert (said.returncode, said.stderr) == (
        2,
        "error: standard output: must be on a device with free space\n",
    )


class Terminal:
    """A standard error that claims to be a terminal and keeps what it is told."""

    def __init__(self) -> None:
        self.said = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.said += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize(("patience", "shown"), [(0.0, True), (60.0, False)])
def test_a_bar_appears_on_a_terminal_only_after_a_while(
    monkeypatch: pytest.MonkeyPatch, patience: float, shown: bool
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_module, "PATIENCE", patience)
    printed = io.StringIO()
    monkeypatch.setattr(sys, "stdout", printed)
    with progress("check", total=2) as announce:
        announce("first")
        announce("second")
        if shown:
            wait_until(lambda: "second" in terminal.said)
        print("an answer")
    assert printed.getvalue() == "an answer\n"
    assert ("check second" in terminal.said) == shown
    assert ("1/2" in terminal.said) == shown


def test_a_bar_counts_what_is_done_of_what_was_found_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_module, "PATIENCE", 0.0)
    with counting("sweep") as announce:
        announce(0, 40)
        announce(7, 40)
        wait_until(lambda: "7/40" in terminal.said)
    assert "7/40" in terminal.said


def wait_until(happened: Any) -> None:
    import time

    deadline = time.monotonic() + 120  # a hang ends; how fast it is, nobody asks
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.01)


def test_a_pipe_sees_no_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress_module, "PATIENCE", 0.0)
    with progress("check", total=1) as announce:
        announce("first")
    assert capsys.readouterr() == ("", "")


def test_what_an_integrator_prints_is_not_among_the_numbers() -> None:
    """SciPy before 1.17 prints where steps become too small."""
    program = (
        "from teacherstudent.cli.command import main; main(['--version'])\n"
        "from scipy.integrate import solve_ivp\n"
        "from teacherstudent.theory.evaluation_limit import limit_evaluations\n"
        "try: solve_ivp(limit_evaluations(lambda t, y: y**2), (0, 2), [1.0], 'LSODA')\n"
        "except ArithmeticError: pass"
    )
    ran = python("-W", "ignore", "-c", program)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("\n") == 1
    assert ran.stdout.startswith("teacherstudent ")
