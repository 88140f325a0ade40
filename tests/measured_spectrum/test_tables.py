"""Tables come from files and arrays whole, or are refused in one line that says what is wrong and where."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from teacherstudent.house import machine
from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.tables import COPIES, NUMBER, Table, TableFile, as_table
from teacherstudent.house.text_tables import LOOKED_AT

VALUES = np.array([[0.1, -2.0], [1e-300, 3e40], [7.0, 0.0]])
FILE = Parameter("rows", "X", "1", TableFile(), "some rows")


def refused(given: Any) -> str:
    """The one line that is said of a file or of values."""
    with pytest.raises(InputError) as caught:
        FILE.check(given)
    line = str(caught.value)
    assert line.startswith("--rows ")
    assert line.isprintable()
    return line


def text(path: Path, lines: str, name: str = "a.csv") -> str:
    path = path / name
    path.write_text(lines, encoding="utf-8")
    return str(path)


def array(path: Path, values: Any, **more: Any) -> str:
    np.save(path / "a.npy", values, **more)
    return str(path / "a.npy")


# What is read ---------------------------------------------------------------------------------------


def write_npz(path: Path) -> str:
    np.savez(path / "b.npz", X=VALUES, y=VALUES[:, 0])
    return f"{path / 'b.npz'}:X"


def write_single(path: Path) -> str:
    np.savez_compressed(path / "b.npz", VALUES)
    return str(path / "b.npz")


@pytest.mark.parametrize(
    "written",
    [
        lambda path: array(path, VALUES),
        lambda path: array(path, np.asfortranarray(VALUES)),
        lambda path: array(path, VALUES.astype(">f8")),
        write_npz,
        write_single,
        lambda path: text(path, "0.1,-2\n1e-300,3e40\n7,0\n"),
        lambda path: text(path, "\ufeffone;two\r\n0.1;-2\r\n1e-300;3e40\r\n\r\n7;0"),
        lambda path: text(path, '# a\t"b"\n"0.1"\t-2\n1e-300\t3e40\n7\t0\n'),
        lambda path: text(path, "\n0.1 -2\n1e-300 3e40\n7 0\n"),
        lambda path: Path(array(path, VALUES)),
        lambda path: VALUES,
        lambda path: VALUES.tolist(),
    ],
    ids=["npy", "fortran", "big-endian", "npz", "npz of one", "csv", "semicolons", "tabs", "blanks", "path",
         "array", "list"],
)  # fmt: skip
def test_every_way_to_give_numbers_gives_the_same_table(tmp_path: Path, written: Any) -> None:
    found = FILE.check(written(tmp_path))
    assert found == as_table(VALUES)
    assert hash(found) == hash(as_table(VALUES))
    np.testing.assert_array_equal(found.values, VALUES)
    assert found.values.dtype == np.float64


def test_one_axis_is_one_column_and_kinds_of_numbers_do_not_matter(tmp_path: Path) -> None:
    labels = np.array([0, 1, 1])
    for given in (labels, labels.astype(np.uint8), labels == 1, labels * -1.0 * -1, labels.astype("f4")):
        assert as_table(given) == as_table([[0.0], [1.0], [1.0]])
    assert FILE.check(text(tmp_path, "0\n1\n1\n")).values.shape == (3, 1)


@pytest.mark.parametrize("other", [VALUES.T, VALUES.reshape(1, 6), np.nextafter(VALUES, 9)])
def test_other_numbers_or_another_shape_are_another_table(other: np.ndarray) -> None:
    assert as_table(other) != as_table(VALUES)
    assert as_table(other, "a") != as_table(VALUES, "a")


def test_a_table_is_nobodys_to_change() -> None:
    given = VALUES.copy()
    found = as_table(given)
    given[0] = 5
    np.testing.assert_array_equal(found.values, VALUES)
    with pytest.raises(ValueError, match="read-only"):
        found.values[0] = 5


def test_what_is_known_of_a_table() -> None:
    found = as_table([[1.0, 2.0, 3.0], [1.0, 0.5, 3.0]])
    assert found.constant.tolist() == [True, False, True]
    assert not found.whole
    assert as_table([3, 1, 3]).whole
    assert found.different.tolist() == [0.5, 1.0, 2.0, 3.0]


def test_a_file_that_has_changed_is_refused_by_its_digest(tmp_path: Path) -> None:
    name = array(tmp_path, VALUES)
    said = str(FILE.check(name))
    assert FILE.check(said) == as_table(VALUES)
    assert str(FILE.check(said)) == said, "the digest is not a part of the name"
    array(tmp_path, VALUES + 1)
    line = refused(said)
    assert "its numbers have changed since" in line
    assert as_table(VALUES + 1).digest in line
    assert FILE.check(name) == as_table(VALUES + 1)


def test_a_file_is_read_again_where_it_is_another_and_not_where_it_is_held(tmp_path: Path) -> None:
    name = array(tmp_path, VALUES)
    held = FILE.check(name)
    assert FILE.check(name) is held
    Path(array(tmp_path, VALUES + 1)).replace(tmp_path / "other.npy")
    array(tmp_path, VALUES + 2)
    assert FILE.check(name) == as_table(VALUES + 2)
    assert FILE.check(str(tmp_path / "other.npy")) == as_table(VALUES + 1)


# What is refused ------------------------------------------------------------------------------------


class Trap:
    """Unpickling it leaves a folder behind."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.csv", "objects.npy", "objects.npz"])
