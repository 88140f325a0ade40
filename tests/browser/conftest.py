"""Lessons in a real browser, headless: `pytest tests/browser`, and not otherwise.

Needs the system's Chromium (Debian: package `chromium`); without one every test here is skipped and
says so. Screenshots are left in `out/browser`, to be looked at. One lesson is served at a time, and
its page at a desk is opened once: tests of a lesson take it over from each other, in their order.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.visiting import Opened, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_ignore_collect(collection_path: object, config: pytest.Config) -> bool | None:
    """Leave this folder out unless it was asked for: the other tests need no browser."""
    return None if any("browser" in argument for argument in config.args) else True


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages."""
    from teacherstudent.lessons.pages.build import build

    made = tmp_path_factory.mktemp("pages")
    build(made)
    return made


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


@pytest.fixture(scope="module")
def lesson(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Opened]:
    """The lesson that the parameter names, served as `teacherstudent lesson` does, and its page."""
    with ExitStack() as stack:
        yield opened(browser, request.param, stack)
