"""No text that users read has a phrase that readers had to read twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import english


def test_no_text_has_a_phrase_to_drop() -> None:
    hits = [f"{path}:{line}: {phrase}" for (path, line, _), phrase, _ in english.found()]
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.md", "# Title\n\n```sh\nbeside code\n```\nThe ridge is drawn\nbeside the flow.\n"),
        (
            "texts.toml",
            'code = "drawn beside the flow"\nsays = """\nThe ridge is drawn beside the flow.\n"""',
        ),
        ("module.py", 'raise ValueError(f"The {ridge} is " "drawn beside the flow.")\n'),
        (
            "page.html.j2",
            "<style>beside all of the rest</style>\n<p>The ridge is drawn <b>beside</b> the flow.",
        ),
        ("page.js", 'say("The ridge is drawn beside the flow.")\n'),
    ],
)
def test_a_phrase_to_drop_is_found_in_each_kind_of_text(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(english, "ROOT", tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    ((sentence, phrase, instead),) = english.found([name])
    assert (sentence.path, phrase) == (name, "beside")
    assert "next to" in instead


@pytest.mark.parametrize(
    "text", ["The name is `drawn beside it` here.", 'They write "we stand beside it" there.']
)
def test_names_and_quotations_stay(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    assert not list(english.found(["page.md"]))
