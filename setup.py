"""Folders at the top of the repository become `teacherstudent.<folder>`; all else stands in pyproject.toml.

Every folder with an `__init__.py` is a room, but for those that are not installed. The rooms stay at
the top of the repository, and the wheel has one name at its own.
"""

import shutil
from pathlib import Path

from setuptools import find_packages, setup

FRONT = "teacherstudent"
found = find_packages(exclude=["tests*", "tools*"])
rooms = [name for name in found if "." not in name and name != FRONT]

# What an earlier build left there would be packed again, under names that rooms no longer have.
shutil.rmtree(Path(__file__).parent / "build" / "lib", ignore_errors=True)

setup(
    package_dir={f"{FRONT}.{room}": room for room in rooms},
    packages=[name if name.partition(".")[0] == FRONT else f"{FRONT}.{name}" for name in found],
)
