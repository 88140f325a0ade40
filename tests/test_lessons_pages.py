"""Lessons as pages: what they are made of, and what a folder of them holds."""

from __future__ import annotations

import html
import importlib
import json
import re
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from teacherstudent.api import lesson as lesson_module
from teacherstudent.api.teaching import agree, function, teaching
from teacherstudent.lessons import boundaries
from teacherstudent.lessons.kit import LOOKS, Axis, Line, Now, Panel
from teacherstudent.lessons.pages import bisected, course, plain, plans, scripts, words, works
from teacherstudent.lessons.pages.blocks import probes
from teacherstudent.lessons.pages.build import build, told
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.lessons.pages.deck import joined, pieces
from teacherstudent.lessons.pages.drawing import drawn, settings
from tools.works import fresh

LESSONS = list(lesson_module.lessons())
TAUGHT = [name for name, each in lesson_module.lessons().items() if each.title.startswith("Lesson ")]
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
TEMPLATES = Path(plain.__file__).parent / "templates"
SCRIPTS = sorted(str(path.relative_to(scripts.FOLDER)) for path in scripts.FOLDER.rglob("*.js"))


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_has_a_page_that_moves_and_simulations_drawn_for_it(name: str) -> None:
    assert f"lessons/{name}.js" in SCRIPTS
    assert drawn(name)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_says_what_it_is_and_needs_only_what_there_is(name: str) -> None:
    text = scripts.source(name)
    assert text.startswith("// ")
    assert '"use strict";' in text
    assert set(scripts.needed(name)) <= set(SCRIPTS)
    assert scripts.in_order([name])[-1] == name
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", [each for each in SCRIPTS if each.startswith(("numerics/", "theory/"))])
def test_theory_of_pages_knows_no_page_and_numerics_no_system(name: str) -> None:
    rooms = {each.partition("/")[0] for each in scripts.needed(name)}
    assert rooms <= ({"numerics"} if name.startswith("numerics/") else {"numerics", "theory"})
    assert not re.search(r"\b(document|window|fetch|XMLHttpRequest|Math\.random)\b", scripts.source(name))


def test_scripts_that_need_each_other_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"a.js": "// needs: b.js\n", "b.js": "// needs: a.js\n"}
    monkeypatch.setattr(scripts, "needed", lambda name: tuple(scripts.NEEDS.findall(texts[name])))
    with pytest.raises(ValueError, match=r"a\.js -> b\.js -> a\.js"):
        scripts.in_order(["a.js"])


def test_a_panel_is_kept_as_plain_data() -> None:
    look = LOOKS[1]
    marks = (Line([0, 1], [float("nan"), 2], look, "theory", dashed=True), Now(0.5))
    made = plain.panel(Panel(Axis("x [1]", "log", low=0.1), Axis("y [1]"), marks))
    assert made["x"] == {"label": "x [1]", "scale": "log", "low": 0.1, "high": None}
    assert made["marks"][0]["y"] == [None, 2.0]
    assert (made["marks"][0]["look"], made["marks"][0]["dashed"]) == (1, True)
    assert made["marks"][1] == {"kind": "now", "look": None, "x": 0.5, "y": None, "line": True}
    assert json.loads(json.dumps(made)) == made


@pytest.mark.parametrize(
    ("curve", "noise", "alpha"), [("flow", 0.0, 1.1), ("ridge", 0.3, 1.36), ("printed", 0.15, 2.0)]
)
def test_boundaries_were_bisected_and_are_drawn_right_between(curve: str, noise: float, alpha: float) -> None:
    found = bisected.bisected()
    drawn = boundaries.between(found[curve][found["noise"].index(noise)])
    here = np.exp(np.interp(1 - alpha, 1 - boundaries.ALONG[::-1], np.log(drawn[::-1])))
    pixel = np.log(60 / 1.5) / (340 * 2.4)
    assert abs(np.log(here / bisected.critical(curve, noise, alpha, found["accuracy"]))) < pixel


def test_formulas_are_set_without_a_script_and_keep_their_numbers() -> None:
    html = words.html(r"Let $x^2$ be: $$ y = z \tag{4.2.1} $$")
    assert html.count("<math") == 2
    assert '<span class="number">(4.2.1)</span>' in html
    assert "tag" not in html


def test_a_slide_keeps_a_formula_with_its_words() -> None:
    prose = f"## Head\n\n{'a' * 300}:\n\n$$x$$\n\n{'b' * 400}"
    assert joined(prose)[1].endswith("$$x$$")
    first, second = pieces(prose)
    assert first.startswith("## Head")
    assert "$$x$$" in first
    assert second.startswith("## Head")
    assert "b" * 400 in second


@cache
def built() -> Path:
    """Pages of one lesson, from its notebook."""
    import tempfile

    folder = Path(tempfile.mkdtemp())
    build(folder, ["modes"])
    return folder


