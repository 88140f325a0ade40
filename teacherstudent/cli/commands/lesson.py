"""`teacherstudent lesson`: interactive pages, with sliders for theory and a button that simulates."""

from __future__ import annotations

import csv
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import click

from teacherstudent.api.archive import kit
from teacherstudent.api.lesson import lessons, notebook, open_lesson, pages, slides
from teacherstudent.api.marking import SECONDS, Mark, mark_file, mark_folder
from teacherstudent.api.progress import progress
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.interruption import told_on_interruption
from teacherstudent.cli.options import Declared, Target, Word, wrong_value
from teacherstudent.cli.streams import print_text, print_to_stderr
from teacherstudent.cli.tables import show
from teacherstudent.house.domains import Whole
from teacherstudent.house.files import whole_file
from teacherstudent.house.parameters import Parameter

NAME = Word(lambda _: lessons())
PORT = Parameter("port", "", "", Whole(1, 65535), "port on which to serve the page (default: a free one)")
FILE = click.Path(path_type=Path)


@click.command("lesson", cls=Command, short_help="Open a lesson in the browser, or list the lessons.")
@click.argument("name", required=False, type=NAME)
@click.option("--port", type=Declared(PORT), metavar="VALUE", help=PORT.meaning)
@click.option("--no-browser", is_flag=True, help="serve the page without opening a browser")
@click.option(
    "--notebook",
    "target",
    type=Target(".ipynb"),
    metavar="FILE",
    help="write the lesson as a Jupyter notebook instead of opening it",
)
@click.option(
    "--pages",
    "folder",
    type=FILE,
    metavar="FOLDER",
    help="write the lesson, or without NAME the whole course, as pages that need no server: the page "
    "computes the theory and contains the results of simulations; with slides, a sheet to print and "
    "solutions",
)
@click.option(
    "--slides",
    "deck",
    type=Target(".pdf"),
    metavar="FILE.pdf",
    help="write the slides of the lesson as a PDF. This needs Chromium or Google Chrome on PATH",
)
@click.option(
    "--kit",
    "archive",
    type=Target(".zip"),
    metavar="FILE.zip",
    help="write the lesson, or without NAME the whole course, as one archive to take away: pages, slides, "
    "sheets, notebooks, solutions, sources and licences",
)
@click.option(
    "--without-solutions",
    is_flag=True,
    help="leave all solutions out of the pages, the notebook or the archive",
)
@click.option(
    "--language",
    type=FILE,
    metavar="FILE.json",
    help="translations of the strings of --pages; strings without a translation stay in English. "
    "`python -m teacherstudent.lessons.pages.catalogue FILE.json de` writes a catalogue to be translated",
)
@click.option(
    "--answer",
    type=FILE,
    metavar="FILE",
    help="mark the function `answer` in this Python file, or in each Python file of this folder, as an "
    "answer to the lesson's exercise in code; without NAME, in each folder of this folder that has the name "
    "of a lesson. Each file runs in a separate process with your rights, for at "
    f"most {SECONDS:g} s; it could read the solutions or leave processes running, so run files from people "
    "whom you do not trust in a container. The exit status is 0 if all answers are right, else 1",
)
@click.option(
    "--out",
    type=Target(".csv"),
    metavar="FILE.csv",
    help="also write the marks of a folder of answers as a table",
)
@click.pass_context
def COMMAND(
    context: click.Context,
    name: str | None,
    port: int | None,
    no_browser: bool,
    target: Path | None,
    folder: Path | None,
    deck: Path | None,
    archive: Path | None,
    without_solutions: bool,
    language: Path | None,
    answer: Path | None,
    out: Path | None,
) -> int:
    """Open lesson NAME in the browser and serve it until Ctrl-C; without NAME, list the lessons.

    The server answers only this machine (127.0.0.1) and only requests with the token in the printed address.
    The page loads nothing from the network. Opening a lesson, --notebook, --pages, --slides and --kit need
    the extra lessons.
    """
    asked = {
        **{"--notebook": target, "--pages": folder, "--slides": deck, "--kit": archive},
        "--answer": answer,
    }
    served = {"--port": port, "--no-browser": no_browser}
    alone = [option for option, value in asked.items() if value]
    others = alone[1:] + [option for option, value in served.items() if value]
    if alone and others:
        raise click.UsageError(f"{alone[0]} and {others[0]} exclude each other")
    if out and not (answer and answer.is_dir()):
        raise wrong_value(
            "--out", str(out), "absent without --answer FOLDER, because it is the table of all marks"
        )
    if without_solutions and not (folder or target or archive):
        raise click.UsageError("--without-solutions needs --pages FOLDER, --notebook FILE or --kit FILE.zip")
    if language and not folder:
        raise click.UsageError("--language needs --pages FOLDER")
    if folder:
        with progress("lesson --pages"):
            page = pages(folder, name, solved=not without_solutions, language=language)
        print_text(page)
        print_to_stderr(f"wrote the pages into {folder}; open {page} in a browser")
    elif archive:
        with progress("lesson --kit"):
            kit(archive, name, solved=not without_solutions)
        print_text(archive)
    elif answer and answer.is_dir():
        return 0 if all(each.right for each in _table(name, answer, out)) else 1
    elif name is None:
        if target or port or no_browser or deck or answer:
            raise wrong_value("NAME", "(missing)", NAME.describe(context))
        width = max(map(len, lessons()))
        for lesson in lessons().values():
            print_text(f"{lesson.id:{width}}  {lesson.title}")
    elif answer:
        marked = mark_file(name, answer)
        print_text(marked.says)
        return 0 if marked.right else 1
    elif target:
        with progress("lesson --notebook"):
            notebook(name, target, solved=not without_solutions)
        print_text(target)
    elif deck:
        with progress("lesson --slides"):
            slides(name, deck)
        print_text(deck)
    else:
        open_lesson(name, port=port, browser=not no_browser)
    return 0


