"""How to cite: BibTeX entries of the software and of the works behind it, from CITATION.cff."""

from __future__ import annotations

import tomllib
from typing import Any

import yaml  # type: ignore[import-untyped]

from tools.nested import ROOT
from tools.site.markdown import heading

ENTRIES = {"thesis": "phdthesis", "conference-paper": "inproceedings", "software": "software"}
"""Kinds of works in CITATION.cff and in BibTeX. An article of a journal is `article`; others are `misc`."""


def bibtex() -> str:
    """A section with a block of BibTeX: the software, then every work that CITATION.cff lists."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    own = {**cited, "abbreviation": "teacherstudent", "notes": f"MIT licence, version {version()}"}
    entries = "\n\n".join(map(entry, (own, *cited["references"])))
    return f"{heading(2, 'BibTeX entries', 'bibtex')}\n```bibtex\n{entries}\n```\n"


def version() -> str:
    """The version of the project."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def entry(work: dict[str, Any]) -> str:
    """One work as an entry of BibTeX."""
    fields = {
        "title": f"{{{work['title']}}}",  # keeps capitals
        "author": " and ".join(map(_name, work["authors"])),
        "year": work.get("year"),
        "school": work.get("institution", {}).get("name"),
        "booktitle": work.get("collection-title"),
        "journal": work.get("journal"),
        "volume": work.get("volume"),
        "pages": f"{work['start']}--{work['end']}" if "start" in work else None,
        "doi": work.get("doi"),
        "eprint": work.get("eprint"),
        "url": work.get("repository-code"),
        "note": work.get("notes"),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    kind = "article" if "journal" in work else ENTRIES.get(work["type"], "misc")
    return "\n".join([f"@{kind}{{{work['abbreviation']},", *lines, "}"])


def _name(who: dict[str, str]) -> str:
    if "name" in who:
        return f"{{{who['name']}}}"
    return f"{' '.join(filter(None, (who.get('name-particle'), who['family-names'])))}, {who['given-names']}"
