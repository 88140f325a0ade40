"""Observables on axes of their own become columns, so that no value is written twice."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

import teacherstudent as ts
from teacherstudent.api.writing import as_csv
from teacherstudent.house.text_tables import EXACT
from tests.roundings import copied

ASKED = {"dynamics": "online", "route": "asymptotic", "width": 3, "times": [0.5, 2.0]}


def test_a_row_for_each_time_and_a_column_for_each_element() -> None:
    answer = ts.curve("committee", **ASKED)
    table = pd.read_csv(io.StringIO(as_csv(answer)), **EXACT)
    assert len(table) == 2
    assert len(table.columns) == 1 + 3 * 2 + 3 * 3 + 3 + 2
    for i, j in ((1, 2), (3, 1)):
        assert copied(table[f"R_{i}_{j}"], answer["R"].sel(unit=i, teacher_unit=j))
        assert copied(table[f"Q_{j}_{i}"], answer["Q"].sel(unit=j, other_unit=i))


def test_what_goes_with_an_observable_keeps_its_place_at_the_end_of_the_name() -> None:
    answer = ts.curve("committee", **{**ASKED, "route": "chain", "width": 1}, d=5, seeds=2)
    table = pd.read_csv(io.StringIO(as_csv(answer)), **EXACT)
    assert copied(table["R_1_2_stderr"], answer["R_stderr"].sel(unit=1, teacher_unit=2))


def test_a_sweep_keeps_a_row_for_each_cell_and_time() -> None:
    answer = ts.sweep("committee", learning_rate=[0.5, 1.0], **ASKED)
    table = pd.read_csv(io.StringIO(as_csv(answer)), **EXACT)
    assert [*table.columns[:2]] == ["learning_rate", "time"]
    np.testing.assert_array_equal(table["second_layer_2"], 1.0)
    assert copied(table["R_2_1"], answer["R"].sel(unit=2, teacher_unit=1).values.ravel())
