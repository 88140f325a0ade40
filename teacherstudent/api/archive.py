"""A lesson or the whole course as one archive: pages, slides, sheets, solutions, sources and licences."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from teacherstudent.api.lesson import lessons, notebook, pages
from teacherstudent.house.errors import InputError
from teacherstudent.house.extras import EXTRAS, demand_installed
from teacherstudent.house.files import path_of, room_for, whole_file
from teacherstudent.house.parameters import pick

DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file: equal contents give equal archives."""
README = """\
{what}.
pages/: interactive pages, slides and sheets. Open pages/{first} in a browser; nothing else is needed.
notebooks/: the same for Jupyter. The notebooks need the package: pip install 'teacherstudent[lessons]'
{solutions}
To show a page inside a learning platform or a blog, put pages/ on a web server. Add ?embed to the page's
address (NAME.html?embed, and NAME.html?embed#kappa=50 with settings), and show this address in an iframe.
To cite, name the works in the references of each page, and: {cite}
Texts and pictures: CC BY 4.0, {authors}; see LICENSE-texts.txt.
Code: MIT; see LICENSE-code.txt.
"""
WITH = """\
solutions/: the same pages with solutions. sources/: notebooks and teaching files, with solutions.
Delete solutions/ and sources/ before you give this archive to students."""
WITHOUT = """\
This archive contains no solutions.
The lecturer's archive contains solutions, and the sources of the pages."""
TEXTS = """\
Texts and pictures of these lessons: Copyright (c) {year} {authors}

Licensed under Creative Commons Attribution 4.0 International (CC BY 4.0).

You may share and adapt the texts and pictures for any purpose, also commercially. You must give credit: name
the authors, link to the licence, and say what you changed. You may not add legal terms or technical measures
that keep others from doing what the licence permits.

Summary: https://creativecommons.org/licenses/by/4.0/
Legal code (this alone is binding): https://creativecommons.org/licenses/by/4.0/legalcode
"""


def kit(path: str | Path, name: str | None = None, *, solved: bool = True) -> None:
    """Write a lesson, or the whole course, as a zip archive with sources and licences. Raises `InputError`.

    solved: whether the archive contains solutions, and the sources, which contain solutions too.
    """
    demand_installed("--kit", *EXTRAS["lessons"], *EXTRAS["data"])
    target = path_of(path, "kit")
    names = [pick("name", name, lessons()).id] if name else list(lessons())
    with whole_file(target, "kit") as written, TemporaryDirectory(dir=written.parent) as made:
        try:
            _fill(Path(made), names, name, solved)
        except InputError as error:
            raise InputError("kit", str(path), error.domain, error.hint) from None
        with room_for(target, "kit"):
            _pack(Path(made), written, f"teacherstudent-{name or 'course'}")


def _fill(folder: Path, names: list[str], name: str | None, solved: bool) -> None:
    """Write all files of the archive into a folder."""
    first = pages(folder / "pages", name, solved=False)
    for each in names:
        notebook(each, folder / "notebooks" / f"{each}.ipynb", solved=False)
    if solved:
        pages(folder / "solutions", name)
        (folder / "sources").mkdir()
        for path in (path for each in names for path in _sources(lessons()[each].path)):
            shutil.copyfile(path, folder / "sources" / path.name)
    room = lessons()[names[0]].path.parent
    told: dict[str, Any] = json.loads((room / "pages" / "works.json").read_text(encoding="utf-8"))
    package = distribution("teacherstudent")
    told |= {"first": first.name, "solutions": WITH if solved else WITHOUT}
    told["what"] = lessons()[name].title if name else f"Theory of learning: {len(names)} interactive pages"
    code = package.read_text("licenses/LICENSE")
    assert code, "installed with the package"
    for file, text in {"README.txt": README, "LICENSE-texts.txt": TEXTS}.items():
        (folder / file).write_text(text.format(**told), encoding="utf-8")
    (folder / "LICENSE-code.txt").write_text(code, encoding="utf-8")


def _sources(path: Path) -> list[Path]:
    """The notebook and its teaching file."""
    taught = path.parent / "teaching" / f"{path.stem}.toml"
    return [path, taught] if taught.exists() else [path]


def _pack(folder: Path, target: Path, root: str) -> None:
    """Write a folder's files into an archive, sorted by name, under a folder `root`."""
    files = {each.relative_to(folder).as_posix(): each for each in folder.rglob("*") if each.is_file()}
    with ZipFile(target, "w") as archive:
        for name in sorted(files):
            entry = ZipInfo(f"{root}/{name}", DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name].read_bytes(), ZIP_DEFLATED)
