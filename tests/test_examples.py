"""Examples in docstrings do what they show."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import textwrap
from collections.abc import Iterator

import pytest

from teacherstudent.house import catalogue
from tools.site.api import FRONT, ROOMS, ROOT

SHOWN = re.compile(r"^ +import teacherstudent\b.*(?:\n +.*)*", re.MULTILINE)
"""Indented code that is no doctest."""


def docstrings() -> Iterator[tuple[str, str]]:
    """Docstrings of the rooms, by module and name, of files that may show an example in one."""
    for room in (FRONT, *ROOMS, "lessons", "benchmarks"):
        for path in sorted((ROOT / room).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if not (">>> " in source or SHOWN.search(source)):  # most files: to read them all takes seconds
                continue
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                    yield f"{module}:{getattr(node, 'name', '')}", ast.get_docstring(node) or ""


TEXTS = dict(docstrings())
EXAMPLES = {name: text for name, text in TEXTS.items() if ">>> " in text}
CODE = {
    name: shown[0] for name, text in TEXTS.items() if name not in EXAMPLES and (shown := SHOWN.search(text))
}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.usefixtures("here")
def test_an_example_answers_as_it_shows(name: str) -> None:
    names = dict(vars(importlib.import_module(name.partition(":")[0])))  # as doctest itself has it
    example = doctest.DocTestParser().get_doctest(EXAMPLES[name], names, name, None, None)
    said: list[str] = []
    with catalogue.using([]):  # what an example uses is forgotten after it
        assert doctest.DocTestRunner().run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", CODE)
@pytest.mark.usefixtures("here")
def test_code_in_a_docstring_runs(name: str) -> None:
    exec(compile(textwrap.dedent(CODE[name]), name, "exec"), {})


def test_the_front_door_has_an_example_for_each_of_its_questions() -> None:
    import teacherstudent

    shown = {name.partition(":")[2] for name in EXAMPLES}
    drawn = {"Comparison", "Judgement", "Onset"}  # shown beside the questions that they answer
    assert set(teacherstudent.__all__) - drawn <= shown
    assert "teacherstudent:" in CODE


def test_a_wrong_example_is_noticed() -> None:
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner().run(example, out=lambda _: None).failed == 1
