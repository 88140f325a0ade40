"""The explorer's page: dragged points, links, lines with its numbers, screens large and small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import teacherstudent as ts
from teacherstudent.lessons.pages.build import build
from tests.browser.test_pages import CURVES, Opened
from tests.explored import PRINTED, alike, by_command, by_python

RISK, PLANE = 0, 1
LATE = "dynamics=descent&time=100000"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page in a folder."""
    folder: Path = tmp_path_factory.mktemp("explorer")
    (page,) = build(folder, ["explorer"])
    return page.as_uri()


@pytest.fixture
def opened(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The page as it begins."""
    made = Opened(browser, address, getattr(request, "param", "desk"))
    made.settled()
    yield made
    assert made.complaints == []
    made.page.close()


def table(opened: Opened) -> dict[str, str]:
    """The numbers that the page shows."""
    page = opened.settled()
    names, values = (page.locator(f".values {cell}").all_inner_texts() for cell in ("th", "td"))
    return dict(zip(names, values, strict=True))


def point(opened: Opened, picture: int) -> tuple[float, float]:
    """Where the point of a picture is on the screen."""
    box = opened.settled().locator(f"[data-picture='{picture}'] circle.now").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(opened: Opened, picture: int, to: tuple[float, float]) -> None:
    """Drag the point of a picture with the mouse."""
    mouse = opened.page.mouse
    mouse.move(*point(opened, picture))
    mouse.down()
    mouse.move(*to, steps=7)
    opened.settled()
    mouse.up()


@pytest.mark.parametrize("picture", [RISK, PLANE])
def test_a_point_dragged_to_a_place_of_its_curve_sets_the_time_of_that_place(
    opened: Opened, browser: Any, address: str, picture: int
) -> None:
    later = Opened(browser, f"{address}#{LATE}", "desk")
    goal, there = point(later, picture), table(later)
    later.page.close()
    assert table(opened)["time t"] == "1000"
    drag(opened, picture, goal)
    assert table(opened) == there
    assert point(opened, picture) == pytest.approx(goal, abs=0.2)
    slider = opened.page.locator("input[name=time]")
    assert slider.get_attribute("aria-valuetext") == "100000"


def test_a_point_dragged_off_its_curve_stays_on_it(opened: Opened) -> None:
    before = table(opened)
    x, y = point(opened, RISK)
    drag(opened, RISK, (x, y - 60))  # across, the pointer is where it was
    assert table(opened) == before
    drag(opened, RISK, (x + 1000, y))
    assert table(opened)["time t"] == "1e+06"


def test_a_point_moves_by_keyboard(opened: Opened) -> None:
    page = opened.page
    handles = page.get_by_role("slider", name="time t, along the curve")
    assert handles.count() == 2
    for handle in handles.all():
        handle.focus()
        for key, time in [
            ("Home", "1"),
            ("ArrowRight", "2"),
            ("ArrowUp", "3"),
            ("ArrowLeft", "2"),
            ("End", "1e+06"),
            ("PageDown", "100000"),
            ("PageUp", "1e+06"),
            ("ArrowRight", "1e+06"),
        ]:
            page.keyboard.press(key)
            assert table(opened)["time t"] == time, key
            assert handle.get_attribute("aria-valuetext") == f"t = {time}"
            assert handle.evaluate("handle => document.activeElement === handle")


def test_time_begins_where_the_curve_does(opened: Opened) -> None:
    page, handle = opened.page, opened.page.get_by_role("slider", name="time t, along the curve").first
    page.get_by_role("radio", name="gradient flow").check()
    handle.focus()
    page.keyboard.press("Home")
    assert table(opened)["time t"] == "0.1"
    page.get_by_role("radio", name="gradient descent").check()
    opened.settled()
    assert table(opened)["time t"] == "1"
    slider = page.locator("input[name=time]")
    assert slider.get_attribute("min") == slider.input_value()


@pytest.mark.parametrize(
    "at",
    [
        "",
        "dynamics=flow&time=0.5&kappa=5&alpha=0.7&fast=0.3&noise=1.1",
        "dynamics=descent&time=251&kappa=10&alpha=1&noise=0&ridge=0.001",
        "dynamics=ridge&time=79433&kappa=100&alpha=10&fast=0.95&ridge=1e-05",
    ],
)
def test_its_lines_give_its_numbers(browser: Any, address: str, at: str) -> None:
    opened = Opened(browser, f"{address}#{at}", "desk")
    shown = table(opened)
    command, *_ = opened.page.locator("pre.command").all_inner_texts()
    imported, line, *_ = opened.page.locator("pre.python").all_inner_texts()
    assert imported == "import teacherstudent as ts"
    assert alike(shown, by_command(command, shown["time t"])) == list(PRINTED)
    assert alike(shown, by_python(line, shown["time t"])) == list(PRINTED)
    opened.page.close()


def test_all_its_lines_ask_what_the_front_door_knows(opened: Opened) -> None:
    lines = opened.page.locator("pre.python").all_inner_texts()[1:]
    commands = opened.page.locator("pre.command").all_inner_texts()
    routes = ("asymptotic", "simulation", "instance")
    assert len(lines) == len(commands) == len(routes)
    for route, line, command in zip(routes, lines, commands, strict=True):
        assert f'route="{route}"' in line
        assert f"--route {route}" in command
    for line in lines:  # few draws at few times: the whole answer takes a minute
        few = line.replace("seeds=200", "seeds=2").replace(":25", ":3").replace(":61", ":3")
        assert eval(few, {"ts": ts}).sizes["time"] == 3


def test_its_link_holds_its_state(opened: Opened, browser: Any) -> None:
    page = opened.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("radio", name="ridge").check()
    drag(opened, RISK, (point(opened, RISK)[0] + 40, 300))
    page.locator("input[name=kappa]").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("location.hash.includes('kappa')")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    again = Opened(browser, link, "desk")
    assert table(again) == table(opened)
    assert again.page.evaluate(CURVES) == page.evaluate(CURVES)
    again.page.close()


def test_simulations_stay_while_only_time_moves(opened: Opened) -> None:
    page = opened.page
    assert page.locator("g.simulation").count() > 0
    assert page.locator("svg.picture path[data-label^='exact given X']").count() == 3
    drawn = page.evaluate("[...document.querySelectorAll('g.simulation path')].map(each => each.outerHTML)")
    drag(opened, RISK, (point(opened, RISK)[0] + 40, 300))
    still = page.evaluate("[...document.querySelectorAll('g.simulation path')].map(each => each.outerHTML)")
    assert still == drawn
    page.locator("input[name=noise]").focus()
    page.keyboard.press("ArrowRight")
    opened.settled()
    assert page.locator("g.simulation").count() == 0


def test_a_lecture_hall_has_one_large_picture_with_larger_letters(opened: Opened) -> None:
    page = opened.page
    tick = page.locator("[data-picture='0'] svg.picture text").first

    def letters() -> tuple[float, float]:
        drawn = tick.evaluate("text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a")
        return drawn, page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")

    before = letters()
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement !== null")
    opened.settled()
    assert all(now > 1.3 * was for now, was in zip(letters(), before, strict=True))
    assert page.locator(".picture-place:visible").count() == 1
    page.get_by_role("tab", name="R and Q").click()
    assert page.locator("[data-picture='1']").is_visible()
    handle = page.locator("[data-picture='1'] + .handle").bounding_box()
    assert handle
    middle = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    assert middle == pytest.approx(point(opened, PLANE), abs=1)


@pytest.mark.parametrize("opened", ["telephone"], indirect=True)
def test_on_a_telephone_the_picture_stays_while_sliders_move(opened: Opened) -> None:
    page = opened.page
    assert page.locator(".picture-place:visible").count() == 1
    slider = page.locator("input[name=ridge]")
    for _ in range(3):
        page.evaluate("window.scrollBy(0, 2000)")  # the slider is above the screen, or beneath the picture
        slider.blur()
        slider.focus()
        page.keyboard.press("ArrowRight")
        opened.settled()
        picture = page.locator("[data-picture='0'] svg.picture").bounding_box()
        moved = slider.bounding_box()
        assert picture
        assert moved
        assert picture["y"] >= 0
        assert picture["y"] + picture["height"] <= moved["y"]
        assert moved["y"] + moved["height"] <= opened.height
    before = page.evaluate(CURVES)
    page.keyboard.press("ArrowRight")
    opened.settled()
    assert page.evaluate(CURVES) != before
    page.get_by_role("tab", name="R and Q").click()
    assert page.locator("[data-picture='1']").is_visible()
    assert not page.locator("[data-picture='0']").is_visible()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-picture='2']").is_visible()


@pytest.mark.parametrize("opened", ["telephone"], indirect=True)
def test_a_finger_drags_the_point(opened: Opened, browser: Any, address: str) -> None:
    x, y = point(opened, RISK)
    handle = opened.page.locator("[data-picture='0'] + .handle")
    assert handle.evaluate("handle => getComputedStyle(handle).touchAction") == "none"
    for kind, at in (("pointerdown", x), ("pointermove", x + 60)):
        event = dict(pointerId=1, pointerType="touch", clientX=at, clientY=y, button=0, bubbles=True)
        if kind == "pointerdown":  # a pointer that is none cannot be captured
            handle.evaluate("h => { h.setPointerCapture = () => {}; h.hasPointerCapture = () => true; }")
        handle.dispatch_event(kind, event)
        opened.settled()
    assert float(table(opened)["time t"]) > 1000
