"""Any answer becomes a picture that says what was asked: enumerated over the catalogue."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Canvas

import teacherstudent as ts
from teacherstudent.api import plot as plotting
from teacherstudent.figures.answers import aspect, heat, question
from teacherstudent.figures.answers.roles import kind_of, roles_of
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.errors import InputError
from tests.drawing import picture, residual_panels, texts
from tests.roundings import copied, unrounded

CLOCKS = [(kind, clock) for kind in catalogue.problems().values() for clock in kind.dynamics]
FIRST = [(kind, kind.dynamics[0]) for kind in catalogue.problems().values()]
THOROUGH = pytest.mark.thorough


def asked(kind: Problem, clock: Dynamics) -> xr.Dataset:
    """The first example under those dynamics, by every theory that answers it: no program is compiled."""
    known = {each.name for each in (*kind.parameters, *clock.options)}
    values = {name: value for name, value in kind.examples[0].items() if name in known}
    routes: list[Route] = []
    for route in catalogue.routes():
        mine = (route.problem, route.dynamics) == (kind.id, clock.name) and ".theory." in route.entry
        if mine and not route.slow:
            with suppress(InputError):
                ask(kind, clock, [route], values)
                routes.append(route)
    return ask(kind, clock, routes, values)


unsure = pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")


def ask(kind: Problem, clock: Dynamics, routes: list[Route], values: dict[str, Any]) -> xr.Dataset:
    seeds = {"seeds": 2} if any(route.sampled for route in routes) else {}
    names = [route.name for route in routes]
    return ts.curve(kind.id, dynamics=clock.name, route=names, times=[1, 2, 100], **seeds, **values)


@unsure
@pytest.mark.parametrize(
    ("kind", "clock"),
    [
        pytest.param(*each, id=f"{each[0].id}-{each[1].name}", marks=() if each in FIRST else THOROUGH)
        for each in CLOCKS
    ],
)
def test_a_picture_says_what_was_asked(kind: Problem, clock: Dynamics) -> None:
    answer = asked(kind, clock)
    canvas = picture(answer, show=list(question.observables(answer))[-1:])
    written = texts(canvas)
    for phrase in (kind.title, kind.convention, kind.source, *question.fixed(answer)):
        assert phrase
        assert phrase.replace(" ", "") in written.replace("\n", "").replace(" ", ""), phrase
    roles = question.routes_of(answer)
    assert all(f"{route.name}: " in written for route in roles)
    assert all(f"{route.name} is approximate" in written for route in roles if route.approximate)
    along = {axes.get_xlabel() for axes in canvas.findobj(Axes)} - {""}
    upwards = {axes.get_ylabel() for axes in panels(canvas)}
    assert len(along) == 1
    assert all(re.search(r"\w.*\[.+\]$", label, re.DOTALL) for label in along | upwards)


@unsure
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, id=kind.id, marks=THOROUGH if place % 3 else ())
        for place, kind in enumerate(catalogue.problems().values())
    ],
)
def test_nothing_on_a_page_lies_on_anything_else_or_beyond_its_edge(kind: Problem) -> None:
    answer = asked(kind, kind.dynamics[0])
    names = list(question.observables(answer))
    hold_in_its_part(picture(answer, laid_out=True, show=list(dict.fromkeys([names[0], names[-1]]))))


def hold_in_its_part(canvas: Canvas) -> None:
    """Title and legends, panels, and notes each lie in a part of the page of their own."""
    renderer = canvas.canvas.get_renderer()
    for part in canvas.subfigs:
        places = [each.get_tightbbox(renderer) for each in part.axes]
        places += [each.get_window_extent(renderer) for each in (*part.texts, *part.legends)]
        assert places
        for place in places:
            assert part.bbox.x0 <= place.x0 < place.x1 <= part.bbox.x1, part
            assert part.bbox.y0 <= place.y0 < place.y1 <= part.bbox.y1, part


def test_every_problem_states_its_convention() -> None:
    assert all(kind.convention for kind in catalogue.problems().values())


TURNING: dict[str, dict[str, Any]] = {
    "multiscale": {"n": 110, "d": 100, "p": 70, "kappa": 30},
    "measured-spectrum": {"n": 110, "modes": ((70, 0.01, 0.7), (30, 0.01 / 30**2, 0.3))},
}
"""Values at which an error turns twice, by problem; others are asked their example."""


WITH_ROUTE = [each for each in catalogue.turns() if each.route]


@pytest.mark.parametrize("curve", WITH_ROUTE, ids=lambda curve: f"{curve.problem}-{curve.name}")
def test_turns_lie_on_the_curve_of_the_route_that_they_announce(curve: Any) -> None:
    values = TURNING.get(curve.problem) or catalogue.find_problem(curve.problem).examples[0]
    turns = ts.turns(curve.problem, curve=curve.name, **values)
    fixed: dict[str, Any] = dict(dynamics=curve.dynamics, route=curve.route, **values)
    found = ts.curve(curve.problem, times=turns["time"].values, **fixed)[curve.observable]
    assert turns.sizes["turn"] == 2 or curve.problem not in TURNING
    np.testing.assert_allclose(found, turns[curve.observable], rtol=1e-9)


def test_turns_are_marked_on_their_curve() -> None:
    turns = ts.turns("multiscale", curve="printed", n=110, d=100, p=70, kappa=30)
    canvas = picture(turns)
    (axes,) = panels(canvas)
    marks = {line.get_marker(): line for line in axes.lines if len(line.get_xdata()) == 1}
    low, high = (float(turns["time"][i]) for i in range(2))
    assert (marks["v"].get_xdata()[0], marks["^"].get_xdata()[0]) == (low, high)


def test_an_onset_is_drawn_from_both_sides() -> None:
    found = ts.onset("multiscale", curve="printed", n=110, d=100, p=70, kappa=(2, 30))
    numbers = plotting.gathered(found)
    assert copied(numbers[""]["value"], found.value)
    assert [each.sizes["turn"] for name, each in numbers.items() if name.startswith("turns")] == [0, 0, 2, 2]
    canvas = Canvas()
    plotting.draw(canvas, numbers, None, None)
    assert "descents of the excess risk: 1 below, 2 above" in texts(canvas)


# Routes side by side ----------------------------------------------------------------------------------


def panels(canvas: Canvas) -> list[Any]:
    """Axes with numbers, without residual panels and colour bars."""
    return [each for each in canvas.findobj(Axes) if each.get_label() not in ("residuals", "<colorbar>")]


@pytest.fixture
def both(toy: Any) -> xr.Dataset:
    """A toy's theory and its draws, which lie above it: by 0, 1, 2 in draws 0, 1, 2."""
    asked: dict[str, Any] = dict(dynamics="path", times=[1, 2, 3], seeds=3, strength=1)
    return ts.curve("toy", route="grown,drawn", **asked)


