"""Columns of curves that are declared as data: what is drawn how, and which residuals lie beneath."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure as Canvas

from teacherstudent.figures.kit import columns, comparison, residuals, style
from teacherstudent.figures.kit.columns import Column, Trace, traces
from teacherstudent.house.grids import Span
from teacherstudent.paper_checks.judging import agreement
from tests.roundings import repeated, unrounded

ATTRS = {"units": "1", "symbol": "E", "long_name": "risk"}
LOOKS = style.family((1, 2.5), "b = {:g}")


def numbers() -> dict[str, xr.Dataset]:
    """A line, its approximation and draws of it, of one member of the family; a line alone of the other."""
    time = {"time": ("time", [1.0, 10.0], {"units": "steps", "symbol": "k", "long_name": "time"})}
    line = xr.Dataset({"E": ("time", [2.0, 1.0], ATTRS)}, time)
    drawn = line.assign(E_stderr=("time", [0.1, 0.1]), E_minus_asymptotic=("time", [-1.0, 40.0]))
    return {
        "limit_1": line, "law_1": line, "drawn_1": drawn.assign_attrs(n_seeds=4), "limit_2.5": line,
    }  # fmt: skip


def column(**more: object) -> Column:
    return Column("time", "E", traces(numbers(), LOOKS, "limit_{}", "drawn_{}", "law_{}"), **more)


def test_a_family_finds_its_groups_of_numbers_by_their_names() -> None:
    one, other = traces(numbers(), LOOKS, "limit_{}", "drawn_{}", "law_{}")
    assert (one.look, other.look) == tuple(LOOKS.values())
    assert one.drawn is not None
    assert one.rough is not None
    assert other.theory is not None
    assert (other.drawn, other.rough) == (None, None)


def test_theory_is_a_solid_line_an_approximation_dashed_and_a_simulation_markers_with_bars() -> None:
    ((axes, below),) = columns.draw(Canvas(), [column(title="of all", log="xy", ylim=(0.1, 9))])
    dashed, solid, markers, *_, alone = [line for line in axes.get_lines() if len(line.get_xdata())]
    kinds = [(line.get_linestyle(), line.get_marker()) for line in (dashed, solid, markers, alone)]
    assert kinds == [("--", "None"), ("-", "None"), ("None", "o"), ("-", "None")]
    assert len(axes.containers) == 1  # error bars
    assert (axes.get_title(), axes.get_xscale(), axes.get_yscale()) == ("of all", "log", "log")
    assert axes.get_ylim() == (0.1, 9)
    assert (axes.get_ylabel(), below.get_xlabel()) == ("risk $E$ [dimensionless]", "time $k$ [steps]")
    assert (below.get_label(), below.get_ylabel()) == (residuals.PANEL, columns.LIMIT)


@pytest.mark.parametrize(("degrees", "used"), [(columns.FEWEST, 3), (None, None)])
def test_the_band_has_the_degrees_of_the_fewest_draws_unless_errors_are_known(
    degrees: int | None, used: int | None
) -> None:
    ((_, below),) = columns.draw(Canvas(), [column(degrees=degrees)])
    (band,) = below.patches
    assert repeated(band.get_y() + band.get_height(), agreement.quantile(2, used))


def test_residuals_may_be_given_be_left_out_or_belong_to_one_panel_alone() -> None:
    drawn, other = numbers()["drawn_1"], xr.DataArray([3.0], {"time": [5.0]}, ["time"])
    one, two = LOOKS.values()
    shown = [
        Trace(one, drawn=drawn, judged=False),
        Trace(two, drawn=drawn, panel=0),
        Trace(one, drawn=drawn, rest=other),
    ]
    both = {"first": "{y}_minus_asymptotic", "second": "{y}_minus_asymptotic"}
    ((_, first, second),) = columns.draw(Canvas(), [Column("time", "E", shown, residuals=both)])
    seen = [[line.get_ydata().tolist() for line in panel.get_lines()[1:]] for panel in (first, second)]
    assert seen == [[[-1.0, 40.0], [3.0]], [[3.0]]]


def test_columns_that_share_their_axes_name_them_once_and_digits_span_what_is_told() -> None:
    ticks = {"x": Span(1, 10, 2), "y": (1.0, 2.0)}
    (left, _), (right, _) = columns.draw(
        Canvas(), [column(yname="the risk [nat]", ticks=ticks, log="x"), column()], shared=True
    )
    assert (left.get_ylabel(), right.get_ylabel()) == ("the risk [nat]", "")
    assert left.get_yticks().tolist() == [1.0, 2.0]


def test_draws_are_held_against_claims_place_by_place() -> None:
    like = xr.DataArray([1.0, 2.0], {"x": [0.0, 1.0]}, "x", "E", ATTRS)
    sample = np.array([[1.0, 2.0], [3.0, np.nan]])
    found = comparison.draws_minus_theory(sample, like.values, like)
    assert unrounded(found["E"].values, np.array([2.0, 2.0]))
    strict = comparison.draws_minus_theory(sample, like.values, like, skipna=False)
    np.testing.assert_allclose(strict["z"].values[:1], 1.0, rtol=1e-15)  # (2 - 1) over an error of 1
    assert np.isnan(strict["E"].values[1])
    assert (found.attrs["n_seeds"], found["E"].attrs) == (2, ATTRS)


def test_answers_stand_along_a_new_axis_in_the_order_of_its_places() -> None:
    line = numbers()["limit_1"]
    found = comparison.along("width", (2, 3), {"symbol": "K"}, lambda width: width * line)
    assert found["E"].dims == ("width", "time")
    assert unrounded(found["E"].values[:, 0], np.array([4.0, 6.0]))
    assert found["width"].attrs == {"symbol": "K"}
