"""The pages of lessons, opened from a folder, as a reader meets them: no server, no network, no clock."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teacherstudent.api import lesson as lesson_module
from teacherstudent.api.teaching import teaching
from teacherstudent.lessons.pages.drawing import drawn
from tests.browser.pages import differences
from tests.browser.visiting import HERE, PICTURES, SIZES

LESSONS = list(lesson_module.lessons())
TAUGHT = [name for name, each in lesson_module.lessons().items() if each.title.startswith("Lesson ")]
READING = (HERE / "reading.js").read_text("utf-8")
SMALLEST, SMALLEST_SCRIPT, CONTRAST = 12.0, 6.0, 4.5
"""Pixels of text and of scripts in formulas; WCAG 2 AA for text of any size."""
SCREENS = {"desk": (1280, 800), "telephone": (390, 844)}
WORDS = "() => [...document.querySelectorAll('[data-words]')].map(each => each.innerHTML).join()"
SIMULATIONS = "() => [...document.querySelectorAll('g.simulation')].map(each => each.outerHTML)"
THEORY = "at => TS.shown(at).pictures.map(TS.figure).join()"
BOX = """part => {
  const { left, top, right, bottom } = part.getBoundingClientRect();
  return [left, top, right, bottom];
}"""
MOVE = """([name, value]) => {
  const control = JSON.parse(document.getElementById("told").textContent).controls[name];
  const inputs = [...document.querySelectorAll(`[name="${name}"]`)];
  const input = inputs.find((each) => control.kind !== "choice" || each.value === value);
  if (control.kind === "choice") input.checked = true;
  else input.value = String(control.values.indexOf(value));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}"""
CURVES = "() => [...document.querySelectorAll('path.theory')].map(line => line.getAttribute('d')).join()"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Opened:
    """A page, with all that it asked for and complained of."""

    def __init__(self, browser: Any, address: str, size: str) -> None:
        self.width, self.height = SIZES[size]
        self.page = browser.new_page(viewport={"width": self.width, "height": self.height})
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console", lambda each: self.complaints.append(each.text) if each.type == "error" else None
        )
        self.page.goto(address)

    def settled(self) -> Any:
        """The page once it has drawn what was asked for."""
        self.page.evaluate(DRAWN)
        return self.page

    def controls(self) -> dict[str, Any]:
        """The controls of the page by name."""
        return json.loads(self.page.locator("#told").text_content())["controls"]

    def move(self, name: str, value: Any) -> None:
        """Move a control, and wait for the drawing."""
        self.page.evaluate(MOVE, [name, value])
        self.settled()

    def legible(self) -> None:
        """All text is large enough, stands out, and lies on the page."""
        texts = self.page.evaluate(READING)
        assert texts
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width
        small = [each for each in texts if each["size"] < (SMALLEST_SCRIPT if each["script"] else SMALLEST)]
        assert small == []
        assert [each for each in texts if each["contrast"] < CONTRAST] == []

    def keep(self, name: str) -> None:
        """Leave a screenshot of the whole page."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"page-{name}.png", full_page=True)


