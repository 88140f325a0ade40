"""Each lesson as a reader meets it: it opens, moves, simulates, and can be read and worked by keyboard."""

from __future__ import annotations

import re
from typing import Any

import pytest

from teacherstudent.api import lesson as lesson_module
from tests.browser.visiting import HERE, Opened, Visit

LESSONS = list(lesson_module.lessons())
READING = (HERE / "reading.js").read_text("utf-8")
SMALLEST, SMALLEST_SCRIPT = 12.0, 6.0
"""Pixels: of text, and of scripts in formulas, whose own scripts TeX sets at half the size of text."""
CONTRAST = 4.5
"""WCAG 2 AA for text of any size."""

pytestmark = pytest.mark.parametrize("lesson", LESSONS, indirect=True)


def legible(visit: Visit) -> None:
    """All text is large enough, stands out, and lies on the page."""
    texts = visit.page.evaluate(READING)
    assert len(texts) > 30
    assert visit.page.evaluate("document.getElementById('App').scrollWidth") <= visit.width
    assert [each for each in texts if each["right"] > visit.width + 1 and not each["script"]] == []
    small = [each for each in texts if each["size"] < (SMALLEST_SCRIPT if each["script"] else SMALLEST)]
    assert small == []
    assert [each for each in texts if each["contrast"] < CONTRAST] == []
    assert visit.page.evaluate("window.overlaid()") == []


def test_it_opens_without_errors_and_asks_nobody_but_this_machine(lesson: Opened) -> None:
    page = lesson.visit.whole()
    lesson.visit.keep(f"{lesson.name}-desk")
    assert lesson.visit.complaints == []
    assert page.locator("marimo-traceback, [data-testid=cell-error], .marimo-error").count() == 0
    assert lesson.visit.strangers() == []
    assert any(url.startswith("ws://127.0.0.1") for url in lesson.visit.asked)  # they are seen


def test_it_can_be_read_at_a_desk(lesson: Opened) -> None:
    lesson.visit.whole()
    legible(lesson.visit)


def test_it_can_be_read_on_a_telephone(lesson: Opened, browser: Any) -> None:
    visit = Visit(browser, lesson.address, "telephone")
    visit.whole()
    visit.keep(f"{lesson.name}-telephone")
    legible(visit)
    assert visit.complaints == []
    visit.page.close()


def test_the_tabulator_reaches_every_control_and_shows_where_it_is(lesson: Opened) -> None:
    page = lesson.visit.whole()
    buttons = page.get_by_role("button", name="Simulate").count()
    wanted = page.get_by_role("slider").count() + page.get_by_role("radiogroup").count() + buttons
    focused = """() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      const style = getComputedStyle(at);
      const name = at.getAttribute("role") ?? at.textContent.trim();
      return [name, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
    }"""
    reached: list[tuple[str, bool]] = []
    for _ in range(wanted + 30):
        page.keyboard.press("Tab")
        reached.append(tuple(page.evaluate(focused)))
    controls = [each for each in reached if each[0] in ("slider", "radio", "Simulate")]
    assert buttons
    assert len(controls) >= wanted
    assert [name for name, shown in controls if not shown] == []


def test_a_slider_says_what_it_is_and_where_it_stands(lesson: Opened) -> None:
    page = lesson.visit.whole()
    sliders = page.get_by_role("slider")
    for i in range(sliders.count()):
        says = sliders.nth(i).evaluate("""thumb => {
          const root = thumb.getRootNode();
          const named = root.getElementById(thumb.getAttribute("aria-labelledby"))?.textContent.trim();
          const shown = thumb.closest("[dir]").nextElementSibling.textContent;
          return [named, thumb.getAttribute("aria-valuetext"), shown];
        }""")
        assert says[0]
        assert says[1]
        assert says[1] == says[2]


def test_solutions_are_hidden_until_asked_for_by_keyboard(lesson: Opened) -> None:
    solutions = lesson.visit.whole().get_by_role("button", name="Solution")
    source = lesson_module.lessons()[lesson.name].path.read_text("utf-8")
    assert solutions.count() == len(re.findall(r"kit\.(?:code_)?exercise\(", source))
    for i in range(solutions.count()):
        assert solutions.nth(i).get_attribute("aria-expanded") == "false"
        solutions.nth(i).focus()
        lesson.visit.page.keyboard.press("Enter")
        lesson.visit.page.get_by_role("button", name="Solution", expanded=True).nth(i).wait_for()


def test_a_key_on_a_slider_moves_a_curve(lesson: Opened) -> None:
    """How fast, is left in `out/browser`, and judged by nobody: it is this machine's own."""
    sliders = lesson.visit.whole().get_by_role("slider")
    moved: list[float | None] = []
    for i in range(sliders.count()):
        now, last = (sliders.nth(i).get_attribute(f"aria-value{end}") for end in ("now", "max"))
        moved.append(lesson.visit.press(sliders.nth(i), "ArrowLeft" if now == last else "ArrowRight"))
    assert any(each is not None for each in moved), "no slider moves anything"
    assert lesson.visit.complaints == []
    lesson.keep_times(moved)


def test_it_simulates_by_keyboard_and_says_what_came_of_it(lesson: Opened) -> None:
    page = lesson.visit.whole()
    assert page.locator("g.simulation").count() == 0
    page.get_by_role("button", name="Simulate").first.focus()
    page.keyboard.press("Enter")
    page.locator("g.simulation").first.wait_for()
    page.get_by_text("standard errors; by chance alone").first.wait_for()
    lesson.visit.keep(f"{lesson.name}-simulated")
    legible(lesson.visit)
    for slider in page.get_by_role("slider").all():
        now, first = (slider.get_attribute(f"aria-value{end}") for end in ("now", "min"))
        lesson.visit.press(slider, "ArrowRight" if now == first else "ArrowLeft")
    page.wait_for_function("document.querySelector('g.simulation') === null")  # it is of other settings
    assert lesson.visit.complaints == []
    assert lesson.visit.strangers() == []
