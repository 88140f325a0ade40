"""Folders as torchvision lays them out, read without it: MNIST, CIFAR-10, CelebA. Nothing else is unpickled.

A folder is the one given to torchvision as its root, or the one in it that holds the images. Files are looked
at when the folder is named, their images read when they are drawn.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import pickle
import struct
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.house.errors import Misread
from teacherstudent.house.tables import DIGITS as DIGEST

if TYPE_CHECKING:
    import numpy as np

LISTED = "MNIST/raw, cifar-10-batches-py or celeba"


@dataclass(frozen=True)
class Layout(ABC):
    """One set of images in a folder: how many there are, and how to read some of either part.

    pixels: numbers of an image. digest: of its files.
    """

    folder: Path
    training: int
    tested: int
    pixels: int
    classes: int
    digest: str

    @abstractmethod
    def read(self, part: str, places: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (images, pixels) and classes (images,) of those places of the part, `train` or `test`.

        Raises `Misread` where a file is not what it should be.
        """


def found(root: Path) -> Layout:
    """The one set of images that a folder holds. Raises `Misread`, or what opening a file raises."""
    if not root.is_dir():
        raise Misread("there is no such folder" if not root.exists() else "it is a file")
    present = [
        (reader, place) for names, reader in _READERS.items() for name in names
        if (place := root / name).is_dir() and _holds(place, reader)
    ]  # fmt: skip
    if not present:
        raise Misread("it holds none of these")
    if len(present) > 1:
        listed = ", ".join(str(place) for _, place in present)
        raise Misread(f"it holds several, name one: {listed}")
    reader, place = present[0]
    return reader(place)


