"""A new system, written as files that run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import in_a_folder, path_of, room_for, whole_folder
from teacherstudent.house.parameters import pick

TEMPLATES = Path(__file__).parent / "templates"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 40

KINDS: Final = {
    "linear": {
        "about": "Linear regression on Gaussian inputs, for every training algorithm.",
        "dynamics": "descent",
    },
    "order-parameters": {
        "about": "Hebb's rule online: differential equations of two order parameters.",
        "dynamics": "online",
    },
    "fixed-point": {
        "about": "The lasso on a sparse teacher: self-consistent equations of two numbers.",
        "dynamics": "lasso",
    },
}
"""Kinds of systems, and what is said of each."""


def new(name: str, *, kind: str = "order-parameters", out: str | Path | None = None) -> Path:
    """Write a small working system as a start for your own.

    It has `problem.py`, `theory.py`, `sims.py`, `checks.py`, `figures.py`, `claims.toml`, a test, a README,
    and a `pyproject.toml` that makes a package of it.

    Args:
        name: The id of the system, of lower-case letters, digits and dashes. No other system may have this
            id.
        kind: `"linear"` (students linear in their features, with all training algorithms),
            `"order-parameters"` (differential equations of a few overlaps) or `"fixed-point"` (a
            self-consistent equation).
        out: The folder to write, which must be new or empty; by default one called `name` in this folder.

    Returns:
        The folder, for `teacherstudent.use` or `--system`.

    Raises:
        InputError: For a name that is no valid id or is in use, an unknown kind, and a folder that is not
            empty or cannot be written.

    Examples:
        >>> import tempfile
        >>> import teacherstudent as ts
        >>> folder = ts.new("my-ridge", kind="linear", out=tempfile.mkdtemp() + "/my-ridge")
        >>> sorted(each.name for each in folder.glob("*.py"))
        ['checks.py', 'figures.py', 'problem.py', 'sims.py', 'theory.py']
    """
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > LONGEST:
        raise InputError("NAME", name, f"lower-case letters, digits and dashes, at most {LONGEST}")
    if name in catalogue.problems():
        raise InputError("NAME", name, "an id that no system uses yet")
    texts = pick("kind", kind, KINDS)
    folder = path_of(name if out is None else out, "out")
    in_a_folder(folder, "out")
    _demand_empty(folder)
    with whole_folder(folder) as written, room_for(folder, "out"):
        for path, text in _files(name, kind, texts).items():
            target = written / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return folder


def _demand_empty(folder: Path) -> None:
    try:
        empty = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        raise InputError("out", str(folder), f"a folder that can be read ({error.strerror})") from None
    if not empty:
        raise InputError("out", str(folder), "a new or an empty folder, since nothing is overwritten")


def _files(name: str, kind: str, said: dict[str, str]) -> dict[str, str]:
    """The text of every file by its path in the folder."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    module = name.replace("-", "_")
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True
    )  # autoescape is for HTML
    found = {}
    for path in sorted(each for room in ("common", kind) for each in (TEMPLATES / room).glob("*.j2")):
        target = path.name.removesuffix(".j2")
        template = environment.get_template(path.relative_to(TEMPLATES).as_posix())
        place = f"tests/test_{module}.py" if target == "test.py" else target
        found[place] = template.render(id=name, module=module, **said)
    return found
