"""The site builds without a warning, runs its code, loads nothing from elsewhere, and leads nowhere wrong."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
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
            elif "=" in parts.fragment:
                continue  # settings of a lesson's page, which are no anchor
            elif parts.fragment and unquote(parts.fragment) not in read(target).anchors:
                yield f"{page.name} leads to {address}, which has no such anchor"


FINDS = {
    "R": "glossary.html#r",
    "Q": "glossary.html#q",
    "what does R mean": "glossary.html#r",
    "kappa": "glossary.html#kappa",
    "lambda": "glossary.html#lambda",
    "alpha": "glossary.html#alpha",
    **{word: f"glossary.html#{word}" for word in ("ridge", "replica", "kernel", "seed", "uncertainty")},
    "lazy": "glossary.html#lazy-training",
    "order parameter": "glossary.html#order-parameter",
    "learning rate": "glossary.html#learning-rate",
    "double descent": "glossary.html#double-descent",
    "early stopping": "glossary.html#early-stopping",
    "grokking": "topics/grokking.html",
    "Fig. 4": "figures/ch4-fig4.html",
    "Figure 3": "figures/ch4-fig3.html",
    "ch4-fig4": "figures/ch4-fig4.html",
    "Ch. 2 Fig. 4": "figures/ch2-fig4.html",
    "csv": "how-to/your-own-data.html",
    "own data": "how-to/your-own-data.html",
    "GPU": "how-to/gpu.html",
    "SLURM": "how-to/machines.html",
    "cite": "cite.html",
    "bibtex": "cite.html",
    "install": "install.html",
    "neural-tangents": "topics/kernels-from-elsewhere.html",
    "scikit-learn": "topics/other-libraries.html",
}
"""What people type, and the page, or the place on a page, that is the first or second to be found."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly, which also runs every block of code on its pages."""
    folder = tmp_path_factory.mktemp("site")
    built = python("-m", "mkdocs", "build", "--strict", "--site-dir", folder, NO_MKDOCS_2_WARNING="1")
    assert built.returncode == 0, built.stderr[-3000:]
    return folder


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js, which runs the search's own script")
def test_the_search_finds_first_what_is_meant(whole: Path) -> None:
    command = ["node", str(ROOT / "tests" / "searching.js"), str(whole), *FINDS]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    found = json.loads(ran.stdout)
    assert {query: found[query][:2] for query, place in FINDS.items() if place not in found[query][:2]} == {}


@pytest.mark.thorough
def test_the_site_holds_together(whole: Path) -> None:
    assert list(elsewhere(whole)) == []
    assert list(astray(whole)) == []
    shown = {page.stem: Reader(page).anchors for page in (whole / "reference").glob("*.html")}
    one_click = set(Reader(whole / "index.html").leads)
    assert {"how-to/gpu.html", "cite.html", "topics/other-libraries.html", "glossary.html"} <= one_click
    assert {f"figures/{page.name}" for page in (whole / "figures").glob("*.html")} <= one_click
    assert set(catalogue.problems()) <= shown["systems"]
    assert set(checks()) <= shown["checks"]
    assert set(figures()) <= shown["gallery"]
    assert {claim.paper for claim in claims()} <= shown["equations"]
    assert {erratum.id for check in checks().values() for erratum in check.errata} <= shown["errata"]
    for path in (ROOT / "docs").rglob("*.md"):
        page = (whole / path.relative_to(ROOT / "docs")).with_suffix(".html").read_text("utf-8")
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
