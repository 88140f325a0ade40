"""The lessons' pictures show what they are given, and their controls cannot stand where nothing is."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent as ts
from teacherstudent.lessons import kit
from teacherstudent.lessons.kit.axes import greek, markup, round_values
from teacherstudent.lessons.kit.charts import svg
from teacherstudent.lessons.kit.marks import BAND, GRID, GROUND, INK, MUTED, curve
from teacherstudent.lessons.kit.teaching import Taught

FLAT = kit.Axis("height h [1]")


def drawn(*marks: object, x: kit.Axis = FLAT, y: kit.Axis = FLAT) -> ET.Element:
    """The picture of one panel as a tree."""
    return ET.fromstring(svg([kit.Panel(x, y, marks)], "a picture"))


def texts(picture: ET.Element) -> list[str]:
    """Everything that is written in a picture."""
    return ["".join(each.itertext()).replace("\u200b", "") for each in picture.iter("text")]


def path(picture: ET.Element, kind: str = "theory") -> str:
    """The way of the line of that class."""
    return next(each.attrib["d"] for each in picture.iter("path") if each.get("class") == kind)


def places(way: str) -> np.ndarray:
    """Points of a path of absolute moves, lines and cubic segments, (T, 2)."""
    return np.array([[float(at) for at in one.split()[-2:]] for one in re.split("[MLC]", way)[1:]])


def test_a_line_is_drawn_to_scale() -> None:
    x = np.linspace(0, 1, 11)
    at = places(path(drawn(kit.Line(x, x**2, kit.LOOKS[0]))))
    across, up = (at[:, i] - at[0, i] for i in (0, 1))
    # coordinates are written to a tenth
    assert np.abs(across / across[-1] - x).max() < 0.2 / across[-1]
    assert np.abs(up / up[-1] - x**2).max() < 0.2 / abs(up[-1])


def test_a_logarithmic_axis_spaces_decades_evenly_and_leaves_out_what_has_no_place() -> None:
    y = np.array([1e-3, 1e-2, 0.0, 1e-1, 1.0])
    log = kit.Axis("risk", "log")
    way = path(drawn(kit.Line(np.arange(5.0), y, kit.LOOKS[0]), y=log))
    assert re.sub(r"[^ML]", "", way) == "MLML"
    assert np.ptp(np.diff(places(way)[:, 1])[[0, 2]]) < 0.3


def drawn_by(path: str) -> np.ndarray:
    """Points (N, 2) of a path of cubic segments, twenty of each."""
    numbers = np.array(re.findall(r"-?\d+\.\d+", path), dtype=float)
    knots = np.concatenate([numbers[:2], numbers[2:]]).reshape(-1, 2)
    t = np.linspace(0, 1, 21)[:, None]
    weights = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    return np.concatenate(
        [np.sum(weights * knots[i : i + 4, None], axis=0) for i in range(0, len(knots) - 1, 3)]
    )


def test_a_curve_is_smooth_to_a_quarter_of_a_pixel_and_keeps_corners_and_level_parts() -> None:
    quarter = 0.25 * 400 / 960  # at twice the pixels of a picture 480 wide
    x = np.linspace(0, 340, 61)
    found = drawn_by(curve(np.stack([x, 60 * np.exp(-(((x - 150) / 45) ** 2))])))
    assert np.max(np.abs(found[:, 1] - 60 * np.exp(-(((found[:, 0] - 150) / 45) ** 2)))) < quarter
    corner = drawn_by(curve(np.array([[0, 10, 20, 20, 20], [0, 0, 0, 30, 60.0]])))
    assert np.min(np.abs(corner - [20, 0]).max(axis=1)) < 0.01
    assert np.all((corner[:, 1] < 0.01) | (corner[:, 0] > 19.99))
    level = drawn_by(curve(np.array([[0, 10, 20, 30, 40], [5, 5, 5, 8, 14.0]])))
    assert level[:, 1].min() > 4.99


def test_nan_leaves_a_gap() -> None:
    way = path(drawn(kit.Line(np.arange(4.0), [0.0, np.nan, 1.0, 2.0], kit.LOOKS[0])))
    assert re.sub(r"[^ML]", "", way) == "MML"


def test_a_bar_reaches_one_standard_error_up_and_down() -> None:
    picture = drawn(kit.Points([0.0, 1.0], [0.0, 10.0], kit.LOOKS[1], error=[1.0, 0.0]), kit.Band(-2, 12))
    group = next(each for each in picture.iter("g") if each.get("class") == "simulation")
    bars = re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", group[0].attrib["d"])
    first, second = (abs(float(low) - float(high)) for low, high in bars)
    centres = [(float(low) + float(high)) / 2 for low, high in bars]
    assert second == 0
    assert first == pytest.approx(abs(centres[0] - centres[1]) / 5, abs=0.2)  # 2 of 10 units


def test_a_bar_that_leaves_a_logarithmic_axis_downwards_runs_out_of_the_panel() -> None:
    picture = drawn(kit.Points([0.0], [1.0], kit.LOOKS[1], error=[2.0]), y=kit.Axis("risk", "log", 0.1, 10))
    group = next(each for each in picture.iter("g") if each.get("class") == "simulation")
    (ends,) = re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", group[0].attrib["d"])
    assert float(ends[0]) > 1000


TICKS = {
    (0, 10, "lin"): "0 2 4 6 8 10",
    (-0.3, 0.3, "lin"): "−0.3 −0.2 −0.1 0 0.1 0.2 0.3",
    (1, 50, "log"): "1 2 5 10 20 50",
    (1e-6, 1e6, "log"): "10^{−6} 10^{−4} 0.01 1 100 10^{4} 10^{6}",
}


@pytest.mark.parametrize(("low", "high", "scale"), TICKS)
def test_ticks_are_round(low: float, high: float, scale: str) -> None:
    axis = kit.Axis("x", scale)
    ends = axis.ends(np.array([low, high]))
    assert " ".join(label for _, label in axis.ticks(*ends)) == TICKS[low, high, scale]


@pytest.mark.parametrize("chance", [2.4, 4.2, 4.6, 4.7, 9.0, 40.0])
def test_a_low_panel_of_residuals_says_its_scale(chance: float) -> None:
    assert 3 <= len(round_values(-1.04 * chance, 1.04 * chance, 3)) <= 5


def test_a_constant_still_has_an_axis() -> None:
    picture = drawn(kit.Line([0.0, 1.0], [3.0, 3.0], kit.LOOKS[0]))
    assert "3" in texts(picture)


def test_labels_are_escaped_and_scripts_are_small() -> None:
    assert (
        texts(drawn(kit.Line([0.0, 1.0], [0.0, 1.0], kit.LOOKS[0]), x=kit.Axis("a<b & u_i")))[-1]
        == "a<b & ui"
    )
    assert 'font-size="85%">i</tspan>' in markup("u_i")
    assert greek("t/tau = eta k, psi_1, tauten") == "t/τ = η k, ψ_1, tauten"


def linear(colour: str) -> list[float]:
    """Red, green and blue of `#rrggbb` or `#rgb`, in proportion to light."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


