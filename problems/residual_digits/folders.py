"""Folders as torchvision lays them out, read without it: MNIST, CIFAR-10, CelebA.

A folder is the one given to torchvision as its root, or the one in it that holds the images. Files are looked
at when the folder is named, their images read when they are drawn.
"""

from __future__ import annotations

import hashlib
import io
import math
import struct
import warnings
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.house import machine, reading
from teacherstudent.house.errors import Misread, in_short
from teacherstudent.house.tables import DIGITS as DIGEST
from teacherstudent.problems.residual_digits.batches import Numbers, unpickled

if TYPE_CHECKING:
    import numpy as np

LISTED = "MNIST/raw, cifar-10-batches-py or celeba"

POOL = 2000
"""Images of either part that are taken where nothing else is said."""


@dataclass(frozen=True)
class Layout(ABC):
    """One set of images in a folder: how many there are, and how to read some of either part.

    pixels: numbers of an image. digest: of its files; of CelebA, which has 200,000, of its lists and of the
    photographs that are taken where nothing is said of how many.
    """

    folder: Path
    training: int
    tested: int
    pixels: int
    classes: int
    digest: str

    def digest_of(self, pool: int) -> str:
        """The digest of the files that are read for at most `pool` images of each part. Raises `Misread`."""
        return self.digest

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
        raise Misread("it contains none of these")
    if len(present) > 1:
        listed = ", ".join(str(place) for _, place in present)
        raise Misread(f"it contains several; name one: {listed}")
    reader, place = present[0]
    return reader(place)


