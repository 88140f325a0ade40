"""What is written appears whole, where it was asked for, as it was before, and nothing else is touched."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from teacherstudent.house import files
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import merged_folder, whole_file, whole_folder


def write(path: Path, text: str = "new") -> None:
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "answer.csv", tmp_path / "link.csv"
    link.symlink_to(target)
    for text in ("made", "made anew"):
        write(link, text)
        assert link.is_symlink()
        assert target.read_text(encoding="utf-8") == text
        assert sorted(tmp_path.iterdir()) == [link, target.parent]


def test_a_new_folder_goes_with_what_could_not_be_written(tmp_path: Path) -> None:
    (own := tmp_path / "own").mkdir()
    for folder in (tmp_path / "new" / "newer", own):
        for writer in (whole_file(folder / "answer.nc"), merged_folder(folder, "out")):
            with pytest.raises(RuntimeError), writer:
                raise RuntimeError
    assert [*tmp_path.rglob("*")] == [own]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "answer.csv"
    path.touch()
    path.chmod(mode)
    write(path)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_text(encoding="utf-8") == "new"


def test_a_new_file_has_the_mode_that_the_system_gives(tmp_path: Path) -> None:
    write(tmp_path / "answer.csv")
    (tmp_path / "usual").touch()
    assert (tmp_path / "answer.csv").stat().st_mode == (tmp_path / "usual").stat().st_mode


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(path.parent)  # addresses are short
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


@pytest.mark.parametrize(
    ("make", "kind"), [(_pipe, "a pipe"), (_socket, "a socket"), (Path.mkdir, "a folder")]
)
@pytest.mark.parametrize("linked", [False, True])
def test_what_is_no_regular_file_is_refused_and_stays(
    tmp_path: Path, make: Any, kind: str, linked: bool
) -> None:
    odd, asked = tmp_path / "odd", tmp_path / ("link" if linked else "odd")
    make(odd)
    if linked:
        asked.symlink_to(odd)
    before = odd.lstat()
    with pytest.raises(InputError, match=f"^--out {asked}: must be a regular file or a new one, not {kind}$"):
        write(asked)
    assert os.path.samestat(before, odd.lstat())
    assert {each.name for each in tmp_path.iterdir()} == {odd.name, asked.name}


def test_a_device_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device is simulated: code that fails this test must not meet a real one."""
    path = tmp_path / "device"
    path.touch()
    before = path.stat()
    monkeypatch.setattr(stat, "S_IFMT", lambda mode: stat.S_IFCHR)
    with pytest.raises(InputError, match=r": must be a regular file .*, not a device$"):
        write(path)
    assert os.path.samestat(before, path.stat())


def test_the_file_that_standard_output_goes_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "output").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr("sys.__stdout__", stream)
        with pytest.raises(InputError, match="neither standard output"):
            write(tmp_path / "output")


