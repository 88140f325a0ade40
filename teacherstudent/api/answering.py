"""A process that runs somebody's file and puts questions to its function `answer`; `marking` starts it.

It only says what `answer` gives, never whether that is right: the file's code runs in this interpreter and
could say anything here. It reads a line of JSON, then the file, from standard input, and writes a line of
JSON for each answer to its standard output; what the file prints goes nowhere. Run as a script, of the
standard library alone, so that it starts at once.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

LONGEST = 300
"""Letters of an error that are sent."""


def main() -> None:
    """Answer the questions on standard input, and end the process."""
    import resource  # which not every system has that reads this module

    about = json.loads(sys.stdin.buffer.readline())
    code = sys.stdin.buffer.read()
    channel = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)

    def say(*words: object) -> None:
        os.write(channel, f"{json.dumps(words)}\n".encode())

    for kind, most in about["limits"].items():
        with suppress(AttributeError, OSError, ValueError):  # a system without it, or with less
            resource.setrlimit(getattr(resource, kind), (most, most))
    module = sys.modules["answer"] = ModuleType("answer")
    module.__file__ = about["name"]
    try:
        exec(compile(code, about["name"], "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        say("refused", f"raises {told(error)}")
    else:
        if callable(answer := module.__dict__.get("answer")):
            say("ready")
            for asked in about["questions"]:
                say(*given(answer, asked))
        else:
            say("refused", "")
    os._exit(0)  # whatever threads and exit functions the file has left


def given(answer: Callable[..., Any], asked: dict[str, float]) -> tuple[str, object]:
    """The number that `answer` returns, or the reason why it returns none. Ctrl-C is raised."""
    try:
        said = answer(**asked)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return "words", f"raises {told(error)}"
    try:
        return "number", float(said)
    except Exception:
        return "words", f"gives {type(said).__name__}, not a number"


def told(error: BaseException) -> str:
    """The text of an exception; code that is not ours may raise another one while this text is read."""
    try:
        return f"{type(error).__name__}: {error}"[:LONGEST]
    except BaseException:
        return type(error).__name__


if __name__ == "__main__":
    main()