def test_a_page_shows_a_picture_before_any_script_runs() -> None:
    html = (built() / "modes.html").read_text("utf-8")
    body = html.partition("<body")[2]
    assert body.index('class="theory"') < body.index("<script")


def test_solutions_stand_apart() -> None:
    exercise = teaching("modes").exercise
    assert exercise
    code = exercise.solution.strip().splitlines()[-1].strip()
    apart = (built() / "modes-solutions.html").read_text("utf-8")
    assert "<h3>Solution</h3>" in apart
    assert code in apart.replace("&gt;", ">").replace("&lt;", "<")
    for kind in ("", "-slides", "-sheet"):
        page = (built() / f"modes{kind}.html").read_text("utf-8")
        assert "<h3>Solution</h3>" not in page
        assert code not in page


@pytest.mark.parametrize("name", TAUGHT)
def test_a_page_asks_for_values_by_which_solution_and_mistakes_are_told_apart(name: str) -> None:
    exercise = teaching(name).exercise
    assert exercise
    asked = probes(exercise)
    rows = [[each["right"], *each["wrong"]] for each in asked]
    for one, other in combinations(list(zip(*rows, strict=True)), 2):
        assert not all(map(agree, one, other))
        assert not all(map(agree, other, one))


@cache
def traces(name: str) -> list[str]:
    """Parts of a lesson's solutions: lines of code, right values, and plain words of the texts."""
    of = teaching(name)
    assert of.exercise
    assert of.think_first
    solution = function(of.exercise.solution)
    lines = set(of.exercise.solution.splitlines()) - set(of.exercise.starter.splitlines())
    values = [repr(solution(**asked)) for asked in of.exercise.questions()]
    texts = [of.think_first.because, of.exercise.explanation, *(each.solution for each in of.by_hand)]
    apart = r"\$.*?\$|\{\{.*?\}\}|[*`]"
    words = [each.strip() for text in texts for each in re.split(apart, " ".join(text.split()))]
    prose = " ".join(lesson_module.lessons()[name].path.read_text("utf-8").split())
    long = [each for each in words if len(each) > 20 and each not in prose]  # shorter ones occur in any text
    kept = [*(each.strip() for each in lines), *values]
    return [*[each for each in kept if len(each) > 10], *long, *(each.says for each in of.exercise.mistake)]


def found(name: str, text: str) -> list[str]:
    """The traces of a lesson's solutions in a text."""
    plain = " ".join(html.unescape(text).split())
    return [each for each in traces(name) if each in plain]


def hold_no_solution(name: str, folder: Path, pages: list[Path]) -> None:
    """Nothing of a lesson's solutions stands in these pages or in another file of their folder."""
    others = {path for path in folder.glob("*.html") if path not in pages}
    for each in {path for path in folder.rglob("*.*") if path.is_file()} - others:
        assert found(name, each.read_text("utf-8")) == [], each
    for page in pages:
        said = page.read_text("utf-8")
        assert not re.search(r"data-right|data-probes|-solutions|-notes|separate page|>Solution", said), page
    said = (folder / f"{name}.html").read_text("utf-8")
    assert "The class discusses the answers." in said
    assert f"teacherstudent lesson {name} --answer FOLDER" in said


def astray(folder: Path, pages: list[Path]) -> list[tuple[str, str]]:
    """What these pages refer to and the folder has not."""
    there = {str(each.relative_to(folder)) for each in folder.rglob("*.*")}
    return [(page.name, each) for page in pages for each in referred(page.read_text("utf-8")) - there]


def test_pages_without_solutions_have_no_trace_of_them(tmp_path: Path) -> None:
    pages = build(tmp_path, ["modes"], alone=True, solved=False)
    hold_no_solution("modes", tmp_path, pages)
    assert astray(tmp_path, pages) == []


def test_the_traces_are_those_that_pages_with_solutions_have() -> None:
    assert len(found("modes", (built() / "modes-solutions.html").read_text("utf-8"))) > 10
    assert len(found("modes", (built() / "modes.html").read_text("utf-8"))) > 5


@pytest.mark.parametrize("name", TAUGHT)
def test_a_notebook_without_solutions_has_no_trace_of_them(name: str) -> None:
    app = importlib.import_module(f"teacherstudent.lessons.{name}").app
    codes = [(each._name, each._cell.code) for each in app._cell_manager.cells()]
    cells = [
        {"id": str(i), "source": code, "metadata": {"marimo": {"name": own}}}
        for i, (own, code) in enumerate(codes)
    ]
    made = json.loads(lesson_module._unsolved(name, json.dumps({"cells": cells}).encode()))["cells"]
    said = "\n".join(each["source"] for each in made)
    assert found(name, said) == []
    assert not re.search(r"kit\.(think_first|exercises)", said)
    assert sum(each.get("cell_type") == "markdown" for each in made) == 2
    kept = {each["id"] for each in made if "cell_type" not in each}
    gone = [code for i, (_, code) in enumerate(codes) if str(i) not in kept]
    assert all(re.search(r"kit\.(think_first|exercises)\(|^(@.*\n)?def ", each) for each in gone)