def test_several_routes_lie_side_by_side_with_residuals_and_verdicts(both: xr.Dataset) -> None:
    assert list(both.dims) == ["route", "time"]
    assert both["route"].values.tolist() == ["grown", "drawn"]
    error = 1 / np.sqrt(3)
    np.testing.assert_allclose(both["growth"].sel(route="drawn"), [2.0, 3.0, 4.0])
    np.testing.assert_allclose(both["growth_residual"].sel(route="grown"), 1 / error)
    assert both["growth_residual"].sel(route="drawn").isnull().all()
    assert both["growth_stderr"].sel(route="grown").isnull().all()
    assert both.attrs["kind"] == "curve"
    from teacherstudent.api.agreement import sentences

    (line,) = sentences(both)
    assert line.startswith("growth: too few draws to tell at 3 of 3 points: errors up to ")
    seen = "no disagreement seen between drawn and grown: largest residual 1.7 standard errors, 173 allowed"
    assert line.endswith(seen)


def test_the_same_draws_are_compared_draw_by_draw(toy: Any) -> None:
    toy("twin", lambda toy, times, seeds: {"growth": [[t + s for t in times] for s in seeds]}, sampled=True)
    found = ts.curve("toy", dynamics="path", route="drawn,twin", times=[1, 2], seeds=3, strength=1)
    from teacherstudent.api.agreement import sentences

    said = "growth: drawn and twin differ by at most 0; no standard error judges that"
    assert sentences(found) == [said]
    means = [found["growth"].sel(route=route) for route in ("drawn", "twin")]
    assert unrounded(means[0].values, means[1].values)


