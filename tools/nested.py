"""The names under which folders of the repository are imported: `theory/` is `teacherstudent.theory`."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRONT = "teacherstudent"
NOT_INSTALLED = {"tests", "tools"}


def rooms(root: Path = ROOT) -> list[str]:
    """The folders at the top of a repository that are installed as `teacherstudent.<room>`."""
    found = (path.parent.name for path in root.glob("*/__init__.py"))
    return sorted(set(found) - NOT_INSTALLED - {FRONT})


def module_name(path: Path, root: Path = ROOT) -> str:
    """The dotted name under which a file of the repository is imported."""
    parts = path.relative_to(root).with_suffix("").parts
    inside = () if parts[0] in {FRONT, *NOT_INSTALLED} else (FRONT,)
    return ".".join([*inside, *parts]).removesuffix(".__init__")
