"""Files of every kind that is read, damaged at random: each is read or refused in one line.

Damage is what disks, networks and people do: ends that are missing, flipped bits, pieces twice or not at all,
values of another type, and a file of another kind under the name.
"""

from __future__ import annotations

import gzip
import io
import itertools
import json
import random
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import teacherstudent
from teacherstudent.figures.measured_spectrum.mine import own
from teacherstudent.house import netcdf, settings
from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.tables import FrameFile, TableFile
from teacherstudent.problems.multiscale import PROBLEM as MULTISCALE
from teacherstudent.problems.residual_digits import PROBLEM as DIGITS
from teacherstudent.problems.residual_digits.data import images_of
from teacherstudent.sweeps.points import read_points
from tests.fuzzing import LONGEST, objection
from tests.residual_digits.test_folders import celeba, cifar, mnist

QUESTION: dict[str, Any] = dict(problem="multiscale", dynamics="descent", times=[1.0, 2.0], n=8, d=4, p=2)
ODD = (
    b"nan", b"-1", b"1e999", b"9" * 5000, b"[" * 2000, b"[[1], [2, 3]]", b"{}", b'""', b'"\\u0000"', b"true",
    b"2020-01-01", b"0x10", b"", b"\xff", b"\x00", b"\r", b'"', b",", b"1;2", "½".encode(), b"x" * 5000, b"#",
)  # fmt: skip
"""What may take the place of a value in a text."""


@dataclass(frozen=True)
class Kind:
    """How a file is named and read, what it holds undamaged, its surroundings, and how often it is tried."""

    name: str
    read: Callable[[Path], Any]
    make: Callable[[], bytes]
    around: Callable[[Path], Any] | None = None
    often: float = 10.0


@dataclass(frozen=True)
class Damaged:
    """A file of a kind, and what was done to it."""

    kind: str
    how: str
    content: bytes = field(repr=False)


@dataclass
class Files:
    """Damaged files, the same for the same seed."""

    seed: int
    draw: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.draw = random.Random(f"files {self.seed}")

    def __iter__(self) -> Iterator[Damaged]:
        kinds, weights = [*KINDS], [each.often for each in KINDS.values()]
        for number in itertools.count():
            (kind,) = kinds[number : number + 1] or self.draw.choices(kinds, weights)  # each once, first
            how = self.draw.choice(("cut", "flip", "flip", "flips", "fill", "repeat", "type", "kind"))
            yield Damaged(kind, how, self._damaged(how, sound()[kind]))

    def _damaged(self, how: str, content: bytes) -> bytes:
        draw, place = self.draw, self._place(content)
        match how:
            case "cut":
                return content[:place]
            case "flip" | "flips":
                changed = bytearray(content)
                for _ in range(draw.randint(2, 20) if how == "flips" else 1):
                    changed[self._place(content)] ^= 1 << draw.randrange(8)
                return bytes(changed)
            case "fill":
                fill = draw.choice((b"\xff", b"\x00", b"\x7f", b"\x80")) * draw.choice((1, 2, 4, 8))
                return content[:place] + fill + content[place + len(fill) :]
            case "repeat":
                return content[: self._place(content)] + content[place:]
            case "type":
                values = [*re.finditer(rb"[-+.\w]+|\"[^\"\n]*\"", content[:100_000])]
                first, last = draw.choice(values).span() if values else (place, place)
                return content[:first] + draw.choice(ODD) + content[last:]
        return draw.choice([*sound().values()])

    def _place(self, content: bytes) -> int:
        """More often near the start, where heads are."""
        return self.draw.randrange(min(len(content), self.draw.choice((64, 512, 10**9))))


def _csv() -> bytes:
    rows = [f"{k},{k * 0.5 - 3},{'ab'[k % 2]},{k % 3}" for k in range(12)]
    return "\n".join(["a,b,c,y", *rows, ""]).encode()


def _npy() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.arange(12.0).reshape(6, 2) ** 2)
    return stream.getvalue()


def _npz() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", _npy())
    return stream.getvalue()


def _png() -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (22, 18, 3), dtype=np.uint8)).save(
        stream, "PNG"
    )
    return stream.getvalue()


@cache
def _drawn() -> Any:
    return teacherstudent.curve(route="instance", seeds=3, **QUESTION)


def _answer() -> bytes:
    path = Path("sound.nc")
    _drawn().to_netcdf(path, engine="h5netcdf")
    return path.read_bytes()


