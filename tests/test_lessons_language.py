"""Pages in another language: strings are found and replaced, and a catalogue brings nothing but words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from teacherstudent.api.catalogue import Catalogue, read, write
from teacherstudent.house.errors import InputError
from teacherstudent.lessons.pages import language
from teacherstudent.lessons.pages.build import _shown
from tests.support import refusal, say

PAGE = (
    '<p>At <i>n</i> = 12 the <strong>risk</strong> of <math alttext="q"><mi>q</mi></math> falls.</p>'
    '<svg aria-label="A curve up to 3."><text>risk [1]</text></svg><pre>for x in y</pre>'
    "<script>const risk = 1;</script><p>12 &lt; <code>risk</code></p>"
)
TEXTS = {
    "At {0}n{1} = {2} the {3}risk{4} of {5} falls.": "Das {3}Risiko{4} von {5} fällt bei {0}n{1} = {2}.",
    "A curve up to {0}.": "Eine Kurve bis {0}.",
    "risk [{0}]": "Risiko <b>[{0}]",
}


def test_strings_have_places_for_tags_formulas_code_and_numbers() -> None:
    assert language.strings(PAGE) == list(TEXTS)


def test_a_page_without_translations_stays_as_it_is() -> None:
    assert language.translated(PAGE, Catalogue("de", {}).say) == PAGE


def test_a_translation_keeps_numbers_and_formulas_and_brings_no_markup() -> None:
    made = language.translated(PAGE, Catalogue("de", TEXTS).say)
    formula = '<math alttext="q"><mi>q</mi></math>'
    assert f"<p>Das <strong>Risiko</strong> von {formula} fällt bei <i>n</i> = 12.</p>" in made
    assert 'aria-label="Eine Kurve bis 3."' in made
    assert "<text>Risiko &lt;b&gt;[1]</text>" in made
    assert "<pre>for x in y</pre><script>const risk = 1;</script>" in made


@pytest.mark.parametrize(
    "told",
    [
        "no JSON",
        "[1]",
        json.dumps({"language": 'de"><script>', "texts": {}}),
        json.dumps({"language": "de", "texts": {"a {0}": 1}}),
        json.dumps({"language": "de", "texts": {"twice {0}": "zweimal"}}),
        json.dumps({"language": "de", "texts": {"once": "einmal {0}"}}),
        json.dumps({"language": "de", "texts": {"once": "einmal \ue0009\ue001"}}),
        json.dumps({"language": "de", "texts": {"once": "einmal \ud800"}}),
        "[" * 100_000,
    ],
)
def test_a_catalogue_that_cannot_be_used_is_refused(tmp_path: Path, told: str) -> None:
    file = tmp_path / "de.json"
    file.write_text(told, encoding="utf-8")
    with pytest.raises(InputError, match="catalogue"):
        read(file)
    said = refusal(say("lesson", "modes", "--pages", tmp_path / "pages", "--language", file))
    assert said.startswith(f"--language {file}: must be ")
    assert not (tmp_path / "pages").exists()


def test_a_catalogue_that_cannot_be_read_is_refused_with_the_reason(tmp_path: Path) -> None:
    for file, why in {tmp_path / "none.json": "No such file", Path("/dev/zero"): "a device"}.items():
        said = refusal(say("lesson", "modes", "--pages", tmp_path / "pages", "--language", file))
        assert said.startswith(f"--language {file}: must be a readable catalogue")
        assert why in said


def test_a_language_is_for_pages() -> None:
    assert "--pages" in refusal(say("lesson", "modes", "--language", "de.json"))


def test_translations_of_solutions_stay_out_of_pages_without_solutions(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "a.js").write_text("say(`at ${x} the error is ${y}`)", encoding="utf-8")
    (tmp_path / "a.html").write_text("<p>One\n &lt; 3</p>", encoding="utf-8")
    kept = {"One < {0}": "Eins < {0}", "at {0} the error is {1}": "Fehler {1} bei {0}"}
    hidden = {"The answer is {0}": "Die Antwort ist {0}"}
    assert _shown(tmp_path, kept | hidden) == kept


def test_a_catalogue_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "de.json"
    write(file, ["once"], "de", {"once": "einmal"})
    with pytest.raises(UnicodeEncodeError):
        write(file, ["once", "\ud800"], "de", {})
    assert read(file) == Catalogue("de", {"once": "einmal"})
    assert [each.name for each in tmp_path.iterdir()] == ["de.json"]
