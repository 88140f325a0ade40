"""Writes `lessons/pages/works.json`, the works that lessons cite, from CITATION.cff.

`python -m tools.works` rewrites the file; a test fails if it is stale.
"""

from __future__ import annotations

import json
from typing import Any

import yaml  # type: ignore[import-untyped]

from teacherstudent.lessons.pages.works import FILE
from tools.nested import ROOT


def fresh() -> str:
    """The file's text as CITATION.cff gives it."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    works = {each["abbreviation"]: _work(each) for each in cited["references"]}
    told = {
        "authors": _authors(cited),
        "year": cited["date-released"].year,
        "cite": _cite(cited),
        "works": works,
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _cite(cited: dict[str, Any]) -> str:
    """How to cite the software, with the version."""
    year, version = cited["date-released"].year, cited["version"]
    return f"{_authors(cited)} ({year}). {cited['title']}. Version {version}."


def _work(told: dict[str, Any]) -> dict[str, Any]:
    note = str(told.get("notes", ""))
    arxiv = note.removeprefix("arXiv ") if note.startswith("arXiv ") else ""
    link = f"https://doi.org/{told['doi']}" if "doi" in told else told.get("url", "")
    return {
        "authors": _authors(told),
        "year": told["year"],
        "title": told["title"],
        "venue": ", ".join(filter(None, _venue(told, note))),
        "link": link or (f"https://arxiv.org/abs/{arxiv}" if arxiv else ""),
    }


def _venue(told: dict[str, Any], note: str) -> list[str]:
    """Where a work was published, in parts that may be empty."""
    pages = f"pages {told['start']}–{told['end']}" if "start" in told else ""
    school, publisher = (told.get(each, {}).get("name", "") for each in ("institution", "publisher"))
    journal = f"{told.get('journal', '')} {told.get('volume', '')}".strip()
    return [
        told.get("thesis-type", ""),
        school,
        journal,
        told.get("collection-title", ""),
        pages,
        publisher,
        note,
    ]


def _authors(told: dict[str, Any]) -> str:
    return ", ".join(map(_name, told["authors"]))


def _name(who: dict[str, str]) -> str:
    if "name" in who:
        return who["name"]
    family = " ".join(filter(None, (who.get("name-particle"), who["family-names"]))).replace("' ", "'")
    return f"{who['given-names']} {family}"


if __name__ == "__main__":
    FILE.write_text(fresh(), encoding="utf-8")
