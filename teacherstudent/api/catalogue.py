"""Catalogues of the strings of lessons' pages, with translations: JSON files that a translator edits.

The keys are patterns: English strings with places `{0}`, `{1}` for numbers, formulas and tags.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from teacherstudent.house import reading
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import whole_file

PLACE = re.compile(r"\{(\d+)\}")
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ue000-\uf8ff]")
"""Characters that no page can show, or that mark places while a page is translated."""


@dataclass(frozen=True)
class Catalogue:
    """Translations by pattern; `code` names the language, such as `de`. A missing one stays in English."""

    code: str
    texts: Mapping[str, str]

    def say(self, pattern: str) -> str:
        """The translation of a pattern."""
        return self.texts.get(pattern) or pattern


def read(path: Path) -> Catalogue:
    """The catalogue in a file: `{"language": "de", "texts": {pattern: translation}}`. Raises `InputError`.

    A translation that is empty counts as missing.
    """
    try:
        text = reading.file_text(path, reading.LIST)
    except (OSError, UnicodeDecodeError) as error:
        why = reading.why_unreadable(error)
        raise InputError("language", str(path), f"a readable catalogue ({why})") from None
    try:
        told = json.loads(text)
        code, texts = told["language"], told["texts"]
        valid = isinstance(code, str) and bool(LANGUAGE.fullmatch(code))
        valid = valid and all(isinstance(each, str) for pair in texts.items() for each in pair)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        valid = False
    if not valid:
        wanted = 'a JSON file {"language": "de", "texts": {...}}: a catalogue of the strings of pages'
        raise InputError("language", str(path), wanted)
    for asked, given in texts.items():
        if given and sorted(PLACE.findall(asked)) != sorted(PLACE.findall(given)):
            wanted = f"a catalogue whose translations keep all places; this one does not: {given!r}"
            raise InputError("language", str(path), wanted)
        if NO_TEXT.search(given):
            wanted = f"a catalogue without control and private characters; this one has some: {given!a}"
            raise InputError("language", str(path), wanted)
    return Catalogue(code, texts)


def write(path: Path, patterns: Iterable[str], code: str, texts: Mapping[str, str]) -> None:
    """A catalogue of these patterns, with the translations that there are."""
    told = {"language": code, "texts": {each: texts.get(each, "") for each in patterns}}
    with whole_file(path, "catalogue") as written:
        written.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