def test_routes_that_draw_nothing_say_how_far_apart_they_are(toy: Any) -> None:
    toy("bent", lambda toy, times: {"growth": times**2})
    found = ts.curve("toy", dynamics="path", route=["grown", "bent"], times=[1, 3], strength=1)
    from teacherstudent.api.agreement import sentences

    said = "growth: grown and bent differ by at most 6; neither has standard errors by which to judge"
    assert sentences(found) == [said]


def test_theory_is_solid_an_approximation_dashed_and_residuals_are_below(toy: Any) -> None:
    toy("rough", lambda toy, times: {"growth": times + 0.1}, approximate="it is not exact")
    asked: dict[str, Any] = dict(dynamics="path", times=[1, 2, 3], seeds=3, strength=1)
    toy("coarse", lambda toy, times: {"growth": times + 0.2}, approximate="nor is it")
    answer = ts.curve("toy", route="grown,rough,coarse,drawn", **asked)
    canvas = picture(answer)
    (axes,) = panels(canvas)
    lines = {tuple(line.get_ydata().round(6)[:1]): line.get_linestyle() for line in axes.lines}
    assert lines[(1.0,)] == "-"
    assert lines[(1.1,)] == lines[(1.2,)] == "--"
    dashes = {
        role.entry(True, False).drawn["dashes"] for role in roles_of(answer) if role.kind == "approximate"
    }
    assert len(dashes) == 2
    below = residual_panels(canvas)
    assert [each.get_ylabel().split("\n")[0] for each in below] == [
        f"drawn − {name}" for name in ("grown", "rough", "coarse")
    ]
    assert "rough is approximate: it is not exact" in texts(canvas)


def test_a_long_name_of_a_route_stays_beside_its_residuals(toy: Any) -> None:
    toy("gaussian-equivalent", lambda toy, times: {"growth": times + 0.1})
    answer = ts.curve(
        "toy", dynamics="path", times=[1, 2], seeds=3, strength=1, route="gaussian-equivalent,drawn"
    )
    canvas = picture(answer, laid_out=True)
    (below,) = residual_panels(canvas)
    label, panel = below.yaxis.label.get_window_extent(), below.get_window_extent()
    assert label.height < 1.2 * panel.height


def test_a_simulation_is_one_by_its_room() -> None:
    kinds = {(kind_of(route), ".sims." in route.entry) for route in catalogue.routes()}
    assert kinds == {("simulated", True), ("exact", False), ("approximate", False)}


def test_lines_beside_draws_are_smooth_unless_the_numbers_were_changed(both: xr.Dataset) -> None:
    dense = plotting.gathered(both)["dense"]
    assert dense.sizes["time"] > 100
    assert dense["time"].isin([1, 2, 3]).sum() == 3
    np.testing.assert_allclose(dense["growth"], dense["time"])
    changed = both.assign(growth=2 * both["growth"])
    assert "dense" not in plotting.gathered(changed)


# Families and planes ---------------------------------------------------------------------------------


def swept(**values: Any) -> xr.Dataset:
    return ts.sweep("toy", dynamics="path", route="grown", times=[1, 2, 4], **values)


@pytest.mark.usefixtures("toy")
def test_one_swept_parameter_makes_a_family_with_a_legend_or_a_colour_bar() -> None:
    few, many = (picture(swept(strength=f"0.1:1:{count}")) for count in (3, 12))
    for canvas, count in ((few, 3), (many, 12)):
        (axes,) = panels(canvas)
        colours = [to_hex(line.get_color()) for line in axes.lines]
        assert len(set(colours)) == count
        assert all(line.get_ydata()[2] == pytest.approx(4 * line.get_ydata()[0]) for line in axes.lines)
    assert "$g$ = 0.3162" in texts(few)
    assert not few.findobj(lambda each: each.get_label() == "<colorbar>")
    assert many.findobj(lambda each: each.get_label() == "<colorbar>")


def test_routes_have_no_colours_where_colours_tell_units_apart() -> None:
    """Not in the panels beside either, which have one curve a route: line styles tell them apart."""
    routes = ("asymptotic", "symmetric")
    answer = ts.curve("committee", dynamics="online", route=",".join(routes), times=[1, 2, 4])
    picture = ts.plot(answer, show="Q,excess_risk")
    entries = {
        text.get_text().partition(":")[0]: line
        for legend in picture.legends + [each for sub in picture.subfigs for each in sub.legends]
        for line, text in zip(legend.get_lines(), legend.get_texts(), strict=True)
    }
    (alone,) = (axes for axes in picture.axes if axes.get_ylabel().startswith("excess risk"))
    drawn = {(line.get_color(), line.get_linestyle()) for line in alone.get_lines()}
    assert drawn == {(entries[name].get_color(), entries[name].get_linestyle()) for name in routes}
    assert {colour for colour, _ in drawn} == {"0.3"}
    assert len(drawn) == len(routes)


