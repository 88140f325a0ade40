"""`lesson --kit` writes one archive with pages, notebooks, solutions, sources and licences."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from teacherstudent.api import archive
from teacherstudent.api.lesson import lessons
from tests.support import Said, refusal, say, wrote

WHOLE = {"pages", "notebooks", "solutions", "sources", "README.txt", "LICENSE-texts.txt", "LICENSE-code.txt"}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages and notebooks with one line each."""

    def pages(folder: Path, name: str | None, *, solved: bool = True) -> Path:
        folder.mkdir()
        page = folder / f"{name or 'index'}.html"
        page.write_text("with solutions" if solved else "without", encoding="utf-8")
        return page

    def notebook(name: str, path: Path, *, solved: bool) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{name} {solved}", encoding="utf-8")

    monkeypatch.setattr(archive, "pages", pages)
    monkeypatch.setattr(archive, "notebook", notebook)


def contents(path: Path) -> dict[str, str]:
    """The files of an archive without their common folder."""
    with ZipFile(path) as opened:
        assert opened.namelist() == sorted(opened.namelist())
        return {name.partition("/")[2]: opened.read(name).decode() for name in opened.namelist()}


@pytest.mark.usefixtures("quick")
def test_an_archive_has_solutions_apart_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    files = [tmp_path / "one.zip", tmp_path / "two.zip"]
    for file in files:
        assert say("lesson", "modes", "--kit", file) == Said(0, f"{file}\n", wrote(file))
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == files
    made = contents(files[0])
    assert {name.partition("/")[0] for name in made} == WHOLE
    assert (made["pages/modes.html"], made["solutions/modes.html"]) == ("without", "with solutions")
    assert made["notebooks/modes.ipynb"] == "modes False"
    assert made["sources/modes.py"] == lessons()["modes"].path.read_text("utf-8")
    assert "[think_first]" in made["sources/modes.toml"]
    assert made["LICENSE-code.txt"].startswith("MIT License")
    assert "creativecommons.org/licenses/by/4.0/legalcode" in made["LICENSE-texts.txt"]
    assert made["README.txt"].startswith("Lesson 1: Learning modes one after another.\n")
    assert len(made["README.txt"].splitlines()) == 10


@pytest.mark.usefixtures("quick")
def test_an_archive_of_the_course_for_students_has_no_solutions(tmp_path: Path) -> None:
    assert say("lesson", "--kit", tmp_path / "a.zip", "--without-solutions").status == 0
    made = contents(tmp_path / "a.zip")
    assert {name.partition("/")[0] for name in made} == WHOLE - {"solutions", "sources"}
    assert {name for name in made if name.startswith("notebooks/")} == {
        f"notebooks/{name}.ipynb" for name in lessons()
    }
    assert "contains no solutions" in made["README.txt"]


def test_an_archive_is_a_zip_file_of_a_known_lesson_and_nothing_is_left_of_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refusal(say("lesson", "modes", "--kit", tmp_path / "a.tar")).startswith("--kit ")
    assert "exclude each other" in refusal(say("lesson", "modes", "--kit", "a.zip", "--pages", tmp_path))

    def broken(*_: Any, **__: Any) -> Path:
        raise RuntimeError("no pages")

    monkeypatch.setattr(archive, "pages", broken)
    with pytest.raises(RuntimeError):
        archive.kit(tmp_path / "a.zip", "modes")
    assert list(tmp_path.iterdir()) == []
