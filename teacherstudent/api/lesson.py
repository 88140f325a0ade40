"""Lessons: their list, and the commands by which one is served, or written as a notebook or as pages.

A lesson is a module of the room `lessons`, a marimo notebook in plain Python. It is found and
handed over as a file and never imported here: this room is below that one.
"""

from __future__ import annotations

import ast
import json
import os
import re
import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from teacherstudent.api import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import EXTRAS, demand_installed
from teacherstudent.house.files import FULL, merged_folder, path_of, room_for, whole_file
from teacherstudent.house.parameters import pick

LOOPBACK = "127.0.0.1"
PYTHON = (sys.executable, "-P", "-m")
"""`-P`: nothing is imported from the folder in which somebody happens to work, such as one of answers."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Names of the browsers that print slides, as they are on PATH."""
PRINTING = 120.0
"""Seconds after which printing is given up."""
MARIMO = (*PYTHON, "marimo")
QUIET = {"MARIMO_SKIP_UPDATE_CHECK": "1"}
"""Keeps marimo from asking the network for a newer version."""


@dataclass(frozen=True)
class Lesson:
    """A lesson: its name, the first line of its docstring, and its file."""

    id: str
    title: str
    path: Path


@cache
def lessons() -> dict[str, Lesson]:
    """Every lesson by its name, sorted by title; numbers in titles are sorted by value (2 before 10)."""
    room = find_spec("teacherstudent.lessons")
    assert room, "installed with this package"
    assert room.origin
    paths = Path(room.origin).parent.glob("*.py")
    found = [Lesson(path.stem, _title(path), path) for path in paths if path.stem != "__init__"]
    return {each.id: each for each in sorted(found, key=lambda each: _place(each.title))}


