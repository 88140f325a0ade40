"""A page in the dark, on paper, and embedded in another page."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from teacherstudent.lessons.pages.build import build
from tests.browser.test_pages import Opened
from tests.browser.visiting import PICTURES
from tests.test_lessons_kit import contrast

COLOURS = """() => {
  const hex = (name) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.fillStyle = name;
    return context.fillStyle;
  };
  const lines = [...document.querySelectorAll("path.theory")];
  const strokes = lines.map((each) => hex(getComputedStyle(each).stroke));
  return [hex(getComputedStyle(document.body).backgroundColor), strokes];
}"""
SITE, BLOG = "http://lessons.test/", "http://blog.test/"
"""Addresses that the test answers itself."""
HOST = (
    '<!doctype html><title>Host</title><iframe {more} width="{width}" height="640" src="{address}"></iframe>'
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of one lesson."""
    made = tmp_path_factory.mktemp("pages")
    build(made, ["descents"])
    return made


@pytest.mark.parametrize("size", ["desk", "telephone"])
@pytest.mark.parametrize("kind", ["", "-slides", "-sheet", "-solutions"])
def test_text_and_curves_stand_out_in_the_dark_and_paper_is_light(
    browser: Any, folder: Path, kind: str, size: str
) -> None:
    opened = Opened(browser, (folder / f"descents{kind}.html").as_uri(), size)
    opened.page.emulate_media(color_scheme="dark")
    opened.settled()
    opened.keep(f"descents{kind}-{size}-dark")
    opened.legible()
    ground, curves = opened.page.evaluate(COLOURS)
    assert contrast(ground, "#000000") < 2
    assert [each for each in curves if contrast(each, ground) < 3] == []
    opened.page.emulate_media(color_scheme="dark", media="print")
    paper, printed = opened.page.evaluate(COLOURS)
    assert paper == "#ffffff"
    assert [each for each in printed if contrast(each, paper) < 3] == []
    assert opened.complaints == []
    opened.page.close()


@pytest.mark.parametrize("kind", ["", "-slides"])
def test_the_choice_of_light_or_dark_is_remembered(browser: Any, folder: Path, kind: str) -> None:
    opened = Opened(browser, (folder / f"descents{kind}.html").as_uri(), "desk")
    button = opened.page.locator("button.theme")
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    opened.page.reload()
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert opened.page.evaluate(COLOURS)[0] == "#ffffff"
    assert opened.complaints == []
    opened.page.close()


@pytest.mark.parametrize("more", ["", 'sandbox="allow-scripts"'])
@pytest.mark.parametrize("width", [360, 700, 1100])
def test_an_embedded_page_shows_picture_control_question_and_licence(
    browser: Any, folder: Path, width: int, more: str
) -> None:
    complaints: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda each: complaints.append(each.text) if each.type == "error" else None)
    page.route(f"{SITE}**", lambda route: route.fulfill(path=folder / urlsplit(route.request.url).path[1:]))
    address = f"{SITE}descents.html?embed#kappa=20"
    page.route(BLOG, lambda route: route.fulfill(body=HOST.format(address=address, width=width, more=more)))
    page.goto(BLOG)
    inside = page.frame_locator("iframe")
    slider = inside.locator("input[name=kappa]:visible").first
    assert slider.get_attribute("aria-valuetext") == "20"
    before = inside.locator("path.theory:visible").first.get_attribute("d")
    slider.press("ArrowRight")
    page.frames[1].wait_for_function(
        "before => !document.querySelector(`path.theory[d='${before}']`)", arg=before
    )
    for shown in ("path.theory", "form.think-first", "a[rel=license]", ".whole a"):
        assert inside.locator(shown).first.is_visible(), shown
    for hidden in ("header", ".opening", ".exercise", ".reading", "button.copy-link"):
        assert not inside.locator(hidden).first.is_visible(), hidden
    assert inside.locator("html").evaluate("page => page.scrollWidth - page.clientWidth") <= 0
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"embedded-{width}.png", full_page=True)
    assert complaints == []
    page.close()
