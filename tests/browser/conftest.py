"""Lessons in a real browser, headless: `pytest tests/browser`, and not otherwise.

Needs the system's Chromium (Debian: package `chromium`); without one every test here is skipped and
says so. Screenshots are left in `out/browser`, to be looked at.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.visiting import SIZES, Visit, start

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Open = Callable[..., Visit]
NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave this folder out unless it was asked for: the other tests need no browser."""
    return None if any("browser" in argument for argument in config.args) else True


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"no Chromium on this machine (looked for {', '.join(NAMES)})")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[str], str]]:
    """Serve a lesson as `teacherstudent lesson` does: gives its address; one server for each."""
    addresses: dict[str, str] = {}
    with ExitStack() as servers:

        def address(lesson: str) -> str:
            if lesson not in addresses:
                addresses[lesson] = start(lesson, servers)
            return addresses[lesson]

        yield address


@pytest.fixture
def visit(browser: Browser, serve: Callable[[str], str]) -> Iterator[Open]:
    """Open a lesson: `visit(lesson, size)`."""
    with ExitStack() as pages:

        def opened(lesson: str, size: str = "desk") -> Visit:
            each = Visit(browser, serve(lesson), SIZES[size])
            pages.callback(each.page.close)
            return each

        yield opened