COLUMNS = ("lesson", "file", "right", "wrong", "not answered", "relative error", "mistake", "remark")


def _table(name: str | None, folder: Path, out: Path | None) -> list[Mark]:
    """The marks of all files in a folder, shown as a table and, where `out` is a file, written there.

    Without a name, those of all folders in it that have the name of a lesson.
    """
    folders = (
        {name: folder} if name else {each: folder / each for each in lessons() if (folder / each).is_dir()}
    )
    if not folders:
        domain = "a folder with folders that have the names of lessons, such as `modes`"
        raise wrong_value("--answer", str(folder), domain, "for the files of one lesson, give its NAME")
    marks: list[tuple[str, str, Mark]] = []
    with ExitStack() as written:
        page = out and written.enter_context(whole_file(out, "out"))
        written.enter_context(told_on_interruption("no marks were saved"))
        with progress("marking") as announce:
            for lesson, each in folders.items():
                marks += [(lesson, file, mark) for file, mark in mark_folder(lesson, each, announce)]
        rows = [(lesson, file, *_row(mark)) for lesson, file, mark in marks]
        if page:
            with page.open("w", encoding="utf-8", newline="") as sheet:
                csv.writer(sheet, lineterminator="\n").writerows([COLUMNS, *rows])
    show(COLUMNS, rows)
    print_text(f"{sum(mark.right for *_, mark in marks)} of {len(marks)} files are right")
    made = Counter((lesson, mark.mistake) for lesson, _, mark in marks if mark.mistake)
    for (lesson, mistake), count in made.most_common():
        print_text(f"{lesson}, {count} of these files: {mistake}")
    return [mark for *_, mark in marks]


def _row(mark: Mark) -> tuple[int | str, ...]:
    """The columns of a mark; the remark does not repeat the mistake."""
    error = "" if mark.relative_error is None else f"{mark.relative_error:.1e}"
    remark = mark.says.removesuffix(mark.mistake).removesuffix("; ")
    return mark.n_right, mark.n_wrong, mark.n_missing, error, mark.mistake, remark