def spaced(whole: int, taken: int) -> list[int]:
    """The given number of places of the whole, evenly spaced in their order."""
    return [place * whole // taken for place in range(taken)]


def _digest(paths: Sequence[Path]) -> str:
    """Of the content of files in that order. Raises `Misread`."""
    content = hashlib.blake2b(digest_size=DIGEST // 2)
    for path in paths:
        try:
            content.update(_digest_of(path, reading.file_stamp(path)))
        except OSError as error:
            raise Misread(f"{path} cannot be read ({reading.why_unreadable(error)})") from None
    return content.hexdigest()


@cache
def _digest_of(path: Path, now: reading.Stamp) -> bytes:
    """Of one file as it is now: a question names its folder several times."""
    with reading.byte_stream(path, packed=False) as stream:
        return hashlib.file_digest(stream, "blake2b").digest()  # type: ignore[arg-type]


# MNIST -------------------------------------------------------------------------------------------

IDX = {"train": "train", "test": "t10k"}
MNIST_CLASSES = 10
BYTE = 0x08
"""The code of unsigned bytes at the head of an IDX file."""


@dataclass(frozen=True)
class Mnist(Layout):
    """IDX files: a head of big-endian sizes, then bytes; compressed or not."""

    def read(self, part: str, places: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        images = _idx(_idx_file(self.folder, part, "images"))
        return images.reshape(len(images), -1)[list(places)], _labels(self.folder, part)[list(places)]


def mnist(folder: Path) -> Mnist:
    """The sizes of four IDX files."""
    for part in IDX:
        _labels(folder, part)
    files = {(part, kind): _idx_file(folder, part, kind) for part in IDX for kind in ("images", "labels")}
    counts = {key: _idx_head(path) for key, path in files.items()}
    for part in IDX:
        if counts[part, "images"][0] != counts[part, "labels"][0] or len(counts[part, "images"]) != 3:
            raise Misread(f"{files[part, 'images']} and {files[part, 'labels']} do not belong together")
    training, height, width = counts["train", "images"]
    if counts["test", "images"][1:] != (height, width):
        raise Misread(f"images of {files['train', 'images']} and {files['test', 'images']} differ in size")
    tested = counts["test", "images"][0]
    return Mnist(folder, training, tested, height * width, MNIST_CLASSES, _digest(list(files.values())))


def _idx_file(folder: Path, part: str, kind: str) -> Path:
    dimensions = 3 if kind == "images" else 1
    path = folder / f"{IDX[part]}-{kind}-idx{dimensions}-ubyte"
    packed = path.with_name(path.name + ".gz")
    if not path.exists() and not packed.exists():
        raise Misread(f"{path} is missing")
    return path if path.exists() else packed


def _labels(folder: Path, part: str) -> np.ndarray:
    """The classes of a part, each checked."""
    path = _idx_file(folder, part, "labels")
    found = _idx(path).astype(int)
    if found.ndim != 1:
        raise Misread(f"{path} has {found.ndim} axes, but labels are one number per image")
    if found.size and found.max() >= MNIST_CLASSES:
        raise Misread(f"{path} has the label {found.max()}: labels are 0 to {MNIST_CLASSES - 1}")
    return found


def _idx_head(path: Path) -> tuple[int, ...]:
    """The sizes of an IDX file."""
    with reading.byte_stream(path) as stream:
        return _sizes(path, stream)


def _idx(path: Path) -> np.ndarray:
    import numpy as np

    with reading.byte_stream(path) as stream:
        sizes = _sizes(path, stream)
        try:
            content = reading.read_at_most(stream, min(math.prod(sizes), machine.memory_for_question()))
        except (EOFError, zlib.error, OSError) as error:
            raise Misread(f"{path} is damaged ({reading.why_unreadable(error)})") from None
    if len(content) != math.prod(sizes):
        raise Misread(f"{path} holds {len(content)} bytes, but its header announces {math.prod(sizes)}")
    return np.frombuffer(content, np.uint8).reshape(sizes)


def _sizes(path: Path, stream: Any) -> tuple[int, ...]:
    try:
        zero, kind, dimensions = struct.unpack(">HBB", stream.read(4))
        if zero or kind != BYTE or dimensions not in (1, 3):
            raise ValueError
        return struct.unpack(f">{dimensions}I", stream.read(4 * dimensions))
    except (EOFError, OSError, ValueError, struct.error, zlib.error):
        raise Misread(f"{path} is not an IDX file of bytes") from None


# CIFAR-10 ----------------------------------------------------------------------------------------

BATCHES = {"train": tuple(f"data_batch_{i}" for i in range(1, 6)), "test": ("test_batch",)}
CIFAR_PIXELS = 3072


CIFAR_CLASSES = 10
MOST_BATCH = 2**26
"""Bytes of a batch: published ones have half of that."""


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
    sizes = {part: sum(len(_batch(each)[1]) for each in listed) for part, listed in paths.items()}
    digest = _digest([each for listed in paths.values() for each in listed])
    return Cifar(folder, sizes["train"], sizes["test"], CIFAR_PIXELS, CIFAR_CLASSES, digest)


def _batch(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Images (N, 3072) as bytes, and their classes (N,)."""
    return _batch_of(path, reading.file_stamp(path))


@cache
def _batch_of(path: Path, now: reading.Stamp) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of texts in another form, which are refused
            content = unpickled(reading.file_bytes(path, MOST_BATCH))
        images, classes = content["data"], content["labels"]
    except (IndexError, KeyError, OSError, TypeError, ValueError) as error:
        said = in_short(reading.why_unreadable(error))
        raise Misread(f"{path} is not a batch of CIFAR-10 as published ({said})") from None
    pixels = images.values if isinstance(images, Numbers) else None
    labelled = isinstance(classes, list) and all(
        type(each) is int and 0 <= each < CIFAR_CLASSES for each in classes
    )
    if not labelled or pixels is None or pixels.shape != (len(classes), CIFAR_PIXELS):
        raise Misread(
            f"{path} is not a batch of CIFAR-10, which has bytes in {CIFAR_PIXELS} columns and a list of "
            f"labels 0 to {CIFAR_CLASSES - 1}"
        )
    return pixels, np.array(classes)


# CelebA ------------------------------------------------------------------------------------------

LISTS = ("list_attr_celeba.txt", "list_eval_partition.txt")
IMAGES = "img_align_celeba"
TOLD = "Blond_Hair"
"""The attribute that is told from an image: -1 is class 0, 1 is class 1."""
CLASS_OF = {"-1": 0, "1": 1}
PARTS = {"train": "0", "test": "2"}
FORMATS = ("JPEG", "PNG")
SIDE = 32
"""Pixels of a side, in three colours, that photographs are shrunk to."""
MOST_LIST = 2**27
"""Bytes of a list: the longer one that is published has 27 MB."""
MOST_PHOTOGRAPH, MOST_PIXELS = 2**26, 2**26
"""Bytes of a photograph as it is stored, and its pixels: more than cameras make."""


@dataclass(frozen=True)
class Celeba(Layout):
    """Photographs, and two lists of their attributes and parts."""

    def digest_of(self, pool: int) -> str:
        return _digest_of_photographs(self.folder, _listed(self.folder), pool)

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
    digest = _digest_of_photographs(folder, parts, POOL)
    return Celeba(folder, len(parts["train"]), len(parts["test"]), 3 * SIDE**2, 2, digest)


Listed = dict[str, list[tuple[str, int]]]
"""Names of the photographs of each part, with their classes, in the order of the lists."""


def _digest_of_photographs(folder: Path, parts: Listed, pool: int) -> str:
    """Of the lists, and of the photographs that are taken of either part."""
    lists = [folder / name for name in LISTS]
    taken = [
        folder / IMAGES / listed[place][0]
        for listed in parts.values()
        for place in spaced(len(listed), min(pool, len(listed)))
    ]
    return _digest(lists + taken)


def _listed(folder: Path) -> Listed:
    attributes, partition = (folder / name for name in LISTS)
    for path in (attributes, partition):
        if not path.exists():
            raise Misread(f"{path} is missing")
    try:
        return _listed_of(
            attributes, reading.file_stamp(attributes), partition, reading.file_stamp(partition)
        )
    except OSError as error:
        raise Misread(
            f"{attributes} or {partition} cannot be read ({reading.why_unreadable(error)})"
        ) from None


@cache
def _listed_of(attributes: Path, now: reading.Stamp, partition: Path, then: reading.Stamp) -> Listed:
    try:
        _, names, *rows = reading.file_text(attributes, MOST_LIST).splitlines()
        column = names.split().index(TOLD) + 1
        told = {cells[0]: CLASS_OF[cells[column]] for row in rows if (cells := row.split())}
        lines = reading.file_text(partition, MOST_LIST).split()
        parted = dict(zip(lines[::2], lines[1::2], strict=True))
        if wrong := next((name for name in parted if name != Path(name).name), ""):
            raise ValueError(f"{in_short(wrong)} is in another folder")
        found = {
            part: [(name, told[name]) for name, of in parted.items() if of == code]
            for part, code in PARTS.items()
        }
        if lacking := next((part for part, listed in found.items() if not listed), ""):
            raise ValueError(f"the {lacking} part is empty")
        return found
    except (IndexError, KeyError, ValueError) as error:
        raise Misread(
            f"{attributes} and {partition} are not CelebA's lists ({in_short(str(error))})"
        ) from None


def _photograph(path: Path) -> np.ndarray:
    import numpy as np
    from PIL import Image

    try:
        stored = io.BytesIO(reading.file_bytes(path, MOST_PHOTOGRAPH))
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(stored, formats=FORMATS) as image:
                if math.prod(image.size) > MOST_PIXELS:
                    raise ValueError(f"it has more than {MOST_PIXELS / 1e6:.0f} million pixels")
                small = image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)
                return np.asarray(small).ravel()
    except Exception as error:  # whatever a damaged file makes of its decoder
        raise Misread(f"{path} is not a photograph ({in_short(reading.why_unreadable(error))})") from None


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
