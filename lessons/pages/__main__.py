"""Write the pages of lessons: `python -m teacherstudent.lessons.pages FOLDER [NAME...]`."""

import sys
from pathlib import Path

from teacherstudent.lessons.pages.build import build

for page in build(Path(sys.argv[1]), sys.argv[2:]):
    print(page)
