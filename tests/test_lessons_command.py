"""`lesson` lists what there is, serves to this machine alone, and writes notebooks that run."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from teacherstudent.api import lesson as lesson_module
from tests.support import Said, refusal, say, wrote


class Replaced(BaseException):
    """What would have become of this process."""


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def instead(program: str, command: list[str], environment: dict[str, str]) -> None:
        raise Replaced(program, command, environment)

    monkeypatch.setattr(os, "execve", instead)


def test_without_a_name_the_lessons_are_listed_in_their_order() -> None:
    said = say("lesson")
    assert (said.status, said.err) == (0, "")
    rows = [line.split(maxsplit=1) for line in said.out.splitlines()]
    assert [row[0] for row in rows] == list(lesson_module.lessons())
    numbered = [title for _, title in rows if title.startswith("Lesson ")]
    assert numbered[0] == "Lesson 1: Learning modes one after another"
    numbers = [int(title.split(":")[0].removeprefix("Lesson ")) for title in numbered]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_help_says_what_the_code_of_an_answer_may_do() -> None:
    said = " ".join(say("lesson", "--help").out.split())
    assert re.search(r"with your rights, .* leave processes running, .* in a container", said)


@pytest.mark.usefixtures("replaced")
def test_a_lesson_is_served_to_this_machine_alone() -> None:
    with pytest.raises(Replaced) as became:
        say("lesson", "modes", "--port", 4321, "--no-browser")
    program, command, environment = became.value.args
    assert program == sys.executable
    assert command[1:5] == ["-P", "-m", "marimo", "run"]
    assert Path(command[5]).name == "modes.py"
    descriptor = command[command.index("--token-password-file") + 1]
    assert " ".join(command[6:]) == (
        f"--host 127.0.0.1 --token-password-file {descriptor} --port 4321 --headless"
    )
    assert len(Path(descriptor).read_text(encoding="ascii")) > 20
    assert environment["MARIMO_SKIP_UPDATE_CHECK"] == "1"


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[int, str]]:
    """The port of a server, and the token that it prints."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "teacherstudent", "lesson", "modes", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=UTF8) as server:
        assert server.stdout
        try:
            said = next(line for line in server.stdout if "access_token=" in line)
            yield port, said.split("access_token=")[1].split()[0]
        finally:
            server.terminate()
            server.communicate()


UTF8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "c3R1ZGVudCBhbmQgdGVhYw==",
}


def status(port: int, path: str, **headers: str) -> int:
    """The status of the answer to one request."""
    for _ in range(36_000):  # the address is printed before the server listens, long before on a busy machine
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", path, headers=headers)
            with closing(connection):
                return connection.getresponse().status
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise AssertionError("the server does not listen")


def test_who_lacks_the_token_gets_no_page_and_no_kernel(served: tuple[int, str]) -> None:
    """Neither a page of another site in the same browser nor another user of this machine."""
    port, token = served
    assert status(port, "/") == 303, "sent on to the page that asks for the token"
    assert status(port, "/", Host="elsewhere.example") == 303
    kernel = "/ws?session_id=s_abcdef"
    assert status(port, kernel, Origin="http://elsewhere.example", **SOCKET) == 403
    assert status(port, "/", Authorization=f"Bearer {token}x") == 303
    assert status(port, "/", Authorization=f"Bearer {token}") == 200
    assert status(port, kernel, Authorization=f"Bearer {token}", **SOCKET) == 101


@pytest.mark.usefixtures("replaced")
def test_a_browser_is_opened_unless_told_otherwise() -> None:
    with pytest.raises(Replaced) as became:
        say("lesson", "modes")
    assert "--headless" not in became.value.args[1]


@pytest.mark.thorough
def test_a_notebook_replaces_an_older_one_and_names_its_cells_in_order(tmp_path: Path) -> None:
    target = tmp_path / "new" / "modes.ipynb"
    target.parent.mkdir()
    target.write_text("older", encoding="utf-8")
    note = wrote(target, replacing=True)
    assert say("lesson", "modes", "--notebook", target) == Said(0, f"{target}\n", note)
    cells = json.loads(target.read_text("utf-8"))["cells"]
    assert cells[0]["cell_type"] == "code"
    assert "".join(cells[1]["source"]).startswith("# Learning modes one after another")
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.thorough
def test_pages_of_a_lesson_are_written_into_a_folder_whatever_lay_there(tmp_path: Path) -> None:
    (tmp_path / "modes.html").write_text("older", encoding="utf-8")
    page = tmp_path / "modes.html"
    line = f"wrote the pages into {tmp_path}; open {page} in a browser\n"
    assert say("lesson", "modes", "--pages", tmp_path) == Said(0, f"{page}\n", line)
    assert "Learning modes one after another" in (tmp_path / "modes.html").read_text("utf-8")


def test_pages_without_solutions_are_not_put_where_solutions_are(tmp_path: Path) -> None:
    (tmp_path / "sphere-solutions.html").write_text("older", encoding="utf-8")
    said = refusal(say("lesson", "modes", "--pages", tmp_path, "--without-solutions"))
    assert said.endswith("must be a folder without solutions; it contains sphere-solutions.html")
    assert "needs --pages FOLDER, --notebook FILE" in refusal(say("lesson", "modes", "--without-solutions"))


@pytest.mark.thorough
def test_a_notebook_is_written_without_solutions(tmp_path: Path) -> None:
    target = tmp_path / "modes.ipynb"
    assert say("lesson", "modes", "--notebook", target, "--without-solutions").status == 0
    said = target.read_text("utf-8")
    assert "kit.exercises" not in said
    assert "The class discusses the answers." in said


def test_pages_need_a_folder_that_can_be(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    assert refusal(say("lesson", "modes", "--pages", file)).startswith("--pages ")
