"""Every known misprint can be read: set in formulas, with its size and what it does to the conclusion."""

from __future__ import annotations

import re
from math import isfinite

import numpy as np
import pytest

from teacherstudent.lessons.pages.words import mathml
from teacherstudent.paper_checks.judging.evidence import Erratum
from teacherstudent.paper_checks.judging.reading import CONCLUSIONS, REMARK, Quotation, relative
from teacherstudent.paper_checks.ledger import checks, claims
from teacherstudent.paper_checks.multiscale.derivation import KEPT, largest_error, ridge_keeps
from tools.site.misprints import errata, quoted, share

ERRATA = [erratum for check in checks().values() for erratum in check.errata]
every_misprint = pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
FORMULA = re.compile(r"\$([^$]+)\$")
SENTENCE = re.compile(r"[A-Z'][^.]*(\.\d[^.]*)*\.")
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
    assert SENTENCE.fullmatch(SHORT.sub(r"\1", reading.because)), "one sentence"


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
    assert relative([1.0, 3.0], [2.0, 4.0]) == 0.25
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
    assert "lie at twice their time" in reading.because


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
