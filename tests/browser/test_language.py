"""A page in another language, in a browser: no string is left in English, before or after a control moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from teacherstudent.api.catalogue import Catalogue
from teacherstudent.lessons.pages import catalogue, language
from teacherstudent.lessons.pages.build import build

LEFT = """() => {
  const texts = "text, figcaption, figure li, label, legend, p, main li, h1, h2, h3, button, td, th, .says";
  const own = (each) => [...each.querySelectorAll("math, code, pre, a")].reduce(
    (text, inside) => text.replace(inside.textContent, ""), each.textContent);
  return [...document.querySelectorAll(texts)].map(own)
    .filter((text) => /\\p{L}{2}/u.test(text) && !text.includes("⟦"));
}"""


def translated(folder: Path, name: str) -> Path:
    """The page of a lesson with each string in brackets."""
    english = build(folder / "english", [name])
    found = [each for page in english for each in language.strings(page.read_text("utf-8"))]
    found += catalogue.heard(english[0], folder)
    texts = {each: f"⟦{each}⟧" for each in [*found, *catalogue.written_in_scripts()]}
    return build(folder / "pages", [name], catalogue=Catalogue("xx", texts))[0]


def test_no_string_is_left_in_english(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(translated(tmp_path, "descents").as_uri())
    assert page.evaluate("document.documentElement.lang") == "xx"
    for key in ("Home", "End"):
        page.locator("input[type=range]").first.press(key)
        page.wait_for_timeout(500)
        assert page.evaluate(LEFT) == []
    page.locator("input[name=answer]").first.check()
    assert page.evaluate(LEFT) == []
