"""Write the pages of lessons: `python -m teacherstudent.lessons.pages FOLDER [NAME...]`.

They are made elsewhere and copied into the folder once all are made. Lessons alone link to no others, unless
the page of the course is there.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from teacherstudent.lessons.pages.build import build


def main(folder: Path, names: list[str]) -> None:
    """Write, and print the page to open first."""
    with tempfile.TemporaryDirectory() as made:
        first = build(Path(made), names, alone=bool(names) and not (folder / "index.html").exists())
        shutil.copytree(made, folder, dirs_exist_ok=True)
    print(folder / (first[0] if names else first[-1]).name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