def test_a_page_says_which_it_is_and_which_comes_next() -> None:
    html = (built() / "modes.html").read_text("utf-8")
    assert f"Lesson 1 of {len(TAUGHT)}" in html
    assert f'rel="next" href="{TAUGHT[1]}.html"' in html


def referred(html: str) -> set[str]:
    """What a page refers to, except its own anchors, data, the licence and the works that it cites."""
    found = set(re.findall(r"""(?:href|src)=["']([^"'#]+)""", html))
    links = {LICENCE} | {each.link for each in works.cited(html)}
    return {each for each in found - links if not each.startswith("data:")}


def test_pages_refer_to_nothing_outside_their_folder() -> None:
    known = {
        f"{name}{kind}.html" for name in TAUGHT for kind in ("", "-slides", "-notes", "-sheet", "-solutions")
    }
    known |= {"index.html", "explorer.html"}
    for page in built().glob("*.html"):
        there = {str(each.relative_to(built())) for each in built().rglob("*.*")}
        assert referred(page.read_text("utf-8")) - known - there == set()


def test_pages_name_their_licence_and_give_the_works_that_they_cite_in_full() -> None:
    for page in built().glob("*.html"):
        html = page.read_text("utf-8")
        assert f'<a rel="license" href="{LICENCE}">CC BY 4.0</a>,\nthe teacherstudent authors.' in html
        assert ("<cite>Dynamics of Learning" in html) == bool(re.search(r"pezeshki2022\b", html)), page.name


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.j2")), ids=lambda path: path.stem)
def test_every_template_of_a_page_has_a_licence_and_colours(path: Path) -> None:
    text = path.read_text("utf-8")
    for part in ("licence", "look"):
        assert text.count(f'include "{part}.html.j2"') == text.count("<!doctype html>")


def test_a_work_is_given_with_its_authors_place_and_link() -> None:
    (work,) = works.cited("see hastie2022, and nobody2022")
    assert work.authors == "Trevor Hastie, Andrea Montanari, Saharon Rosset, Ryan J. Tibshirani"
    assert work.venue == "Annals of Statistics 50, pages 949–986"
    assert work.link == "https://doi.org/10.1214/21-AOS2133"


def test_the_works_are_those_of_the_citation_file() -> None:
    assert works.FILE.read_text("utf-8") == fresh(), "run `python -m tools.works`"


@pytest.mark.thorough
@pytest.mark.parametrize("solved", [True, False])
def test_the_whole_course_is_written_and_every_link_leads_somewhere(tmp_path: Path, solved: bool) -> None:
    pages = build(tmp_path, solved=solved)
    assert len(pages) == (5 * len(TAUGHT) + 3 * len(plans.plans()) if solved else 3 * len(TAUGHT)) + 2
    assert astray(tmp_path, pages) == []
    for name in () if solved else TAUGHT:
        own = [each for each in pages if each.stem.partition("-")[0] == name]
        assert len(own) == 3
        hold_no_solution(name, tmp_path, own)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LESSONS)
def test_what_was_drawn_is_of_the_settings_that_the_teaching_file_names(name: str) -> None:
    assert [each["at"] for each in drawn(name)] == settings(Notebook(name))


@pytest.mark.parametrize("name", TAUGHT)
def test_a_text_that_says_where_you_begin_is_right_in_the_notebook_and_on_the_page(name: str) -> None:
    source = lesson_module.lessons()[name].path.read_text("utf-8")
    for control, value in re.findall(r"You begin at \$\\?(\w+) = ([\d.]+)\$", source):
        notebook = Notebook(name)
        page = told(notebook)["controls"][control]["value"]
        assert [page, notebook.controls[control].value] == [float(value)] * 2


def test_orders_of_the_course_name_lessons_and_self_study_takes_all_after_what_they_need() -> None:
    orders = {each.title: each for each in course.told()["orders"]}
    assert set(orders) == {"Two lectures", "A week", "Self-study"}
    assert [len(orders[each].sessions) for each in ("Two lectures", "A week")] == [2, 5]
    taken = [each.lesson for session in orders["Self-study"].sessions for each in session]
    assert sorted(each.id for each in taken) == sorted(TAUGHT)
    places = {each.title.partition(":")[0]: place for place, each in enumerate(taken)}
    for lesson in taken:
        needed = re.findall(r"Lesson \d+", " ".join(teaching(lesson.id).prerequisites))
        late = [each for each in needed if places[each] > places[lesson.title.partition(":")[0]]]
        assert late == [], lesson.id
