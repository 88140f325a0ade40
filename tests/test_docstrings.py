"""The docstrings of the front door say what goes in, what comes out, what is refused, and show an example."""

from __future__ import annotations

import inspect
import re

import pytest

import teacherstudent as ts

PUBLIC = [getattr(ts, name) for name in ts.__all__]
FUNCTIONS = [each for each in PUBLIC if inspect.isfunction(each)]
CLASSES = [each for each in PUBLIC if inspect.isclass(each)]


def entries(described: object, section: str) -> list[str]:
    """The names that a section of a docstring in Google's style explains, in order."""
    _, _, rest = inspect.getdoc(described).partition(f"\n{section}:\n")
    body = re.split(r"\n\n?(?=\S)", rest, maxsplit=1)[0]
    return re.findall(r"^    (\*{0,2}\w+): ", body, re.M)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_every_parameter_is_explained(function: object) -> None:
    kinds = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    parameters = inspect.signature(function).parameters.values()
    assert entries(function, "Args") == [kinds.get(each.kind, "") + each.name for each in parameters]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_returns_errors_and_an_example_are_given(function: object) -> None:
    text = inspect.getdoc(function)
    assert "\nReturns:\n" in text
    assert "InputError" in entries(function, "Raises")
    assert "\nExamples:\n    >>> " in text


@pytest.mark.parametrize("kind", CLASSES, ids=lambda each: each.__name__)
def test_every_field_is_explained(kind: type) -> None:
    assert entries(kind, "Attributes") == list(kind.__dataclass_fields__)
