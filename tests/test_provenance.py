"""An answer says how it was asked, with every value, rounded or not, and which code computed it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xarray as xr

import teacherstudent
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.provenance import HERE, asked_as, commit, note, recorded
from teacherstudent.house.rounding import describe_rounding, rounded_values
from tests.roundings import copied
from tests.support import say

pytestmark = pytest.mark.usefixtures("toy")

HASH, OTHER = "0123456789abcdef0123456789abcdef01234567", "f" * 40
GROWN: dict[str, Any] = {"dynamics": "path", "route": "grown", "times": [1.0, 2.0]}


def branch(git: Path) -> None:
    (git / "HEAD").write_text("ref: refs/heads/some/branch\n", encoding="utf-8")
    (git / "refs" / "heads" / "some").mkdir(parents=True)
    (git / "refs" / "heads" / "some" / "branch").write_text(f"{HASH}\n", encoding="utf-8")


def packed(git: Path) -> None:
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    lines = [
        "# pack-refs with: peeled",
        f"{OTHER} refs/heads/not-main",
        f"{HASH} refs/heads/main",
        f"^{OTHER}",
    ]
    (git / "packed-refs").write_text("\n".join(lines), encoding="utf-8")


def detached(git: Path) -> None:
    (git / "HEAD").write_text(f"{HASH}\n", encoding="utf-8")


def worktree(git: Path) -> None:
    branch(git)
    kept = git / "worktrees" / "other"
    kept.mkdir(parents=True)
    (git / "HEAD").rename(kept / "HEAD")
    (kept / "commondir").write_text("../..\n", encoding="utf-8")
    git.rename(git.parent / "main.git")
    git.write_text(f"gitdir: {git.parent / 'main.git' / 'worktrees' / 'other'}\n", encoding="utf-8")


def unborn(git: Path) -> None:
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("made", "found"), [(branch, HASH), (packed, HASH), (detached, HASH), (worktree, HASH), (unborn, "")]
)
def test_the_commit_is_read_from_the_files_of_git(
    tmp_path: Path, made: Callable[[Path], None], found: str
) -> None:
    (tmp_path / ".git").mkdir()
    made(tmp_path / ".git")
    assert commit(tmp_path) == found


def test_what_is_no_clone_has_no_commit(tmp_path: Path) -> None:
    assert commit(tmp_path) == ""
    (tmp_path / ".git").write_bytes(b"\xff")
    inside = tmp_path / "installed"
    inside.mkdir()
    assert commit(inside) == "", "a clone around an installed package is not its own"


def test_the_commit_of_this_clone_is_in_its_answers() -> None:
    found = commit(HERE)
    assert len(found) == (40 if (HERE / ".git").exists() else 0)
    assert teacherstudent.curve("toy", strength=1, **GROWN).attrs["commit"] == found


def test_a_call_is_recorded_without_what_no_answer_depends_on(tmp_path: Path) -> None:
    swept = teacherstudent.sweep("toy", strength=[1.0, 2.0], out=tmp_path / "a.nc", workers=1, **GROWN)
    assert swept.attrs["command"] == (
        "teacherstudent.sweep('toy', strength=[1.0, 2.0], dynamics='path', route='grown', times=[1.0, 2.0])"
    )
    again = teacherstudent.sweep("toy", strength=[1.0, 2.0], out=tmp_path / "a.nc", resume=True, **GROWN)
    assert copied(again, swept)


@pytest.mark.parametrize("command", ["curve", "sweep"])
def test_a_command_line_is_recorded_as_it_was_typed(tmp_path: Path, command: str) -> None:
    out = tmp_path / "the answer.nc"
    typed = [command, "toy", "--dynamics", "path", "--route", "grown", "--strength"]
    typed += ["1" if command == "curve" else "0.5:2:3", "--out", str(out)]
    assert say(*typed)[:2] == (0, "")
    with xr.open_dataset(out, engine="h5netcdf") as kept:
        said = kept.attrs
    assert said["command"] == f"teacherstudent {' '.join(typed[:-1])} '{out}'"


def test_every_fixed_parameter_of_a_sweep_is_in_its_file(tmp_path: Path) -> None:
    """Those given and those by default; what is swept, and what another one replaces, is not fixed."""
    out = tmp_path / "a.nc"
    asked = {"problem": "multiscale", "dynamics": "descent", "route": ["asymptotic", "instance"], "seeds": 2}
    teacherstudent.sweep(**asked, times=[1, 10], kappa=[2.0, 3.0], alpha=0.5, d=10, p=4, out=out)
    with xr.open_dataset(out, engine="h5netcdf") as kept:
        said = kept.attrs
    fixed, instance = json.loads(said["fixed"]), json.loads(said["instance"])
    assert fixed.items() >= {"alpha": 0.5, "d": 10, "p": 4, "noise": 0.0, "learning_rate": "auto"}.items()
    assert not fixed.keys() & {"n", "kappa", "scales"}
    assert instance.items() >= {"n": 5, "counts": [4, 6], "noise": 0.0, "learning_rate": "auto"}.items()
    assert "sigmas" not in instance, "they vary with kappa"
    assert said.keys() >= {"teacherstudent", "numpy", "scipy", "commit"}
    assert "jax" not in said


class Unspeakable:
    def __repr__(self) -> str:
        raise ValueError("not in words")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (10**5000, "<int>"),
        (Unspeakable(), "<Unspeakable>"),
        ("a\0b\n\udcff", r"'a\x00b\n\udcff'"),
        (range(1000), "[0, ..., 999] (1000 values)"),
    ],
    ids=["digits", "repr", "letters", "list"],
)
def test_any_argument_is_recorded_in_one_printable_line(value: object, shown: str) -> None:
    @recorded
    def asked(value: object) -> str:
        return teacherstudent.curve("toy", strength=1, **GROWN).attrs["command"]

    assert asked(value) == f"teacherstudent.asked({shown})"


@pytest.mark.parametrize("text", ["a\0b", "a\nb", "\udcff", "x" * 100_000])
def test_any_command_line_fits_a_file(tmp_path: Path, text: str) -> None:
    with asked_as(text):
        answer = teacherstudent.curve("toy", strength=1, **GROWN)
    answer.to_netcdf(tmp_path / "a.nc", engine="h5netcdf")
    assert answer.attrs["command"].isprintable()


@pytest.mark.parametrize("route", ["asymptotic", "asymptotic,printed"])
def test_every_parameter_of_a_curve_is_in_its_attributes_by_its_name(route: str) -> None:
    """Whatever word asked for it; of those by default and those replaced by another, too."""
    asked: dict[str, Any] = {"lambda": 0.1, "alpha": 0.5, "d": 8, "p": 4}
    answer = teacherstudent.curve("multiscale", dynamics="flow", route=route, times=[1], **asked)
    fixed = json.loads(answer.attrs["fixed"])
    assert fixed.items() >= {"ridge": 0.1, "alpha": 0.5, "d": 8, "kappa": 50.0}.items()
    assert not fixed.keys() & {"n", "lambda", "scales"}


FLOW = ("multiscale", "--dynamics", "flow", "--route", "asymptotic", "--times", "1,2")
ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "multiscale": (
        {"alpha": 1.234567, "d": 100},
        "alpha = 1.234567 is rounded to 1.23, since counts are whole",
    ),
    "random-features": (
        {"psi1": 1.26, "psi2": 0.5, "d": 40},
        "psi1 = 1.26 is rounded to 1.25, since counts are whole",
    ),
    "spurious-groups": (
        {"minority": 0.2, "n": 13},
        "minority = 0.2 is rounded to 0.230769, since counts are whole",
    ),
}


@pytest.mark.parametrize("problem", catalogue.problems().values(), ids=lambda each: each.id)
def test_what_an_instance_has_otherwise_is_told_of_every_problem(problem: Problem) -> None:
    names = {each.name for each in problem.parameters}
    used = problem.realised(problem.instance())
    assert set(used) <= names
    assert bool(used) == (problem.id in ASKED)
    assert describe_rounding([rounded_values(problem, used, problem.instance())]) == ""
    if problem.id in ASKED:
        values, line = ASKED[problem.id]
        assert describe_rounding([rounded_values(problem, values, problem.instance(**values))]) == line


def test_of_several_the_largest_change_is_told() -> None:
    assert describe_rounding([{"a": (1.0, 1.1)}, {"a": (2.0, 2.1), "b": (1.0, 0.5)}, {}]) == (
        "a = 1 is rounded to 1.1, since counts are whole; b = 1 is rounded to 0.5, since counts are whole"
    )


@pytest.mark.parametrize(
    ("command", "alpha", "line"),
    [
        ("curve", "1.234567", ASKED["multiscale"][1]),
        ("sweep", "1,1.234567", ASKED["multiscale"][1]),
        ("curve", "1.23", ""),
    ],
)
def test_a_rounded_value_is_noted_once_and_stands_with_the_answer(
    command: str, alpha: str, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    out = () if command == "sweep" else ("--out", "-")
    said = say(command, *FLOW, "--alpha", alpha, *out)
    assert (said.status, said.err) == (0, f"note: {line}\n" if line else "")
    caplog.clear()
    asked = {"dynamics": "flow", "route": "asymptotic", "times": "1,2"}
    answer = getattr(teacherstudent, command)("multiscale", alpha=alpha, **asked)
    assert answer.attrs["rounded"] == line
    assert caplog.messages == ([line] if line else [])


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"problem": "multiscale", "dynamics": "flow", "alpha": 1.234567, "d": 100}, ASKED["multiscale"][1]),
        (
            {"problem": "committee", "dynamics": "online", "overlap": 0.0},
            "all overlaps with the teacher are 0 at step 0, so theory never leaves the plateau "
            "if units are equal",
        ),
    ],
    ids=["rounded", "remark"],
)
def test_python_notes_once_what_every_command_notes(
    asked: dict[str, Any], line: str, caplog: pytest.LogCaptureFixture
) -> None:
    for time in (1, 2, 3):
        answer = teacherstudent.curve(route="asymptotic", times=[time], **asked)
        assert line in (answer.attrs["rounded"], answer.attrs["remarks"])
    assert caplog.messages == [line]
    options = [f"--{name}={value}" for name, value in asked.items() if name != "problem"]
    for _ in range(2):
        said = say("curve", asked["problem"], "--route=asymptotic", "--times=1", "--out=-", *options)
        assert (said.status, said.err) == (0, f"note: {line}\n")
    caplog.clear()
    teacherstudent.curve(route="asymptotic", times=[4], **asked)
    assert caplog.messages == []


def test_another_problem_or_value_is_another_note(caplog: pytest.LogCaptureFixture) -> None:
    for problem, text in (("one", "a"), ("one", "b"), ("other", "a"), ("one", "a"), ("one", "")):
        note(problem, text)
    assert caplog.messages == ["a", "b", "a"]


def test_turns_and_an_onset_tell_it_too() -> None:
    for asked in (("turns", "--kappa", "30"), ("onset", "--kappa", "2:30", "--accuracy", "0.1")):
        name, *more = asked
        said = say(name, "multiscale", "--alpha", "1.10001", "--p", "70", *more)
        assert (said.status, said.err) == (
            0,
            "note: alpha = 1.10001 is rounded to 1.1, since counts are whole\n",
        )
