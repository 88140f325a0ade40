"""What an answer by several routes, and its picture, claim about them is so, and says what it leaves out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import same_color
from matplotlib.figure import Figure as Canvas

import teacherstudent as ts
from teacherstudent.api.agreement import sentences
from teacherstudent.figures.answers import question, scales
from teacherstudent.figures.kit import style
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.errors import InputError
from tests.drawing import picture, residual_panels, texts
from tests.support import refusal, say

ASKED: dict[str, Any] = dict(dynamics="path", times=[1, 2, 3], strength=1)
PROBLEMS = list(catalogue.problems().values())


# Several routes ---------------------------------------------------------------------------------------


def test_what_is_exact_in_a_limit_says_so_where_it_disagrees(toy: Any) -> None:
    toy("far", lambda toy, times: {"growth": times + 1000}, exact_for="limit")
    toy("late", lambda toy, times: {"growth": times + 1000}, exact_for="end")
    toy("rough", lambda toy, times: {"growth": times + 1000}, approximate="a guess")
    toy("wrong", lambda toy, times: {"growth": times + 1000})
    found = ts.curve("toy", route="far,late,rough,wrong,drawn", seeds=3, **ASKED)
    ends = [line.partition("; detectable")[2].partition("; ")[2] for line in sentences(found)]
    assert all("disagrees" in line for line in sentences(found))
    assert ends == [
        "far is the limit of infinite sizes and not exact at finite sizes",
        "late is exact only at the end of training",
        "rough is approximate",
        "",
    ]
    band = "range of residuals (99.99 %); far is the limit of infinite sizes and not exact at finite sizes"
    assert band in texts(picture(ts.curve("toy", route="far,drawn", seeds=3, **ASKED)))


def test_a_limit_that_agrees_is_not_excused(toy: Any) -> None:
    toy("near", lambda toy, times: {"growth": times + 1}, exact_for="limit")
    (line,) = sentences(ts.curve("toy", route="near,drawn", seeds=3, **ASKED))
    assert "no disagreement seen between drawn and near" in line
    assert "limit" not in line


def test_the_sizes_that_are_finite_are_named() -> None:
    asked: dict[str, Any] = dict(dynamics="flow", times=[1, 100], n=6, d=4, p=2, kappa=9, seeds=400)
    lines = sentences(ts.curve("multiscale", route="asymptotic,instance", **asked))
    disagreeing = [line for line in lines if "disagrees" in line]
    assert disagreeing
    assert all(line.endswith("finite sizes (here n = 6, d = 4, p = 2)") for line in disagreeing)


def test_learning_rates_that_differ_are_named() -> None:
    """A limit's own rate is one; every draw has its own."""
    asked: dict[str, Any] = dict(dynamics="descent", times=[1, 10], n=6, d=4, p=2, kappa=9, seeds=400)
    lines = sentences(ts.curve("multiscale", route="asymptotic,instance", **asked))
    disagreeing = [line for line in lines if "disagrees" in line]
    assert disagreeing
    assert all("--learning-rate auto is one rate there" in line for line in disagreeing)
    lines = sentences(ts.curve("multiscale", route="asymptotic,instance", **asked, learning_rate=0.05))
    assert not any("--learning-rate" in line for line in lines)


def test_residuals_are_named_after_the_route_that_they_are_of(toy: Any) -> None:
    found = ts.curve("toy", route="grown,drawn", seeds=3, **ASKED)
    alone = [ts.sample("toy", route="drawn", seeds=3, **ASKED), ts.curve("toy", route="grown", **ASKED)]
    compared = ts.compare(*alone)
    assert found["growth_residual"].attrs["long_name"] == "drawn minus this route"
    assert compared.residuals["growth"].attrs["long_name"] == "drawn minus grown"
    for answer in (found, compared):
        (panel,) = residual_panels(picture(answer))
        assert panel.get_ylabel() == "drawn − grown\n[std. errors]"


def test_what_a_route_does_not_give_is_said_to_be_not_compared(toy: Any) -> None:
    def both(toy: Any, times: Any, seeds: Any) -> dict[str, Any]:
        noise = np.arange(len(seeds))[:, None]
        return {"growth": times + noise, "modes": (times + noise)[..., None] * toy.sizes}

    toy("fuller", both, sampled=True, gives=())
    found = ts.curve("toy", route="grown,fuller", seeds=3, **ASKED)
    first, second = sentences(found)
    assert first.startswith("growth: too few draws to tell at ")
    assert "between fuller and grown" in first
    assert second == "modes: fuller not compared with grown: grown does not give it"
    _, empty = residual_panels(picture(found))
    assert [each.get_text() for each in empty.texts] == ["grown does not give this"]
    assert len(empty.get_yticks()) == 0


