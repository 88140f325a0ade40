"""Whatever a user names is a regular file of bounded size, or is refused in one line: by every reader."""

from __future__ import annotations

import ast
import gzip
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from teacherstudent.house import machine, netcdf, netcdf_look, reading
from tests.residual_digits.test_folders import celeba, cifar, mnist
from tests.support import at_most, refusal, say
from tools.nested import FRONT, ROOT, rooms

ASKED = ("multiscale", "--dynamics", "descent", "--route", "asymptotic")
MINE = ("mine", "--n", "4", "--target", "y", "--table")
IMAGES = ("curve", "residual-digits", "--dynamics", "descent", "--route", "kernel", "--data")
FOLDERS = {"MNIST": partial(mnist, packed=False), "celeba": celeba, "cifar-10-batches-py": cifar}
READERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "settings": ("a.toml", ("curve", "multiscale", "--from")),
    "an answer": ("a.nc", ("curve", "multiscale", "--from")),
    "a store": ("a.zarr/.zattrs", ("curve", "multiscale", "--from")),
    "points": ("a.csv", ("sweep", *ASKED, "--points")),
    "a text": ("a.csv", (*MINE,)),
    "a packed text": ("a.csv.gz", (*MINE,)),
    "an array": ("a.npy", (*MINE,)),
    "arrays": ("a.npz", (*MINE,)),
    "parquet": ("a.parquet", (*MINE,)),
    "compared": ("a.nc", ("compare",)),
    "images": ("MNIST/raw/train-images-idx3-ubyte", IMAGES),
    "labels": ("MNIST/raw/t10k-labels-idx1-ubyte", IMAGES),
    "lists": ("celeba/list_attr_celeba.txt", IMAGES),
    "photographs": ("celeba/img_align_celeba/000003.jpg", IMAGES),
    "batches": ("cifar-10-batches-py/test_batch", IMAGES),
}
"""Every reader that a command line reaches: a file, and the words before its name."""


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as each:
        each.bind(os.path.relpath(path))  # names of sockets are short


