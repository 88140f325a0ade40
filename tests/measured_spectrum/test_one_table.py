"""One table of everything is read by the names of its columns, or refused in one line with the cure."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import teacherstudent as ts
from teacherstudent.house import machine, text_tables
from teacherstudent.house.errors import InputError
from teacherstudent.house.frames import as_frame
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.parameters import TABLE
from tests.support import refusal, say

ROWS = 12
A, B = np.arange(ROWS) * 0.5, np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0])
PRICE = 2 * A - B + 0.25
CITY = np.array(["Bern", "Oslo", "Rome"])[np.arange(ROWS) % 3]
FRAME = pd.DataFrame({"a": A, "b, c": B, "city": CITY, "price": PRICE})
DAYS = pd.date_range("2020-01-30", periods=ROWS)
PLAIN = FRAME.drop(columns="city")


def made(**values: Any) -> MeasuredSpectrum:
    found: MeasuredSpectrum = PROBLEM.instance(**{"n": 6, "target": "price", **values})
    return found


def read(**values: Any) -> tuple[np.ndarray, np.ndarray]:
    found = made(**values)
    assert found.features is not None
    assert found.targets is not None
    return found.features.values, found.targets.values


def refused(**values: Any) -> str:
    with pytest.raises(InputError) as caught:
        made(**values)
    line = str(caught.value)
    assert line.isprintable()
    return line


def text(path: Path, lines: str, name: str = "a.csv") -> str:
    (path / name).write_text(lines, encoding="utf-8")
    return str(path / name)


# Formats --------------------------------------------------------------------------------------------


def compressed(path: Path) -> str:
    (path / "a.csv.gz").write_bytes(gzip.compress(PLAIN.to_csv(index=False).encode()))
    return str(path / "a.csv.gz")


def german(path: Path) -> str:
    return text(path, PLAIN.to_csv(index=False, sep=";", decimal=","))


class Polars:
    """As much of a frame of polars as is asked for."""

    columns = tuple(PLAIN)

    def get_column(self, name: str) -> pd.Series:
        return PLAIN[name]


GIVEN: dict[str, Any] = {
    "polars": lambda path: Polars(),
    "frame": lambda path: PLAIN,
    "lists": lambda path: {name: PLAIN[name].tolist() for name in PLAIN},
    "nullable": lambda path: PLAIN.convert_dtypes(),
    "objects": lambda path: PLAIN.astype(object),
    "records": lambda path: PLAIN.to_records(index=False),
    "Table": lambda path: TABLE.check(PLAIN),
    "csv": lambda path: text(path, PLAIN.to_csv(index=False)),
    "tsv": lambda path: text(path, PLAIN.to_csv(index=False, sep="\t"), "a.tsv"),
    "txt": lambda path: text(path, PLAIN.to_csv(index=False, sep=" "), "a.txt"),
    "BOM and CRLF": lambda path: text(path, "\ufeff" + PLAIN.to_csv(index=False, lineterminator="\r\n")),
    "gz": compressed,
    "decimal commas": german,
    "path": lambda path: Path(compressed(path)),
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_every_way_to_give_a_table_gives_the_same_rows(tmp_path: Path, given: Any) -> None:
    features, targets = read(table=given(tmp_path))
    np.testing.assert_array_equal(features, np.c_[A, B])
    np.testing.assert_array_equal(targets, PRICE[:, None])


def test_parquet_is_read_or_the_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    line = refused(table=str(tmp_path / "a.parquet"))
    assert "pip install pyarrow" in line or "damaged" in line


def test_a_matrix_has_its_places_as_names(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", PLAIN.to_numpy())
    for given in (PLAIN.to_numpy(), str(tmp_path / "a.npy")):
        features, targets = read(table=given, target=2, leave_out="0")
        np.testing.assert_array_equal(np.c_[features, targets], np.c_[B, PRICE])


@pytest.mark.parametrize(
    ("cells", "means", "said"),
    [
        ("1.234,5;2,5", (1234.5, 2.5), "decimal commas are read in columns a, b"),
        ("1.234;2,5", (1234, 2.5), "separators of thousands are read in column a"),
        ("3.14;2,5", (3.14, 2.5), "decimal commas are read in column b"),
        ('"1,234,567"\t2.5', (1234567, 2.5), "separators of thousands are read in column a"),
        ("1,234\t2.5", (1234, 2.5), "separators of thousands are read in column a"),
        ("1,234\t2", (1.234, 2), "decimal commas are read in column a"),
        ("1\u202f234\t2.5", (1234, 2.5), "separators of thousands are read in column a"),
        ("1'234.5;2.5", (1234.5, 2.5), "separators of thousands are read in column a"),
        ('"1,234",2.5', (1234, 2.5), "separators of thousands are read in column a"),
        ('"1,5",2.5', (1.5, 2.5), "decimal commas are read in column a"),
        ("True,no", (1, 0), "column b: no is 0, yes is 1"),
    ],
)
def test_numbers_in_other_writings_are_read_and_it_is_said(
    tmp_path: Path, cells: str, means: tuple[float, float], said: str
) -> None:
    parted = next(each for each in "\t;," if each in cells)
    found = TABLE.check(text(tmp_path, f"a{parted}b\n{cells}\n{cells}\n"))
    np.testing.assert_array_equal(found.values, [means, means])
    assert said in "; ".join(found.said)


# Columns --------------------------------------------------------------------------------------------


def test_columns_are_named_left_out_and_chosen() -> None:
    np.testing.assert_array_equal(read(table=PLAIN, leave_out="a")[0], B[:, None])
    for names in ('a,"b, c"', ["a", "b, c"], "0,1", PLAIN.columns[:2]):
        np.testing.assert_array_equal(read(table=FRAME, features=names)[0], np.c_[A, B])
    np.testing.assert_array_equal(read(table=PLAIN, features="b, c")[0], B[:, None])
    np.testing.assert_array_equal(read(table=PLAIN, target=["a", "price"])[1], np.c_[A, PRICE])
    named = PLAIN.rename(columns={"a": "wine"})
    np.testing.assert_array_equal(read(table=named, features="wine")[0], A[:, None])


def test_texts_become_a_column_for_each_level_and_text_targets_are_named_classes() -> None:
    problem = made(table=FRAME, encode="one-hot")
    assert problem.features is not None
    np.testing.assert_array_equal(
        problem.features.values[:, 2:], CITY[:, None] == np.array(["Bern", "Oslo", "Rome"])
    )
    assert problem.features.columns == ("a", "b, c", "city=Bern", "city=Oslo", "city=Rome")
    assert "column city becomes 3 columns of 0 and 1" in PROBLEM.remarks(problem)
    classes = made(table=FRAME, target="city")
    assert (classes.task, classes.outputs) == ("classification", 3)
    assert "read as 3 classes (Bern, Oslo, Rome) of 4 rows each" in PROBLEM.remarks(classes)
    kinds = FRAME.astype({"city": "category"}).assign(b=pd.Categorical(B))
    assert made(table=kinds, encode="one-hot").features.values.shape == (ROWS, 6)  # type: ignore[union-attr]


def test_names_of_classes_may_stand_in_a_file_or_an_array_alone(tmp_path: Path) -> None:
    path = text(tmp_path, "city\n" + "\n".join(CITY))
    for given in (path, CITY, CITY.tolist(), FRAME["city"], FRAME[["city"]]):
        problem = made(target=None, features=np.c_[A, B], targets=given)
        assert problem.targets is not None
        assert (problem.outputs, problem.targets.labels) == (3, ("Bern", "Oslo", "Rome"))
    for wrong in (FRAME[["city", "a"]], DAYS.strftime("%d.%m.%Y")):
        with pytest.raises(InputError, match=r"^--targets"):
            made(target=None, features=np.c_[A, B], targets=wrong)


@pytest.mark.parametrize("word", ["NA", "N/A", "NaN", "nan", "?", "-", "null", "None", "", "."])
def test_missing_values_are_counted_and_their_rows_left_out_where_it_is_said(
    tmp_path: Path, word: str
) -> None:
    lines = PLAIN.to_csv(index=False).splitlines()
    lines[2], lines[5] = f'{word},1,"2.5"', f"{word},{word},1"
    path = text(tmp_path, "\n".join(lines))
    line = refused(table=path)
    assert "without missing values; missing in 12 rows: a 2, b, c 1; --missing drop leaves 2 rows out" in line
    problem = made(table=path, missing="drop")
    np.testing.assert_array_equal(problem.targets.values[:, 0], np.delete(PRICE, [1, 4]))  # type: ignore[union-attr]
    assert "2 rows of 12 with missing values left out" in PROBLEM.remarks(problem)
    assert made(table=path, features="b, c", missing="drop").rows == ROWS - 1


def with_column(name: str, values: Any) -> pd.DataFrame:
    return PLAIN.assign(**{name: values})


INDEXED = "\n".join([",a,price", *(f"{i},{i % 3},{i % 5}" for i in range(ROWS))])
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no target": ({"target": None}, "--target (missing): must be given with one table: a column of array: a"),
    "no column": ({"target": "prize"}, "--target prize: must be a column of array: a, b, c, price; did you"),
    "place": ({"target": 3}, "--target 3: must be a column of array"),
    "left out": ({"leave_out": "price"}, "--leave-out price: must be columns other than --target"),
    "in features": ({"features": "a,price"}, "--features price: must be columns other than --target"),
    "both": ({"features": "a", "leave_out": "a"}, "--leave-out a: must be columns that --features does not"),
    "nothing": ({"leave_out": ["a", "b, c"]}, "no feature is left"),
    "targets": ({"targets": PRICE}, "absent where --table is given"),
    "arrays": ({"features": np.c_[A, B]}, "must be names of columns with --table"),
    "text": ({"table": FRAME}, "levels) contains text; leave it out: --leave-out city, or use --encode"),
    "names": ({"table": with_column("who", [f"p{i}" for i in range(ROWS)]), "encode": "one-hot"},
              "who has 12 different texts in 12 rows, like names; leave it out: --leave-out who"),
    "days": ({"table": with_column("day", DAYS)}, "column day contains dates; leave it out: --leave-out day"),
    "texts of days": ({"table": with_column("day", DAYS.strftime("%d.%m.%Y"))}, "column day contains dates"),
    "months": ({"table": with_column("a day", DAYS.strftime("%d %b %Y"))}, "leave it out: --leave-out 'a da"),
    "hours": ({"table": with_column("at", DAYS.strftime("%H:%M"))}, "column at contains dates"),
    "day as target": ({"table": with_column("day", DAYS), "target": "day"}, "it contains dates"),
    "numbers of names": ({"table": with_column("id", 2**60 + np.arange(ROWS))}, "--leave-out id"),
    "two of a name": ({"table": PLAIN.set_axis(["a", "a", "price"], axis=1), "features": "a"},
                      "--features a: must be the name of one column: 2 have it; give"),
    "missing target": ({"table": PLAIN.assign(price=[None, *PRICE[1:]])}, "missing in 12 rows: price 1"),
    "pandas' missing": ({"table": with_column("d", pd.array([1, None] * 6, dtype="Int64"))}, "12 rows: d 6"),
    "no values": ({"table": with_column("d", np.nan), "missing": "drop"}, "column d is empty"),
    "no rows left": ({"table": PLAIN.assign(a=[None, 1] * 6, d=[1, None] * 6), "missing": "drop"}, "all"),
    "text as numbers": ({"table": FRAME, "target": "city", "task": "regression"}, "text, Bern, Oslo,"),
    "odd cells": ({"table": with_column("d", ["missing", *map(str, A[1:])])}, 'in 1 row, "missing": leave'),
    "texts of numbers": ({"table": with_column("d", [f"{each:.1f}" for each in A])}, "pandas.to_numeric"),
    "objects": ({"table": with_column("d", [[1, 2]] * ROWS)}, "column d holds objects (list), not one"),
    "money": ({"table": PLAIN.assign(price=[f"${each}" for each in PRICE])}, 'the first is "$-2.75"'),
    "infinite": ({"table": with_column("d", [np.inf, *A[1:]])}, "inf is not finite"),
    "lengths": ({"table": {"a": [1, 2], "price": [1]}}, "it is no table"),
}  # fmt: skip


@pytest.mark.parametrize(("values", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_learned_from_is_refused_with_the_cure(values: dict[str, Any], said: str) -> None:
    assert said in refused(**{"table": PLAIN, **values})


def test_an_index_without_a_name_is_left_out_where_it_is_said(tmp_path: Path) -> None:
    path = text(tmp_path, INDEXED)
    assert "has no name, like an index; leave it out: --leave-out 'Unnamed: 0'" in refused(table=path)
    assert made(table=path, leave_out="Unnamed: 0").columns == 1
    assert made(table=path, features="a").columns == 1


@pytest.mark.parametrize("name", ["target", "leave_out", "missing", "encode"])
def test_what_is_about_one_table_is_refused_without_one(name: str) -> None:
    value = {"missing": "drop", "encode": "one-hot"}.get(name, "a")
    given = {"features": np.c_[A, B], "targets": PRICE, "target": None, name: value}
    assert f"--{name.replace('_', '-')} {value}: must be left out without --table" in refused(**given)


class Tensor:
    """As PyTorch's tensors with gradients answer NumPy."""

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self) -> Tensor:
        return self


