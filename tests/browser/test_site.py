"""The documentation site as a reader meets it: from a folder, on desk and telephone, light and dark."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from tests.browser.visiting import PICTURES, ROOT, SIZES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

READING = (Path(__file__).parent / "reading.js").read_text("utf-8")
PAGES = sorted(str(path.relative_to(ROOT / "docs").with_suffix("")) for path in (ROOT / "docs").rglob("*.md"))
CODE = ["api/teacherstudent", "api/theory.multiscale"]
"""Two pages of the reference stand for all."""
CONTRAST, SMALLEST, SMALLEST_SCRIPT = 4.5, 12.0, 6.0
"""WCAG 2 AA for text of any size; pixels of text, and of scripts in formulas."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, check=True)
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [*PAGES, *CODE])
def test_a_page_can_be_read_and_asks_nobody(
    browser: Browser, site: Path, name: str, size: str, scheme: str
) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{site.as_uri()}/{name}.html")
    page.wait_for_load_state("networkidle")
    assert (
        page.locator("body").get_attribute("data-md-color-scheme")
        == {"light": "default", "dark": "slate"}[scheme]
    )
    texts = page.evaluate(READING)
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"site-{name.replace('/', '-')}-{size}-{scheme}.png")
    overflow = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert any(url.endswith("site.css") for url in asked)  # they are seen
    assert overflow <= width
    assert len(texts) > 3
    small = [each for each in texts if each["size"] < (SMALLEST_SCRIPT if each["script"] else SMALLEST)]
    assert small == []
    assert [each for each in texts if each["contrast"] < CONTRAST] == []


@pytest.fixture(params=["folder", "server"])
def address(request: pytest.FixtureRequest, site: Path) -> Iterator[str]:
    """The site as a folder, and behind a server."""
    if request.param == "folder":
        yield site.as_uri()
        return
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_search_finds_words_by_keyboard_and_asks_nobody_else(browser: Browser, address: str) -> None:
    asked: list[str] = []
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/index.html")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("/")
    page.keyboard.type("Marchenko")
    found = page.locator("a.md-search-result__link", has_text="Marchenko").first
    found.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "index.html" not in url)
    page.close()
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_the_tabulator_goes_to_the_content_first(browser: Browser, site: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{site.as_uri()}/start.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Skip to content"
    page.close()
