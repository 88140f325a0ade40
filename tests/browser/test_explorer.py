"""The explorer in a browser: its numbers are the command line's, and its address brings all of it back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.visiting import Opened, Visit
from tests.explored import PRINTED, alike, by_command, by_python

pytestmark = pytest.mark.parametrize("lesson", ["explorer"], indirect=True)


def table(visit: Visit) -> dict[str, str]:
    """The numbers that the page shows."""
    names, values = (visit.page.locator(f".values {cell}").all_inner_texts() for cell in ("th", "td"))
    return dict(zip(names, values, strict=True))


def agreeing(visit: Visit) -> list[str]:
    """The rows of the page's table that the page's command prints too."""
    shown = table(visit)
    return alike(shown, by_command(visit.page.locator(".command").first.inner_text(), shown["time t"]))


def in_python(visit: Visit) -> list[str]:
    """The rows of the page's table that the page's line of Python gives too."""
    shown = table(visit)
    return alike(shown, by_python(visit.page.locator(".python").nth(1).inner_text(), shown["time t"]))


def set_to(visit: Visit, name: str, key: str, times: int) -> None:
    """Press a key on the slider of that label so many times, and wait for the curves each time."""
    slider = visit.page.get_by_role("slider", name=name)
    assert slider.count() == 1
    for _ in range(times):
        visit.press(slider, key)


def test_its_numbers_are_those_of_the_command_that_it_shows(lesson: Opened) -> None:
    visit = lesson.visit
    visit.whole()
    assert agreeing(visit) == list(PRINTED)
    before = table(visit)
    for name, key, times in [
        ("time t", "ArrowRight", 2),
        ("condition number", "ArrowLeft", 3),
        ("examples per feature", "ArrowLeft", 2),
        ("share of fast", "ArrowRight", 1),
        ("label noise", "ArrowRight", 1),
        ("ridge λ", "ArrowRight", 4),
    ]:
        set_to(visit, name, key, times)
    assert all(table(visit)[row] != before[row] for row in PRINTED)
    assert agreeing(visit) == list(PRINTED)
    for dynamics in ("gradient flow", "ridge regression"):
        visit.page.get_by_role("radio", name=dynamics).focus()
        with visit.answered():
            visit.page.keyboard.press("Space")
        assert agreeing(visit) == list(PRINTED)
        assert in_python(visit) == list(PRINTED)
    assert visit.complaints == []


def test_its_address_brings_it_back(lesson: Opened, browser: Any) -> None:
    visit = lesson.visit
    set_to(visit, "label noise", "ArrowRight", 1)
    link = visit.page.locator("a.here").get_attribute("href")
    assert link
    visit.page.wait_for_function("link => location.search === link", arg=link)
    _, token = lesson.address.split("?")  # a browser that was here before need not be told
    other = Visit(browser, f"{visit.page.url}&{token}", "desk")
    other.whole()
    assert other.page.url == visit.page.url
    assert table(other) == table(visit)
    curves = "[...document.querySelectorAll('path.theory')].map(line => line.getAttribute('d'))"
    assert other.page.evaluate(curves) == visit.page.evaluate(curves)
    assert other.page.get_by_role("radio", name="ridge regression").is_checked()
    other.page.close()


def test_an_address_that_asks_for_what_is_not_offered_is_told_so(lesson: Opened, browser: Any) -> None:
    visit = Visit(browser, f"{lesson.address}&kappa=37.5&noise=%3Cb%3E&alpha=2", "desk")
    visit.whole()
    told = visit.page.get_by_role("status").all_inner_texts()
    assert [each for each in told if "kappa=37.5" in each and "nearest" in each]
    assert [each for each in told if "noise=<b>" in each]
    assert not [each for each in told if "alpha" in each]
    assert "kappa=40&alpha=2&" in visit.page.url
    assert visit.complaints == []
    visit.page.close()


def test_the_simulation_stays_while_only_time_moves(lesson: Opened) -> None:
    visit = lesson.visit
    visit.page.get_by_role("button", name="Simulate").click()
    visit.page.locator("g.simulation").first.wait_for()
    set_to(visit, "time t", "ArrowLeft", 2)
    assert visit.page.locator("g.simulation").count() > 0
