"""What is installed has one name at the top, and no file of the user's gets between its parts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import numpy
import pytest

from tools.nested import FRONT, ROOT, rooms

BUILT_FROM = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
LISTS = """
import teacherstudent as ts

print(ts.__file__, *(entry["id"] for kind in ("problems", "routes") for entry in ts.listing(kind)), sep="\\n")
"""
ANSWERS = """
import teacherstudent as ts

assert "ch4-fig3" in [entry["id"] for entry in ts.listing("figures")]
print(float(ts.curve("multiscale", dynamics="flow", route="asymptotic", times=[1.0], kappa=5)["R"][0]))
"""
WHERE = "import teacherstudent.house as house\nprint(house.__file__)\n"
IN_THE_WAY = "raise RuntimeError('a file of the user was imported')\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from a copy: building writes beside the sources."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in BUILT_FROM:
        shutil.copy(ROOT / name, source)
    for room in (*rooms(), FRONT, "tests", "tools"):  # the last two must not be installed
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    stale = source / "build" / "lib" / "theory" / "__init__.py"  # of a time when rooms had names of their own
    stale.parent.mkdir(parents=True)
    stale.touch()
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", build, str(out)], cwd=source, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel; its libraries are this one's."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    libraries = Path(numpy.__file__).parent.parent
    (packages / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")  # its own .pth are not read
    return folder / "bin" / "python"


def answered(python: Path, script: Path) -> str:
    """What a script of the user's prints, run where it lies; no path of ours leads it back to the clone."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, script.name], cwd=script.parent, env=known, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_one_name_at_its_top(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {FRONT}
    assert {f"{FRONT}/{room}/__init__.py" for room in rooms()} <= set(names)


def test_the_wheel_holds_every_file_of_the_rooms(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for room in rooms():
        for path in (ROOT / room).rglob("*"):
            if path.suffix in {".py", ".toml", ".css", ".html"}:
                assert f"{FRONT}/{path.relative_to(ROOT).as_posix()}" in names


@pytest.mark.parametrize("name", ["theory", "figures", "problems", "house", "sims"])
def test_a_script_of_any_name_imports_the_package(clean: Path, tmp_path: Path, name: str) -> None:
    script = tmp_path / f"{name}.py"
    script.write_text(LISTS, encoding="utf-8")
    file, *listed = answered(clean, script).splitlines()
    assert Path(file).is_relative_to(clean.parent.parent)  # the wheel, not the clone
    assert {"multiscale", "multiscale/flow/asymptotic", "multiscale/descent/simulation"} <= set(listed)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "beside", ["files", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("folders", "packages"))]
)
def test_what_lies_beside_a_script_changes_nothing(clean: Path, tmp_path: Path, beside: str) -> None:
    for room in rooms():
        if beside == "files":
            (tmp_path / f"{room}.py").write_text(IN_THE_WAY, encoding="utf-8")
        else:
            (tmp_path / room).mkdir()
        if beside == "packages":
            (tmp_path / room / "__init__.py").write_text(IN_THE_WAY, encoding="utf-8")
    script = tmp_path / "mine.py"
    script.write_text(ANSWERS, encoding="utf-8")
    assert 0 < float(answered(clean, script)) < 1


def test_the_root_of_a_clone_does_not_hide_the_rooms(clean: Path, tmp_path: Path) -> None:
    """There `teacherstudent/` itself lies beside the script, without the rooms that a wheel has within it."""
    for room in rooms():
        (tmp_path / room).symlink_to(ROOT / room)
    (tmp_path / FRONT).mkdir()
    for path in (ROOT / FRONT).iterdir():
        (tmp_path / FRONT / path.name).symlink_to(path)
    script = tmp_path / "mine.py"
    script.write_text(
        LISTS + "import teacherstudent.house as house\nprint(house.__file__)\n", encoding="utf-8"
    )
    *_, house = answered(clean, script).splitlines()
    assert Path(house).is_relative_to(tmp_path)  # one tree: not this front door with an installed room
