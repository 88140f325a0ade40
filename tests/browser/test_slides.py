"""Slides of lessons and plans in a browser: pictures of stories, moving pictures, notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teacherstudent.lessons.pages import plans
from tests.browser.test_pages import Opened
from tests.test_lessons_slides import TAUGHT

PLANS = [each.name for each in plans.plans()]
LETTERS = 14.0
"""Pixels of the smallest letters in a picture on a slide of 1280 times 720."""
SMALLEST = """slide => Math.min(...[...slide.querySelectorAll(".frame.shown svg.picture")].map(each => {
  const box = each.getBoundingClientRect(), view = each.viewBox.baseVal;
  return 16 * Math.min(box.width / view.width, box.height / view.height);
}))"""


@pytest.fixture
def opened(browser: Any, folder: Path, name: str) -> Iterator[Opened]:
    """Slides of the folder, on a projector."""
    made = Opened(browser, (folder / f"{name}-slides.html").as_uri(), "desk")
    made.page.set_viewport_size({"width": 1280, "height": 720})
    yield made
    made.page.close()


@pytest.mark.parametrize("name", [*TAUGHT, *(f"plan-{name}" for name in PLANS)])
def test_stories_are_drawn_with_simulations_in_letters_for_a_lecture_hall(opened: Opened, name: str) -> None:
    page = opened.settled()
    count = page.locator("section.slide").count()
    simulated = 0
    for _ in range(count):
        slide = page.locator("section.slide.shown")
        over = slide.evaluate("slide => slide.scrollHeight - slide.clientHeight")
        assert over <= 1
        if slide.locator(".frame").count():
            places = slide.locator(".frame.shown .picture-place")
            assert places.count() == slide.locator(".frame.shown svg.picture").count()
            assert slide.evaluate(SMALLEST) >= LETTERS
            simulated += slide.locator("g.simulation").count() > 0
        page.keyboard.press("PageDown")
    assert simulated >= 3
    assert opened.complaints == []


@pytest.mark.parametrize("name", ["descents"])
def test_arrow_keys_move_a_picture_before_they_turn_the_slide(opened: Opened) -> None:
    page = opened.settled()
    number = 1 + page.locator("section.slide").evaluate_all(
        "slides => slides.findIndex(each => each.querySelectorAll('.frame').length > 1)"
    )
    page.evaluate(f"location.hash = '#{number}'")
    page.wait_for_function(f"document.querySelector('nav .place').textContent.startsWith('{number} ')")
    slide = page.locator("section.slide.shown")
    values = slide.locator(".value").all_inner_texts()
    drawn = []
    for _ in range(slide.locator(".frame").count()):
        assert page.locator("nav .place").inner_text().startswith(f"{number} /")
        drawn.append(slide.locator(".frame.shown svg.picture").first.inner_html())
        page.keyboard.press("ArrowRight")
    assert len(set(drawn)) == len(drawn)
    assert page.locator("nav .place").inner_text().startswith(f"{number + 1} /")
    page.keyboard.press("ArrowLeft")
    assert slide.locator(".frame.shown .value").inner_text() == "κ = 100"
    page.keyboard.press("a")
    assert slide.locator(".frame.shown .value").inner_text() == "κ = 1"
    page.wait_for_function(
        "document.querySelector('.slide.shown .frame.shown .value').textContent === 'κ = 2'"
    )
    ticks = slide.locator(".frame svg.picture").first.inner_html()
    assert "0.4" in ticks  # the axis of the lowest curve holds the highest
    assert page.locator("nav .play").is_visible()
    assert len(values) == 8


@pytest.mark.parametrize("name", ["descents"])
def test_notes_are_shown_under_a_slide_with_the_clock(opened: Opened, browser: Any, folder: Path) -> None:
    page = opened.settled()
    page.keyboard.press("PageDown")
    notes = page.locator("section.slide.shown aside.notes")
    assert notes.is_hidden()
    page.keyboard.press("n")
    assert "from 0:02 to 0:06" in notes.inner_text()
    printed = Opened(browser, (folder / "descents-notes.html").as_uri(), "desk")
    printed.legible()
    assert printed.settled().locator("svg.picture:visible").count() >= 5
    assert printed.complaints == []
    printed.page.close()
