"""The code on the pages is run when they are built, and what it prints is shown beneath it.

- ```` ```python ````: run in one namespace a page; figures of pyplot are shown, described by `alt="..."`.
- ```` ```python title="room/file.py" ````, or any language with a title: written into the page's own
  folder. A page that writes into rooms of the house adds to them, until the page ends.
- ```` ```sh ````: lines that begin with `teacherstudent` are answered, and pictures that they write are
  shown, described by `alt="..."`. Lines of ```` ```sh refused ```` must be refused.
- ```` ```shell ````: not run, for it takes long or needs other machines; its lines must still be understood.

Anything that fails stops the build and names the page.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from teacherstudent.cli.command import COMMANDS, NAME, main
from teacherstudent.house.errors import InputError
from tools.site.rooms import extended

FENCE = re.compile(r"^```(\w+)([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r'(\w+)="([^"]*)"')


class Failed(Exception):
    """A block that failed, or did not fail where its page says that it does."""


@dataclass
class Running:
    """A page whose blocks are run in order; `pictures` are the pictures that they drew, by file name."""

    page: str
    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    pictures: dict[str, bytes] = field(default_factory=dict)

    def block(self, language: str, options: str, code: str) -> str:
        """A block as the page shows it: the code and its output."""
        given = dict(OPTION.findall(options))
        bare = OPTION.sub("", options).split()
        title = f' title="{given["title"]}"' if "title" in given else ""
        shown = f"```{'sh' if language == 'shell' else language}{title}\n{code}```"
        if title:
            self.write(given["title"], code)
            return shown
        act: dict[str, Callable[[], str]] = {
            "python": lambda: self.run(code, given.get("alt", "")),
            "sh": lambda: self.answer(code, 2 if "refused" in bare else 0, given.get("alt", "")),
            "shell": lambda: self.understand(code),
        }
        came = act[language]() if language in act else ""
        return f"{shown}\n{came}"

    def write(self, title: str, text: str) -> None:
        """A file of the page's own."""
        path = self.folder / title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, code: str, alt: str) -> str:
        """Run Python; returns its output and its pictures."""
        with printed() as page, warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                exec(compile(code, self.page, "exec"), self.names)
            except Exception as error:
                raise Failed(f"{self.page}: {error!r} in\n{code}") from error
        return output(page.getvalue()) + "".join(self.drawings(alt))

    def drawings(self, alt: str) -> Iterator[str]:
        """Every figure of pyplot that is open, as a picture of the page."""
        from matplotlib import pyplot

        for number in pyplot.get_fignums():
            file = io.BytesIO()
            pyplot.figure(number).savefig(file, dpi=144, bbox_inches="tight")
            pyplot.close(number)
            yield self.picture(file.getvalue(), alt)

    def picture(self, content: bytes, alt: str) -> str:
        """A picture of the page, with its description."""
        if not alt:
            raise Failed(f'{self.page}: a picture without a description, alt="..."')
        name = f"{Path(self.page).stem}-{len(self.pictures) + 1}.png"
        self.pictures[name] = content
        return f"\n![{alt}]({name})\n"

    def answer(self, code: str, expected: int, alt: str) -> str:
        """Run commands; returns their outputs, one after the other, and the pictures that they write."""
        said, before = [], set(self.folder.rglob("*.png"))
        for arguments in commands(code):
            with printed() as page:
                status = main(arguments)
            if status != expected:
                raise Failed(f"{self.page}: {shlex.join(arguments)} ended with {status}: {page.getvalue()}")
            said.append(page.getvalue())
        written = sorted(set(self.folder.rglob("*.png")) - before)
        pictures = [self.picture(path.read_bytes(), alt) for path in written]
        return output("\n\n".join(text.rstrip("\n") for text in said if text)) + "".join(pictures)

    def understand(self, code: str) -> str:
        """Parse commands, which must be valid; returns nothing to show."""
        for arguments in commands(code):
            try:
                understood(arguments)
            except (click.ClickException, InputError) as error:
                raise Failed(f"{self.page}: {shlex.join(arguments)}: {error}") from None
        return ""


def answered(page: str, markdown: str) -> tuple[str, dict[str, bytes]]:
    """A page with its code and the output beneath it, and its pictures by file name."""
    import matplotlib

    matplotlib.use("agg")
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name), extended(Path(name)):
        running = Running(page, Path(name))

        def replaced(match: re.Match[str]) -> str:
            return running.block(match[1], match[2], match[3])

        return FENCE.sub(replaced, markdown), running.pictures


def commands(code: str) -> list[list[str]]:
    """The words of every line that calls the program, without its name."""
    lines = code.replace("\\\n", " ").splitlines()
    words = [shlex.split(line, comments=True) for line in lines if line.startswith(NAME)]
    return [line[1:] for line in words if line[0] == NAME]


def understood(arguments: list[str]) -> None:
    """Parse a command line to its end and run nothing. Raises click's errors and `InputError`."""
    command: click.Command = COMMANDS
    context = command.make_context(NAME, list(arguments))
    while isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        name, found, rest = command.resolve_command(context, rest)
        assert found
        command, context = found, found.make_context(name, rest, parent=context)


@contextlib.contextmanager
def printed() -> Iterator[io.StringIO]:
    """Collects what is printed on both streams."""
    page = io.StringIO()
    with contextlib.redirect_stdout(page), contextlib.redirect_stderr(page):
        yield page


def output(text: str) -> str:
    """An output as a block of its own; empty if there is none."""
    return f"\n```{{.text .answer}}\n{text.rstrip()}\n```\n" if text.strip() else ""
