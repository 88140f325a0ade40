"""`teacherstudent lesson`: interactive pages, with sliders for theory and a button that simulates."""

from __future__ import annotations

from pathlib import Path

import click

from teacherstudent.api.lesson import lessons, notebook, open_lesson
from teacherstudent.cli.grammar import Command, Declared, Target, Word, wrong
from teacherstudent.house.domains import Whole
from teacherstudent.house.parameters import Parameter

NAME = Word(lambda _: lessons())
PORT = Parameter("port", "", "", Whole(1, 65535), "port on which to serve the page (default: a free one)")


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
@click.pass_context
def COMMAND(
    context: click.Context, name: str | None, port: int | None, no_browser: bool, target: Path | None
) -> None:
    """Open lesson NAME in the browser and serve it until Ctrl-C; without NAME, list the lessons.

    The page is served to this machine alone (127.0.0.1), to whoever has the token in the address that is
    printed, and loads nothing from the network.
    """
    if name is None:
        if target or port or no_browser:
            raise wrong("NAME", "(missing)", NAME.describe(context))
        width = max(map(len, lessons()))
        for lesson in lessons().values():
            click.echo(f"{lesson.id:{width}}  {lesson.title}")
    elif target:
        notebook(name, target)
        click.echo(target)
    else:
        open_lesson(name, port=port, browser=not no_browser)