WRITTEN = {
    "bars": ("a|b|price", "|"),
    "remarks": ("# of today, or so\n# twice\n\na,b,price", ","),
    "names after #": ("# of today\n# a b price", " "),
}


@pytest.mark.parametrize(("head", "separator"), WRITTEN.values(), ids=WRITTEN)
def test_what_separates_columns_and_what_stands_above_them_is_known(
    tmp_path: Path, head: str, separator: str
) -> None:
    rows = (separator.join(map(str, row)) for row in zip(A, B, PRICE, strict=True))
    np.testing.assert_array_equal(read(table=text(tmp_path, "\n".join([head, *rows])))[1][:, 0], PRICE)


def test_separators_at_the_ends_of_rows_are_no_index(tmp_path: Path) -> None:
    rows = "".join(f"{a},{a},\n" for a in A)
    assert "column 2 is empty" in refused(table=text(tmp_path, f"a,price\n{rows}"))


def test_a_tensor_with_gradients_is_refused_with_what_to_give() -> None:
    assert "give .detach().cpu() of it" in refused(features=Tensor(), targets=PRICE, target=None)


# Bounds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"a,b\n" + b"1,2\n" * 50_000, b"1" * 200_000, b"a\n" + b"x" * 200_000])
def test_what_is_compressed_is_bounded_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(text_tables, "LONGEST_LINE", 2**16)
    monkeypatch.setattr(machine, "memory", lambda: 2**18 / machine.SHARE)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(content))
    line = refused(table=str(tmp_path / "a.csv.gz"))
    assert "a line of more than 64 kB" in line or "cells or more take" in line