STYLE = (Path(kit.__file__).parents[1] / "pages/styles/colours.css").read_text("utf-8")
IN_LIGHT, IN_DARK = (dict(re.findall(r"--([\w-]+): (#\w+);", part)) for part in STYLE.split("@media"))
OF_PICTURES = dict(
    re.fullmatch(r"var\(--(.*), (#\w+)\)", each).groups()
    for each in (*(look.colour for look in kit.LOOKS), INK, MUTED, GRID, BAND, GROUND)
)
MODES = {"light": IN_LIGHT | OF_PICTURES, "dark": IN_DARK}
CURVES = [f"look-{i}" for i in range(len(kit.LOOKS))]
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "deuteranopia": [[0.3673, 0.8607, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
    "tritanopia": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}
"""What the colour-blind see, in linear RGB: Machado, Oliveira and Fernandes (2009), at full severity."""


@pytest.mark.parametrize("mode", MODES)
def test_curves_and_text_stand_out(mode: str) -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    of = MODES[mode]
    assert set(of) == set(MODES["light"]), "each colour has a dark one"
    for ground in (of["chart-ground"], of["chart-band"]):
        assert [each for each in CURVES if contrast(of[each], ground) < 3] == []
    for ground in (of["ground"], of["soft"], of["chart-ground"]):
        inks = ("ink", "muted", "accent", "warning", "chart-ink", "chart-muted")
        assert [each for each in inks if contrast(of[each], ground) < 4.5] == []


def lab(colour: str, blindness: str) -> np.ndarray:
    """A colour in Oklab, as somebody sees it."""
    seen = np.clip(BLINDNESS[blindness] @ np.array(linear(colour)), 0, 1)
    cones = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    return np.array(
        [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    ) @ np.cbrt(cones @ seen)


def distance(mode: str, blindness: str) -> float:
    """The distance of the two curves whose colours are the most similar."""
    seen = [lab(MODES[mode][each], blindness) for each in CURVES]
    return min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2))


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_curves_differ_in_the_dark_as_much_as_in_the_light(blindness: str) -> None:
    assert distance("dark", blindness) >= distance("light", blindness)


def test_log_steps_read_well_and_hold_the_decades() -> None:
    steps = kit.log_steps(0.003, 0.1, 5)
    assert steps == [0.004, 0.0063, 0.01, 0.016, 0.025, 0.04, 0.063, 0.1]


def test_a_slider_starts_on_one_of_its_steps() -> None:
    assert kit.slider("s", [1.0, 2.0], 2.0).value == 2.0
    with pytest.raises(ValueError, match="none of its steps"):
        kit.slider("s", [1.0, 2.0], 1.5)