def test_nothing_is_ever_unpickled(tmp_path: Path, name: str) -> None:
    path, sprung = tmp_path / name, tmp_path / "sprung"
    trap = np.array([[Trap(sprung)]], dtype=object)
    match name:
        case "objects.npy":
            np.save(path, trap, allow_pickle=True)
        case "objects.npz":
            np.savez(path, trap)
        case _:
            path.write_bytes(pickle.dumps(Trap(sprung)))
    refused(str(path))
    assert not sprung.exists()
    pickle.loads(pickle.dumps(Trap(sprung)))
    assert sprung.exists(), "the trap itself works"


def record(path: Path) -> str:
    return array(path, np.zeros(3, dtype=[("a", float), ("b", float)]))


def cut(path: Path) -> str:
    whole = Path(array(path, np.ones((30, 4))))
    whole.write_bytes(whole.read_bytes()[:-8])
    return str(whole)


FRAME = pd.DataFrame({"a": [1.5, 2.0], "b": [True, False]})
NAN, INFINITE = np.array([[1.0, 2.0], [3.0, np.nan]]), np.array([[1.0, 2.0], [-np.inf, np.nan]])
WRONG = {
    "nan": (lambda path: NAN, "row 1, column 1, counted from 0: nan is not finite"),
    "infinite": (lambda path: INFINITE, "row 1, column 0, counted from 0: -inf is not finite"),
    "how many": (lambda path: INFINITE, "(and 1 more)"),
    "nan in a csv": (lambda path: text(path, "a,b\n1,2\n3,nan\n"), "values are missing in 2 rows: b 1; with"),
    "too large": (lambda path: [[1, 3e60]], "row 0, column 1, counted from 0: 3e+60 is beyond 1e+50"),
    "names": (lambda path: np.array([1, 2**53 + 1]), "row 1, column 0, counted from 0: 9007199254740993 is"),
    "names below": (lambda path: np.array([-(2**63), 1]), "row 0, column 0, counted from 0: -92233720368"),
    "huge names": (lambda path: [1, 2**70], "Python objects"),
    "complex": (lambda path: array(path, VALUES + 0j), "its numbers are complex"),
    "text": (lambda path: array(path, np.array(["a", "b"])), "it holds text: write classes as whole numbers"),
    "words": (lambda path: np.array([1, "rose"], dtype=object), "it holds text: write classes as whole"),
    "dates": (lambda path: np.array(["2020-01-01"], dtype="M8[D]"), "it holds dates"),
    "fields": (record, "it holds records of several fields"),
    "objects": (lambda path: [{}, None], "Python objects"),
    "masked": (lambda path: np.ma.masked_equal(VALUES, 0), "some of its values are masked"),
    "three axes": (lambda path: array(path, VALUES[None]), "it has 3 axes (1 x 3 x 2): a table has two"),
    "a number": (lambda path: np.float64(3), "it has 0 axes (single number)"),
    "no rows": (lambda path: array(path, VALUES[:0]), "it is empty: 0 rows, 2 columns"),
    "ragged": (lambda path: [[1, 2], [3]], "its rows have different lengths"),
    "damaged": (cut, "it is damaged, or no such file ("),
    "no numpy": (lambda path: text(path, "1,2,3,4,5", "a.npy"), "it is damaged, or no such file (the magic"),
    "pickle": (lambda path: pickled(path), "it is a pickle, which is never read"),
    "missing": (lambda path: str(path / "none.csv"), "no such file or directory"),
    "folder": (lambda path: str(path), "it is a folder"),
    "suffix": (lambda path: text(path, "1", "a.dat"), "it ends in .dat"),
    "no suffix": (lambda path: text(path, "1", "a"), "its name has no ending"),
    "elsewhere": (lambda path: text(path, "1", "a.mat"), ".mat is not read: save the array by numpy.save"),
    "NUL": (lambda path: "a\0.npy", "a null character"),
    "surrogate": (lambda path: "\udcff.npy", "no such file"),
    "long": (lambda path: "x" * 5000 + ".npy", "file name too long"),
    "empty csv": (lambda path: text(path, "\n\n"), "it is empty"),
    "only names": (lambda path: text(path, "a,b\n"), "it has no rows below the line of names"),
    "ragged csv": (lambda path: text(path, "1,2\n\n3,4\n5\n"), "line 4 has 1 columns, the first row has 2"),
    "class names": (lambda path: text(path, "a,b\n1,2\n3,rose\n"), 'column b, row 1, counted from 0: "rose"'),
    "half names": (lambda path: text(path, "1,b\n1,2\n"), 'line 1, column 2: "b" is no number'),
    "index": (lambda path: text(path, ",a\n0,5\n1,7\n"), "column has no name, like an index: remove"),
    "other index": (lambda path: text(path, ",a\n7,5\n3,7\n"), "column has no name, like an index:"),
    "index of R": (lambda path: text(path, '"","a"\n"1",5\n"2",7\n'), "column has no name, like an"),
    "index read back": (lambda path: text(path, "Unnamed: 0,a\n0,5\n"), "has no name, like a"),
    "names of R": (lambda path: text(path, '"a","b"\n"1",5,6\n'), "column has no name, like an ind"),
    "blanks of R": (lambda path: text(path, '"a" "b"\n"1" 5 6\n'), "column has no name, like an in"),
    "index, no names": (lambda path: text(path, ",0,1\n0,5,6\n"), "no name, and the names of the others are"),
    "counted": (lambda path: text(path, "0,1,2\n5,6,7\n"), "its first line counts the columns, 0,1,2, as"),
    "counted floats": (lambda path: text(path, "0\n0.5\n1.0\n"), "its first line counts the columns, 0, as"),
    "two counted": (lambda path: text(path, "0,1\n5,6\n"), "its first line counts the columns, 0,1, as"),
    "more names": (lambda path: text(path, "a,b,c\n1,2\n"), "its first line has 3 of the names of 2 columns"),
    "tiny": (lambda path: VALUES * [1e-60, 1], "column 0, counted from 0, varies by 7e-60, less than"),
    "sparse": (lambda path: sparse.csr_array(VALUES), "it is a sparse matrix: give .toarray() of it"),
    "hole": (lambda path: text(path, "1,2\n3,\n"), "values are missing in 2 rows: 1 1;"),
    "underscore": (lambda path: text(path, "1\n1_0\n"), 'column 0, row 1, counted from 0: "1_0" is no numbe'),
    "latin": (lambda path: str(latin(path)), "it is not UTF-8 text"),
}  # fmt: skip


