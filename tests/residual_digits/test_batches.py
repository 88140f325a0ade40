"""Batches of CIFAR-10: what is published is read, and nothing else that a pickle could do is done."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.problems.residual_digits import PROBLEM
from teacherstudent.problems.residual_digits.batches import Numbers, unpickled
from tests.residual_digits.test_folders import cifar, published
from tests.support import at_most

DATA = np.arange(2 * 3072, dtype=np.uint8).reshape(2, 3072)
SOUND = published(DATA, [3, 9])
ARRAY = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R"
TYPE = b"cnumpy\ndtype\nU\x02u1K\x00K\x01\x87R"


class Hostile:
    def __reduce__(self) -> Any:
        return os.mkdir, (os.environ["HOSTILE"],)


def test_a_published_batch_is_read() -> None:
    found = unpickled(SOUND)
    assert isinstance(found["data"], Numbers)
    np.testing.assert_array_equal(found["data"].values, DATA)
    assert found["labels"] == [3, 9]
    by_columns = SOUND.replace(b"\x89T", b"\x88T")
    np.testing.assert_array_equal(unpickled(by_columns)["data"].values.ravel("F"), DATA.ravel())


def flagged(state: bytes) -> bytes:
    return SOUND.replace(b"K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb", state)


CRAFTED = {
    "a name": pickle.dumps(Hostile, protocol=2),
    "another protocol": pickle.dumps({}, protocol=4),
    "flags of objects": flagged(b"K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x3ftb"),
    "item size": flagged(b"K\x03U\x01|NNNJ\x00\x00\x00\x10J\xff\xff\xff\xffK\x00tb"),
    "pointers": SOUND.replace(b"U\x02u1", b"U\x02O8"),
    "shape": SOUND.replace(b"M\x02\x00M\x00\x0c\x86", b"M\xff\xffM\xff\xff\x86"),
    "negative shape": SOUND.replace(b"M\x02\x00M\x00\x0c\x86", b"J\xfe\xff\xff\xffJ\x00\xf4\xff\xff\x86"),
    "longer than the file": b"\x80\x02}U\x04dataT\xff\xff\xff\x7fxs.",
    "longer than memory": b"\x80\x02}U\x04data\x8b\xff\xff\xff\x7fxs.",
    "built twice": b"\x80\x02" + ARRAY + (b"(K\x01K\x00K\x00\x86" + TYPE + b"\x89U\x00tb") * 2 + b".",
    "built of nothing": b"\x80\x02b.",
    "endless memo": b"\x80\x02K\x00" + b"".join(b"r" + k.to_bytes(4, "little") for k in range(100_100)),
    "no memo": b"\x80\x02h\x05.",
    "no mark": b"\x80\x02]K\x00e.",
    "deep": b"\x80\x02}" + b"]" + b"\x85" * 50_000 + b"K\x00s.",
    "deep list": b"\x80\x02" + b"]" * 40_000 + b"a" * 39_999 + b".",
    "itself": b"\x80\x02]q\x01h\x01a.",
    "nothing": b"\x80\x02.",
    "empty": b"",
}


@pytest.mark.parametrize("content", CRAFTED.values(), ids=CRAFTED)
def test_what_is_not_published_is_refused_and_nothing_of_it_is_called(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSTILE", str(tmp_path / "made"))
    cifar(tmp_path)
    (tmp_path / "cifar-10-batches-py" / "data_batch_2").write_bytes(content)
    with pytest.raises(InputError, match="data_batch_2 is not a batch") as refused, at_most(2**29):
        PROBLEM.instance(data=str(tmp_path))
    assert len(str(refused.value).splitlines()) == 1
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "labels",
    [b"]q\x05(K\x03K\x0ae", b"]q\x05(K\x03J\xff\xff\xff\xffe", b"]q\x05(](K\x03e](K\x09ee", b"U\x013"],
)
def test_labels_are_a_list_of_classes(labels: bytes, tmp_path: Path) -> None:
    cifar(tmp_path)
    content = SOUND.replace(b"]q\x05(K\x03K\x09e", labels)
    (tmp_path / "cifar-10-batches-py" / "test_batch").write_bytes(content)
    with pytest.raises(InputError, match="a list of labels 0 to 9"):
        PROBLEM.instance(data=str(tmp_path))


def test_a_batch_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    cifar(tmp_path)
    os.truncate(tmp_path / "cifar-10-batches-py" / "data_batch_1", 2**32)  # of which a disk holds nothing
    with pytest.raises(InputError, match="it has more than 64 MB"):
        PROBLEM.instance(data=str(tmp_path))
