"""Lessons as pages: what they are made of, and what a folder of them holds."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from teacherstudent.api import lesson as lesson_module
from teacherstudent.api.teaching import teaching
from teacherstudent.lessons import boundaries
from teacherstudent.lessons.kit import LOOKS, Axis, Line, Now, Panel
from teacherstudent.lessons.pages import bisected, course, plain, scripts, words
from teacherstudent.lessons.pages.build import build
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.lessons.pages.deck import joined, pieces
from teacherstudent.lessons.pages.drawing import drawn, settings

LESSONS = list(lesson_module.lessons())
TAUGHT = [name for name, each in lesson_module.lessons().items() if each.title.startswith("Lesson ")]
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
    assert html.index('class="theory"') < html.index("<script")


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


def test_a_page_says_which_it_is_and_which_comes_next() -> None:
    html = (built() / "modes.html").read_text("utf-8")
    assert f"Lesson 1 of {len(TAUGHT)}" in html
    assert f'rel="next" href="{TAUGHT[1]}.html"' in html


def referred(html: str) -> set[str]:
    """What a page refers to, its own anchors and data aside."""
    found = re.findall(r"""(?:href|src)=["']([^"'#]+)""", html)
    return {each for each in found if not each.startswith("data:")}


def test_pages_refer_to_nothing_outside_their_folder() -> None:
    known = {f"{name}{kind}.html" for name in TAUGHT for kind in ("", "-slides", "-sheet", "-solutions")}
    known |= {"index.html", "explorer.html"}
    for page in built().glob("*.html"):
        there = {str(each.relative_to(built())) for each in built().rglob("*.*")}
        assert referred(page.read_text("utf-8")) - known - there == set()


@pytest.mark.thorough
def test_the_whole_course_is_written_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    pages = build(tmp_path)
    assert len(pages) == 4 * len(TAUGHT) + 2
    there = {str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*.*")}
    for page in pages:
        assert referred(page.read_text("utf-8")) - there == set(), page.name


@pytest.mark.thorough
@pytest.mark.parametrize("name", LESSONS)
def test_what_was_drawn_is_of_the_settings_that_the_teaching_file_names(name: str) -> None:
    assert [each["at"] for each in drawn(name)] == settings(Notebook(name))


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