def pickled(path: Path) -> str:
    (path / "a.npy").write_bytes(pickle.dumps(VALUES))
    return str(path / "a.npy")


def latin(path: Path) -> Path:
    (path / "a.csv").write_bytes("größe\n1\n".encode("latin-1"))
    return path / "a.csv"


@pytest.mark.parametrize(("given", "said"), WRONG.values(), ids=WRONG)
def test_what_is_no_table_is_refused_with_the_place_and_the_reason(
    tmp_path: Path, given: Any, said: str
) -> None:
    assert said in refused(given(tmp_path))


def test_frames_are_numbers_where_each_column_is(tmp_path: Path) -> None:
    numbers = as_table([[1.5, 1.0], [2.0, 0.0]])
    assert FILE.check(FRAME) == FILE.check(FRAME.astype(float)) == numbers
    assert FILE.check(FRAME["a"]) == as_table([1.5, 2.0])
    assert FILE.check(text(tmp_path, "a,b\n1.5,True\n2.0,false\n")) == numbers
    assert FILE.check(text(tmp_path, "True,FALSE\n")) == as_table([[1.0, 0.0]])
    assert FILE.check(text(tmp_path, "1,5;2\n")) == as_table([[1.5, 2.0]])


@pytest.mark.parametrize("how", [{"header": False}, {}], ids=["without names", "with names"])
def test_a_frame_is_read_as_pandas_writes_it_without_its_index(tmp_path: Path, how: dict[str, Any]) -> None:
    pd.DataFrame(VALUES, columns=["a", "b, c"]).to_csv(tmp_path / "a.csv", index=False, **how)
    assert FILE.check(str(tmp_path / "a.csv")) == as_table(VALUES)


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("columns", [1, 2, 4])
def test_names_that_pandas_counts_are_never_taken_as_an_example(
    tmp_path: Path, index: bool, columns: int
) -> None:
    rows = np.random.default_rng(0).standard_normal((30, columns))
    pd.DataFrame(rows).to_csv(tmp_path / "a.csv", index=index)
    said = "(pandas: index=False" if index else "its first line counts the columns"
    assert said in refused(str(tmp_path / "a.csv"))