def _place(title: str) -> list[str | int]:
    """Words and whole numbers of a title in turn, which sort as people read them."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", title)]


def _title(path: Path) -> str:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    return said.partition("\n")[0].rstrip(".")


def server_command(
    name: str, *, secret: str | Path, port: int | None = None, browser: bool = True
) -> list[str]:
    """The command that serves a lesson, on this machine only. Raises `InputError`.

    secret: a file with the token. The server refuses requests without this token. The browser keeps
    the token as a cookie for this machine. The cookie is sent to all ports of this machine, so open no page
    that another user serves there. port: by default marimo's own port, or the next free port. browser:
    whether to open a browser at the address with the token, which is also printed.
    """
    demand_installed(f"lesson {_find(name).id}", "marimo")
    more = [*(["--port", str(port)] if port else []), *([] if browser else ["--headless"])]
    guard = ["--token-password-file", str(secret)]
    return [*MARIMO, "run", str(_find(name).path), "--host", LOOPBACK, *guard, *more]


def open_lesson(name: str, *, port: int | None = None, browser: bool = True) -> None:
    """Replace this process by the server of a lesson, until Ctrl-C; never returns.

    Arguments are those of `server_command`; the token is a new one each time.
    """
    reading, writing = os.pipe()  # the server's command line, which others can read, shall not show it
    command = server_command(name, secret=f"/dev/fd/{reading}", port=port, browser=browser)
    os.set_inheritable(reading, True)
    os.write(writing, secrets.token_urlsafe(16).encode())
    os.close(writing)
    os.execve(command[0], command, {**os.environ, **QUIET})


def notebook(name: str, path: str | Path, *, solved: bool = True) -> None:
    """Write a lesson as a Jupyter notebook, with its cells in order. Raises `InputError`.

    In the notebook each slider is a value in a cell, and simulations run when their cell is run. solved:
    whether the notebook contains solutions and the code that computes their numbers.
    """
    import subprocess

    lesson = _find(name)
    demand_installed("--notebook", "marimo", "nbformat")
    target = path_of(path, "notebook")
    with whole_file(target, "notebook") as written:
        export = [*MARIMO, "export", "ipynb", str(lesson.path), "--sort", "top-down"]
        done = subprocess.run(export, check=True, env={**os.environ, **QUIET}, stdout=subprocess.PIPE)
        made = done.stdout if solved else _unsolved(lesson.id, done.stdout)
        with room_for(target, "notebook"):
            written.write_bytes(made)


def _unsolved(name: str, notebook: bytes) -> bytes:
    """The same notebook with the questions as text, and without functions that only solutions need."""
    from teacherstudent.api.teaching import DISCUSSED, task, teaching

    of, whole = teaching(name), json.loads(notebook)
    by_hand = [each.question.strip() for each in of.by_hand]
    made: list[dict[str, Any]] = []
    for cell in whole["cells"]:
        code = "".join(cell["source"])
        if of.think_first and "kit.think_first(" in code:
            text = f"{of.think_first.asked()}\n\n{DISCUSSED}"
        elif "kit.exercises(" in code:
            text = "\n\n".join([*by_hand, task(name, solved=False)])
        else:
            made.append(cell)
            continue
        made.append({"cell_type": "markdown", "id": cell["id"], "metadata": {}, "source": text})
    said = "\n".join("".join(each["source"]) for each in made)
    names = [each["metadata"].get("marimo", {}).get("name", "") for each in made]
    whole["cells"] = [
        cell
        for cell, own in zip(made, names, strict=True)
        if not own.startswith("*") or len(re.findall(rf"\b{own[1:]}\b", said)) > 1
    ]
    return json.dumps(whole, ensure_ascii=False, indent=1).encode() + b"\n"


def pages(
    folder: str | Path, name: str | None = None, *, solved: bool = True, language: str | Path | None = None
) -> Path:
    """Write a lesson, or the whole course, as pages for any web server. Raises `InputError`.

    The pages also open directly from the folder. solved: whether the pages contain solutions; those without
    are not written into a folder that has solutions. language: a catalogue with translations; strings without
    a translation stay in English. Returns the page to open first.
    """
    import subprocess

    demand_installed("--pages", *EXTRAS["lessons"], *EXTRAS["data"])
    target = path_of(folder, "pages")
    names = [_find(name).id] if name else []
    left = sorted(each.name for each in target.glob("*-solutions.html"))
    if left and not solved:
        raise InputError("pages", str(folder), "a folder without solutions", f"it contains {left[0]}")
    with merged_folder(target, "pages") as made:
        alone = ["--alone"] if names and not (target / "index.html").exists() else []
        command = [*PYTHON, "teacherstudent.lessons.pages", str(made), *names, *alone]
        command += [] if solved else ["--without-solutions"]
        if language:
            file = path_of(language, "language").absolute()
            catalogue.read(file)
            command.append(f"--catalogue={file}")
        done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8")
        with room_for(target, "pages"):
            if done.returncode in FULL:
                raise OSError(done.returncode, os.strerror(done.returncode))
        done.check_returncode()
    return target / done.stdout.strip()


def slides(name: str, path: str | Path) -> None:
    """Write the slides of a lesson as a PDF, printed by Chromium or Chrome. Raises `InputError`."""
    import shutil
    import subprocess
    from tempfile import TemporaryDirectory

    target = path_of(path, "slides")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        raise InputError(
            "slides",
            str(path),
            "written by Chromium or Google Chrome, but neither is on PATH",
            f"install one, or print {_find(name).id}-slides.html of --pages FOLDER from any browser",
        )
    # a browser that was stopped may still write into its profile
    with whole_file(target, "slides") as written, TemporaryDirectory(ignore_cleanup_errors=True) as work:
        page = pages(Path(work) / "pages", name)
        shown = page.with_name(f"{page.stem}-slides.html")
        if not shown.exists():
            raise InputError("slides", str(path), f"asked of a lesson with slides: {name} has none")
        options = ["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        options += ["--no-pdf-header-footer", "--window-size=1280,764", f"--user-data-dir={work}/profile"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium refuses to run as root otherwise
        made = Path(work) / "slides.pdf"
        command = [browser, *options, f"--print-to-pdf={made}", shown.as_uri()]
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(command, timeout=PRINTING, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not made.exists() or b"%%EOF" not in made.read_bytes()[-1024:]:
            raise InputError(
                "slides",
                str(path),
                f"written by {browser}, which wrote nothing whole within {PRINTING:g} s",
                f"print {shown.name} of --pages FOLDER from any browser",
            )
        with room_for(target, "slides"):
            shutil.copyfile(made, written)


def _find(name: str) -> Lesson:
    return pick("name", name, lessons())