def _digest(paths: Sequence[Path]) -> str:
    """Of the content of files in that order."""
    content = hashlib.blake2b(digest_size=DIGEST // 2)
    for path in paths:
        content.update(_digest_of(path, path.stat().st_mtime_ns, path.stat().st_size))
    return content.hexdigest()


@cache
def _digest_of(path: Path, changed: int, size: int) -> bytes:
    """Of one file as it is now: a question names its folder several times."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "blake2b").digest()


# MNIST -------------------------------------------------------------------------------------------

IDX = {"train": "train", "test": "t10k"}
BYTE = 0x08
"""The code of unsigned bytes at the head of an IDX file."""


@dataclass(frozen=True)
class Mnist(Layout):
    """IDX files: a head of big-endian sizes, then bytes; compressed or not."""

    def read(self, part: str, places: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        images, classes = (_idx(_idx_file(self.folder, part, kind)) for kind in ("images", "labels"))
        return images.reshape(len(images), -1)[list(places)], classes[list(places)].astype(int)


def mnist(folder: Path) -> Mnist:
    """The sizes of four IDX files."""
    files = {(part, kind): _idx_file(folder, part, kind) for part in IDX for kind in ("images", "labels")}
    counts = {key: _idx_head(path) for key, path in files.items()}
    for part in IDX:
        if counts[part, "images"][0] != counts[part, "labels"][0] or len(counts[part, "images"]) != 3:
            raise Misread(f"{files[part, 'images']} and {files[part, 'labels']} do not belong together")
    training, height, width = counts["train", "images"]
    if counts["test", "images"][1:] != (height, width):
        raise Misread(f"images of {files['train', 'images']} and {files['test', 'images']} differ in size")
    tested = counts["test", "images"][0]
    return Mnist(folder, training, tested, height * width, 10, _digest(list(files.values())))


def _idx_file(folder: Path, part: str, kind: str) -> Path:
    dimensions = 3 if kind == "images" else 1
    path = folder / f"{IDX[part]}-{kind}-idx{dimensions}-ubyte"
    packed = path.with_name(path.name + ".gz")
    if not path.exists() and not packed.exists():
        raise Misread(f"{path} is missing")
    return path if path.exists() else packed


def _idx_head(path: Path) -> tuple[int, ...]:
    """The sizes of an IDX file."""
    with _opened(path) as stream:
        return _sizes(path, stream)


def _idx(path: Path) -> np.ndarray:
    import numpy as np

    with _opened(path) as stream:
        sizes = _sizes(path, stream)
        try:
            content = np.frombuffer(stream.read(), np.uint8)
        except (EOFError, zlib.error, OSError) as error:
            raise Misread(f"{path} is damaged ({error})") from None
    if content.size != np.prod(sizes):
        raise Misread(f"{path} holds {content.size} bytes, not the {np.prod(sizes)} that its head says")
    return content.reshape(sizes)


def _opened(path: Path) -> Any:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _sizes(path: Path, stream: Any) -> tuple[int, ...]:
    try:
        zero, kind, dimensions = struct.unpack(">HBB", stream.read(4))
        if zero or kind != BYTE or dimensions not in (1, 3):
            raise ValueError
        return struct.unpack(f">{dimensions}I", stream.read(4 * dimensions))
    except (EOFError, OSError, ValueError, struct.error, zlib.error):
        raise Misread(f"{path} is no IDX file of bytes") from None


# CIFAR-10 ----------------------------------------------------------------------------------------

BATCHES = {"train": tuple(f"data_batch_{i}" for i in range(1, 6)), "test": ("test_batch",)}
CIFAR_PIXELS = 3072


class _Arrays(pickle.Unpickler):
    """Unpickles what a batch of CIFAR-10 is made of: dictionaries, lists, text and NumPy arrays."""

    ALLOWED = frozenset(
        (
            ("numpy.core.multiarray", "_reconstruct"),
            ("numpy._core.multiarray", "_reconstruct"),
            ("numpy", "ndarray"),
            ("numpy", "dtype"),
            ("_codecs", "encode"),
        )
    )

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self.ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        if name == "_reconstruct":  # one place in every NumPy, whatever the file says
            module = "numpy._core.multiarray"
        return super().find_class(module, name)


@dataclass(frozen=True)
class Cifar(Layout):
    """Pickled batches."""

    def read(self, part: str, places: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        import numpy as np

        batches = [_batch(self.folder / name) for name in BATCHES[part]]
        images, classes = (np.concatenate(each) for each in zip(*batches, strict=True))
        return images[list(places)], classes[list(places)]


def cifar(folder: Path) -> Cifar:
    """The sizes of six batches."""
    paths = {part: [folder / name for name in names] for part, names in BATCHES.items()}
    for path in (each for listed in paths.values() for each in listed):
        if not path.exists():
            raise Misread(f"{path} is missing")
    digest = _digest([each for listed in paths.values() for each in listed])
    sizes = {part: sum(len(_batch(each)[1]) for each in listed) for part, listed in paths.items()}
    return Cifar(folder, sizes["train"], sizes["test"], CIFAR_PIXELS, 10, digest)


def _batch(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Images (N, 3072) as bytes, and their classes (N,)."""
    about = path.stat()
    return _batch_of(path, about.st_mtime_ns, about.st_size)


@cache
def _batch_of(path: Path, changed: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    try:
        content = _Arrays(io.BytesIO(path.read_bytes()), encoding="bytes").load()
        images, classes = np.asarray(content[b"data"]), np.asarray(content[b"labels"])
    except Exception as error:  # whatever a damaged or hostile file makes of unpickling
        raise Misread(f"{path} is no batch of CIFAR-10 ({str(error)[:80]})") from None
    shaped = images.shape == (len(classes), CIFAR_PIXELS) and images.dtype == np.uint8
    if not shaped or classes.dtype.kind != "i" or not np.all((classes >= 0) & (classes < 10)):
        raise Misread(f"{path} is no batch of CIFAR-10: it wants bytes of {CIFAR_PIXELS} columns, and labels")
    return images, classes


# CelebA ------------------------------------------------------------------------------------------

LISTS = ("list_attr_celeba.txt", "list_eval_partition.txt")
IMAGES = "img_align_celeba"
TOLD = "Blond_Hair"
"""The attribute that is told from an image: -1 is class 0, 1 is class 1."""
PARTS = {"train": 0, "test": 2}
SIDE = 32
"""Pixels of a side, in three colours, that photographs are shrunk to."""


@dataclass(frozen=True)
class Celeba(Layout):
    """Photographs, and two lists of their attributes and parts."""

    def read(self, part: str, places: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        import numpy as np

        chosen = [_listed(self.folder)[part][place] for place in places]
        images = [_photograph(self.folder / IMAGES / name) for name, _ in chosen]
        return np.stack(images), np.array([told for _, told in chosen])


def celeba(folder: Path) -> Celeba:
    """The sizes of both parts, by the lists."""
    if not (folder / IMAGES).is_dir():
        raise Misread(f"{folder / IMAGES} is missing")
    parts = _listed(folder)
    digest = _digest([folder / name for name in LISTS])
    return Celeba(folder, len(parts["train"]), len(parts["test"]), 3 * SIDE**2, 2, digest)


def _listed(folder: Path) -> dict[str, list[tuple[str, int]]]:
    """Names of the photographs of each part, with their classes, in the order of the lists."""
    attributes, partition = (folder / name for name in LISTS)
    for path in (attributes, partition):
        if not path.exists():
            raise Misread(f"{path} is missing")
    try:
        _, names, *rows = attributes.read_text(encoding="utf-8").splitlines()
        column = names.split().index(TOLD) + 1
        told = {cells[0]: int(int(cells[column]) > 0) for row in rows if (cells := row.split())}
        lines = partition.read_text(encoding="utf-8").split()
        parted = dict(zip(lines[::2], map(int, lines[1::2]), strict=True))
        return {
            part: [(k, told[k]) for k, of in parted.items() if of == code] for part, code in PARTS.items()
        }
    except (IndexError, KeyError, ValueError) as error:
        raise Misread(f"{attributes} and {partition} are not CelebA's lists ({error})") from None


def _photograph(path: Path) -> np.ndarray:
    import numpy as np
    from PIL import Image

    try:
        with Image.open(path) as image:
            small = image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)
            return np.asarray(small).ravel()
    except (OSError, SyntaxError, ValueError) as error:
        raise Misread(f"{path} is no photograph ({error})") from None


_READERS = {
    ("MNIST/raw", "raw", "."): mnist,
    ("cifar-10-batches-py", "."): cifar,
    ("celeba", "."): celeba,
}
"""Where the files of a set lie under the folder that was given."""


def _holds(place: Path, reader: Any) -> bool:
    """Whether a folder looks like the reader's, by one file."""
    if reader is mnist:
        return any(place.glob("train-images-idx3-ubyte*"))
    return (place / (BATCHES["test"][0] if reader is cifar else LISTS[0])).exists()
