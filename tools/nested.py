"""The tree as it is installed, made of links: for tools that read files and know no import hook.

`python -m tools.nested FOLDER` writes `FOLDER/teacherstudent/`, whose entries lead to the folders of
this repository. mypy and the import contracts read that; it is made anew each time, and not committed.
"""

from __future__ import annotations

import shutil
import sys
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


def nest(folder: Path, root: Path = ROOT) -> Path:
    """Links below `folder` to all that is installed of the repository `root`; returns the package's own.

    Raises `ValueError` where something else than such links lies there: it would be deleted.
    """
    package = folder / FRONT
    if package.exists():
        if any(not (path.is_symlink() or path.name == "__pycache__") for path in package.iterdir()):
            raise ValueError(f"{package}: must be a folder of links, or none")
        shutil.rmtree(package)
    package.mkdir(parents=True)
    for path in ((root / room) for room in rooms(root)):
        (package / path.name).symlink_to(path, target_is_directory=True)
    for path in (root / FRONT).iterdir():
        if path.name != "__pycache__":
            (package / path.name).symlink_to(path, target_is_directory=path.is_dir())
    return package


if __name__ == "__main__":
    print(nest(Path(sys.argv[1])))
