"""`teacherstudent completion`: the script by which a shell completes commands, options and ids."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Word
from teacherstudent.cli.streams import print_text

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    cls=Command,
    short_help="Print the completion script for a shell.",
    epilog='For bash: eval "$(teacherstudent completion bash)"',
)
@click.argument("shell", type=Word(lambda _: SHELLS))
def COMMAND(shell: str) -> None:
    """Print the script with which SHELL (bash, zsh or fish) completes commands, options and ids."""
    from teacherstudent.cli.command import COMMANDS, COMPLETION, NAME

    maker = get_completion_class(shell)
    assert maker, shell
    print_text(maker(COMMANDS, {}, NAME, COMPLETION).source())
