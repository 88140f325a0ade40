"""Folders at the top of the repository become `teacherstudent.<folder>`; all else stands in pyproject.toml.

Every folder with an `__init__.py` is a room, but for those that are not installed. The rooms stay at
the top of the repository, and the wheel has one name at its own.

An editable installation is one path, to a folder that holds `teacherstudent` alone, because editors and type
checkers read paths and run no import hook. Without links, as on Windows, setuptools makes its hook.
"""

import shutil
import sys
from pathlib import Path

from setuptools import find_packages, setup

FRONT = "teacherstudent"
PATH = ".path"
here = Path(__file__).parent
found = find_packages(exclude=["tests*", "tools*"])
rooms = [name for name in found if "." not in name and name != FRONT]

package_dir = {f"{FRONT}.{room}": room for room in rooms}
if "editable_wheel" in sys.argv and (here / PATH / FRONT / "house").is_dir():
    package_dir = {"": PATH}

# What an earlier build left there would be packed again, under names that rooms no longer have.
shutil.rmtree(here / "build" / "lib", ignore_errors=True)

setup(
    package_dir=package_dir,
    packages=sorted({name if name.partition(".")[0] == FRONT else f"{FRONT}.{name}" for name in found}),
)
