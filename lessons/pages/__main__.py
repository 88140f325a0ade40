"""Write the pages of lessons: `python -m teacherstudent.lessons.pages FOLDER [NAME...] [OPTION...]`.

Lessons that are `--alone` link to no others and to no page of the course. `--without-solutions` leaves all
solutions out. `--catalogue=FILE` has translations. Where there is no room for the pages the exit status is
the system's number of that error.
"""

import errno
import logging
import sys
from pathlib import Path

from teacherstudent.api.catalogue import Catalogue, read
from teacherstudent.lessons.pages.build import build


def main(folder: Path, names: list[str], *, alone: bool, solved: bool, catalogue: Catalogue | None) -> None:
    """Write, and print the name of the page to open first."""
    try:
        first = build(folder, names, alone=alone, solved=solved, catalogue=catalogue)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        sys.exit(error.errno)
    print((first[0] if names else first[-1]).name)


if __name__ == "__main__":
    # Cautions are for users of `curve`. The texts of pages say where a formula is inaccurate.
    logging.getLogger("teacherstudent").setLevel(logging.ERROR)
    names = [each for each in sys.argv[2:] if not each.startswith("--")]
    files = [each.partition("=")[2] for each in sys.argv if each.startswith("--catalogue=")]
    main(
        Path(sys.argv[1]),
        names,
        alone="--alone" in sys.argv,
        solved="--without-solutions" not in sys.argv,
        catalogue=read(Path(files[0])) if files else None,
    )
