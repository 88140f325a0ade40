"""Citations: references to a paper's equations, theorems and figures, in texts and in code.

A reference is a kind and a number, ("Eq", "4.2.11"); ranges are spelled out, so that `Eqs. 5-7` cites
`Eq. 6`. A text that names a paper by its key, `pezeshki2022 Eq. 4.2.6`, cites that paper from there on.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.nested import module_name

KINDS = {
    "Eq": "Eqs?",
    "Fig": "Figs?",
    "Sect": "Sect(?:ion)?s?|Sec",
    "App": "Appendix|App",
    "Table": "Tables?",
    "Thm": "Thms?|Theorems?",
    "Def": "Defs?|Definitions?",
    "Lemma": "Lemmas?",
    "Prop": "Props?|Propositions?",
    "Cor": "Corollary|Cor",
    "Assumption": "Assumptions?",
    "Algorithm": "Algorithms?|Alg",
}
_NUMBER = r"(?:[A-Z]|\d+)?(?:\.\d+)+[a-z]?|(?:[A-Z]\.?)?\d+[a-z]?"
_RANGE = rf"(?:{_NUMBER})(?:[-–](?:{_NUMBER}))?"
_KIND = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items())
_KEY = r"\b[a-z]+\d{4}[a-z]*\b"
_REFERENCE = re.compile(
    rf"(?P<key>{_KEY})"
    rf"|\b(?P<where>Ch\.? ?\d+ |App\. )?(?:{_KIND})\.? (?P<numbers>{_RANGE}(?:(?:, | and |; ){_RANGE})*)"
)

Reference = tuple[str, str]
Citation = tuple[str, str, str]
"""The paper's key, the kind and the number."""


def citations(text: str, paper: str = "") -> list[Citation]:
    """Every reference of a text, in its order; they belong to `paper` until the text names another."""
    found: list[Citation] = []
    for match in _REFERENCE.finditer(" ".join(text.split())):
        if match["key"]:
            paper = match["key"]
            continue
        kind = next(name for name in KINDS if match[name])
        for part in re.split(", | and |; ", match["numbers"]):
            found += [(paper, kind, (match["where"] or "") + number) for number in spelled_out(part)]
    return found


def keys_of(text: str) -> list[str]:
    """The papers that a text names by their keys."""
    return re.findall(_KEY, text)


def spelled_out(part: str) -> list[str]:
    """The numbers of `4.2.11-4.2.13`: all between if only the last part counts up, otherwise both ends."""
    ends = re.split("[-–]", part)
    if len(ends) == 1:
        return ends
    heads, lasts = zip(*(re.findall(r"(.*?)(\d+)[a-z]?$", end)[0] for end in ends), strict=True)
    first, last = map(int, lasts)
    if heads[0] != heads[1] or last < first:
        return ends
    return [f"{heads[0]}{number}" for number in range(first, last + 1)]


@dataclass(frozen=True)
class Citing:
    """A public function or class of the code, or a module, and its citations."""

    name: str
    cites: frozenset[Citation]


def citing(folder: Path, root: Path, paper_of: dict[str, str]) -> Iterator[Citing]:
    """Every module, public function and public class below a folder that cites anything.

    Comments and docstrings belong to the innermost public name around them, else to the module. Where
    no paper is named, the module's first is meant, else that of its room, `paper_of[package]`.
    """
    for path in sorted(folder.rglob("*.py")):
        module = module_name(path, root)
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        named = [paper for paper, *_ in citations(ast.get_docstring(tree) or "") if paper]
        paper = (
            named[0]
            if named
            else next((key for name, key in paper_of.items() if module.startswith(name)), "")
        )
        names: dict[str, set[Citation]] = {}
        spans = [
            (node.lineno, node.end_lineno or node.lineno, node.name)
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        ]
        for line, text in texts(source, tree):
            inside = [name for first, last, name in spans if first <= line <= last]
            where = ".".join([module, *inside[:1]])
            names.setdefault(where, set()).update(citations(text, paper))
        for name, cites in names.items():
            if cites:
                yield Citing(name, frozenset(cites))


def texts(source: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Docstrings and comments with their lines; consecutive comment lines are one text."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value
    last, first, gathered = -1, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            alone = token.line.strip().startswith("#")
            if not (alone and token.start[0] == last + 1):
                if gathered:
                    yield first, gathered
                first, gathered = token.start[0], ""
            last = token.start[0] if alone else -1
            gathered += " " + token.string.lstrip("# ")
    if gathered:
        yield first, gathered
