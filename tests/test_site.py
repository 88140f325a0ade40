"""The site builds without a warning, runs its code, loads nothing from elsewhere, and leads nowhere wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.paper_checks.ledger import checks, claims
from tests.support import python
from tools.nested import ROOT

pytestmark = pytest.mark.long

LOADED = {"src", "srcset", "data", "poster", "background", "action", "formaction", "xlink:href"}
"""Attributes by which a page loads something, besides the href of a `link`."""
IN_STYLES = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")


class Reader(HTMLParser):
    """What one page loads, where it leads, and the anchors that it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value or "")
            elif name == "style":
                self.loads += in_styles(value or "")
            elif tag == "a" and name == "href":
                self.leads.append(value or "")
            elif name == "srcset":
                self.loads += [part.split()[0] for part in (value or "").split(",")]
            elif name in LOADED or (name == "href" and tag != "a"):
                self.loads.append(value or "")


def in_styles(text: str) -> list[str]:
    """Addresses that a style sheet loads."""
    return [one or other for one, other in IN_STYLES.findall(text)]


def elsewhere(site: Path) -> Iterator[str]:
    """Everything that a page or a style sheet would load from another machine, or that is not there."""
    for page in site.rglob("*.html"):
        for address in Reader(page).loads:
            yield from _missing(site, page, address)
    for sheet in site.rglob("*.css"):
        for address in in_styles(sheet.read_text(encoding="utf-8")):
            yield from _missing(site, sheet, address)


def _missing(site: Path, page: Path, address: str) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme != "data" and (
        parts.scheme or parts.netloc or not _target(site, page, parts.path).is_file()
    ):
        yield f"{page.name} loads {address}"


def _target(site: Path, page: Path, path: str) -> Path:
    """The file that a path on a page means; none means the page itself."""
    start = site if path.startswith("/") else page.parent
    target = (start / unquote(path).lstrip("/")).resolve() if path else page
    return target / "index.html" if target.is_dir() else target


def astray(site: Path) -> Iterator[str]:
    """Every link within the site to a page or an anchor that does not exist."""
    read = cache(Reader)
    for page in site.rglob("*.html"):
        for address in read(page).leads:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = _target(site, page, parts.path)
            if not target.is_file():
                yield f"{page.name} leads to {address}"
            elif parts.fragment and unquote(parts.fragment) not in read(target).anchors:
                yield f"{page.name} leads to {address}, which has no such anchor"


@pytest.mark.thorough
def test_the_site_builds_strictly_and_holds_together(tmp_path: Path) -> None:
    """One build, which also runs every block of code on the pages; then all that can be asked of it."""
    built = python("-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path, NO_MKDOCS_2_WARNING="1")
    assert built.returncode == 0, built.stderr[-3000:]
    assert list(elsewhere(tmp_path)) == []
    assert list(astray(tmp_path)) == []
    shown = {page.stem: Reader(page).anchors for page in (tmp_path / "reference").glob("*.html")}
    assert set(catalogue.problems()) <= shown["systems"]
    assert set(checks()) <= shown["checks"]
    assert set(figures()) <= shown["gallery"]
    assert {claim.paper for claim in claims()} <= shown["equations"]
    assert {erratum.id for check in checks().values() for erratum in check.errata} <= shown["errata"]
    for path in (ROOT / "docs").rglob("*.md"):
        page = (tmp_path / path.relative_to(ROOT / "docs")).with_suffix(".html").read_text("utf-8")
        assert "<!-- generated" not in page
        assert page.count("$$") == 0
        if "```sh\n" in path.read_text("utf-8"):
            assert "answer" in page


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A page that is whole."""
    (tmp_path / "style.css").write_text("a { background: url('data:image/svg+xml,x') }", encoding="utf-8")
    (tmp_path / "index.html").write_text(
        '<link rel="stylesheet" href="style.css"><h1 id="top">Here</h1><a href="#top">up</a>'
        '<a href="https://example.org">elsewhere, if you like</a>',
        encoding="utf-8",
    )
    return tmp_path


def test_a_whole_page_is_found_whole(site: Path) -> None:
    assert [*elsewhere(site), *astray(site)] == []


@pytest.mark.parametrize(
    "planted",
    [
        '<script src="https://example.org/x.js"></script>',
        '<script src="//example.org/x.js"></script>',
        '<link rel="preconnect" href="https://example.org">',
        '<img src="missing.png" alt="">',
        '<source srcset="index.html 1x, https://example.org/x.png 2x">',
        '<p style="background: url(https://example.org/x.png)"></p>',
        '<iframe src="https://example.org"></iframe>',
        '<form action="https://example.org"></form>',
    ],
)
def test_what_a_page_would_load_is_noticed(site: Path, planted: str) -> None:
    with (site / "index.html").open("a", encoding="utf-8") as page:
        page.write(planted)
    assert len(list(elsewhere(site))) == 1


@pytest.mark.parametrize("rule", ["@import 'https://example.org/x.css';", "p { src: url(font.woff2) }"])
def test_what_a_style_sheet_would_load_is_noticed(site: Path, rule: str) -> None:
    (site / "style.css").write_text(rule, encoding="utf-8")
    assert len(list(elsewhere(site))) == 1


@pytest.mark.parametrize("target", ["nowhere.html", "index.html#nowhere", "#nowhere", "../x/"])
def test_a_link_that_leads_nowhere_is_noticed(site: Path, target: str) -> None:
    with (site / "index.html").open("a", encoding="utf-8") as page:
        page.write(f'<a href="{target}">there</a>')
    assert len(list(astray(site))) == 1