@pytest.mark.parametrize("lines", ["0\n1\n1\n", "0\n-1\n1\n", "0,1\n1,0\n0,1\n", "0.0,1.0,2.0\n1,2,0\n"])
def test_classes_one_hot_rows_and_decimals_may_begin_as_counts_do(tmp_path: Path, lines: str) -> None:
    rows = [[float(each) for each in line.split(",")] for line in lines.split()]
    assert FILE.check(text(tmp_path, lines)) == as_table(rows)


def test_a_name_of_several_words_and_names_of_many_columns_are_names(tmp_path: Path) -> None:
    assert FILE.check(text(tmp_path, "disease progression\n1\n2\n")) == as_table([1, 2])
    assert FILE.check(text(tmp_path, "# of five, or more\n1,2\n")) == as_table([[1, 2]])
    many = ",".join(f"a feature of {i:05}" for i in range(LOOKED_AT // 16))
    assert FILE.check(text(tmp_path, f"{many}\n{'1,' * (LOOKED_AT // 16 - 1)}1\n")).values.all()


def test_of_several_arrays_one_is_named(tmp_path: Path) -> None:
    name = write_npz(tmp_path).removesuffix(":X")
    assert f"it holds 2 arrays; choose one: {name}:X, {name}:y" in refused(name)
    assert "it holds no array Xs; did you mean X?" in refused(f"{name}:Xs")
    np.savez(tmp_path / "none.npz")
    assert "it holds no array" in refused(str(tmp_path / "none.npz"))


def claims(path: Path, rows: int) -> str:
    """A file whose head says that it holds more than it does."""
    with (path / "a.npy").open("wb") as stream:
        head = {"descr": "<f8", "fortran_order": False, "shape": (rows, 10**4)}
        np.lib.format.write_array_header_2_0(stream, head)
    return str(path / "a.npy")


def long_text(path: Path, rows: int) -> str:
    return text(path, "a,b\n" + "1.5,2.5\n" * rows)


def test_what_does_not_fit_into_memory_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = float(NUMBER * COPIES * 2 * 1000)
    monkeypatch.setattr(machine, "memory", lambda: room / machine.SHARE)
    assert "100000000000 x 10000 numbers take 1.49e+07 GB in memory" in refused(claims(tmp_path, 10**11))
    assert "damaged" in refused(claims(tmp_path, 0) and cut(tmp_path))
    assert FILE.check(long_text(tmp_path, 500)).values.shape == (500, 2)
    assert f"more than the {room / 2**10:.3g} kB that are available" in refused(long_text(tmp_path, 600))
    assert FILE.check(np.ones((1000, 2))).values.size == 2000
    assert "1001 x 2 numbers take" in refused(np.ones((1001, 2)))


def test_a_table_goes_to_another_process_and_is_the_same_there() -> None:
    here = as_table(VALUES, "a.npy")
    there: Table = pickle.loads(pickle.dumps(here))
    assert (there, str(there)) == (here, str(here))
    np.testing.assert_array_equal(there.values, VALUES)


def test_a_misread_says_what_to_write() -> None:
    with pytest.raises(Misread, match="different lengths"):
        as_table([[1], [2, 3]])