def test_only_whole_files_are_read(tmp_path: Path) -> None:
    whole = gzip.compress(PLAIN.to_csv(index=False).encode())
    (tmp_path / "a.csv.gz").write_bytes(whole[:-20])
    assert "it is damaged" in refused(table=str(tmp_path / "a.csv.gz"))
    (tmp_path / "a.csv.gz").write_bytes(b"a,b\n1,2\n")
    assert "gzip" in refused(table=str(tmp_path / "a.csv.gz"))
    assert "line 3 has 2 columns, the first row has 3" in refused(
        table=text(tmp_path, "a,b,price\n1,2,3\n4,5\n", "b.csv")
    )
    assert "line 3 has 4 columns" in refused(table=text(tmp_path, "a,b,price\n1,2,3\n4,5,6,7\n", "c.csv"))


# Everywhere -----------------------------------------------------------------------------------------

ASKED = ("--dynamics", "ridge", "--route", "asymptotic", "--times", "1", "--n", 6)


def test_a_question_about_one_table_can_be_asked_again_from_its_answer(tmp_path: Path) -> None:
    path, kept, answer = text(tmp_path, FRAME.to_csv(index=False)), tmp_path / "q.toml", tmp_path / "a.nc"
    rows = ("--table", path, "--target", "price", "--leave-out", "city")
    first = say("curve", "measured-spectrum", *ASKED, *rows, "--settings", kept)
    assert f"targets {path}: price are read as numbers" in first.err
    say("curve", "measured-spectrum", *ASKED, *rows, "--out", answer)
    assert say("curve", "--from", kept).out == say("curve", "--from", answer).out == first.out
    assert tomllib.loads(kept.read_text(encoding="utf-8"))["leave_out"] == "city"
    text(tmp_path, FRAME.assign(a=1 + A).to_csv(index=False))
    assert "its numbers have changed since" in refusal(say("curve", "--from", kept))


