"""`sweep` in the shell: grids become dimensions, files appear whole, failures are counted."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.house.certainty import nan_where
from tests.roundings import repeated
from tests.support import kept, refusal, say, wrote

pytestmark = pytest.mark.usefixtures("toy")

PATH = ("sweep", "toy", "--dynamics", "path", "--times", "1:2:2")
GROWN = (*PATH, "--route", "grown", "--strength", "0.5:2:3:lin")


def table(text: str) -> tuple[list[str], list[list[str]]]:
    header, *rows = csv.reader(io.StringIO(text))
    return header, rows


def test_csv_has_a_row_a_point_and_a_column_a_swept_parameter() -> None:
    said = say(*GROWN, "--part", "1:2:2")
    assert (said.status, said.err) == (0, "")
    header, rows = table(said.out)
    assert header == ["strength", "part", "time", "growth", "reason"]
    assert len(rows) == 3 * 2 * 2
    assert rows[-1] == ["2.0", "2", "2.0", "4.0", ""]


def test_several_routes_are_a_dimension_and_errors_stand_before_the_reason() -> None:
    said = say(*PATH, "--route", "grown,drawn", "--strength", "1:2:2", "--seeds", "3")
    header, rows = table(said.out)
    assert header == ["route", "strength", "time", "growth", "growth_stderr", "reason"]
    assert rows[0] == ["grown", "1.0", "1.0", "1.0", "nan", ""]
    assert float(rows[-1][4]) == pytest.approx(1 / np.sqrt(3))


def test_points_are_rows_with_columns_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text('strength,sizes\n1,"5,6"\n0.5,7\n', encoding="utf-8")
    header, rows = table(say(*PATH, "--route", "grown", "--points", file).out)
    assert header == ["point", "time", "strength", "sizes", "growth", "reason"]
    assert rows[0] == ["0", "1.0", "1.0", "[5.0, 6.0]", "1.0", ""]
    assert rows[-1] == ["1", "2.0", "0.5", "[7.0]", "1.0", ""]


@pytest.mark.parametrize("suffix", ["nc", "zarr"])
def test_files_keep_numbers_units_and_provenance(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"answer.{suffix}"
    asked = (*PATH, "--route", "drawn", "--strength", "0.5:2:3", "--seeds", "4", "--out", target)
    assert say(*asked) == (0, "", wrote(target) + kept(target))
    answer = teacherstudent.sweep(
        "toy", dynamics="path", route="drawn", times="1:2:2", strength="0.5:2:3", seeds=4
    )
    opened = xr.open_zarr(target) if suffix == "zarr" else xr.open_dataset(target, engine="h5netcdf")
    with opened as found:
        typed = found.attrs["command"]  # as a command line here, as a call there
        assert repeated(found.load(), answer.assign_attrs(command=typed))
    assert found.attrs.items() >= {"problem": "toy", "route": "drawn", "n_seeds": 4, "first_seed": 0}.items()
    assert say(*asked, "--resume") == (0, "", wrote(target, replacing=True))
    assert sorted(path.name for path in tmp_path.iterdir()) == [target.name, f"{target.name}.cells"]


def test_a_csv_file_holds_what_standard_output_shows(tmp_path: Path) -> None:
    assert say(*GROWN, "--out", tmp_path / "answer.csv").out == ""
    assert (tmp_path / "answer.csv").read_text("utf-8") == say(*GROWN, "--out", "-").out == say(*GROWN).out


def test_resume_starts_where_there_is_nothing_and_goes_on_where_there_is(here: Path) -> None:
    # a long path is cut short where it is shown
    target = Path("answer.nc")
    assert say(*GROWN, "--out", target, "--resume").status == 0
    for existing in (target, Path("answer.nc.cells")):
        line = refusal(say(*GROWN, "--out", target))
        assert line.startswith(f"--out {target}: must be ")
        assert "--resume" in line
        assert (f"; {target}.cells holds " in line) == (existing != target), "what is there, not what is not"
        existing.unlink()
    assert say(*GROWN, "--out", target).status == 0


def test_cells_without_an_answer_are_counted_in_one_line_and_the_others_are_given(
    toy: Any, tmp_path: Path
) -> None:
    def unsure(toy: Any, times: np.ndarray) -> dict[str, Any]:
        return {"growth": nan_where(toy.strength * times > 2, "no\n root", times)}

    toy("unsure", unsure)
    asked = (*PATH, "--route", "unsure", "--strength", "0.5:2:2", "--part", "3:6:4:lin")
    line = (
        "warning: 6 of 8 cells have no finite answer in part or whole: --part 5: must be at most whole = 4 "
        "(2, and 2 other reasons)\n"
    )
    said = say(*asked)
    assert (said.status, said.err) == (0, line)
    _, rows = table(said.out)
    reason = "no root; NaN at 1 of 2 times"
    assert [row[-2:] for row in rows if row[:2] == ["2.0", "3"]] == [["1.0", reason], ["nan", reason]]
    target = tmp_path / "answer.nc"
    assert say(*asked, "--out", target) == (0, "", line + wrote(target) + kept(target))
    again = say(*asked, "--out", target, "--resume")
    assert again == (0, "", line + wrote(target, replacing=True)), "failures are stored too"