def test_outside_marimo_work_is_done_and_words_are_markdown() -> None:
    assert kit.on_demand(kit.simulate_button(), lambda: 7) == 7
    with pytest.raises(ValueError, match="told"):
        kit.asked(lambda: (_ for _ in ()).throw(ValueError("told")))
    hidden = Taught("exercise", "modes", "Why?", "Solution", "Because.")._repr_markdown_()
    assert hidden == "Why?\n\n<details><summary>Solution</summary>\n\nBecause.\n\n</details>"
    assert "`a`: one of 1, 2" in kit.controls(a=kit.slider("s", [1.0, 2.0], 2.0))._repr_markdown_()


def test_a_solution_is_given_the_numbers_that_it_names_and_no_others() -> None:
    first = dict.fromkeys(("second", "second_wider", "second_ratio", "gap", "gap_wider", "gap_ratio"), 1.0)
    shown = kit.exercises("modes", first, dict(cube=0.2963, two=1, three=2))
    assert "u < (2/3)^3 = 0.30$" in " ".join(shown.by_hand[1].hidden.split())
    assert shown._repr_markdown_().count("<summary>Solution</summary>") == 3
    for wrong in (dict(cube=1, two=1), dict(cube=1, two=1, three=2, four=3)):
        with pytest.raises(ValueError, match=r"a solution names \['cube', 'three', 'two'\]"):
            kit.exercises("modes", first, wrong)


def told(points: int, **names: str) -> str:
    """The verdict on 20 draws of noise around a theory of zero, at so many times."""
    units = {"long_name": "mean squared error on fresh examples, of a kind", "units": "1", "symbol": "E"}
    times = ("time", np.arange(points, dtype=float), {"units": "1", "long_name": "time", "symbol": "t"})
    noise = np.random.default_rng(0).standard_normal((20, points))
    theory = xr.Dataset({"error": ("time", np.zeros(points), units)}, {"time": times})
    seen = xr.Dataset({"error": (("seed", "time"), noise, units)}, {"time": times, "seed": np.arange(20)})
    return kit.verdict(ts.compare(seen, theory), names=names)._repr_markdown_()


def test_a_verdict_speaks_of_what_the_pictures_show() -> None:
    assert "**Mean squared error on fresh examples** agrees" in told(4)
    assert "the largest of 4 deviations is" in told(4)
    assert "**Error** agrees with the theory over 20 draws: the deviation is" in told(1, error="error")


def test_curves_need_a_label_each() -> None:
    theory = ts.curve("linear-network", dynamics="flow", route="closed-form", times=[0.0, 1.0])
    with pytest.raises(ValueError, match="2 labels for 3 curves"):
        kit.curves(theory, "u", ["a", "b"], across="mode")


def test_where_a_slider_stands_is_marked_and_asks_for_no_room() -> None:
    line = kit.Line(np.array([0.0, 1.0]), np.array([0.0, 2.0]), kit.LOOKS[0])
    picture = drawn(line, kit.Now(0.25, 0.5, kit.LOOKS[0]))
    (dot,) = (each for each in picture.iter("circle"))
    first, last = places(path(picture))
    assert float(dot.attrib["cx"]) == pytest.approx(0.75 * first[0] + 0.25 * last[0], abs=0.1)
    assert float(dot.attrib["cy"]) == pytest.approx(0.75 * first[1] + 0.25 * last[1], abs=0.1)
    assert path(picture, "now").startswith(f"M{float(dot.attrib['cx']):.1f} ")
    assert path(drawn(line, kit.Now(40.0))) == path(picture)
    assert [each.get("class") for each in drawn(line, kit.Now(0.25, 0.5, line=False)).iter("path")].count(
        "now"
    ) == 0


def test_error_bars_are_those_that_residuals_count_where_draws_are_paired() -> None:
    question: dict[str, Any] = dict(problem="multiscale", dynamics="ridge", times=[1, 10], d=20, p=12, n=16)
    exact, others = (ts.sample(route="instance", seeds=4, seed=first, **question) for first in (0, 100))
    name = "excess_risk"
    noise = np.random.default_rng(0).normal(size=exact[name].shape)
    seen = exact.assign({name: exact[name] * (1 + 0.01 * noise)})
    for theory, paired in ((exact, True), (others, False)):
        compared = ts.compare(seen, theory)
        above, below = kit.curves(compared.theory, name, ["risk"], comparison=compared)
        line, markers = above.marks
        assert compared.paired is paired
        assert ("of differences" in markers.label) is paired
        counted = (np.asarray(markers.y) - np.asarray(line.y)) / np.asarray(below.marks[-1].y)
        own = np.asarray(compared.simulation[f"{name}_stderr"])
        np.testing.assert_allclose(np.asarray(markers.error), counted if paired else own, rtol=1e-9)
