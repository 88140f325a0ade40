"""Slides of lessons: their story, the speaker's notes and clock, the PDF, and classes of 45 minutes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import teacherstudent as ts
from teacherstudent.api import lesson as lesson_module
from teacherstudent.api.teaching import First, Story, table, teaching
from teacherstudent.house.errors import InputError
from teacherstudent.lessons.pages import plans
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.lessons.pages.deck import slides
from teacherstudent.lessons.pages.plans import Plan
from teacherstudent.lessons.pages.story import clock, pictured
from tests.support import refusal, say

TAUGHT = [name for name, each in lesson_module.lessons().items() if each.title.startswith("Lesson ")]
PLANS = {each.name: each for each in plans.plans()}
STORY: dict[str, Any] = dict(title="t", at={}, pictures=[0], says="s", notes="n", minutes=3)


@cache
def notebook(name: str) -> Notebook:
    """A notebook, run once for all tests."""
    return Notebook(name)


def test_every_lesson_tells_its_story_in_three_to_six_slides() -> None:
    for name in TAUGHT:
        assert teaching(name).first, name
        assert 3 <= len(teaching(name).story) <= 6, name


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.thorough if i % 3 else ()) for i, name in enumerate(TAUGHT)],
)
def test_slides_begin_with_question_and_story_and_take_the_minutes_of_the_class(name: str) -> None:
    of = teaching(name)
    made = slides(notebook(name), of)
    story = [each.title for each in of.story]
    assert [each.title for each in made][1 : len(story) + 3] == [
        "Think first",
        *story,
        "Answer to the first question",
    ]
    assert sum(each.minutes for each in made) == pytest.approx(of.minutes)
    assert made[0].clock() == "0:00"
    assert made[-1].ends() == clock(of.minutes)
    assert all(each.notes for each in made)
    assert all('class="picture-place"' in each.html for each in made[2 : len(story) + 2])


def test_a_second_descent_is_seen_within_the_first_three_pictures() -> None:
    seen = 0
    for each in teaching("descents").story:
        seen += len(each.pictures)
        question = dict(alpha=1.1, d=100, p=70, noise=0.0, **each.at)
        if ts.turns("multiscale", **question).sizes["turn"] >= 2:
            break
    assert seen <= 3


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"at": {"kappa": 3.2}}, r"at: \{'kappa': 3.2\} is not simulated; add it to \[\[drawn\]\] and run"),
        ({"at": {"kapa": 1.0}}, "'kapa' is no control; the page has kappa, alpha, share, noise"),
        ({"at": {"kappa": 3.0}}, r"kappa has no value 3.0; it offers \[1.0, "),
        ({"pictures": [4]}, "pictures: 4 is no picture; the page has 0 to 3"),
        ({"moves": {"kappa": [1.0, 7.0]}}, "kappa has no value 7.0"),
    ],
)
def test_a_story_that_the_page_cannot_show_is_refused(wrong: dict[str, Any], says: str) -> None:
    story = replace(Story(**STORY | {"at": {"kappa": 1.0}}), **wrong)
    with pytest.raises(ValueError, match=f"^descents.toml, story 1.*{says}"):
        pictured(notebook("descents"), story, "descents.toml, story 1")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"minuts": 3}, "unknown key 'minuts'; the keys are title, at, pictures"),
        ({"pictures": [0, 1, 2]}, r"pictures = \[0, 1, 2\]; name one or two"),
        ({"moves": {"a": [1], "b": [2]}}, "moves has the controls a, b; move one control only"),
        ({"minutes": 0}, "minutes = 0; give a positive number"),
    ],
)
def test_a_wrong_table_is_refused_with_its_file_and_key(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=f"^x.toml, story 1: {says}"):
        table(Story, STORY | wrong, "x.toml, story 1")


def test_a_missing_key_is_refused_and_what_may_lack_is_empty() -> None:
    with pytest.raises(ValueError, match=r"^x.toml, \[first\]: the key 'control' is missing; add it$"):
        table(First, {"sentence": "s", "picture": 0}, "x.toml, [first]")
    assert table(First, {"sentence": "s", "picture": 0, "control": "c"}, "").at == {}


def test_a_moving_picture_has_a_frame_for_each_value_at_its_settings() -> None:
    story = Story(**STORY | {"at": {"kappa": 50.0}, "moves": {"kappa": [1.0, 10.0]}})
    html = pictured(notebook("descents"), story, "here").html
    assert re.findall(r'class="value">([^<]+)<', html) == ["κ = 1", "κ = 10"]
    frames = [json.loads(each.replace("&quot;", '"')) for each in re.findall(r'data-at="([^"]+)"', html)]
    rest = {"alpha": 1.1, "share": 0.7, "noise": 0.0}
    assert frames == [{"kappa": 1.0} | rest, {"kappa": 10.0} | rest]


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_plan_takes_45_minutes_and_says_where_the_class_answers(plan: Plan) -> None:
    assert sum(step.minutes for step in plan.steps) == 45
    assert all(step.lesson in TAUGHT for step in plan.steps)
    assert all(all((step.show, step.ask, step.answers, step.say)) for step in plan.steps)
    assert sum(bool(step.pictures) for step in plan.steps) >= len(plan.steps) / 2


@pytest.mark.thorough
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_plan_shows_what_was_simulated(plan: Plan) -> None:
    made = plans.slides(plan, {step.lesson: notebook(step.lesson) for step in plan.steps})
    assert [each.clock() for each in made][:2] == ["0:00", "0:04"]
    assert made[-1].ends() == "0:45"


def printing(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A browser that runs this script, and pages of one slide."""
    browser = folder / "bin" / "chromium"
    browser.parent.mkdir()
    browser.write_text(f'#!/bin/sh\nfor each in "$@"; do last=$each; done\n{script}\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", str(browser.parent))

    def pages(target: Path, name: str) -> Path:
        target.mkdir()
        (target / f"{name}-slides.html").write_text("a slide", encoding="utf-8")
        return target / f"{name}.html"

    monkeypatch.setattr(lesson_module, "pages", pages)


PRINTED = """for each in "$@"; do
  case $each in --print-to-pdf=*) echo "$last %%EOF" > "${each#*=}";; esac
done"""
HALF = PRINTED.replace(" %%EOF", "")


def test_slides_are_printed_by_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printing(tmp_path, monkeypatch, PRINTED)
    lesson_module.slides("modes", tmp_path / "slides.pdf")
    assert (tmp_path / "slides.pdf").read_text("utf-8").endswith("/modes-slides.html %%EOF\n")


@pytest.mark.parametrize("script", ["exit 1", HALF])
def test_a_browser_that_prints_nothing_whole_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    printing(tmp_path, monkeypatch, script)
    with pytest.raises(InputError, match=r"wrote nothing whole.*print modes-slides\.html of --pages FOLDER"):
        lesson_module.slides("modes", tmp_path / "slides.pdf")
    assert [each.name for each in tmp_path.iterdir()] == ["bin"]


def test_without_a_browser_slides_are_refused_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = refusal(say("lesson", "modes", "--slides", tmp_path / "slides.pdf"))
    assert "neither is on PATH; install one, or print modes-slides.html" in said
    assert list(tmp_path.iterdir()) == []