@pytest.mark.parametrize(
    "command",
    [
        ("sweep", "measured-spectrum", *ASKED[:-1], "4,6"),
        ("turns", "measured-spectrum", "--curve", "flow", "--n", 6),
    ],
    ids=lambda line: line[0],
)  # fmt: skip
def test_other_commands_take_one_table(tmp_path: Path, command: tuple[Any, ...]) -> None:
    path = text(tmp_path, FRAME.to_csv(index=False))
    said = say(*command, "--table", path, "--target", "price", "--features", "a")
    assert (said.status, "price are read as numbers" in said.err) == (0, True), said.err


def test_mine_takes_a_frame_or_a_file_and_its_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teacherstudent.api.plot.draw", lambda *_: None)  # the picture is not in question
    asked: dict[str, Any] = {"n": 6, "seeds": 4, "times": [1.0], "task": "regression"}
    path, kept = text(tmp_path, FRAME.to_csv(index=False)), tmp_path / "q.toml"
    answers = [
        ts.mine(FRAME, target="price", features="a", **asked),
        ts.mine(table=path, target="price", leave_out='city,"b, c"', **asked),
        ts.mine(A, PRICE, **asked),
    ]
    for answer in answers[1:]:
        np.testing.assert_allclose(answer["error"], answers[0]["error"], rtol=1e-12)
    assert answers[1].attrs["remarks"].endswith(f"; targets {path}: price are read as numbers")
    assert answers[1].attrs["remarks"].startswith("column a is sorted from the first row to the last")
    assert '"target": "price", "leave_out": "city,' in answers[1].attrs["one_table"]
    with pytest.raises(InputError, match="its question contained arrays"):
        ts.settings(answers[0])
    kept.write_text(ts.settings(answers[1]), encoding="utf-8")
    again = say("mine", "--from", kept, "--json", "--out", tmp_path / "p.png")
    line = (
        "--target",
        "price",
        "--features",
        "a",
        "--n",
        6,
        "--seeds",
        4,
        "--times",
        1,
        "--task",
        "regression",
    )
    typed = say("mine", path, *line, "--json", "--out", tmp_path / "p.png")
    assert (again.status, typed.status) == (0, 0), (again.err, typed.err)
    assert again.out == typed.out
    assert "--target (missing): must be given with one table: a column of" in refusal(say("mine", path))
    assert "did you mean --target price?" in refusal(say("mine", path, "price"))


def test_the_digest_is_of_names_and_values() -> None:
    assert as_frame(PLAIN) == as_frame(PLAIN.astype("Float64"))
    others = [PLAIN + 1, PLAIN.rename(columns={"a": "d"}), FRAME, PLAIN.assign(a=np.where(A > 1, A, np.nan))]
    assert len({as_frame(each).digest for each in (PLAIN, *others)}) == 5
