"""What charges a paper is printed in it: each quotation is held to the paper's text, where that is at hand.

The texts are scans in the folder `shared/papers` next to the clone; they are no part of the project. A scan
garbles formulas, so only letters and digits of words are compared, and a formula between dollars not at all.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from teacherstudent.paper_checks.judging.evidence import Erratum
from teacherstudent.paper_checks.judging.reading import Quotation
from teacherstudent.paper_checks.ledger import checks

SCANS = Path(__file__).parents[2] / "shared" / "papers"
LISTED = re.compile(r"^\| (\w+) \| (\w+\.txt) \|", re.MULTILINE)
APART = 600
"""Letters at most between one piece of a quotation and the next."""
FEWEST = 12
"""Letters of a quotation at least that are compared: fewer could stand there by chance."""

ERRATA = [erratum for check in checks().values() for erratum in check.errata]
QUOTED = [
    pytest.param(erratum.paper, quotation, id=erratum.id)
    for erratum in ERRATA
    for quotation in erratum.reading.quoted
]


def letters(text: str) -> str:
    """The unaccented letters and digits of a text, in lower case; words that a line breaks are whole.

    Scans read "Eqs." as "Egs." and "Eqgs." too.
    """
    return re.sub("eq?gs", "eqs", re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text).casefold()))


def pieces(quotation: Quotation) -> list[str]:
    """What of a quotation is held to a scan: the words between formulas and omissions."""
    return [held for part in re.split(r"\$[^$]*\$|\.\.\.", quotation.words) if (held := letters(part))]


def stands_in(quotation: Quotation, text: str) -> bool:
    """Whether its pieces stand in the letters of a text, in order and near each other."""
    found = re.escape(pieces(quotation)[0]) + "".join(
        f".{{0,{APART}}}?{re.escape(piece)}" for piece in pieces(quotation)[1:]
    )
    return re.search(found, text) is not None


@cache
def scans() -> dict[str, str]:
    """The letters of each paper that is at hand, by its key."""
    index = SCANS / "README.md"
    listed = LISTED.findall(index.read_text("utf-8")) if index.is_file() else []
    return {key: letters((SCANS / name).read_text("utf-8")) for key, name in listed}


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
def test_what_is_charged_is_quoted_and_what_is_not_quoted_charges_nobody(erratum: Erratum) -> None:
    assert bool(erratum.reading.quoted) == bool(erratum.paper)
    for quotation in erratum.reading.quoted:
        assert sum(map(len, pieces(quotation))) >= FEWEST
        assert quotation.place


@pytest.mark.parametrize(("paper", "quotation"), QUOTED)
def test_a_quotation_stands_in_its_paper(paper: str, quotation: Quotation) -> None:
    if paper not in scans() or quotation.is_code:
        pytest.skip(f"the text of {paper} is not at hand")
    assert stands_in(quotation, scans()[paper])


def test_other_words_are_noticed() -> None:
    text = letters("As predicted by Eqs. 4.2.14, a sub-\nset of features are learned 50 times faster.")
    assert stands_in(Quotation("a subset of features ... $x$ 50 times faster", "Fig. 3"), text)
    for words in ("a subset of features are learned 50 times slower", "50 times faster ... a subset"):
        assert not stands_in(Quotation(words, "Fig. 3"), text)