KINDS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a socket": _socket,
}


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """A reader that waits for a pipe is a failure, not a wait."""

    def end(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(300)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def place(folder: Path, file: str) -> Path:
    """Where that file would be, in a folder that is whole without it."""
    path = folder / file
    FOLDERS.get(file.partition("/")[0], Path.exists)(folder)
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def asked(words: tuple[str, ...], file: str, folder: Path) -> str:
    """The line that refuses this file."""
    top = folder if words[-1] == "--data" else folder / file.removesuffix("/.zattrs")
    more = [folder / "other.nc"] if words[0] == "compare" else []
    with at_most(2**30):
        return refusal(say(*words, top, *more))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_only_regular_files_are_read(reader: str, kind: str, here: Path) -> None:
    file, words = READERS[reader]
    KINDS[kind](place(here, file))
    assert f"it is {kind}, not a regular file" in asked(words, file, here)


@pytest.mark.parametrize("reader", [each for each in READERS if each not in ("a store", "an answer")])
def test_a_file_larger_than_memory_is_not_read(
    reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4 GB of zeros, of which a disk holds nothing, on a machine that has 1 GB."""
    monkeypatch.setattr(machine, "memory", lambda: 2**30)
    file, words = READERS[reader]
    path = place(tmp_path, file)
    path.touch()
    os.truncate(path, 2**32)
    line = asked(words, file, tmp_path)
    assert re.search("more than|damaged|no IDX file|not installed", line)


def test_a_line_of_points_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"kappa\n" + b"1," * 10**7)
    assert "it has a line of more than 1 MB" in asked(READERS["points"][1], "a.csv", tmp_path)


def test_what_is_packed_is_bounded_while_it_is_read(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "a.gz", "wb", compresslevel=1) as stream:
        for _ in range(64):
            stream.write(bytes(2**20))
    with pytest.raises(OSError, match="it has more than 8 MB"), at_most(2**25):
        reading.file_bytes(tmp_path / "a.gz", 2**23)
    with pytest.raises(OSError, match="it has a line of more than 1 MB"), at_most(2**25):
        list(reading.file_lines(tmp_path / "a.gz"))


HEADS = {
    "a long head": b"\x93NUMPY\x02\x00" + (2**31).to_bytes(4, "little"),
    "long texts": {"descr": "<U500000000", "fortran_order": False, "shape": (3, 3)},
    "many numbers": {"descr": "<f8", "fortran_order": False, "shape": (2**20, 2**20)},
    "negative": {"descr": "<f8", "fortran_order": False, "shape": (-1, -3)},
    "no shape": {"descr": "<f8", "fortran_order": False, "shape": ([2], "a")},
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("packed", [False, True])
def test_heads_of_arrays_are_not_believed(
    head: bytes | dict[str, object], packed: bool, tmp_path: Path
) -> None:
    stream = io.BytesIO()
    if isinstance(head, dict):
        np.lib.format.write_array_header_1_0(stream, head)
    else:
        stream.write(head)
    stream.write(bytes(2**20))
    file = "a.npz" if packed else "a.npy"
    if packed:
        with zipfile.ZipFile(tmp_path / file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.npy", stream.getvalue())
    else:
        (tmp_path / file).write_bytes(stream.getvalue())
    line = asked(MINE, file, tmp_path)
    assert re.search("its header is too long|take .* in memory|damaged|text", line)


TOML = {
    "digits": "kappa = " + "9" * 5000,
    "brackets": "kappa = " + "[" * 2000 + "]" * 2000,
    "tables": "[" + ".".join("a" * 2000) + "]",
    "a date": "kappa = 2020-01-01",
    "a table": "[kappa]\na = 1",
    "lists": "kappa = [[1], [[2]]]",
    "nothing finite": "kappa = inf",
}


@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_odd_settings_are_refused_in_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(f'dynamics = "descent"\nroute = "asymptotic"\n{text}', encoding="utf-8")
    assert refusal(say("curve", "multiscale", "--from", tmp_path / "a.toml"))


@pytest.mark.parametrize("attributes", [[1], 3, {"settings": 3}, {"settings": [1]}, {"settings": "kappa = "}])
@pytest.mark.parametrize("newer", [False, True])
def test_odd_attributes_of_a_store_are_refused_in_one_line(
    attributes: object, newer: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.zarr").mkdir()
    file = tmp_path / "a.zarr" / ("zarr.json" if newer else ".zattrs")
    file.write_text(json.dumps({"attributes": attributes} if newer else attributes), encoding="utf-8")
    assert refusal(say("curve", "multiscale", "--from", tmp_path / "a.zarr"))


def test_a_netcdf_file_that_keeps_the_library_busy_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.nc").write_bytes(b"\x89HDF\r\n\x1a\n")
    (tmp_path / "busy.py").write_text("while True: pass", encoding="utf-8")
    monkeypatch.setattr(netcdf_look, "__file__", str(tmp_path / "busy.py"))
    monkeypatch.setattr(netcdf, "PATIENCE", 0.2)
    line = asked(READERS["an answer"][1], "a.nc", tmp_path)
    assert "it is damaged: reading takes more than 0.2 s" in line
    (tmp_path / "busy.py").write_text("raise SystemExit(3)", encoding="utf-8")
    line = asked(READERS["an answer"][1], "a.nc", tmp_path)
    assert "it is damaged: the process that reads it crashes" in line


def test_a_netcdf_file_takes_no_data_from_others_and_no_more_than_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.nc"
    with h5py.File(path, "w") as file:
        file.create_dataset("large", (2**31,), "f4", chunks=(2**20,))  # of which nothing is written
    assert "it holds arrays of 8 GB, more" in netcdf_look.look(str(path), 2**30)["wrong"]
    with h5py.File(path, "w") as file:
        file.create_dataset("foreign", (8,), "u1", external=[("/etc/hostname", 0, 8)])
    assert netcdf_look.look(str(path), 2**30) == {"wrong": "it refers to data in other files"}
    with h5py.File(path, "w") as file:
        file["link"] = h5py.ExternalLink("/etc/hostname", "/")
    assert netcdf_look.look(str(path), 2**30) == {"wrong": "it refers to data in other files"}


@pytest.mark.parametrize("at", ["{1}/{0}", "{0}"])
def test_a_netcdf_file_holds_no_more_arrays_than_an_answer_may(at: str, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.nc", "w") as file:
        for number in range(1001):
            file[at.format(number, number % 10)] = h5py.SoftLink("/") if at == "{0}" else number
    wrong = {"wrong": "it holds more than 1000 arrays, as no answer does"}
    assert netcdf_look.look(str(tmp_path / "a.nc"), 2**30) == wrong


def test_a_netcdf_file_is_read_where_memory_has_a_bound(tmp_path: Path) -> None:
    h5py.File(tmp_path / "a.nc", "w").close()
    script = f"import resource; resource.setrlimit(resource.RLIMIT_AS, 2 * ({2**34},)); import os, sys; "
    script += f"os.execv(sys.executable, [sys.executable, '-P', {netcdf_look.__file__!r}, 'a.nc', '{2**40}'])"
    assert subprocess.check_output([sys.executable, "-c", script], cwd=tmp_path) == b'{"texts": {}}\n'


@pytest.mark.parametrize("how", [np.bytes_, lambda text: np.array([text], dtype=object)])
def test_settings_are_found_whoever_wrote_them(how: Callable[[bytes], object], tmp_path: Path) -> None:
    """netCDF4 writes plain texts in a fixed length, and others as arrays of one."""
    text = "dynamics = 'flow' # ½"
    with h5py.File(tmp_path / "a.nc", "w") as file:
        file.attrs["settings"], file.attrs["numbers"] = how(text.encode()), np.arange(2)
    assert netcdf.read_texts(tmp_path / "a.nc") == {"settings": text}


def test_what_xarray_says_of_a_damaged_file_is_not_printed(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.nc", "w") as file:
        file["R"] = np.arange(3.0)
        file["R"].attrs["_FillValue"], file["R"].attrs["missing_value"] = 1.0, 2.0
    assert netcdf.read_dataset(tmp_path / "a.nc")  # a warning is an error here


@pytest.mark.usefixtures("here")
def test_what_cannot_be_compared_is_named_as_it_was() -> None:
    draws = xr.Dataset({"R": (("seed", "time"), np.eye(3))}, {"seed": range(3), "time": [1.0, 2.0, 3.0]})
    draws.to_netcdf("drawn.nc", engine="h5netcdf")
    draws.isel(seed=0, drop=True, time=slice(2)).to_netcdf("exact.nc", engine="h5netcdf")
    said = "SIMULATION exact.nc: must be an answer of a sampled route (without draws)"
    assert refusal(say("compare", "exact.nc", "exact.nc")) == said
    said = "SIMULATION drawn.nc: must be one with time the same in simulation and theory (different)"
    assert refusal(say("compare", "drawn.nc", "exact.nc")) == said


OPENERS = {
    "open", "read_text", "read_bytes", "np.load", "json.load", "pickle.load", "tomllib.load", "loadtxt",
    "memmap", "genfromtxt", "fromfile", "open_dataset", "open_zarr", "load_dataset", "ZipFile", "GzipFile",
    "Unpickler", "h5py.File", "sqlite3.connect",
}  # fmt: skip
LOOKS_LIKE_IT = rf"\b({'|'.join(OPENERS)})\("
HERE = (
    "house/reading.py", "house/netcdf.py", "house/netcdf_look.py", "sweeps/store.py",  # which look first
    "house/table_files.py", "problems/residual_digits/folders.py",  # of bytes
    "problems/resnet.py",
    "house/files.py", "teacherstudent/api/writing.py", "teacherstudent/cli/report.py",  # what is written
    "teacherstudent/cli/progress_page.py",
    "paper_checks/kept.py",  # a lock
    "teacherstudent/api/marking.py", "teacherstudent/api/answering.py",  # with a bound
    "teacherstudent/cli/commands/lesson.py",  # a table that is written
    "house/machine.py", "house/provenance.py", "teacherstudent/cli/streams.py",  # the system's own
    "teacherstudent/api/lesson.py", "teacherstudent/api/teaching.py", "lessons/pages",  # the package's own
    "teacherstudent/api/archive.py",
    "paper_checks/ledger.py", "paper_checks/last_run.py", "paper_checks/code.py", "benchmarks",
)  # fmt: skip
"""Where files are opened otherwise."""


def calls(tree: ast.AST) -> Iterator[str]:
    """The names of the functions that code calls, with and without what they are looked up in."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Call):
            called = each.func
            yield ast.unparse(called)
            yield called.attr if isinstance(called, ast.Attribute) else ""


def test_every_reader_goes_through_one_place() -> None:
    paths = [path for room in (*rooms(), FRONT) for path in (ROOT / room).rglob("*.py")]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
    suspects = {path: text for path, text in texts.items() if re.search(LOOKS_LIKE_IT, text)}
    found = {path: set(calls(ast.parse(text))) & OPENERS for path, text in suspects.items()}
    assert not {path: names for path, names in found.items() if names and not path.startswith(HERE)}
    assert not [each for each in HERE if not any(path.startswith(each) for path in found)]
    assert OPENERS & set(calls(ast.parse("with path.open() as a: gzip.open(b); np.load(c)")))
