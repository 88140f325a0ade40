"""Folders of images as torchvision lays them out: tiny made-up ones, damaged ones, hostile ones."""

from __future__ import annotations

import gzip
import os
import pickle
import struct
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import teacherstudent
from teacherstudent.house.errors import InputError
from teacherstudent.problems.residual_digits import PROBLEM
from teacherstudent.problems.residual_digits.data import draw, images_of
from tests.support import at_most


def idx(values: np.ndarray) -> bytes:
    return struct.pack(f">HBB{values.ndim}I", 0, 8, values.ndim, *values.shape) + values.tobytes()


def mnist(root: Path, packed: bool = True) -> Path:
    """40 training images and 12 test images of 5 x 4 pixels."""
    folder = root / "MNIST" / "raw"
    folder.mkdir(parents=True)
    generator = np.random.default_rng(0)
    for part, count in (("train", 40), ("t10k", 12)):
        images = generator.integers(0, 256, (count, 5, 4), dtype=np.uint8)
        labels = np.arange(count, dtype=np.uint8) % 10
        for kind, values in (("images-idx3", images), ("labels-idx1", labels)):
            content = idx(values)
            if packed:
                (folder / f"{part}-{kind}-ubyte.gz").write_bytes(gzip.compress(content))
            else:
                (folder / f"{part}-{kind}-ubyte").write_bytes(content)
    return root


def published(data: np.ndarray, labels: list[int]) -> bytes:
    """A batch as Python 2 wrote those that are published."""
    rows, columns = (struct.pack("<H", each) for each in data.shape)
    listed = b"".join(b"K" + bytes([each]) for each in labels)
    names = b"".join(b"U" + bytes([len(each)]) + each for each in (b"leptodactylus_s_000004.png",))
    return (
        b"\x80\x02}q\x01(U\x0bbatch_labelq\x02U\x07a batchq\x03U\x06labelsq\x04]q\x05(" + listed + b"e"
        b"U\x04dataq\x06cnumpy.core.multiarray\n_reconstruct\nq\x07cnumpy\nndarray\nq\x08K\x00\x85U\x01b\x87Rq\x09"
        b"(K\x01M" + rows + b"M" + columns + b"\x86cnumpy\ndtype\nq\x0aU\x02u1K\x00K\x01\x87Rq\x0b"
        b"(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89"
        b"T" + struct.pack("<I", data.size) + data.tobytes() + b"tb"
        b"U\x09filenamesq\x0c]q\x0d(" + names + b"eu."
    )  # fmt: skip