def test_a_file_that_may_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal is simulated: this user may be allowed everything."""
    path = tmp_path / "answer.csv"
    path.write_text("old", encoding="utf-8")

    def forbidden(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", forbidden)
        with pytest.raises(InputError, match=r"must be a writable path \(Permission denied\)"):
            write(path)
    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("name", ["x" * 255, "x" * 251 + ".csv", os.fsdecode("é".encode() * 127)])
def test_the_longest_names_that_the_system_allows_are_written(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["x" * 256, "y/" * 5000 + "a", "a\0b", "\ud800"])
def test_longer_names_and_no_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="must be a writable path") as caught:
        write(tmp_path / name)
    assert str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [None, 5, b"bytes", 1.5, ["a"]])
def test_what_is_no_path_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"must be a path$"):
        files.path_of(value, "out")


def abandoned(target: Path) -> Path:
    """What a killed writer of that target leaves: a temporary folder that nobody holds."""
    left, lock = files._locked_folder(target.parent, files._prefix(target))
    os.close(lock)  # as the system does at the end of the process
    (left / "new.csv").write_text("half", encoding="utf-8")
    return left


def test_what_a_dead_writer_left_is_removed_by_the_next_of_the_same_target(tmp_path: Path) -> None:
    left, other = abandoned(tmp_path / "answer.csv"), abandoned(tmp_path / "another.csv")
    keepsake = tmp_path / ".answer.csv-keepsake.unfinished.txt"
    keepsake.touch()
    write(tmp_path / "answer.csv")
    assert not left.exists()
    assert other.exists()
    assert keepsake.exists()


def test_what_a_dead_writer_of_another_long_name_finished_is_not_put_in_place(tmp_path: Path) -> None:
    """The names share more letters than a temporary folder's name has."""
    target, other = (tmp_path / f"{'x' * 60}-{which}.zarr" for which in ("one", "other"))
    left = tmp_path / "left"
    with suppress(InputError), whole_folder(other) as temporary:
        abandoned = temporary.parent
        abandoned.rename(left)  # keeps what the writer's end would remove
    left.rename(abandoned)
    for stage in ("new.zarr", "old.zarr"):
        (abandoned / stage).mkdir()
    with pytest.raises(KeyboardInterrupt), whole_folder(target):
        raise KeyboardInterrupt
    assert not target.exists()
    assert abandoned.exists()


def test_a_folder_that_is_removed_before_its_writer_opens_it_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def removed_at_first(*arguments: Any) -> str:
        made.append(mkdtemp(*arguments))
        if len(made) == 1:
            Path(made[0]).rmdir()  # as another writer does that finds it unlocked
        return made[-1]

    mkdtemp = files.tempfile.mkdtemp
    monkeypatch.setattr(files.tempfile, "mkdtemp", removed_at_first)
    write(tmp_path / "answer.csv")
    assert len(made) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["answer.csv"]


def test_a_folder_that_is_removed_before_its_writer_locks_it_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked: list[int] = []

    def removed_at_first(lock: int) -> bool:
        if not locked:
            (folder,) = tmp_path.iterdir()
            folder.rmdir()
        locked.append(lock)
        return True

    monkeypatch.setattr(files, "_lock", removed_at_first)
    write(tmp_path / "answer.csv")
    assert len(locked) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["answer.csv"]


def test_what_a_living_writer_holds_is_left_to_it(tmp_path: Path) -> None:
    with whole_file(tmp_path / "answer.csv") as first:
        first.write_text("first", encoding="utf-8")
        write(tmp_path / "answer.csv", "second")
        assert first.exists()
    assert (tmp_path / "answer.csv").read_text(encoding="utf-8") == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["answer.csv"]


def test_without_locks_nothing_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any) -> None:
        raise OSError(95, "Operation not supported")

    left = abandoned(tmp_path / "answer.csv")
    monkeypatch.setattr("fcntl.flock", unknown)
    write(tmp_path / "answer.csv")
    assert left.exists()
    assert (tmp_path / "answer.csv").exists()


def test_a_folder_whose_writer_died_between_two_renames_is_put_in_place(tmp_path: Path) -> None:
    target = tmp_path / "answer.zarr"
    left = abandoned(target)
    for stage in ("new.zarr", "old.zarr"):
        (left / stage).mkdir()
        (left / stage / "part").write_text(stage, encoding="utf-8")
    with pytest.raises(KeyboardInterrupt), whole_folder(target):
        raise KeyboardInterrupt  # this writer fails: what stands there is what the dead one had finished
    assert (target / "part").read_text(encoding="utf-8") == "new.zarr"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_behind_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.zarr").symlink_to("real")
    with whole_folder(tmp_path / "link.zarr") as temporary:
        temporary.mkdir()
        (temporary / "part").touch()
    assert (tmp_path / "link.zarr").is_symlink()
    assert [each.name for each in (tmp_path / "real").iterdir()] == ["part"]