@pytest.mark.usefixtures("toy")
def test_two_swept_parameters_make_shades_in_their_places() -> None:
    answer = swept(strength=[0.5, 1.0, 2.0], whole=[4, 5])
    canvas = picture(answer, of="growth@2")
    (mesh,) = canvas.findobj(lambda each: hasattr(each, "get_coordinates"))[:1]
    assert mesh.get_array().tolist() == [[1.0, 2.0, 4.0]] * 2
    assert panels(canvas)[0].get_xlabel().startswith("a number $g$")
    assert "at $u$ = 2" in texts(canvas)
    assert heat.edges("log", np.array([1.0, 4.0])) == pytest.approx([0.5, 2.0, 8.0])
    assert heat.edges("linear", np.array([1.0, 4.0])) == pytest.approx([-0.5, 2.5, 5.5])


def curves(*values: list[float]) -> xr.DataArray:
    return xr.DataArray(list(values), dims=("kappa", "time"))


def test_descents_are_counted_and_rounding_is_not() -> None:
    some = curves([4, 3, 2, 1], [4, 2, 3, 1], [1, 2, 3, 4], [4, 1, 1 + 1e-12, 1], [4, 2, np.nan, 1])
    found = aspect.descents(some).values
    np.testing.assert_array_equal(found, [1, 2, 0, 1, np.nan])


def test_the_best_of_an_error_is_the_least_and_of_an_accuracy_the_most() -> None:
    names = {each.name: each.best for kind in catalogue.problems().values() for each in kind.observables}
    assert names["excess_risk"] == "least"
    assert names["worst_group_accuracy"] == "most"
    asked: dict[str, Any] = dict(dynamics="flow", route="asymptotic", times=[1, 100, 1e4], n=20, d=10, p=5)
    answer = ts.sweep("multiscale", kappa=[1, 30], noise=1.0, **asked)
    least = aspect.taken(answer, aspect.read("best", question.observables(answer)))
    assert copied(least["excess_risk"], answer["excess_risk"].min("time"))


# Files and notebooks -------------------------------------------------------------------------------


def test_a_picture_lies_beside_its_numbers(both: xr.Dataset, tmp_path: Path) -> None:
    canvas = ts.plot(both, tmp_path / "a.png")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.nc", "a.png"]
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with xr.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as kept:
        assert copied(kept.load(), both)
    assert canvas._repr_png_().startswith(b"\x89PNG")  # a notebook shows it without pyplot


@pytest.mark.parametrize(
    ("file", "show", "wrong"), [("a.nc", None, "--plot"), ("a.jpg", None, "--plot"), ("a.png", "x", "--show")]
)
def test_what_cannot_be_drawn_leaves_no_file(
    both: xr.Dataset, tmp_path: Path, file: str, show: str | None, wrong: str
) -> None:
    with pytest.raises(InputError, match=f"^{wrong} "):
        ts.plot(both, tmp_path / file, show=show)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("answer", [3, xr.Dataset(), xr.Dataset(attrs={"kind": "cake"})])
def test_what_is_no_answer_is_refused(answer: Any) -> None:
    with pytest.raises(InputError, match=r"^--answer .*must be an answer of this package"):
        ts.plot(answer)


@pytest.mark.parametrize(("more", "wrong"), [({"show": 3}, "--show 3"), ({"of": 3}, "--of 3")])
@pytest.mark.usefixtures("toy")
def test_what_is_no_choice_is_refused(more: dict[str, Any], wrong: str) -> None:
    with pytest.raises(InputError, match=f"^{wrong}: must be "):
        ts.plot(swept(strength=[0.5, 1.0]), **more)


def test_an_answer_that_lost_its_attributes_is_refused(both: xr.Dataset) -> None:
    with pytest.raises(InputError, match=r"^--answer .*kept its attributes problem, dynamics, route, fixed$"):
        ts.plot(xr.Dataset(both.data_vars, attrs={"kind": "curve"}))