def cifar(root: Path) -> Path:
    """Six batches of 8 images, pickled as they are published."""
    folder = root / "cifar-10-batches-py"
    folder.mkdir(parents=True)
    generator = np.random.default_rng(1)
    for name in (*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"):
        data = generator.integers(0, 256, (8, 3072), dtype=np.uint8)
        (folder / name).write_bytes(published(data, [k % 10 for k in range(8)]))
    return root


def celeba(root: Path) -> Path:
    """12 photographs: 8 of training, 1 of validation, 3 of tests."""
    folder = root / "celeba"
    (folder / "img_align_celeba").mkdir(parents=True)
    generator = np.random.default_rng(2)
    names = [f"{k:06d}.jpg" for k in range(1, 13)]
    for name in names:
        pixels = generator.integers(0, 256, (22, 18, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / "img_align_celeba" / name)
    rows = [f"{name}  {1 if k % 3 else -1} -1" for k, name in enumerate(names)]
    (folder / "list_attr_celeba.txt").write_text(
        "\n".join(["12", "Blond_Hair Male", *rows]) + "\n", encoding="utf-8"
    )
    parts = [0] * 8 + [1] + [2] * 3
    lines = [f"{name} {part}" for name, part in zip(names, parts, strict=True)]
    (folder / "list_eval_partition.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("make", "training", "tested", "pixels", "classes"),
    [(mnist, 40, 12, 20, 10), (cifar, 40, 8, 3072, 10), (celeba, 8, 3, 3072, 2)],
)
def test_a_folder_is_read_and_its_test_part_is_tested(
    make: Any, training: int, tested: int, pixels: int, classes: int, tmp_path: Path
) -> None:
    problem = PROBLEM.instance(data=str(make(tmp_path)), n=6, components=3)
    images = images_of(problem)
    assert images.pixels.shape == (training + tested, pixels)
    assert images.count == classes
    drawn = draw(problem, [0])
    assert drawn.training.max() < training
    assert drawn.tested[0].tolist() == list(range(training, training + tested))
    assert 0 <= drawn.labels.min() <= drawn.labels.max() < classes


def test_packed_and_unpacked_files_are_one_set_of_images(tmp_path: Path) -> None:
    both = [
        PROBLEM.instance(data=str(mnist(tmp_path / name, name == "a")), n=6, components=3) for name in "ab"
    ]
    packed, unpacked = (images_of(each).pixels for each in both)
    np.testing.assert_array_equal(packed, unpacked)


def test_the_own_folder_of_a_set_will_do(tmp_path: Path) -> None:
    mnist(tmp_path)
    for name in ("MNIST/raw", "MNIST"):
        problem = PROBLEM.instance(data=str(tmp_path / name), n=6, components=3)
        assert problem.data.sizes(2000).training == 40


def test_fewer_images_are_spread_over_all(tmp_path: Path) -> None:
    cifar(tmp_path)
    problem = PROBLEM.instance(data=str(tmp_path), n=6, components=3, pool=10)
    images = images_of(problem)
    assert images.pixels.shape == (18, 3072)
    assert images.classes[:10].tolist() == [k % 8 % 10 for k in range(0, 40, 4)]


def test_both_routes_answer_and_their_settings_name_the_folder(tmp_path: Path) -> None:
    question: dict[str, Any] = {
        "dynamics": "descent",
        "times": [1, 3],
        "seeds": 2,
        "n": 6,
        "components": 3,
        "width": 4,
        "learning_rate": 2,
    }
    answer = teacherstudent.curve(
        "residual-digits", route=["kernel", "simulation"], data=str(mnist(tmp_path)), **question
    )
    assert bool(np.isfinite(answer.test_error).all())
    text = teacherstudent.settings(answer)
    assert f"{tmp_path} (digest " in text
    name = text.partition('data = "')[2].partition('"')[0]
    assert PROBLEM.instance(data=name, n=6, components=3).data.digest in name
    os.utime(tmp_path / "MNIST" / "raw" / "t10k-labels-idx1-ubyte.gz")
    labels = np.zeros(12, dtype=np.uint8)
    (tmp_path / "MNIST" / "raw" / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(labels)))
    with pytest.raises(InputError, match="its files have changed since"):
        PROBLEM.instance(data=name, n=6, components=3)


def damaged(root: Path, name: str, content: bytes | None) -> str:
    path = root / name
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    return str(root)


@pytest.mark.parametrize(
    ("make", "name", "content", "said"),
    [
        (mnist, "MNIST/raw/t10k-images-idx3-ubyte.gz", None, "t10k-images-idx3-ubyte is missing"),
        (mnist, "MNIST/raw/t10k-images-idx3-ubyte.gz", b"no", "is not an IDX file of bytes"),
        (
            mnist,
            "MNIST/raw/t10k-labels-idx1-ubyte.gz",
            gzip.compress(idx(np.zeros(3, np.uint8))),
            "do not belong",
        ),
        (cifar, "cifar-10-batches-py/data_batch_3", None, "data_batch_3 is missing"),
        (cifar, "cifar-10-batches-py/data_batch_3", b"no", "is not a batch of CIFAR-10"),
        (cifar, "cifar-10-batches-py/data_batch_3", pickle.dumps({b"data": 1}), "is not a batch of CIFAR-10"),
        (celeba, "celeba/list_eval_partition.txt", None, "list_eval_partition.txt is missing"),
        (celeba, "celeba/list_attr_celeba.txt", b"1\nSmiling\n", "are not CelebA's lists"),
        (celeba, "celeba/list_attr_celeba.txt", b"1\nBlond_Hair\n000001.jpg 2\n", "are not CelebA's lists"),
        (celeba, "celeba/list_eval_partition.txt", b"../a.jpg 0\n", "../a.jpg is in another folder"),
        (celeba, "celeba/img_align_celeba/000002.jpg", None, "000002.jpg cannot be read"),
        (
            mnist,
            "MNIST/raw/t10k-labels-idx1-ubyte.gz",
            gzip.compress(idx(np.full(12, 11, np.uint8))),
            "has the label 11: labels are 0 to 9",
        ),
        (
            mnist,
            "MNIST/raw/t10k-labels-idx1-ubyte.gz",
            gzip.compress(idx(np.zeros((12, 1, 1), np.uint8))),
            "has 3 axes, but labels are one number per image",
        ),
        (
            mnist,
            "MNIST/raw/t10k-labels-idx1-ubyte.gz",
            gzip.compress(struct.pack(">HBBI", 0, 9, 1, 12) + b"\xff" * 12),
            "is not an IDX file of bytes",
        ),
        (
            mnist,
            "MNIST/raw/t10k-labels-idx1-ubyte.gz",
            gzip.compress(idx(np.zeros(12, np.uint8)) + bytes(10**6)),
            r"is damaged \(it has more than 0.0117 kB\)",
        ),
    ],
    ids=lambda each: "" if isinstance(each, bytes) else None,  # gzip packs the time: two processes differ
)
def test_what_is_wrong_with_a_folder_is_said(
    make: Any, name: str, content: bytes | None, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        PROBLEM.instance(data=damaged(make(tmp_path), name, content))


def test_a_photograph_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    celeba(tmp_path)
    (tmp_path / "celeba" / "img_align_celeba" / "000002.jpg").write_bytes(b"no")
    with pytest.raises(InputError, match=r"000002\.jpg is not a photograph"):
        images_of(PROBLEM.instance(data=str(tmp_path), n=4, components=2))


def test_other_photographs_under_the_same_lists_are_other_images(tmp_path: Path) -> None:
    question = {"data": str(celeba(tmp_path)), "n": 4, "components": 2}
    before = PROBLEM.instance(**question)
    seen = images_of(before)
    photograph = tmp_path / "celeba" / "img_align_celeba" / "000002.jpg"
    about = photograph.stat()
    pixels = np.random.default_rng(3).integers(0, 256, (22, 18, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(photograph)
    os.utime(photograph, ns=(about.st_atime_ns, about.st_mtime_ns))
    with pytest.raises(InputError, match="its files have changed since it was named"):
        images_of(replace(before, components=1))
    after = PROBLEM.instance(**question)
    assert after.data.digest != before.data.digest
    assert np.abs(images_of(after).pixels - seen.pixels).max() > 0.1
    with pytest.raises(InputError, match="its files have changed since"):
        PROBLEM.instance(**{**question, "data": repr(before.data)})


def test_a_photograph_that_is_not_taken_does_not_count(tmp_path: Path) -> None:
    question = {"data": str(celeba(tmp_path)), "n": 2, "components": 2, "pool": 3}
    before = PROBLEM.instance(**question).data.digest
    (tmp_path / "celeba" / "img_align_celeba" / "000002.jpg").write_bytes(
        b"no"
    )  # of 8, the places 0, 2, 5 are
    assert PROBLEM.instance(**question).data.digest == before


@pytest.mark.parametrize(
    "make",
    [lambda path: path.write_bytes(png(30_000, 30_000)), os.mkfifo, Path.mkdir],
    ids=["giant", "p", "d"],
)
def test_what_is_no_photograph_is_not_opened(make: Any, tmp_path: Path) -> None:
    path = celeba(tmp_path) / "celeba" / "img_align_celeba" / "000002.jpg"
    path.unlink()
    make(path)
    with pytest.raises(InputError, match=r"000002\.jpg (is not a photograph|cannot be read)"), at_most(2**29):
        images_of(PROBLEM.instance(data=str(tmp_path), n=4, components=2))


def png(width: int, height: int) -> bytes:
    """The head of a picture of that size, with nothing behind it."""
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


def test_a_file_that_ends_early_is_named(tmp_path: Path) -> None:
    mnist(tmp_path, packed=False)
    path = tmp_path / "MNIST" / "raw" / "train-images-idx3-ubyte"
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(InputError, match="holds 797 bytes, but its header announces 800"):
        images_of(PROBLEM.instance(data=str(tmp_path), n=4, components=2))


@pytest.mark.parametrize(
    ("made", "said"),
    [((), "it contains none of these"), ((mnist, cifar), "it contains several; name one: ")],
)
def test_a_folder_holds_one_set(made: tuple[Any, ...], said: str, tmp_path: Path) -> None:
    for make in made:
        make(tmp_path)
    with pytest.raises(InputError, match=said):
        PROBLEM.instance(data=str(tmp_path))


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        PROBLEM.instance(data=str(tmp_path / "nowhere"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="it is a file"):
        PROBLEM.instance(data=str(tmp_path / "file"))
