"""Other words for a parameter: its symbol, and what the field calls it.

A symbol that is a word may stand wherever the name may, `--lambda` for `--ridge`. In Python a word that the
language keeps for itself gets an underscore: `lambda_=0.1`. A word for two parameters is refused, with both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from teacherstudent.house.errors import InputError


class Worded(Protocol):
    """What is known of a parameter here (`house.parameters.Parameter`)."""

    @property
    def name(self) -> str: ...
    @property
    def option(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def meaning(self) -> str: ...
    @property
    def also(self) -> tuple[str, ...]: ...


def synonyms(parameter: Worded) -> tuple[str, ...]:
    """The words, beside its name, that mean that parameter: its symbol, if that is a word, and others."""
    symbol = parameter.symbol if parameter.symbol.isascii() and parameter.symbol.isidentifier() else ""
    return tuple(
        each for each in dict.fromkeys((symbol, *parameter.also)) if each not in ("", parameter.name)
    )


def parameters_meant(word: str, parameters: Iterable[Worded]) -> list[Worded]:
    """The parameters that a word means as a synonym, in whatever spelling: several where it is ambiguous."""
    plain = word.removesuffix("_").replace("-", "_")
    return [each for each in dict.fromkeys(parameters) if plain in synonyms(each)]


def on_clock(word: str, time: Worded, dynamics: str) -> str:
    """What to type for the symbol of a dynamics' clock; "" for another word."""
    return f"did you mean --times, which is {word} under {dynamics}?" if word == time.symbol else ""


def ambiguous_word(word: str, value: object, meant: Iterable[Worded]) -> InputError:
    """The refusal of a word that means several parameters."""
    said = [f"--{each.option} ({each.meaning.partition(':')[0]})" for each in meant]
    return InputError(word, value, f"said by its name: {' or '.join(said)}")


def by_name(parameters: Iterable[Worded], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the names of their parameters; words that are no synonyms stay.

    Raises `InputError` for a word that means several parameters, and for two words for one.
    """
    parameters = tuple(parameters)
    known = {each.name for each in parameters}
    found: dict[str, Any] = {}
    for word, value in values.items():
        meant = [] if word in known else parameters_meant(word, parameters)
        if len(meant) > 1:
            raise ambiguous_word(word, value, meant)
        name = meant[0].name if meant else word
        if name in found or (meant and name in values):
            domain = f"absent where --{name.replace('_', '-')} is given, the same parameter"
            raise InputError(word.removesuffix("_"), value, domain)
        found[name] = value
    return found
