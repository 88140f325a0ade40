"""What is installed has one name at the top, and no file of the user's gets between its parts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
import venv
import zipfile
from pathlib import Path

import numpy
import pytest

from tests.support import python
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
ON_PATHS = """
import site, sys
from importlib.machinery import PathFinder

_, folder, libraries, *modules = sys.argv
site.addsitedir(folder)
package = PathFinder.find_spec("teacherstudent")
for name in modules:
    parts, within = name.split("."), package
    for k in range(1, len(parts)):
        within = PathFinder.find_spec(".".join(parts[: k + 1]), within.submodule_search_locations)
    print(within.origin)
sys.path.append(libraries)
sys.meta_path[:] = [finder for finder in sys.meta_path if finder.__module__.startswith("_frozen")]
import teacherstudent.api.check, teacherstudent.theory
print(teacherstudent.api.check.__file__, teacherstudent.theory.__file__, sep="\\n")
"""
"""What lies where for one who reads paths and runs nothing of the package; then where it is imported from."""
IMPORTED = re.compile(rf"^ *(?:from|import) ({FRONT}(?:\.\w+)*)", re.MULTILINE)
IN_THE_WAY = "raise RuntimeError('a file of the user was imported')\n"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is built, because building writes into the folder of the sources."""
    source = tmp_path_factory.mktemp("source")
    for name in BUILT_FROM:
        shutil.copy(ROOT / name, source)
    without = shutil.ignore_patterns("__pycache__")
    for room in (*rooms(), FRONT, ".path", "tests", "tools"):  # the last two must not be installed
        shutil.copytree(ROOT / room, source / room, ignore=without, symlinks=True)
    for folder, _, _ in os.walk(source):
        Path(folder).chmod(0o700)
    return source


def built(source: Path, kind: str, out: Path) -> Path:
    """The wheel of that kind, `wheel` or `editable`, that pip asks a project for."""
    build = f"import sys; from setuptools.build_meta import build_{kind} as b; b(sys.argv[1])"
    done = python("-c", build, out, cwd=source)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the copy."""
    stale = source / "build" / "lib" / "theory" / "__init__.py"  # of a time when rooms had names of their own
    stale.parent.mkdir(parents=True)
    stale.touch()
    return built(source, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel; its libraries are this one's."""
    return environment(wheel, tmp_path_factory.mktemp("environment"))


