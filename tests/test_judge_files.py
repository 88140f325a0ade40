"""Draws and theories in files as people write them, and the command `judge`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from tests.support import refusal, say

POINTS = (0.1, 1 / 3, 5.0)
DRAWS = np.round([1000, 2000, 3000] + 9 * np.random.default_rng(0).standard_normal((30, 3)), 2)
THEORY = "point,value\n0.1,1000\n0.333333333,2000\n5,3000\n"


def table(names: str, rows: np.ndarray = DRAWS, ends: str = "") -> str:
    return (
        "\n".join([names, *(",".join([str(i), *map(str, row)]) + ends for i, row in enumerate(rows))]) + "\n"
    )


LINES = [f"{i},{point},{DRAWS[i, j]}" for i in range(30) for j, point in enumerate(POINTS)]
WRITTEN = {
    "one row for each seed": table("seed,0.1,0.333333,5"),
    "an index without a name": table(",0.1,0.3333333333,5.000"),
    "points in another order": table("run,5,0.1,0.3333333", DRAWS[:, [2, 0, 1]]),
    "a text column": table("seed,0.1,0.333333,5,note", ends=",fine"),
    "a number that is no point": table("seed,0.1,0.333333,5,rate", ends=",0.01"),
    "long, in any order": "\n".join(["seed,point,value", *sorted(LINES, key=lambda line: line[::-1])]),
    "thousands": "0.1;0.333333;5\n".join(["seed;", ""])
    + "".join("{};{:,.2f};{:,.2f};{:,.2f}\n".format(i, *row) for i, row in enumerate(DRAWS)),
}  # fmt: skip


SAID = ("a text column", "a number that is no point", "thousands")


@pytest.fixture
def theory(tmp_path: Path) -> Path:
    path = tmp_path / "theory.csv"
    path.write_text(THEORY, encoding="utf-8")
    return path


def written(folder: Path, text: str, name: str = "draws.csv") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("how", WRITTEN)
def test_files_are_read_as_people_write_them(how: str, theory: Path, tmp_path: Path) -> None:
    found = ts.judge(written(tmp_path, WRITTEN[how]), theory)
    expected = ts.judge(DRAWS, [1000, 2000, 3000])
    order = np.argsort(found.points)
    np.testing.assert_allclose(np.array(found.points)[order], POINTS, rtol=1e-5)
    np.testing.assert_allclose(found.residuals[order], expected.residuals, rtol=1e-9)
    assert bool(found.cautions) == (how in SAID)


THEORIES = (
    "1000\n2000\n3000\n",
    "value\n1000\n2000\n3000\n",
    ",0.1,0.333333,5\n0,1000,2000,3000\n",
    "x,y\n5,3000\n7,1\n0.333333,2000\n0.1,1000\n",
)


@pytest.mark.parametrize("text", THEORIES)
def test_a_theory_is_values_or_points_and_values_or_a_row(text: str, tmp_path: Path) -> None:
    draws = written(tmp_path, WRITTEN["one row for each seed"])
    assert ts.judge(draws, written(tmp_path, text, "theory.csv")).agrees


SPOILT = {
    "is .bad.": table("seed,0.1,0.333333,5").replace(str(DRAWS[4, 1]), "bad"),
    "theory.csv: must be at all points of the draws, .*: 0.34 missing": table("seed,0.1,0.34,5"),
    "first line contains the points": "0.1,0.333333,5\n"
    + "\n".join(",".join(map(str, row[::-1])) for row in DRAWS),
    "different points: 0.1[0-9]* occurs twice": table("seed,0.1,0.10000001,5"),
    "more than one row for seed 3": "\n".join(["seed,point,value", *LINES, LINES[9]]),
    "a column point also needs the columns seed": "point,value\n1,2\n1,2.1\n",
    "it is empty": "",
    "infinite": table("seed,0.1,0.333333,5").replace(str(DRAWS[4, 1]), "inf"),
    "two draws or more": table("seed,0.1,0.333333,5", DRAWS[:1]),
}  # fmt: skip


@pytest.mark.parametrize("why", SPOILT)
def test_what_a_file_spoils_is_refused_in_one_line(why: str, theory: Path, tmp_path: Path) -> None:
    line = refusal(say("judge", written(tmp_path, SPOILT[why]), "--theory", theory))
    assert re.match("(DRAWS|--theory) .*" + why, line), line


def test_draws_that_lack_a_value_are_left_out_and_counted(theory: Path, tmp_path: Path) -> None:
    text = WRITTEN["long, in any order"].replace(LINES[40], "13,0.3333333333333333,")
    found = ts.judge(written(tmp_path, text), theory)
    assert found.draws == 29
    assert found.cautions[0].startswith("1 of 30 draws lack a value")
    with pytest.raises(InputError, match="must be a table of numbers"):
        ts.judge(tmp_path / "none.csv", theory)


def test_the_command_says_what_the_function_says(theory: Path, tmp_path: Path) -> None:
    draws = written(tmp_path, WRITTEN["one row for each seed"])
    half = written(tmp_path, THEORY.replace("3000", "1500"), "half.csv")
    pages = ("--out", tmp_path / "page.html", "--plot", tmp_path / "figure.svg")
    asked = ("judge", draws, "--theory", theory, "--effect", "half", "--wrong", f"half={half}")
    said = say(*asked, *pages)
    found = ts.judge(draws, theory, effect="half", wrong={"half": half})
    assert (said.status, said.out.strip()) == (0, str(found))
    assert "</html>" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "</svg>" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
    [record] = json.loads(say(*asked, "--json").out)
    assert record == {"id": str(draws), **found.record()}


def test_the_exit_status_is_1_for_what_is_wrong_and_for_what_is_not_refuted(
    theory: Path, tmp_path: Path
) -> None:
    draws = written(tmp_path, WRITTEN["one row for each seed"])
    near = written(tmp_path, THEORY.replace("3000", "3001"), "near.csv")
    far = written(tmp_path, THEORY.replace("3000", "4000"), "far.csv")
    assert say("judge", draws, "--theory", far).status == 1
    assert say("judge", draws, "--theory", theory, "--wrong", f"near={near}").status == 1
    assert say("judge", draws, "--theory", theory, "--effect", 1).status == 0  # cannot tell
    for line, more in {
        "--wrong a (twice)": ("--theory", theory, "--wrong", f"a={near}", "--wrong", f"a={far}"),
        "--wrong": ("--theory", theory, "--wrong", near),
        "--sizes (missing)": (draws, "--theory", theory),
        "--theory (missing)": (),
    }.items():
        assert refusal(say("judge", draws, *more)).startswith(line)


def test_sizes_are_files_in_their_order(theory: Path, tmp_path: Path) -> None:
    files = [
        written(tmp_path, table("seed,0.1,0.333333,5", DRAWS + 900 / size), f"{size}.csv")
        for size in (40, 10, 20)
    ]
    asked = ("judge", *files, "--sizes", "40,10,20", "--theory", theory, "--effect", 100, "--exponent", 1)
    said = say(*asked)
    assert said.status == 0, said
    assert "declared 1;" in said.out
