"""Write the pages of lessons: `python -m teacherstudent.lessons.pages FOLDER [NAME...]`.

They are made beside the folder and moved into it once all are made.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from teacherstudent.lessons.pages.build import build


def main(folder: Path, names: list[str]) -> None:
    """Write, and print the page to open first."""
    with tempfile.TemporaryDirectory() as made:
        first = build(Path(made), names)
        shutil.copytree(made, folder, dirs_exist_ok=True)
    print(folder / (first[0] if names else first[-1]).name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
