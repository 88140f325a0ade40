"""The works that pages cite, and the authors of the pages, from `works.json` (made from CITATION.cff)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("works.json")
KEY = re.compile(r"\b[a-z]+(?:19|20)\d\d[a-z]*\b")


@dataclass(frozen=True)
class Work:
    """A work: its key, such as `hastie2022`, its reference, and a link to it if one is known."""

    key: str
    authors: str
    year: int
    title: str
    venue: str
    link: str


def authors() -> str:
    """The authors of the texts."""
    return _said()["authors"]


def cited(text: str) -> list[Work]:
    """The works whose keys stand in a text, sorted by key."""
    known = _said()["works"]
    return [Work(key, **known[key]) for key in sorted(set(KEY.findall(text)) & set(known))]


@cache
def _said() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))