def _toml() -> bytes:
    return teacherstudent.settings(_drawn()).encode()


def _attributes() -> bytes:
    return json.dumps({"settings": _toml().decode(), "fixed": "{}"}).encode()


def _found(make: Callable[[Path], Path], name: str) -> bytes:
    root = Path("sound") / name.replace("/", "-")
    make(root)
    return (root / name).read_bytes()


def _ask(path: Path) -> str:
    """Whether the question in a file is answered or refused."""
    return objection(["curve", "multiscale", "--from", str(path)])


def _compare(path: Path) -> None:
    teacherstudent.compare(netcdf.read_dataset(path), _drawn().assign_attrs(first_seed=10)).notes  # noqa: B018


def _frame(path: Path) -> Any:
    return FrameFile().parse(str(path))


def _table(path: Path) -> Any:
    return TableFile().parse(str(path))


def _columns(path: Path) -> None:
    read_points(path, {each.name: each for each in MULTISCALE.parameters})


def _images(path: Path) -> None:
    root = next(each for each in path.parents if each.name == "whole")
    images_of(DIGITS.instance(data=str(root), n=2, components=1, pool=8))


MNIST, CIFAR, CELEBA = "MNIST/raw/", "cifar-10-batches-py/", "celeba/"


def _kind_of_images(
    make: Callable[[Path], Path], name: str, content: Callable[[], bytes] | None = None
) -> Kind:
    return Kind(f"whole/{name}", _images, content or partial(_found, make, name), make)


KINDS = {
    "settings": Kind("a.toml", _ask, _toml),
    "answer": Kind("a.nc", _compare, _answer, often=1.5),
    "asked again": Kind("a.nc", lambda path: settings.read_settings(path, "from"), _answer, often=1.5),
    "store": Kind("a.zarr/.zattrs", lambda path: settings.read_settings(path.parent, "from"), _attributes),
    "points": Kind("a.csv", _columns, lambda: b"kappa,noise\n" + b"3.5,.25\n" * 9),
    "curve": Kind("a.csv", own._columns, lambda: b"step,test_error\n1,2.5\n2,1.5\n4,.5\n"),
    "table": Kind("a.csv", _frame, _csv),
    "packed": Kind("a.csv.gz", _frame, lambda: gzip.compress(_csv(), mtime=0)),
    "numbers": Kind("a.txt", _table, lambda: b"1.5 2\n3 4\n" * 9),
    "array": Kind("a.npy", _table, _npy),
    "arrays": Kind("a.npz", _table, _npz),
    "images": _kind_of_images(mnist, MNIST + "train-images-idx3-ubyte.gz"),
    "labels": _kind_of_images(partial(mnist, packed=False), MNIST + "t10k-labels-idx1-ubyte"),
    "batch": _kind_of_images(cifar, CIFAR + "data_batch_1"),
    "list": _kind_of_images(celeba, CELEBA + "list_attr_celeba.txt"),
    "parts": _kind_of_images(celeba, CELEBA + "list_eval_partition.txt"),
    "photograph": _kind_of_images(celeba, CELEBA + "img_align_celeba/000001.jpg"),
    "picture": _kind_of_images(celeba, CELEBA + "img_align_celeba/000001.jpg", _png),
}


@cache
def sound() -> dict[str, bytes]:
    """A file of each kind, undamaged."""
    return {name: kind.make() for name, kind in KINDS.items()}


def placed(name: str, content: bytes) -> Path:
    """A file of that kind under its name, in a folder of its own below this one."""
    kind, folder = KINDS[name], Path(name.replace(" ", "-"))
    path = folder / kind.name
    if not folder.exists():
        folder.mkdir()
        if kind.around:
            kind.around(folder / "whole")
        path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    return path


def complaint(damaged: Damaged) -> str:
    """What is wrong with how this file is read; "" where nothing is."""
    kind, path = KINDS[damaged.kind], placed(damaged.kind, damaged.content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            said = kind.read(path)
    except (InputError, Misread) as refused:
        line = str(refused)
        short = line.isprintable() and len(line) < LONGEST
        return "" if short else f"refused in no short line: {line[:300]!r}"
    except BaseException as error:
        return f"raises {type(error).__name__}: {str(error)[:200]}"
    return said if isinstance(said, str) and kind.read is _ask else ""
