"""Finds phrases that are hard to read, and draws sentences at random, from every text that users read.

`python -m tools.english [PATH ...]` lists the phrases of english.toml with file and line;
`python -m tools.english --sample 60 --seed 1 [PATH ...]` prints random sentences, to be read by somebody new.
"""

from __future__ import annotations

import argparse
import ast
import html
import random
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tools.nested import FRONT, ROOT, rooms

PLACES = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "examples", "paper", FRONT),
    *rooms(),
)
"""Where the texts are: pages, help, messages, titles and captions, lessons, and the report of the checks."""

DESCRIBED = (FRONT, "optimisers")
"""Rooms whose docstrings are read by users too. Docstrings elsewhere are for contributors."""

WORDS = 4
"""Texts with fewer words are names."""


BEGINS = re.compile(r"\s*(?:[-*] |\d+\. |#|\||: )")
"""How a line begins that is a list item, a heading, or a row of a table."""


class Sentence(NamedTuple):
    """One sentence and where it is."""

    path: str
    line: int
    text: str


def phrases() -> dict[re.Pattern[str], str]:
    """Each phrase to drop, with what to write instead."""
    declared = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["phrases"]
    return {re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE): instead for phrase, instead in declared.items()}


def sentences(paths: Iterable[str] = PLACES) -> Iterator[Sentence]:
    """Every sentence that users read in these files and folders, relative to the project."""
    for place in paths:
        start = ROOT / place
        for file in sorted(start.rglob("*")) if start.is_dir() else [start]:
            name = file.relative_to(ROOT).as_posix()
            for line, text in _texts(file, name) if file.is_file() else ():
                for offset, sentence in _split(text):
                    yield Sentence(name, line + offset, sentence)


def found(paths: Iterable[str] = PLACES) -> Iterator[tuple[Sentence, str, str]]:
    """Every sentence with a phrase to drop: the sentence, the phrase, what to write instead."""
    known = phrases()
    for sentence in sentences(paths):
        plain = re.sub(r"`[^`]*`|\$[^$]*\$|\"[^\"]*\"", "", sentence.text)  # names and quotations stay
        for phrase, instead in known.items():
            if match := phrase.search(plain):
                yield sentence, match[0], instead


def _texts(file: Path, name: str) -> Iterator[tuple[int, str]]:
    """The texts of one file, with the line where each begins."""
    if {"__pycache__", "drawn"} & set(file.parts) or file.resolve() != file:
        return
    if file.suffix == ".md":
        yield 1, _without_code(file.read_text("utf-8"))
    elif file.suffix == ".j2":
        hidden = re.sub(
            r"(?s)<(script|style)\b.*?</\1>|\{[%{#].*?[%}#]\}|<[^>]*>", _blank, file.read_text("utf-8")
        )
        yield 1, html.unescape(hidden)
    elif file.suffix == ".js" and "vendor" not in name:
        for number, row in enumerate(file.read_text("utf-8").splitlines(), 1):
            yield from ((number, text) for text in re.findall(r"[`\"]([A-Z][^`\"]*)[`\"]", row))
    elif file.suffix == ".toml":
        source = file.read_text("utf-8")
        for text in _values(tomllib.loads(source)):
            opening = text.strip().partition("\n")[0][:40]
            yield source[: max(source.find(opening), 0)].count("\n") + 1, _without_code(text.strip())
    elif file.suffix == ".py":
        described = name.split("/")[0] in DESCRIBED
        for line, text in _strings(ast.parse(file.read_text("utf-8")), described):
            yield line, _without_code(text)


def _values(declared: object) -> Iterator[str]:
    """The texts of a TOML file, without code and formulas."""
    if isinstance(declared, str):
        yield declared
    elif isinstance(declared, dict):
        for key, value in declared.items():
            if key not in {"code", "latex", "starter", "formula"}:
                yield from _values(value)
    elif isinstance(declared, list):
        for value in declared:
            yield from _values(value)


def _strings(module: ast.Module, described: bool) -> Iterator[tuple[int, str]]:
    """The texts of a module: strings, f-strings with dots for expressions, docstrings of public names."""
    nodes, skipped = [*ast.walk(module)], set[ast.AST]()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)  # a docstring
        elif isinstance(node, ast.JoinedStr):
            skipped.update(part for part in ast.walk(node) if part is not node)
    for node in nodes:
        if described and isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node.lineno, re.sub(r"(?m)^ *>>>.*(\n *\S.*)*", _blank, ast.get_docstring(node) or "")
        elif node in skipped:
            continue
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(_constant(part) for part in node.values)


def _constant(part: ast.expr) -> str:
    """The text of a part of an f-string, dots for an expression."""
    return str(part.value) if isinstance(part, ast.Constant) else "..."


def _blank(match: re.Match[str]) -> str:
    """As many lines as the match has, empty."""
    return "\n" * match[0].count("\n")


def _without_code(text: str) -> str:
    """Markdown without blocks of code, comments and displayed formulas, with its lines where they were."""
    return re.sub(r"(?s)^(`{3,}|~{3,}).*?^\1|<!--.*?-->|\$\$.*?\$\$", _blank, text, flags=re.MULTILINE)


def _split(text: str) -> Iterator[tuple[int, str]]:
    """Sentences of at least a few words, with the number of lines before each."""
    paragraph, first = "", 0
    for number, line in enumerate([*text.splitlines(), ""]):
        if BEGINS.match(line) or not line.strip():
            yield from ((first, sentence) for sentence in _of_paragraph(paragraph))
            paragraph, first = "", number
        paragraph += f" {line.strip()}"


def _of_paragraph(paragraph: str) -> list[str]:
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z`$*\"(])|\s\|\s", paragraph.strip(" |#"))
    return [each.strip() for each in sentences if len(re.findall(r"\b[A-Za-z]{2,}\b", each)) >= WORDS]


def main(arguments: list[str] | None = None) -> int:
    """Print what was asked for; 1 if a phrase to drop was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", default=PLACES, metavar="PATH")
    parser.add_argument("--sample", type=int, metavar="N", help="print N random sentences instead")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    if asked.sample:
        every = list(sentences(asked.paths))
        for path, line, text in random.Random(asked.seed).sample(every, min(asked.sample, len(every))):
            print(f"{path}:{line}: {text}")
        return 0
    hits = list(found(asked.paths))
    for (path, line, text), phrase, instead in hits:
        print(f"{path}:{line}: {phrase!r} ({instead}): {text}")
    print(f"{len(hits)} phrases to drop", file=sys.stderr)
    return bool(hits)


if __name__ == "__main__":
    sys.exit(main())
