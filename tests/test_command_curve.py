"""`curve` prints and writes exactly what the route computed, or nothing at all."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.api.curve import curve_or_arrays
from teacherstudent.api.writing import as_csv, netcdf
from teacherstudent.house.control_characters import escape_control_characters, in_one_line
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.labelled import Labelled
from teacherstudent.house.text_tables import EXACT
from tests.roundings import copied, repeated, same, unrounded
from tests.support import refusal, say, wrote
from tools.nested import ROOT

pytestmark = pytest.mark.usefixtures("toy")

PATH = ("curve", "toy", "--strength", "0.3", "--dynamics", "path")


def table(text: str) -> tuple[list[str], np.ndarray]:
    header, *rows = csv.reader(io.StringIO(text))
    return header, np.array(rows, dtype=float)


def test_multiscale_columns_are_those_that_scripts_rely_on() -> None:
    asked = ("--dynamics", "flow", "--times", "1:10:2", "--n", "12", "--d", "8", "--p", "4")
    header, rows = table(say("curve", "multiscale", "--route", "asymptotic", *asked).out)
    assert header == ["time", "R", "Q", "excess_risk"]
    assert rows[:, 0].tolist() == [1.0, 10.0]
    header, _ = table(say("curve", "multiscale", "--route", "instance", "--seeds", "2", *asked).out)
    assert header == ["time", "R", "Q", "excess_risk", "R_stderr", "Q_stderr", "excess_risk_stderr"]


def test_csv_reads_back_to_the_last_digit() -> None:
    said = say(*PATH, "--route", "grown", "--times", "0.1:7:5")
    assert (said.status, said.err) == (0, "")
    answer = teacherstudent.curve("toy", dynamics="path", route="grown", strength=0.3, times="0.1:7:5")
    _, rows = table(said.out)
    assert copied(rows[:, 0], answer.time)
    assert copied(rows[:, 1], answer.growth)


def test_an_observable_with_an_axis_of_its_own_gets_one_row_a_point() -> None:
    said = say(*PATH, "--route", "modes", "--times", "1:2:2", "--sizes", "5,7,9")
    header, rows = table(said.out)
    assert header == ["time", "mode", "growth", "modes"]
    expected = [[t, m, 0.3 * t, t * (3 + 2 * m)] for t in (1, 2) for m in (1, 2, 3)]
    assert same(rows, expected, roundings=1)


def test_a_sampled_route_gives_means_and_their_standard_errors() -> None:
    said = say(*PATH, "--route", "drawn", "--times", "1:2:2", "--seeds", "3", "--seed", "10")
    header, rows = table(said.out)
    assert header == ["time", "growth", "growth_stderr"]
    np.testing.assert_allclose(rows[:, 1], [11.3, 11.6])
    np.testing.assert_allclose(rows[:, 2], 1 / np.sqrt(3))


def test_seeds_and_times_have_defaults_that_the_help_states() -> None:
    answer = teacherstudent.curve("toy", dynamics="path", route="drawn", strength=1)
    shown = say("curve", "toy", "--help").out
    assert (answer.attrs["n_seeds"], answer.attrs["first_seed"]) == (20, 0)
    assert f"default {answer.attrs['n_seeds']}" in shown
    assert copied((answer.time.values[0], answer.time.values[-1], answer.time.size), (1.0, 1e4, 50))
    assert "1:10000:50:log" in shown.replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("times", ["1:4:3:lin", Span(1, 4, 3, "lin"), [1, 2.5, 4], np.array([1, 2.5, 4])])
def test_python_takes_times_as_text_span_or_list(times: Any) -> None:
    answer = teacherstudent.curve("toy", dynamics="path", route="grown", strength=1, times=times)
    assert unrounded(answer.time, [1.0, 2.5, 4.0])


def test_netcdf_keeps_numbers_units_and_provenance(tmp_path: Path) -> None:
    target = tmp_path / "answer.nc"
    assert say(*PATH, "--route", "drawn", "--seeds", "4", "--out", target) == (0, "", wrote(target))
    with xr.open_dataset(target, engine="h5netcdf") as kept:
        answer = teacherstudent.curve("toy", dynamics="path", route="drawn", strength=0.3, seeds=4)
        typed = kept.attrs["command"]  # as a command line here, as a call there
        assert repeated(kept.load(), answer.assign_attrs(command=typed))
    assert {"problem", "instance", "route", "n_seeds", "first_seed", "teacherstudent"} <= answer.attrs.keys()
    assert [path.name for path in tmp_path.iterdir()] == ["answer.nc"]


def test_netcdf_without_xarray_is_what_xarray_writes() -> None:
    asked = {**ONLINE, "route": "chain", "width": 1, "d": 5, "seeds": 2}
    answer = curve_or_arrays("committee", **asked)
    assert isinstance(answer, Labelled)
    assert bytes(netcdf({"": answer})) == bytes(netcdf({"": answer.dataset()}))


def test_a_csv_file_holds_what_standard_output_shows(tmp_path: Path) -> None:
    asked = (*PATH, "--route", "grown", "--times", "1:3:3")
    assert say(*asked, "--out", tmp_path / "answer.csv").out == ""
    assert (tmp_path / "answer.csv").read_text("utf-8") == say(*asked, "--out", "-").out == say(*asked).out


@pytest.mark.parametrize("name", ["answer.csv", "answer.nc"])
@pytest.mark.parametrize("before", [None, "an earlier answer"])
def test_a_route_that_fails_midway_leaves_no_file_and_no_damage(
    toy: Any, tmp_path: Path, name: str, before: str | None
) -> None:
    def failing(toy: Any, times: Any) -> dict[str, Any]:
        raise RuntimeError("midway")

    toy("failing", failing)
    target = tmp_path / name
    if before:
        target.write_text(before, encoding="utf-8")
    said = say(*PATH, "--route", "failing", "--out", target)
    assert (said.status, said.out) == (70, "")
    line = r"error: route toy/path/failing failed \(RuntimeError: midway\); traceback in (.+)\n"
    (kept,) = re.fullmatch(line, said.err).groups()
    assert 'raise RuntimeError("midway")' in Path(kept).read_text(encoding="utf-8")
    assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == ([before] if before else [])


def test_python_refuses_with_the_same_line_as_the_shell() -> None:
    with pytest.raises(InputError) as caught:
        teacherstudent.curve("toy", dynamics="path", route="grown", strength=3.0)
    said = say("curve", "toy", "--strength", "3.0", "--dynamics", "path", "--route", "grown")
    assert refusal(said) == str(caught.value) == "--strength 3.0: must be a finite number > 0 and <= 2"


ONLINE = {"dynamics": "online", "route": "asymptotic", "width": 3, "times": [0.5, 2.0]}


def test_a_row_for_each_time_and_a_column_for_each_element() -> None:
    answer = teacherstudent.curve("committee", **ONLINE)
    table = pd.read_csv(io.StringIO(as_csv(answer)), **EXACT)
    assert len(table) == 2
    assert len(table.columns) == 1 + 3 * 2 + 3 * 3 + 3 + 2
    for i, j in ((1, 2), (3, 1)):
        assert copied(table[f"R_{i}_{j}"], answer["R"].sel(unit=i, teacher_unit=j))
        assert copied(table[f"Q_{j}_{i}"], answer["Q"].sel(unit=j, other_unit=i))


def test_what_goes_with_an_observable_keeps_its_place_at_the_end_of_the_name() -> None:
    answer = teacherstudent.curve("committee", **{**ONLINE, "route": "chain", "width": 1}, d=5, seeds=2)
    table = pd.read_csv(io.StringIO(as_csv(answer)), **EXACT)
    assert copied(table["R_1_2_stderr"], answer["R_stderr"].sel(unit=1, teacher_unit=2))


def test_a_sweep_keeps_a_row_for_each_cell_and_time() -> None:
    answer = teacherstudent.sweep("committee", learning_rate=[0.5, 1.0], **ONLINE)
    table = pd.read_csv(io.StringIO(as_csv(answer)), **EXACT)
    assert [*table.columns[:2]] == ["learning_rate", "time"]
    np.testing.assert_array_equal(table["second_layer_2"], 1.0)
    assert copied(table["R_2_1"], answer["R"].sel(unit=2, teacher_unit=1).values.ravel())


ASKED: dict[str, Any] = {
    "dynamics": "flow",
    "route": "instance",
    "times": [1.0, 2.0],
    "n": 12,
    "scales": "4:1",
}


def test_what_steers_a_terminal_is_escaped() -> None:
    assert escape_control_characters("a\tb\nä λ \udcff") == "a\tb\nä λ \udcff"
    assert (
        escape_control_characters("\x1b[2J\r\x07\x9b\u202e\u2066\u200b\x7f")
        == r"\x1b[2J\r\x07\x9b\u202e\u2066\u200b\x7f"
    )
    assert in_one_line(" a\r\nb\x1b ") == r"a b\x1b"


def test_commands_print_by_one_function_that_escapes() -> None:
    """Tables and headings have colours, and escape what is in their cells."""
    for path in (ROOT / "teacherstudent" / "cli").rglob("*.py"):
        if path.name not in ("streams.py", "tables.py"):
            assert not re.search(r"click\.echo|\bprint\(|std(out|err)\.write", path.read_text("utf-8")), path


def test_attributes_of_an_answer_are_shown_escaped(tmp_path: Path) -> None:
    theory, drawn = (teacherstudent.curve("multiscale", seeds=2, seed=seed, **ASKED) for seed in (0, 9))
    for each in drawn.data_vars.values():
        each.attrs["units"] = "\x1b[2J\u202e1"
    drawn.to_netcdf(tmp_path / "a.nc", engine="h5netcdf")
    theory.to_netcdf(tmp_path / "b.nc", engine="h5netcdf")
    said = say("compare", tmp_path / "a.nc", tmp_path / "b.nc")
    assert r"\x1b[2J\u202e1" in said.out
    assert all(line.isprintable() for line in (said.out + said.err).splitlines())