def test_routes_without_chance_between_them_still_say_how_far_apart_they_are(toy: Any) -> None:
    toy("sure", lambda toy, times, seeds: {"growth": [times for _ in seeds]}, sampled=True)
    found = ts.curve("toy", route="grown,sure", seeds=3, **ASKED)
    said = "growth: sure and grown differ by at most 0; no standard error judges that"
    assert sentences(found) == [said]
    assert not residual_panels(picture(found))


def test_noise_as_large_as_the_value_is_said_first(toy: Any) -> None:
    """Of 40 draws: the few that 20 or more never lead with, but what is allowed exceeds the value."""
    toy("noisy", lambda toy, times, seeds: {"growth": [times + 20 * (-1) ** s for s in seeds]}, sampled=True)
    found = ts.curve("toy", route="grown,noisy", seeds=40, **ASKED)
    (line,), (stated,) = sentences(found), json.loads(found.attrs["agreement"])
    said = "errors up to 15, larger than the value, would pass; no disagreement seen between noisy and grown"
    assert line.startswith(f"growth: too noisy to tell at 3 of 3 points: {said}: ")
    assert list(stated)[3:7] == ["undecided", "points", "too_few_draws", "agrees"]
    assert [stated["undecided"], stated["points"]] == [3, 3]
    assert any("too few draws to judge grown" in each for each in question.doubts(found))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("route", ["grown,grown", ["grown", "drawn", "grown"]])
@pytest.mark.parametrize("ask", [ts.curve, ts.sweep])
def test_a_route_that_is_asked_twice_is_refused(ask: Any, route: Any) -> None:
    with pytest.raises(InputError, match=r"^--route grown,.*: must be different routes; grown is"):
        ask("toy", route=route, **ASKED)


@pytest.mark.usefixtures("toy")
def test_a_curve_is_not_compared_with_a_sweep() -> None:
    measured = ts.curve("toy", route="drawn", seeds=3, **ASKED)
    swept = ts.sweep("toy", route="grown", **{**ASKED, "strength": [0.5, 1.0]})
    with pytest.raises(
        InputError, match=r"^--theory \(axis strength in the theory only\): .*strength=\.\.\."
    ):
        ts.compare(measured, swept)
    draws = ts.sweep("toy", route="drawn", seeds=3, **{**ASKED, "strength": [0.5, 1.0]})
    with pytest.raises(InputError, match=r"^--theory \(axis strength in the simulation only\)"):
        ts.compare(draws, ts.curve("toy", route="grown", **ASKED))


# One number of each curve -------------------------------------------------------------------------------


@pytest.mark.usefixtures("toy")
def test_single_numbers_have_markers_and_no_line_between() -> None:
    answer = ts.sweep("toy", route="grown,modes", **{**ASKED, "strength": [0.5, 1.0, 2.0]})
    canvas = picture(answer, of="growth@end")
    lines = [line for line in canvas.axes[0].lines if len(line.get_xdata()) == 3]
    assert [line.get_linestyle() for line in lines] == ["None", "None"]
    assert len({line.get_marker() for line in lines} - {"None"}) == 2
    legends = canvas.findobj(lambda each: hasattr(each, "legend_handles"))
    entries = [each for legend in legends for each in legend.legend_handles]
    assert [(each.get_linestyle(), each.get_marker()) for each in entries] == [
        ("None", line.get_marker()) for line in lines
    ]
    pairs = zip(entries, lines, strict=True)
    assert all(same_color(each.get_color(), line.get_color()) for each, line in pairs)
    assert "from 3 recorded times, 1 to 3" in texts(canvas)


@pytest.mark.usefixtures("toy")
def test_each_observable_has_a_panel_over_a_parameter() -> None:
    """Also those of a single time, of which one number is all there is."""
    once: dict[str, Any] = {**ASKED, "times": [2.0], "strength": [0.5, 1.0, 2.0]}
    answer = ts.sweep("toy", route="modes", **once)
    panels = {each.get_ylabel().partition(" ")[0] for each in picture(answer).axes}
    assert len(panels) == 2
    assert "at the only recorded time, 2" in texts(picture(answer))
    assert len(picture(answer, show=["growth"]).axes) == 1
    assert len(picture(answer, of="growth@end").axes) == 1
    assert len(picture(answer, show=["growth", "modes"], of="end").axes) == 2


