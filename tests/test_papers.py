"""What is said of papers: quotations, tables, misprints and keys stand where a reader can look them up."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from math import isfinite
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy import stats

from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.lessons.pages.words import mathml
from teacherstudent.paper_checks.judging.evidence import Erratum
from teacherstudent.paper_checks.judging.printed import (
    Cell,
    Count,
    Difference,
    Table,
    count_significant,
    on_average,
    probabilities,
)
from teacherstudent.paper_checks.judging.reading import CONCLUSIONS, REMARK, Quotation, largest_relative_error
from teacherstudent.paper_checks.ledger import checks, claims, titles
from teacherstudent.paper_checks.multiscale.derivation import KEPT, largest_error, ridge_keeps
from teacherstudent.paper_checks.scale_invariant.accuracies import SAME
from teacherstudent.paper_checks.scale_invariant.kit.tables import SPHERE_2020, SPHERE_2021
from teacherstudent.paper_checks.scale_invariant.kit.tables import TABLES as SPHERE
from teacherstudent.paper_checks.spurious_groups.kit.tables import TABLES as GROUPS
from teacherstudent.paper_checks.spurious_groups.kit.tables import WORST
from tools.nested import ROOT
from tools.site.citations import keys_of
from tools.site.misprints import errata, quoted, share

SCANS = Path(__file__).parents[2] / "shared" / "papers"
LISTED = re.compile(r"^\| (\w+) \| (\w+\.txt) \|", re.MULTILINE)
APART = 600
"""Letters at most between one piece of a quotation and the next."""
FEWEST = 12
"""Letters of a quotation at least that are compared: fewer could stand there by chance."""

ERRATA = [erratum for check in checks().values() for erratum in check.errata]
every_misprint = pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
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
    """The text of each paper that is at hand, by its key."""
    index = SCANS / "README.md"
    listed = LISTED.findall(index.read_text("utf-8")) if index.is_file() else []
    return {key: (SCANS / name).read_text("utf-8") for key, name in listed}


@cache
def letters_of(paper: str) -> str:
    return letters(scans()[paper])


@every_misprint
def test_what_is_charged_is_quoted_and_what_is_not_quoted_charges_nobody(erratum: Erratum) -> None:
    assert bool(erratum.reading.quoted) == bool(erratum.paper)
    for quotation in erratum.reading.quoted:
        assert sum(map(len, pieces(quotation))) >= FEWEST
        assert quotation.place


@pytest.mark.parametrize(("paper", "quotation"), QUOTED)
def test_a_quotation_stands_in_its_paper(paper: str, quotation: Quotation) -> None:
    if paper not in scans() or quotation.is_code:
        pytest.skip(f"the text of {paper} is not at hand")
    assert stands_in(quotation, letters_of(paper))


def test_other_words_are_noticed() -> None:
    text = letters("As predicted by Eqs. 4.2.14, a sub-\nset of features are learned 50 times faster.")
    assert stands_in(Quotation("a subset of features ... $x$ 50 times faster", "Fig. 3"), text)
    for words in ("a subset of features are learned 50 times slower", "50 times faster ... a subset"):
        assert not stands_in(Quotation(words, "Fig. 3"), text)


BETWEEN = 150
"""Letters at most between a cell and the next, which tables with further columns have."""


def cell(digits: tuple[str, str]) -> str:
    """A mean and its deviation as scans show them: points get lost, the sign between is read as 4."""
    mean, std = (each.replace(".", r"\.?") for each in digits)
    return rf"(?<!\d){mean}[^\d]{{0,40}}4?{std}(?!\d)"


def holds(text: str, cells: list[str]) -> bool:
    """Whether a row stands in a scan: its cells in order, or, where columns are scanned one by one, each."""
    row = f".{{0,{BETWEEN}}}?".join(cells)
    return bool(re.search(row, text, re.DOTALL)) or all(re.search(each, text) for each in cells)


@pytest.mark.parametrize("table", GROUPS + SPHERE, ids=lambda table: f"{table.paper}, {table.place}")
def test_cells_stand_in_their_paper(table: Table) -> None:
    if table.paper not in scans():
        pytest.skip(f"the text of {table.paper} is not at hand")
    for name in {row for row, _ in table.printed}:
        cells = [cell(digits) for (row, _), digits in table.printed.items() if row == name]
        assert holds(scans()[table.paper], cells), name


def test_another_digit_is_noticed() -> None:
    text = "SUBY 4 No 79.9+33 82.4£1.7 -2.4405"
    assert holds(text, [cell(("79.9", "3.3")), cell(("82.4", "1.7"))])
    assert holds(text, [cell(("2.4", "0.5"))])
    assert not holds(text, [cell(("79.9", "3.2"))])
    assert not holds(text, [cell(("9.9", "3.3"))])


def test_both_versions_print_the_same_but_for_two_cells() -> None:
    differ = [
        (name, column)
        for name, later in SAME.items()
        for column in SPHERE_2021.columns
        if SPHERE_2020.printed[name, column] != SPHERE_2021.printed[later, column]
    ]
    assert differ == [("AdamW", "SVHN ResNet18"), ("AdamW", "SVHN VGG16")]


def test_of_a_pair_it_is_the_test_of_welch() -> None:
    one, other = Cell(68.93, 0.19, 3, (0.005, 0.005)), Cell(68.5, 0.10, 5, (0.05, 0.005))
    found = probabilities(Difference([one, other]))

    def welch(up: float, *wider: float) -> float:
        a, b = (each.std + 0.005 * more for each, more in zip((one, other), wider, strict=True))
        return stats.ttest_ind_from_stats(one.mean + 0.055 * up, a, 3, other.mean, b, 5, False).pvalue

    corners = list(itertools.product((-1, 1), repeat=2))
    least, largest = min(welch(1, *each) for each in corners), max(welch(-1, *each) for each in corners)
    np.testing.assert_allclose(found, [welch(0, 0, 0), least, largest], rtol=1e-9)


def test_of_averages_it_keeps_its_level() -> None:
    """Of means over two columns without a difference one in twenty is shown, within 4 standard errors."""
    cells = [*WORST.row("subg")[:2], *WORST.row("gdro")[:2]]
    draws, random = 1500, np.random.default_rng(0)
    runs = random.normal(size=(draws, len(cells), 5)) * np.array([each.std for each in cells])[:, None]
    shown = 0
    for mean, std in zip(runs.mean(axis=2), runs.std(axis=2, ddof=1), strict=True):
        drawn = [Cell(m, s, 5, (0.0, 0.0)) for m, s in zip(mean, std, strict=True)]
        shown += probabilities(on_average(drawn[:2], drawn[2:]))[0] < 0.05
    assert abs(shown / draws - 0.05) < 4 * np.sqrt(0.05 * 0.95 / draws)


def test_a_statement_of_several_comparisons_is_held_to_their_number() -> None:
    halves = (0.0, 0.0)
    apart = Difference([Cell(1.0, 1.0, 5, halves), Cell(-1.0, 1.0, 5, halves)])  # p = .013
    assert count_significant({"one": apart}) == Count(1, 1, 0, 0)
    turned = apart._replace(weights=(-1.0, 1.0))
    assert count_significant({str(i): turned for i in range(4)}) == Count(0, 0, 0, 4)
    assert count_significant({str(i): turned for i in range(3)}) == Count(0, 0, 3, 0)


FORMULA = re.compile(r"\$([^$]+)\$")
SENTENCES = re.compile(r"([A-Z'][^.]*(\.\d[^.]*)*\.( |$)){1,3}")
SHORT = re.compile(r"\b(Eqs?|App|Fig|al)\.")


@every_misprint
def test_both_sides_are_set_in_formulas(erratum: Erratum) -> None:
    sides = (erratum.reading.printed, erratum.reading.corrected)
    formulas = [formula for side in sides for formula in FORMULA.findall(side)]
    assert formulas
    prints = [each.words for each in erratum.reading.quoted if not each.is_code]
    for formula in [*formulas, *(formula for words in prints for formula in FORMULA.findall(words))]:
        assert mathml(formula, "inline").tag == "math"
    assert not any("$" in FORMULA.sub("", text) for text in (*sides, *prints))


@every_misprint
def test_it_says_how_wrong_it_is_and_what_that_changes(erratum: Erratum) -> None:
    reading = erratum.reading
    if reading.error is None:
        assert reading.conclusion == "stands", "a definition contradicts no number"
    else:
        error = reading.error()
        assert isfinite(error)
        assert error > 1e-3, "a misprint that changes no number by a thousandth is a matter of wording"
    assert reading.of
    assert reading.at
    assert reading.conclusion in CONCLUSIONS
    assert SENTENCES.fullmatch(SHORT.sub(r"\1", reading.because)), "one to three sentences"


def test_the_print_is_shown_with_its_formulas_and_its_place() -> None:
    printed = Quotation(r"set $\|w\| = 1$, without ... loss_of", "Eq. [1]")
    assert quoted(printed) == r"“set $\|w\| = 1$, without … loss\_of” (Eq. \[1\])"
    line = Quotation("a_1 = 2 * b ... c", "line 3 of f_g.py, github.com/some-one/a_b")
    place = r"line 3 of f\_g.py, [github.com/some-one/a_b](https://github.com/some-one/a_b)"
    assert quoted(line) == f"“`a_1 = 2 * b` … `c`” ({place})"


def test_a_formula_that_cannot_be_set_is_noticed() -> None:
    with pytest.raises(ValueError, match=r"\\kapa"):
        mathml(r"\kapa = 1", "inline")


def test_relative_errors_are_over_the_right_value() -> None:
    assert largest_relative_error([1.0, 3.0], [2.0, 4.0]) == 0.25
    assert [share(error) for error in (0.0033, 0.67, 1.2, 99)] == [
        "0.33 %",
        "67 %",
        "120 %",
        "a factor of 100",
    ]


def test_the_curves_of_the_script_lie_where_the_reading_says() -> None:
    """ms-script-two-over-t: ridge 2/t at t is what 1/t is at t/2."""
    half = {
        factor: KEPT[np.argmin(np.abs(ridge_keeps(factor, largest_error, KEPT)[0] - 0.5))]
        for factor in (1, 2)
    }
    (reading,) = (each.reading for each in ERRATA if each.id == "ms-script-two-over-t")
    assert half[2] / half[1] == pytest.approx(2, rel=KEPT[1] / KEPT[0] - 1)
    assert "drawn at twice their time" in reading.because


@pytest.mark.thorough
def test_the_worst_stand_first() -> None:
    page = errata()
    assert sorted(re.findall(r"^### .*\{#(.*)\}$", page, re.MULTILINE)) == sorted(e.id for e in ERRATA)
    places = [page.index(f"{{#{kind}}}") for kind in (*CONCLUSIONS, *REMARK)]
    assert places == sorted(places)
    assert page.index("{#ms-onset-printed}") < page.index("{#ms-lemma-norm}")  # 120 % before 17 %
    # of two signs one is wrong, whatever the problem: no size
    assert "**wrong by**: a definition: " in page.partition("{#gs-response-sign}")[2].partition("###")[0]


def test_every_equation_of_the_papers_is_set() -> None:
    assert [
        (claim.paper, claim.id) for claim in claims() if claim.id.startswith("Eq") and not claim.latex
    ] == []
    for claim in claims():
        if claim.latex:
            assert mathml(claim.latex, "inline").tag == "math"


@cache
def spelled_out() -> set[str]:
    """The keys of CITATION.cff, and those of papers whose list of claims has a title of its own."""
    listed = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    return {each["abbreviation"] for each in listed if "abbreviation" in each} | set(titles())


def sources() -> Iterator[tuple[str, str]]:
    """Every declaration by its id, and the text in which it names its papers."""
    for problem in catalogue.problems().values():
        yield problem.id, problem.source
    for route in catalogue.routes():
        yield route.id, route.source
    for figure in figures().values():
        yield figure.id, f"{figure.ref} {figure.caption}"


def keys() -> Iterator[tuple[str, str]]:
    """Every declaration that has a paper's key of its own. What some checks prove stands in no paper."""
    for check in checks().values():
        if check.paper or check.covers:
            yield check.id, check.paper
        yield from ((erratum.id, erratum.paper) for erratum in check.errata if erratum.paper)
    yield from ((figure.id, figure.paper) for figure in figures().values())
    yield from ((f"list of {claim.paper}", claim.paper) for claim in claims())


def test_the_papers_of_checks_misprints_figures_and_lists_are_spelled_out() -> None:
    assert [(name, key) for name, key in keys() if key not in spelled_out()] == []


def test_the_papers_that_a_source_names_are_spelled_out() -> None:
    missing = [(name, key) for name, text in sources() for key in keys_of(text) if key not in spelled_out()]
    assert missing == []


def test_every_key_is_read_as_one() -> None:
    """Otherwise what a text says of that paper is credited to the one before."""
    assert [
        key for key in sorted(spelled_out()) if keys_of(f"earlier1900 Eq. 1 and {key} Fig. 3")[1:] != [key]
    ] == []


def test_a_paper_that_is_nowhere_spelled_out_is_noticed() -> None:
    assert set(keys_of("nobody2000 Eq. 3")) - spelled_out() == {"nobody2000"}
