"""The page of known misprints: each with both formulas, how wrong the print is and what it changes."""

from __future__ import annotations

import re
from typing import Any

from teacherstudent.paper_checks.judging.evidence import Check, Erratum
from teacherstudent.paper_checks.judging.reading import CONCLUSIONS, REMARK, Quotation
from teacherstudent.paper_checks.ledger import checks
from tools.site.gallery import outcomes
from tools.site.index import papers
from tools.site.markdown import code, heading, plain, table

FORMULA, LONG = re.compile(r"\$([^$]+)\$"), 60
"""Formulas one after the other, so that no words between two are taken for one; and letters of a long one."""
REPOSITORY = re.compile(r"(github\.com/[\w./-]*\w)")

Found = tuple[float | None, Erratum, Check]
"""A misprint, how wrong it is (None: a definition), and the check that refutes it."""


def errata() -> str:
    """Every known misprint, by its effect on the paper's conclusion and by size; definitions last."""
    found = [
        (e.reading.error() if e.reading.error else None, e, check)
        for check in checks().values()
        for e in check.errata
    ]
    by_conclusion = {
        conclusion: sorted(
            (each for each in found if each[1].kind == conclusion),
            key=lambda each: -(each[0] or 0),
        )
        for conclusion in (*CONCLUSIONS, *REMARK)
    }
    titles = CONCLUSIONS | REMARK
    counted = [(f"[{titles[name]}](#{name})", str(len(listed))) for name, listed in by_conclusion.items()]
    parts = [
        part
        for name, listed in by_conclusion.items()
        for part in (heading(2, titles[name], name), *map(_entry, listed))
    ]
    keys = sorted({erratum.paper for _, erratum, _ in found if erratum.paper})
    spelled = "\n".join(f"- {papers().get(key, key)}" for key in keys)
    return "\n".join((table(("", "entries"), counted), *parts, heading(2, "Papers", "papers"), spelled))


def _entry(found: Found) -> str:
    error, erratum, check = found
    reading = erratum.reading
    facts = (
        *(("print", quoted(each)) for each in reading.quoted),
        ("that is" if reading.quoted else "printed" if erratum.paper else "remark", _spread(reading.printed)),
        ("correct", _spread(reading.corrected)),
        ("wrong by", f"{_size(error)}: {plain(reading.of)} ({plain(reading.at)})"),
        ("conclusion" if erratum.paper else "note", plain(reading.because)),
        ("refuted by", f"[{check.id}](checks.md#{check.id}){_beyond(check.id, erratum.id)}"),
    )
    title = heading(3, plain(", ".join(filter(None, (erratum.paper, erratum.ref)))), erratum.id)
    return f"{title}\n" + "\n".join(f"- **{name}**: {fact}" for name, fact in facts) + "\n"


def quoted(quotation: Quotation) -> str:
    """The print in quotation marks, its formulas set, and its place, with a link to published code."""
    if quotation.is_code:
        words = " … ".join(code(piece) for piece in quotation.words.split(" ... "))
    else:
        words = _but(FORMULA, quotation.words.replace(" ... ", " … "), "${}$")
    place = "".join(
        part if k % 2 else _but(REPOSITORY, part, "[{0}](https://{0})")
        for k, part in enumerate(re.split(r"(\$[^$]+\$)", quotation.place))
    )
    return f"“{words}” ({place})"


def _but(kept: re.Pattern[str], text: str, how: str) -> str:
    """A text in which nothing is Markdown but what matches, which is written so."""
    parts = kept.split(text)
    parts[::2] = (re.sub(r"\S+", lambda word: plain(word[0]), part) for part in parts[::2])
    parts[1::2] = map(how.format, parts[1::2])
    return "".join(parts)


def _spread(text: str) -> str:
    """A text whose long formulas stand on lines of their own, where a narrow page can scroll them."""
    return FORMULA.sub(lambda found: f"${found[0]}$" if len(found[1]) >= LONG else found[0], text)


def _size(error: float | None) -> str:
    return "a definition" if error is None else share(error)


def share(error: float) -> str:
    """A relative error as one says it: in per cent, or as a factor where it is large."""
    if error >= 3:
        return f"a factor of {1 + error:.3g}"
    return f"{100 * error:.2g} %" if error < 0.1 else f"{100 * error:.0f} %"


def _beyond(check: str, erratum: str) -> str:
    """How far beyond what the check allows the print was, the last time that all checks were run."""
    listed: list[dict[str, Any]] = outcomes().get(check, {}).get("errata", [])
    each = next((each for each in listed if each["id"] == erratum), None)
    if each is None or not each["threshold"]:
        return ""
    ratio = each["statistic"] / each["threshold"] if each["statistic"] is not None else float("inf")
    return f" ({ratio:.3g} times the allowed deviation)"