@pytest.mark.usefixtures("toy")
def test_shades_are_of_one_observable(tmp_path: Path) -> None:
    answer = ts.sweep("toy", route="modes", **{**ASKED, "strength": [0.5, 1.0], "part": [1, 2]})
    with pytest.raises(
        InputError, match=r"^--show growth,modes: must be one observable where two parameters"
    ):
        picture(answer, show=["growth", "modes"])
    command = (
        "sweep toy --dynamics path --route modes --strength 0.5,1 --part 1,2 --times 1,2 --show growth,modes"
    )
    said = refusal(say(*command.split(), "--plot", tmp_path / "shades.png"))
    assert said.startswith("--show growth,modes: must be one observable where two parameters are swept")


def test_numbers_along_an_axis_of_few_decades_stand_apart() -> None:
    canvas = Canvas()
    FigureCanvasAgg(canvas)
    axes = canvas.subplots()
    scales.along(axes, xr.DataArray(np.geomspace(0.2, 8, 41), dims="ratio"))
    axes.set_xlim(0.2, 8)
    canvas.draw_without_rendering()
    labels = [each.get_text() for each in axes.get_xticklabels() if each.get_text()]
    assert {"0.5", "1", "2", "5"} <= {*labels}
    assert not any(each.get_text() for each in axes.get_xticklabels(minor=True))


@pytest.mark.usefixtures("toy")
def test_counts_have_whole_ticks() -> None:
    answer = ts.sweep("toy", route="grown", **{**ASKED, "strength": [0.5, 1.0]})
    canvas = picture(answer, of="growth@descents")
    ticks = canvas.axes[0].get_yticks()
    assert 0 in ticks
    assert (ticks == np.rint(ticks)).all()


# Words on a picture ---------------------------------------------------------------------------------


def declared(kind: Problem) -> list[Any]:
    """Everything that may stand along an axis: parameters, options, times, observables."""
    clocks = [each for clock in kind.dynamics for each in (*clock.options, clock.time)]
    own = [each for route in catalogue.routes() if route.problem == kind.id for each in route.options]
    return [*kind.parameters, *dict.fromkeys([*clocks, *own]), *kind.observables]


def attributed(symbol: str, unit: str, meaning: str) -> xr.DataArray:
    return xr.DataArray([1.0], attrs={"symbol": symbol, "units": unit, "long_name": meaning})


@pytest.mark.parametrize("kind", PROBLEMS, ids=lambda kind: kind.id)
def test_labels_of_axes_are_whole(kind: Problem) -> None:
    for each in declared(kind):
        label = scales.label(attributed(each.symbol, each.unit, each.meaning))
        for opening, closing in ("()", "[]", "{}"):
            assert label.count(opening) == label.count(closing), label
        assert not label.split(" $")[0].endswith((",", ":", ";")), label


def test_a_label_ends_before_a_formula_and_keeps_what_is_in_brackets() -> None:
    assert style.heading("coupling of both: U = [[c, d], [d, c]], of two") == "coupling of both"
    assert style.heading("time (auto: short, as a step); the limit is 0") == "time (auto: short, as a step)"
    assert style.heading("first of two: how often") == "first of two: how often"


def test_a_symbol_is_no_factor_of_what_it_stands_for() -> None:
    law = ts.spectrum("multiscale", n=8, d=4, p=2)
    label = style.axis_label(law["eigenvalue"])
    assert label.startswith(r"eigenvalue $\lambda$ of $X^TX$ [")


@pytest.mark.parametrize("kind", PROBLEMS, ids=lambda kind: kind.id)
def test_a_letter_does_not_stand_for_a_parameter_alone(kind: Problem) -> None:
    for each in kind.parameters:
        written = question.named(each, 1.5)
        words = each.name.replace("_", " ")
        letters = question.symbol(each).strip("$").replace("\\", "")
        assert written.startswith(words) or letters == words, written


@pytest.mark.parametrize("kind", PROBLEMS, ids=lambda kind: kind.id)
def test_no_symbol_is_spelled_as_a_product_of_letters(kind: Problem) -> None:
    for each in declared(kind):
        if "$" in (
            written := style.mathematics(each.symbol) if each in kind.observables else question.symbol(each)
        ):
            left = re.sub(r"\\mathrm\{\w+\}|\\[a-z]+", "", written)
            assert not re.search(r"[A-Za-z]{3,}", left), written


def test_fixed_parameters_are_told_in_words() -> None:
    asked: dict[str, Any] = dict(dynamics="descent", route="asymptotic", times=[1], n=8, d=4, p=2)
    listed = list(question.fixed(ts.curve("multiscale", **asked)))
    assert {"output penalty $a$ = 0", "output penalty decay $r$ = 0", "$d$ = 4 features"} <= set(listed)