def environment(wheel: Path, folder: Path) -> Path:
    """The interpreter of an environment in that folder."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    libraries = Path(numpy.__file__).parent.parent
    (packages / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")  # its own .pth are not read
    return folder / "bin" / "python"


@pytest.mark.thorough
def test_a_system_in_a_package_beside_the_wheel_is_asked_by_every_command(
    wheel: Path, tmp_path: Path
) -> None:
    """Written, built and installed by somebody who has nothing but the wheel."""
    python = environment(wheel, tmp_path / "environment")

    def asks(*words: str) -> str:
        known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [python, "-m", *words]
        done = subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    asks(FRONT, "new", "my-own", "--kind", "linear")
    (packages,) = (tmp_path / "environment").glob("lib/python*/site-packages")
    with zipfile.ZipFile(built(tmp_path / "my-own", "wheel", tmp_path)) as archive:
        archive.extractall(packages)
    shutil.rmtree(tmp_path / "my-own")

    question = ("my-own", "--dynamics", "ridge", "--n", "30", "--d", "20")
    timed, two = ("--times", "1:10:3"), ("--route", "asymptotic,simulation")
    assert "my-own" in asks(FRONT, "list", "problems")
    asks(FRONT, "curve", *question, *timed, *two, "--plot", "a.png")
    for route in ("simulation", "asymptotic"):
        asks(FRONT, "curve", *question, *timed, "--route", route, "--out", f"{route}.nc")
    assert "training_error" in asks(FRONT, "compare", "simulation.nc", "asymptotic.nc")
    assert asks(FRONT, "curve", "--from", "asymptotic.nc").startswith("time,generalisation_error")
    asks(FRONT, "sweep", *question, *timed, *two, "--noise", "0.1:1:3", "--workers", "2", "--out", "s.nc")
    axes = ("--x", "n=10:40", "--y", "noise=0.1:1", "--of", "generalisation_error@3")
    asks(FRONT, "map", "my-own", *axes, "--dynamics", "ridge", "--d", "20", "--plot", "m.png")
    asks(FRONT, "figure", "my-own-curves", "--quick", "--out", "pictures")
    assert "agrees" in asks(FRONT, "check", "my-own-limit", "--workers", "2", "--report", "report.html")
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "my-own: 2 of 3 claims have a check" in report
    tested = asks("pytest", "-q", "-p", "teacherstudent.testing_systems", "-p", "no:cacheprovider")
    assert " passed" in tested
    assert "failed" not in tested


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


def test_the_wheel_says_that_it_has_types(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert f"{FRONT}/py.typed" in archive.namelist()  # which holds for all that is below it


def test_the_installed_version_is_the_declared_one(clean: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    done = subprocess.run([clean, "-Im", FRONT, "--version"], capture_output=True, encoding="utf-8")
    assert done.stdout == f"{FRONT} {declared}\n", done.stderr


def test_every_room_has_a_link_in_the_package() -> None:
    """Tools that read files find rooms there, in a clone that may be moved, without any set-up."""
    links = {path.name: str(path.readlink()) for path in (ROOT / FRONT).iterdir() if path.is_symlink()}
    assert links == {room: f"../{room}" for room in rooms()}, "ln -s ../ROOM teacherstudent/"


def test_a_clone_is_installed_as_a_path_on_which_every_import_is_found(source: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(built(source, "editable", tmp_path)) as archive:
        (path_file,) = (name for name in archive.namelist() if ".dist-info/" not in name)
        archive.extract(path_file, tmp_path)
    (path,) = (tmp_path / path_file).read_text(encoding="utf-8").splitlines()
    assert [each.name for each in Path(path).iterdir()] == [FRONT]
    (source / "theory" / "new_since.py").touch()
    texts = [file.read_text(encoding="utf-8") for room in rooms() for file in (source / room).rglob("*.py")]
    modules = sorted(
        {f"{FRONT}.theory.new_since", *(name for text in texts for name in IMPORTED.findall(text))}
    )
    libraries = Path(numpy.__file__).parent.parent
    done = python("-I", "-S", "-c", ON_PATHS, tmp_path, libraries, *modules)
    assert done.returncode == 0, done.stderr
    *found, check, theory = map(Path, done.stdout.splitlines())
    assert len(found) == len(modules) > 500
    assert all(file.is_file() for file in found)
    assert (check, theory) == (source / FRONT / "api" / "check.py", source / "theory" / "__init__.py")


@pytest.mark.thorough
def test_where_links_are_texts_the_rooms_are_found_by_a_hook(source: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(source, clone, symlinks=True)
    for link in (*(clone / FRONT / room for room in rooms()), clone / ".path" / FRONT):
        text = str(link.readlink())
        link.unlink()
        link.write_text(text, encoding="utf-8")
    with zipfile.ZipFile(built(clone, "editable", tmp_path)) as archive:
        archive.extractall(tmp_path / "installed")
    done = python("-I", "-S", "-c", f"import site; site.addsitedir('installed')\n{WHERE}", cwd=tmp_path)
    assert done.stdout.strip() == str(clone / "house" / "__init__.py"), done.stderr


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
    shutil.copytree(ROOT / FRONT, tmp_path / FRONT, symlinks=True)
    script = tmp_path / "mine.py"
    script.write_text(
        LISTS + "import teacherstudent.house as house\nprint(house.__file__)\n", encoding="utf-8"
    )
    *_, house = answered(clean, script).splitlines()
    assert Path(house).is_relative_to(ROOT)  # one tree: not this front door with an installed room
