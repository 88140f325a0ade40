"""What the site is made of: code that answers, citations, functions behind a check, formulas, docstrings."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown import markdown
from matplotlib import pyplot

from teacherstudent.api.lesson import lessons
from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.lessons.pages.course import question
from teacherstudent.lessons.pages.words import Formulas, mathml
from teacherstudent.paper_checks.code import code_of
from teacherstudent.paper_checks.last_run import LastRun, last_run
from teacherstudent.paper_checks.ledger import checks, claims
from tools.nested import ROOT
from tools.site import answers, gallery, index, pages, tables, thesis
from tools.site.api import modules
from tools.site.bibtex import bibtex
from tools.site.citations import citations, citing, spelled_out
from tools.site.docstrings import as_markdown
from tools.site.markdown import plain
from tools.site.ranking import ranked

# Code that answers ------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_pictures_of_others() -> None:
    """A page shows every figure that is open: none that another test left."""
    pyplot.close("all")


def shown(text: str) -> str:
    """A page with its code run, without its pictures."""
    return answers.answered("page.md", text)[0]


def test_what_python_prints_stands_beneath_it_and_names_are_kept() -> None:
    page = shown("```python\na = 6\n```\nthen\n```python\nprint(a * 7)\n```\n")
    assert re.search(r"then\n```python\nprint\(a \* 7\)\n```\n\n```\{\.text \.answer\}\n42\n```", page)
    assert page.count("answer") == 1  # the first block printed nothing


def test_commands_are_answered_and_refusals_are_shown() -> None:
    asked = "teacherstudent curve linear-network --dynamics flow --route closed-form --times 0:1:2:lin"
    assert "time,mode,u\n0.0,1," in shown(f"```sh\n{asked}\n```\n")
    assert "error: --depth 0: must be" in shown(f"```sh refused\n{asked} --depth 0\n```\n")


@pytest.mark.parametrize(
    "block",
    [
        "```python\n1 / 0\n```\n",
        "```python\nimport warnings; warnings.warn('x')\n```\n",
        "```sh\nteacherstudent list nonsense\n```\n",
        "```sh refused\nteacherstudent list errata\n```\n",
        "```shell\nteacherstudent figure nonsense\n```\n",
        "```shell\nteacherstudent curve multiscale --dynamics flow --route asymptotic --kapa 2\n```\n",
        "```python\nimport matplotlib.pyplot as plt; plt.figure()\n```\n",  # says not what it shows
    ],
)
def test_a_block_that_does_not_do_what_the_page_says_stops_the_build(block: str) -> None:
    with pytest.raises(answers.Failed, match=r"page\.md"):
        shown(block)


def test_a_picture_is_shown_with_its_description() -> None:
    code = '```python alt="A line"\nimport matplotlib.pyplot as plt\n_ = plt.plot([1, 2])\n```\n'
    page, pictures = answers.answered("folder/page.md", code)
    assert "![A line](page-1.png)" in page
    assert pictures["page-1.png"].startswith(b"\x89PNG")
    assert "alt=" not in page


# Citations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Eq. 4.2.6", [("Eq", "4.2.6")]),
        ("Eqs. .2.18-.2.20", [("Eq", ".2.18"), ("Eq", ".2.19"), ("Eq", ".2.20")]),
        ("Eqs. .5.43, .5.48", [("Eq", ".5.43"), ("Eq", ".5.48")]),
        ("Eqs. 4.2.9-4.2.10, 5", [("Eq", "4.2.9"), ("Eq", "4.2.10"), ("Eq", "5")]),
        ("Section 4.2.3: bound", [("Sect", "4.2.3")]),
        ("Ch. 2 Fig. 3 left", [("Fig", "Ch. 2 3")]),
        ("App. Fig. 1 right", [("Fig", "App. 1")]),
        ("Thm. 6.3.5 any coupling", [("Thm", "6.3.5")]),
        ("Published repository", []),
    ],
)
def test_references_are_read(text: str, found: list[tuple[str, str]]) -> None:
    assert citations(text, "paper2000") == [("paper2000", *each) for each in found]


@pytest.mark.parametrize("other", ["other2001", "other2001a", "other2001conf"])
def test_a_named_paper_is_meant_from_there_on(other: str) -> None:
    text = f"Eq. 1, {other} Eq. 2 and Lemma 3"
    assert [paper for paper, *_ in citations(text, "paper2000")] == ["paper2000", other, other]


def test_ranges_that_do_not_count_up_are_their_ends() -> None:
    assert spelled_out("4.2.24-4.3.1") == ["4.2.24", "4.3.1"]


def test_citations_belong_to_the_public_name_around_them(tmp_path: Path) -> None:
    source = '"""A module, Eq. 1."""\n\ndef f():\n    """Of paper2000 Eq. 2."""\n    return 1  # Eq. 3\n'
    room = tmp_path / "theory"
    room.mkdir()
    (room / "sums.py").write_text(source + "\n\ndef _g():\n    return 2  # Eq. 4\n", encoding="utf-8")
    found = {
        each.name: each.cites for each in citing(room, tmp_path, {"teacherstudent.theory.sums": "other2001"})
    }
    assert found == {
        "teacherstudent.theory.sums": {("other2001", "Eq", "1"), ("other2001", "Eq", "4")},
        "teacherstudent.theory.sums.f": {("paper2000", "Eq", "2"), ("other2001", "Eq", "3")},
    }


# Functions behind a check -----------------------------------------------------------------------------------


def test_a_check_leads_to_the_functions_that_it_puts_to_the_test() -> None:
    found = index.by_check()["ln-modes"]
    assert "teacherstudent.theory.linear_network.routes.closed_form_flow" in found.claimed
    assert any(name.startswith("teacherstudent.sims.linear_network.") for name in found.observed)


def test_every_function_that_is_named_stands_in_the_reference() -> None:
    shown = {module.name: module.public for module in modules()}
    named = {name for found in index.by_check().values() for name in found.claimed | found.observed}
    assert len(named) > 20
    assert {name.rpartition(".")[0] for name in named} <= set(shown)


def test_most_claims_that_are_checked_name_a_function() -> None:
    tested, cited = index.by_check(), index.by_citation(ROOT)
    checked = [claim for claim in claims() if claim.check]
    named = [
        claim
        for claim in checked
        if cited.functions(claim) or tested[claim.check].claimed or tested[claim.check].observed
    ]
    assert len(named) > len(checked) / 2  # the others are algebra within their checks


# Texts ------------------------------------------------------------------------------------------------------


def test_formulas_are_set_without_a_script() -> None:
    page = markdown(r"Where $a_1 * b_2 * c$ is, $$\frac{1}{2}$$ and `$x$` stay.", extensions=[Formulas()])
    assert page.count("<math") == 2
    assert "<em>" not in page
    assert "<code>$x$</code>" in page
    assert ElementTree.fromstring(page).find(".//mfrac") is not None


def test_a_formula_keeps_its_latex_for_those_who_hear_it() -> None:
    assert mathml(r"\alpha  = n/d", "inline").get("alttext") == r"\alpha = n/d"


@pytest.mark.parametrize(
    "text", ["a*b*c and _x_", "counts[split][group] <name>", "|w|^2 $5", r"a \ b & c", "`q`"]
)
def test_a_text_of_the_registry_reads_as_it_is(text: str) -> None:
    table = markdown(f"| a |\n| --- |\n| {plain(text)} |", extensions=["tables", Formulas()])
    cell = ElementTree.fromstring(table.replace("&nbsp;", " ")).find(".//td")
    assert cell is not None
    assert "".join(cell.itertext()) == text
    assert len(cell) == 0


def test_docstrings_read_as_they_are_written() -> None:
    text = "a * b * c, `x_1`, w[i][j]\n\n    indented * code\n\n>>> print(1 * 2)\n2 * 1\n\nend*"
    assert as_markdown(text) == (
        "a \\* b \\* c, `x_1`, w\\[i\\]\\[j\\]\n\n    indented * code\n\n>>> print(1 * 2)\n2 * 1\n\nend\\*"
    )


def test_every_system_answers_a_question() -> None:
    page = (ROOT / "docs" / "questions.md").read_text("utf-8")
    assert [each for each in catalogue.problems() if f"`{each}`" not in page] == []


def test_works_are_cited_as_bibtex() -> None:
    entries = re.findall(r"^@(\w+)\{(\w+),\n(.*?)\n\}$", bibtex(), re.MULTILINE | re.DOTALL)
    assert [name for _, name, _ in entries][:2] == ["teacherstudent", "pezeshki2022"]
    assert {claim.paper for claim in claims()} <= {name for _, name, _ in entries}
    for _, name, fields in entries:
        assert {"title", "author"} <= set(re.findall(r"^  (\w+) = \{.*\},$", fields, re.MULTILINE)), name


def test_every_figure_of_the_thesis_has_a_page() -> None:
    numbered = re.compile(r"(Ch\. \d |App\. )?(Fig|Table)")
    pages_of = {
        path.stem: path.read_text("utf-8")
        for path in (ROOT / "docs" / "figures").glob("*.md")
        if path.stem != "index"
    }
    for name, page in pages_of.items():
        assert f"<!-- figure: {name} -->" in page
        assert f"<!-- thesis: {name} -->" in page
        assert "\n## Vary it" in page
    written = "".join(pages_of.values())
    missing = [
        figure.id
        for figure in figures().values()
        if figure.paper == thesis.THESIS and numbered.match(figure.ref)
        if f"<!-- figure: {figure.id} -->" not in written and f"gallery.md#{figure.id})" not in written
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("Fig. 4: points", {"4"}),
        ("8.4 Fig. 1", {"Ch. 8 1"}),
        ("Ch. 6 Table 2, Fig. 3", {"Ch. 6 3"}),
        ("App. .4.4: more on Fig. 3", {"App. 3"}),
    ],
)
def test_a_number_without_a_chapter_is_that_of_its_place(place: str, found: set[str]) -> None:
    assert {number for _, kind, number in thesis.cited(place) if kind == "Fig"} == found


def test_a_page_of_a_figure_has_its_checks_and_misprints() -> None:
    assert "ms-figure-4" in thesis.facts("ch4-fig4")
    assert "errata.md#ms-plane-height" in thesis.facts("ch4-fig4")
    assert "wg-toy" not in thesis.facts("ch4-fig1")


def test_guides_and_the_glossary_outweigh_the_reference() -> None:
    places = {
        "api/house.html#ridge": "ridge",
        "reference/checks.html#a": "ridge",
        "topics/a.html": "ridge",
        "glossary.html#ridge": "Ridge",
        "glossary.html#r": "R: alignment",
        "glossary.html#kappa": "κ (kappa): condition number",
        "figures/ch4-fig4.html": "Fig. 4: the plane",
    }
    docs = [{"location": place, "title": title, "text": ""} for place, title in places.items()]
    index_ = ranked({"config": {"fields": {"title": {"boost": 1000.0}}}, "docs": docs})
    entries = {each["location"]: each for each in index_["docs"]}
    boosts = [entries[place]["boost"] for place in list(places)[:4]]
    assert boosts == sorted(boosts)
    assert entries["glossary.html#r"]["names"] == "R"
    assert entries["glossary.html#kappa"]["names"] == "κ kappa"
    assert entries["figures/ch4-fig4.html"]["names"] == "Fig. 4 figure ch4-fig4"
    assert "names" not in entries["glossary.html#ridge"]
    assert index_["config"]["fields"]["names"]["boost"] > 1000


# What others leave ------------------------------------------------------------------------------------------


def test_every_lesson_is_listed_with_its_question() -> None:
    page = tables.lesson_table()
    for name, lesson in lessons().items():
        assert f"`teacherstudent lesson {name}`" in page
        assert f'href="lessons/{name}.html"' in page
        asked = question(lesson.path)
        assert asked in page
        assert asked.endswith("?") or not lesson.title.startswith("Lesson"), name
        assert asked


def test_a_figure_without_a_picture_says_how_to_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "pictures", dict)
    assert gallery.gallery().count(gallery.NOT_DRAWN) == len(figures())


def test_outcomes_stand_with_their_checks_where_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = {"statistic": 0.5, "threshold": 2.0, "resolution": 0.01, "unit": "u", "reason": "why"}
    erratum = {"id": "ln-parallel-modes", **verdict, "statistic": 8.0}
    found = {"detectable": 0.01, "detectable_unit": "u", "effect": "a bump", "share": 0.61, "state": "weak"}
    outcome = {"id": "ln-decoupled", "passed": True, **verdict, **found, "errata": [erratum]}
    exact = {**outcome, "id": "gs-lambert", "detectable": 0.0, "share": 0.0, "state": "agrees"}
    for each in (outcome, exact):
        each["code"] = code_of(checks()[each["id"]])
    old = {**outcome, "id": "ln-sigmoid", "reason": "of earlier code", "code": "0"}
    (tmp_path / "checks.json").write_text(json.dumps([outcome, exact, old]), encoding="utf-8")
    monkeypatch.setattr(gallery, "OUT", tmp_path)
    monkeypatch.setitem(last_run(), "ln-sigmoid", LastRun("weak", 0.7, stale=True))
    table = pages.check_table()
    said = "agrees: statistic 0.5, allowed 2 (why); smallest detectable error:"
    assert f": **weak**, {said} 0.01 u, 61 % of a bump" in table
    assert f": {said} any, because" in table
    assert "of earlier code" not in table
    assert "**weak**, agrees, share of the effect 0.7 (stale: the code" in table
    assert "(4 times the allowed deviation)" in pages.errata()
