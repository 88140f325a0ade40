"""The report in a real browser: filters, links to rows that are filtered out, narrow screens, contrast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from teacherstudent.cli.report import render
from teacherstudent.paper_checks.judging.evidence import run_check
from teacherstudent.paper_checks.ledger import checks
from tests.browser.visiting import PICTURES, SIZES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

READING = (Path(__file__).parent / "reading.js").read_text("utf-8")
CHOSEN = ("ln-order", "ms-risk-identity", "gs-theorem", "wg-core-alone")
CONTRAST = 4.5
"""WCAG 2 AA for text of any size."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a few quick checks, one of which fails and one of which is weak."""
    outcomes = [run_check(check) for id, check in checks().items() if id in CHOSEN]
    first, second, *others = outcomes
    first = replace(first, verdict=replace(first.verdict, statistic=2.0, threshold=1.0))
    weak = replace(second.verdict, resolution=0.9, effect=replace(second.verdict.effect, size=1.0))
    path = tmp_path_factory.mktemp("report") / "report.html"
    page = render([first, replace(second, verdict=weak), *others], path.parent, {"ms-devices": "a GPU"})
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    """The report at a desk."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(written.as_uri())
    yield opened
    opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_it_can_be_read_on_every_screen(browser: Browser, written: Path, size: str, scheme: str) -> None:
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(written.as_uri())
    texts = page.evaluate(READING)
    overflow = page.evaluate("document.documentElement.scrollWidth")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"report-{size}-{scheme}.png", full_page=True)
    page.close()
    assert overflow <= width
    assert len(texts) > 50
    assert [each for each in texts if each["contrast"] < CONTRAST] == []


def test_the_filter_leaves_what_was_asked_for(page: Page) -> None:
    shown = page.locator("tr[id^=check-]:visible")
    everything = shown.count()
    assert page.locator("#shown").text_content() == f"{everything} of {everything} checks shown"
    page.select_option("#of-state", "weak")
    assert shown.count() == 1
    page.select_option("#of-state", "")
    page.select_option("#of-system", "starvation")
    assert {row.get_attribute("data-system") for row in shown.all()} == {"starvation"}
    page.select_option("#of-system", "")
    page.fill("#words", "gs-theorem FEATURES")
    assert [row.get_attribute("id") for row in shown.all()] == ["check-gs-theorem"]
    assert page.locator(".system:visible").count() == 1


def test_a_link_to_a_row_that_is_filtered_out_shows_it(page: Page) -> None:
    page.fill("#words", "no check has this")
    assert page.locator("tr[id^=check-]:visible").count() == 0
    page.locator("#failures a").click()
    page.wait_for_function("document.querySelector('#words').value === ''")
    assert page.locator("tr:target").is_visible()


def test_without_scripts_everything_is_visible(browser: Browser, written: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(written.as_uri())
    assert page.locator("#filter").is_hidden()
    assert page.locator("tr[id^=check-]:visible").count() == page.locator("tr[id^=check-]").count() > 3
    context.close()