@pytest.fixture(params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    """A desk, and a telephone."""
    return request.param


@pytest.fixture
def opened(browser: Any, folder: Path, name: str, size: str) -> Iterator[Opened]:
    """A page of the folder."""
    made = Opened(browser, (folder / f"{name}.html").as_uri(), size)
    yield made
    made.page.close()


@pytest.mark.parametrize("name", LESSONS)
def test_a_page_opens_can_be_read_and_asks_nobody(opened: Opened, name: str, size: str) -> None:
    opened.settled()
    opened.keep(f"{name}-{size}")
    opened.legible()
    assert opened.page.locator("svg.picture").count() > 0
    assert opened.complaints == []
    assert [url for url in opened.asked if not url.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.parametrize("size", ["desk"])
def test_a_page_draws_what_its_notebook_draws(opened: Opened, name: str) -> None:
    assert differences(name, opened.page) == []
    assert opened.complaints == []


@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.parametrize("size", ["desk"])
def test_controls_are_reached_and_moved_by_keyboard_and_the_address_brings_it_back(
    opened: Opened, browser: Any, folder: Path, name: str
) -> None:
    page = opened.settled()
    sliders = page.locator("input[type=range]:not([id^=first-]):visible")
    focused = """() => {
      const style = getComputedStyle(document.activeElement);
      const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      return [document.activeElement.getAttribute("name"), seen];
    }"""
    reached: dict[str, bool] = {}
    for _ in range(page.locator("a, button, input, summary, [tabindex='0']").count() + 5):
        page.keyboard.press("Tab")
        at, seen = page.evaluate(focused)
        reached[at] = seen
    names = {each.get_attribute("name") for each in sliders.all()}
    assert names <= set(reached)
    assert all(reached[each] for each in names)
    for slider in sliders.all():
        assert page.locator(f"label[for='{slider.get_attribute('id')}']").inner_text()
        slider.focus()
        last = slider.get_attribute("max") == slider.input_value()
        page.keyboard.press("ArrowLeft" if last else "ArrowRight")
        opened.settled()
        assert (
            slider.get_attribute("aria-valuetext")
            == page.locator(f"output[for='{slider.get_attribute('name')}']").first.inner_text()
        )
    moved = "() => [...new URLSearchParams(location.hash.slice(1)).keys()].sort().join()"
    page.wait_for_function(f"names => ({moved})() === names", arg=",".join(sorted(names)))
    again = Opened(browser, page.url, "desk")
    again.settled()
    assert again.page.evaluate(CURVES) == page.evaluate(CURVES)
    again.page.close()
    assert opened.complaints == []


@pytest.mark.parametrize("name", LESSONS)
def test_simulations_are_shown_where_they_were_drawn_and_nowhere_else(opened: Opened, name: str) -> None:
    page = opened.settled()
    buttons = page.locator(".drawn button")
    kept = [each["at"] for each in drawn(name)]
    assert buttons.count() == len(kept)
    assert page.locator("g.simulation").count() > 0
    assert any("standard errors" in each for each in page.locator(".verdict, .words").all_inner_texts())
    opened.legible()
    key, elsewhere = next(
        (key, value)
        for key, each in opened.controls().items()
        for value in each["values"]
        if key not in teaching(name).free and all(at[key] != value for at in kept)
    )
    opened.move(key, elsewhere)
    assert page.locator(f"[data-needs~='{key}'] g.simulation").count() == 0
    buttons.last.click()
    opened.settled()
    assert page.locator(f"[data-needs~='{key}'] g.simulation").count() > 0
    assert opened.complaints == []


@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.parametrize("size", ["desk"])
def test_each_control_changes_a_drawing_at_both_of_its_ends(opened: Opened, name: str) -> None:
    page = opened.settled()
    controls, of = opened.controls(), teaching(name)
    opening = present = {key: each["value"] for key, each in controls.items()}
    dead = []
    for key, each in controls.items():
        here = opening | dict(of.shown_if.get(key, {}))
        for other in [other for other in here if here[other] != present[other]]:
            opened.move(other, here[other])
        present = here
        theory, words, shown = page.evaluate(THEORY, here), page.evaluate(WORDS), page.evaluate(SIMULATIONS)
        ends = each["values"] if each["kind"] == "choice" else each["values"][:: len(each["values"]) - 1]
        for end in ends:
            opened.move(key, end)
            moved = page.evaluate(THEORY, here | {key: end}) != theory
            simulated = set(page.evaluate(SIMULATIONS)) - set(shown)  # markers that only vanish do not count
            answered = each["kind"] == "choice" and key in of.free and page.evaluate(WORDS) != words  # a quiz
            if end != here[key] and not (moved or simulated or answered):
                dead.append(f"{key}={end}")
        opened.move(key, here[key])
    assert dead == []
    assert opened.complaints == []


def test_all_lessons_have_a_first_screen() -> None:
    assert [name for name in TAUGHT if not teaching(name).first] == []


@pytest.mark.parametrize("name", [each for each in TAUGHT if teaching(each).first])
def test_the_first_screen_holds_what_teaches(opened: Opened, name: str, size: str) -> None:
    width, height = SCREENS[size]
    opened.page.set_viewport_size({"width": width, "height": height})
    first = opened.settled().locator(".first-screen")
    parts = first.locator(
        "h1, .sentence, figure > :not(figcaption), .control, .think-first > p:not([role])"
    ).all()
    answers = first.locator(".think-first label").all()
    parts += answers if size == "desk" else answers[:1]
    for part in parts:
        left, top, right, bottom = part.evaluate(BOX)
        assert [left >= 0, top >= 0, right <= width, bottom <= height] == [True] * 4, part.text_content()
    assert first.locator("path.theory").count() > 0
    assert first.locator("g.simulation").count() > 0
    control = teaching(name).first.control
    opened.move(control, opened.controls()[control]["values"][-1])
    assert len({each.inner_text() for each in opened.page.locator(f"output[for={control}]").all()}) <= 1
    chosen = opened.page.locator(f"[name={control}]:checked")
    assert len({each.get_attribute("value") for each in chosen.all()}) <= 1
    assert chosen.count() in (0, 2)


def test_pages_name_no_button_that_they_lack(browser: Any, folder: Path) -> None:
    sources = "".join(each.path.read_text("utf-8") for each in lesson_module.lessons().values())
    labels = {"Simulate", *re.findall(r'simulate_button\("([^"]*)"', sources)}
    texts = "selector => [...document.querySelectorAll(selector)].map(each => each.textContent.trim())"
    tab = browser.new_page()
    for file in sorted(folder.glob("*.html")):
        tab.goto(file.as_uri())
        there = set(tab.evaluate(texts, "button"))
        named = {" ".join(each.split()) for each in tab.evaluate(texts, "strong, em, q")}
        assert named & labels <= there, file.name
        pressed = re.findall(r"\b[Pp]ress ([A-Z]\w+)", " ".join(tab.evaluate(texts, "main, section")))
        assert all(any(button.startswith(each) for button in there) for each in pressed), file.name
    tab.close()


@pytest.mark.parametrize("name", TAUGHT)
@pytest.mark.parametrize("size", ["desk"])
def test_the_question_before_the_picture_is_answered_once_asked(opened: Opened, name: str) -> None:
    form = opened.settled().locator("form.think-first")
    because = form.locator(".because")
    assert because.is_hidden()
    asked = teaching(name).think_first
    assert asked
    choices = form.locator("input[type=radio]")
    choices.nth(asked.right % len(asked.answers)).check()
    assert "Not right" in form.locator("[role=status]").inner_text()
    assert because.is_visible()
    choices.nth(asked.right - 1).check()
    assert form.locator("[role=status]").inner_text() == "Right."


@pytest.mark.parametrize("name", TAUGHT)
@pytest.mark.parametrize("size", ["desk"])
def test_the_exercise_in_code_tells_right_from_wrong(opened: Opened, name: str) -> None:
    form = opened.settled().locator("form.code-exercise")
    told = json.loads(form.get_attribute("data-probes") or "")
    status = form.locator("[role=status]")

    def typed(values: list[str]) -> str:
        for i, value in enumerate(values):
            form.locator(f"[name=probe{i}]").fill(value)
        form.locator("[name=probe0]").dispatch_event("change")
        return status.inner_text()

    right = [f"{each['right']:.3g}" for each in told["probes"]]
    assert typed(right) == "Right."
    some = typed([right[0], *[""] * (len(right) - 1)])
    assert some == f"Right so far. Values still missing: {len(right) - 1}."
    for k, says in enumerate(told["says"]):
        said = typed([f"{each['wrong'][k]:.3g}" for each in told["probes"]])
        assert "not right" in said
        assert "almost" not in said
        assert said.endswith(says)
    others = "Value 2 is right. Value 3 is right."
    assert typed(["1234", *right[1:]]) == f"Value 1 is not right. {others}"
    if told["probes"][0]["right"]:
        near = told["probes"][0]["right"]
        near += 3 * 10 ** (math.floor(math.log10(abs(near))) - 2)
        said = "Value 1 is almost right: the first three digits must be right."
        assert typed([repr(near), *right[1:]]) == f"{said} {others}"
    assert typed(["half", *right[1:]]) == "Type numbers."


@pytest.mark.parametrize("name", [f"{each}{kind}" for each in TAUGHT for kind in ("-sheet", "-solutions")])
def test_sheets_and_solutions_can_be_read(opened: Opened, name: str, size: str) -> None:
    opened.settled()
    opened.keep(f"{name}-{size}")
    opened.legible()
    assert opened.complaints == []


@pytest.mark.parametrize("name", [f"{each}-slides" for each in TAUGHT])
def test_slides_turn_by_keyboard_and_hold_what_they_show(opened: Opened, name: str, size: str) -> None:
    page = opened.settled()
    count = page.locator("section.slide").count()
    assert count >= 8
    for number in range(1, count + 1):
        assert page.locator("nav .place").inner_text() == f"{number} / {count}"
        shown = page.locator("section.slide.shown")
        assert shown.count() == 1
        if size == "desk":
            over = shown.evaluate(
                "slide => [slide.scrollHeight - slide.clientHeight, slide.scrollWidth - slide.clientWidth]"
            )
            assert max(over) <= 1, f"slide {number} is {over} pixels too large"
        if number <= 3:
            opened.legible()
        page.keyboard.press("PageDown")
    page.keyboard.press("Home")
    assert page.locator("nav .place").inner_text() == f"1 / {count}"
    assert opened.complaints == []


@pytest.mark.parametrize("name", ["index"])
def test_the_page_of_the_course_leads_to_every_lesson(opened: Opened, size: str) -> None:
    page = opened.settled()
    opened.keep(f"course-{size}")
    opened.legible()
    for each in TAUGHT:
        assert page.locator(f"a[href='{each}.html']").count() >= 2
