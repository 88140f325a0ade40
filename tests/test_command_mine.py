"""The page about somebody's own rows: its words agree with its numbers, which are the routes' own."""

from __future__ import annotations

import csv
import json
import tomllib
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.figures.gallery import page
from teacherstudent.figures.kit import residuals
from teacherstudent.figures.measured_spectrum.mine import judging, questions
from teacherstudent.figures.measured_spectrum.mine.facts import known
from teacherstudent.house.errors import InputError
from tests.drawing import words
from tests.support import Said, refusal, say, wrote

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE, SUBSETS = 20, 6
HERS = 40
RATE = 0.2
TIMES = ("--times", "0.001:3:13")
WINE = ("mine", "wine", "wine", "--standardise", "--n", SIZE, "--seeds", SUBSETS, *TIMES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own rows")


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    """Features and targets that somebody brings: a third of wine."""
    features, targets = (each.check("wine").values[::3] for each in page().rows)
    return features, targets


@pytest.fixture(scope="module")
def trained(folder: Path, rows: tuple[np.ndarray, np.ndarray]) -> Path:
    """The curve of somebody who trains on them herself, with a mean over rows and outputs as her loss."""
    features, targets = rows
    scaled = features / features.std(axis=0)
    scaled, outputs = scaled - scaled.mean(axis=0), np.eye(3)[targets[:, 0].astype(int)]
    outputs -= outputs.mean(axis=0)
    order = np.random.default_rng(3).permutation(len(scaled))
    seen, new = order[:HERS], order[HERS:]
    weights, lines = np.zeros((scaled.shape[1], 3)), []
    for step in range(301):
        if step % 30 == 0:
            errors = [np.mean((scaled[some] @ weights - outputs[some]) ** 2) for some in (new, seen)]
            lines.append([step, *errors])
        weights -= RATE * 2 / (HERS * 3) * scaled[seen].T @ (scaled[seen] @ weights - outputs[seen])
    path = folder / "hers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["step", "test_error", "training_error"], *lines])
    return path


@pytest.fixture(scope="module")
def asked(folder: Path) -> Said:
    with pytest.MonkeyPatch.context() as patched:  # of drawings one is enough, `drawn`
        patched.setattr("teacherstudent.api.plot.draw", lambda *_: None)
        return say(*WINE, "--out", folder / "page.png", "--settings", folder / "page.toml")


@pytest.fixture(scope="module")
def answer(asked: Said, folder: Path) -> xr.Dataset:
    assert asked.status == 0, asked.err
    with xr.open_dataset(folder / "page.nc", engine="h5netcdf") as kept:
        return kept.load()


@pytest.fixture(scope="module")
def hers(trained: Path, rows: tuple[np.ndarray, np.ndarray]) -> xr.Dataset:
    """The page with her curve."""
    asked: dict[str, Any] = {"standardise": True, "seeds": 4, "learning_rate": RATE, "times": "1:1000:7"}
    return teacherstudent.mine(*rows, n=HERS, loss="mse", curve=trained, **asked)


@pytest.fixture(scope="module")
def drawn(hers: xr.Dataset) -> Figure:
    canvas = teacherstudent.plot(hers)
    canvas.draw_without_rendering()
    return canvas


def test_a_page_is_written_its_numbers_lie_beside_it_and_its_words_are_printed(
    asked: Said, answer: xr.Dataset, folder: Path
) -> None:
    read, *written = asked.err.splitlines(keepends=True)
    assert read.startswith("note: targets wine are read as 3 classes of 48 to 71 rows each; --task regr")
    assert "".join(written) == wrote(*(folder / f"page.{each}" for each in ("png", "nc", "toml")))
    assert (folder / "page.png").read_bytes().startswith(b"\x89PNG")
    said = page().function("sentences")(answer)
    assert asked.out == "\n\n".join("\n".join(lines) for lines in said) + "\n"
    assert asked.out.startswith("Will more rows help?\n")
    assert "\n178 rows of 13 features. Targets: 3 classes, " in asked.out
    assert "nan" not in asked.out


def test_what_is_predicted_and_measured_is_what_the_routes_say(answer: xr.Dataset) -> None:
    features, targets = (each.check("wine").values for each in page().rows)
    question: dict[str, Any] = {
        "features": features / features.std(axis=0), "targets": targets, "n": SIZE, "dynamics": "flow",
        "times": answer["mark"].values.tolist(),
    }  # fmt: skip
    here = answer.sel(size=SIZE)
    for name, route in (("error", "asymptotic"), ("corrected", "leverage")):
        found = teacherstudent.curve("measured-spectrum", route=route, **question)["generalisation_error"]
        shown = here[name] if name == "corrected" else here[name].sel(time=answer["mark"].values)
        np.testing.assert_allclose(shown.values, found.values, rtol=1e-9)
    best = {**question, "times": [float(here["stopping_corrected"])]}
    least = teacherstudent.curve("measured-spectrum", route="leverage", **best)["generalisation_error"]
    assert float(least[0]) <= float(here["corrected"].min()) * (1 + 1e-9)
    drawn = teacherstudent.curve("measured-spectrum", route="instance", seeds=SUBSETS, **question)
    np.testing.assert_allclose(here["measured"].values, drawn["generalisation_error"].values, rtol=1e-9)
    np.testing.assert_allclose(
        here["measured_stderr"].values, drawn["generalisation_error_stderr"].values, rtol=1e-9
    )


def test_facts_are_the_numbers_of_the_page_and_every_prediction_has_an_error(answer: xr.Dataset) -> None:
    facts = page().function("facts")(answer)
    json.dumps(facts, allow_nan=False)
    assert [each["n"] for each in facts["sizes"]] == [SIZE, 2 * SIZE] == answer["size"].values.tolist()
    for each in facts["sizes"]:
        along = answer.sel(n=each["n"])
        assert each["stop_time"] == float(along["stopping"])
        apart = abs(float(along["stopped"] - along["stopped_corrected"]))
        assert each["error"]["value"] == float(along["stopped_corrected"])
        assert each["error"]["error"] >= apart
        rate, stop = each["error_rate"], judging.nearest_mark(answer, each["n"])
        seen = float(answer["measured_rate"].sel(size=each["n"])[stop])
        assert rate["measured"]["value"] == seen
        assert 0 < abs(rate["value"] - seen) < rate["error"] < 1
        assert rate["verdict"] in (judging.TRUST, judging.BAND, judging.DISTRUST)
        for part in each["regimes"]:
            assert each["error"]["error"] > 0
            assert part["verdict"] in (judging.TRUST, judging.BAND, judging.DISTRUST)
        # no time of the finer search is better than the one that is told
        assert float(along["stopped"]) <= float(answer["error"].sel(size=each["n"]).min())
    assert facts["certificate"]["subsets"] == SUBSETS
    assert len(facts["doubling"]) == 1


def test_an_answer_and_a_file_hold_the_settings_of_the_page(answer: xr.Dataset, folder: Path) -> None:
    kept = tomllib.loads((folder / "page.toml").read_text(encoding="utf-8"))
    held = tomllib.loads(teacherstudent.settings(answer))
    assert (held["command"], held["n"], held["standardise"]) == ("mine", [SIZE], True)
    assert {**held, "simulate": False} == kept
    assert answer.attrs["command"].startswith("teacherstudent mine wine wine --standardise --n 20")


def test_json_and_settings_ask_and_answer_the_same_also_where_no_sizes_were_given(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("teacherstudent.api.plot.draw", lambda *_: None)  # the picture is not in question
    kept, asked = folder / "few.toml", ("--standardise", "--seeds", 4, "--times", "1", "--json")
    first = say("mine", "iris", "iris", *asked, "--settings", kept, "--out", folder / "few.png")
    assert [each["n"] for each in json.loads(first.out)[0]["sizes"]] == [16, 33, 67, 135]
    assert "n" not in tomllib.loads(kept.read_text(encoding="utf-8"))
    assert say("mine", "--from", kept, "--json", "--out", folder / "again.png").out == first.out
    with xr.open_dataset(folder / "few.nc", engine="h5netcdf") as answer:
        assert "n" not in tomllib.loads(teacherstudent.settings(answer))
        assert json.loads(first.out) == [page().function("facts")(answer)]


def test_one_size_is_a_whole_number_in_python_and_arrays_are_why_there_are_no_settings(
    hers: xr.Dataset, folder: Path
) -> None:
    assert hers["size"].values.tolist() == [HERS]
    with pytest.raises(InputError, match="its question contained arrays"):
        teacherstudent.settings(hers)
    hers.to_netcdf(folder / "hers.nc", engine="h5netcdf")
    assert "its question contained arrays" in refusal(say("mine", "--from", folder / "hers.nc"))
    for wrong in (20.5, True):
        with pytest.raises(InputError, match=f"^--n {wrong}: must be"):
            teacherstudent.mine("wine", "wine", n=wrong)


def test_training_is_long_enough_to_show_the_peak_where_rows_are_one_more_than_modes() -> None:
    """Of a flat spectrum all modes of all rows are learned soon; those of thirteen rows are not."""
    draw = np.random.default_rng(0)
    features = draw.standard_normal((80, 12))
    targets = features @ draw.standard_normal(12) + draw.standard_normal(80)
    found = teacherstudent.mine(features, targets, n=40, seeds=4)
    assert int(found["ended"].idxmax()) == found.sizes["mode"] + 1 == 13
    assert float(found["ended"].max()) > max(float(found["variance"]), 2 * float(found["ended"][0]))


def test_the_page_answers_five_questions_in_order_and_all_its_bars_are_95_per_cent(
    drawn: Figure, hers: xr.Dataset
) -> None:
    said = [" ".join(text.get_text().split()) for text in words(drawn)]
    asked = [text for text in said if text.endswith("?")]
    assert asked == [each.question for each in questions.five_questions(known(hers))] + [
        "What do the rows hold?"
    ]
    assert "after 1000 steps" in said
    assert "measured: mean of 4 subsets ± 95 %" in said
    (panel,) = (axes for axes in drawn.axes if axes.get_label() == residuals.PANEL)
    bars = panel.containers[0][2][0].get_segments()
    error = 100 * judging.differences(hers)[1].isel(size=0).values
    np.testing.assert_allclose([np.ptp(each[:, 1]) / 2 for each in bars], error, rtol=1e-9)


@pytest.mark.parametrize(
    ("spread", "count", "offered"), [(0.1, 178, []), (0.3, 178, ["flow", "ridge"]), (0.3, 2000, ["ridge"])]
)
def test_the_slow_route_is_offered_where_rows_are_uneven_and_few(
    answer: xr.Dataset, spread: float, count: int, offered: list[str]
) -> None:
    changed = answer.assign(spread=xr.full_like(answer["spread"], spread)).assign_attrs(rows=count)
    assert page().function("facts")(changed)["certificate"]["per_row"] == offered
    said = "\n".join(line for lines in page().function("sentences")(changed) for line in lines)
    assert ("route per-row" in said) == bool(offered)
    assert all(f"--dynamics {' or '.join(offered)})" in said for _ in offered)


@pytest.mark.parametrize(
    ("later", "off", "said"), [(0, 0.0, "yes"), (1, 0.0, "not certain"), (0, 0.5, "too small to tell")]
)
def test_a_second_descent_is_one_of_both_formulas_at_the_same_time_and_exceeds_their_error(
    answer: xr.Dataset, later: int, off: float, said: str
) -> None:
    marks = answer["mark"].values
    pool, corrected = np.linspace(5, 1, marks.size), np.linspace(5, 1, marks.size)
    pool[1], corrected[1 + later] = pool[2] / 1.4, corrected[2 + later] / 1.4
    changed = answer.assign(
        error=answer["error"].copy(),
        corrected=answer["corrected"] * 0 + corrected,
        measured=(answer["corrected"] * 0 + corrected) * (1 - off),
        measured_stderr=answer["corrected"] * 0,
        spread=answer["corrected"] * 0,
        rise=answer["rise"] * 0 + 0.4,
        rise_corrected=answer["rise_corrected"] * 0 + 0.4,
    )
    changed["error"].loc[{"time": marks}] = pool
    found = page().function("facts")(changed)["sizes"]
    assert [each["second_descent"] for each in found] == [said, said]


def test_verdicts_name_the_sizes_that_they_are_about(answer: xr.Dataset) -> None:
    """Measured exactly as predicted, and rows even, at the larger size only."""
    theory = judging.at_marks(answer)
    large = answer["size"] == 2 * SIZE
    changed = answer.assign(
        measured=theory * xr.where(large, 1.0, 2.0),
        measured_stderr=0 * theory,
        corrected=theory,
        spread=0 * theory,
    )
    said = [line for lines in page().function("sentences")(changed) for line in lines]
    assert f"Until the stop: {judging.TRUST} at n = 40; {judging.DISTRUST} at n = 20." in said


def test_her_own_curve_lies_beside_the_prediction_and_her_steps_and_averages_are_converted(
    hers: xr.Dataset, trained: Path
) -> None:
    table = np.loadtxt(trained, delimiter=",", skiprows=1)
    assert hers["own_time"].values.tolist() == table[:, 0].tolist()
    np.testing.assert_allclose(hers["own"].values, 3 * table[:, 1])
    assert float(hers["step"].sel(size=HERS)) == pytest.approx(2 * RATE / (3 * HERS))
    rows = hers.attrs["rows"]
    start = float(hers["variance"]) * rows / (rows - 1) * (1 + 1 / HERS)  # that of the mean of the subset
    np.testing.assert_allclose(hers["own_predicted"].values[0], start, rtol=1e-9)
    own = page().function("facts")(hers)["own_curve"]
    # one subset scatters; without a conversion of averages the ratio were 3, of steps 1.5 or 60 times off
    assert abs(own["test"]["median"] - 1) < 4 * own["scatter"]
    single = 2 * hers["measured_training_stderr"] / hers["measured_training"]  # of four subsets
    assert max(1 - own["training"]["low"], own["training"]["high"] - 1) < 4 * float(single.max())
    said = "\n".join(line for lines in page().function("sentences")(hers) for line in lines)
    assert "Nothing was fitted" in said
    assert "averages over 3 outputs" in said
    assert "s = 2 x learning rate x steps / (rows x outputs)" in said


def test_a_curve_of_another_convention_is_not_scaled_but_noticed(hers: xr.Dataset) -> None:
    halved = hers.assign(own=hers["own"] / 2)
    assert page().function("facts")(halved)["own_curve"]["test"]["median"] < 0.7
    assert "points to another convention" in page().function("sentences")(halved)[-1][-1]


def test_nothing_on_the_page_lies_on_anything_else(drawn: Figure) -> None:
    page_edge = drawn.bbox.padded(1)
    boxes = {text: text.get_window_extent() for text in words(drawn)}
    for one, other in combinations(boxes, 2):
        meet = boxes[one].intersection(boxes[one], boxes[other])
        touching = meet is not None and meet.width > 1 and meet.height > 1
        assert not touching or one.get_text() == other.get_text(), (one.get_text(), other.get_text())
    for text, box in boxes.items():
        assert all(page_edge.contains(*corner) for corner in box.corners()), text.get_text()


def test_regression_is_simulated_step_by_step_too() -> None:
    """Rows of which one column is constant; steps of a fifth of the fastest mode follow the flow."""
    draw = np.random.default_rng(0)
    rows = np.hstack([draw.standard_normal((60, 4)) * [3, 2, 1, 0.5], np.ones((60, 1))])
    targets = rows[:, :1] + draw.standard_normal((60, 1))
    asked: dict[str, Any] = {"n": [50], "times": [0.001, 0.01, 0.02, 0.04], "seeds": 4, "simulate": True}
    found = teacherstudent.mine(rows, targets, **asked)
    said = page().function("sentences")(found)
    assert said[1][0] == "60 rows of 5 features, 1 of them constant and left out. Targets: 1 output."
    assert any(lines[0].startswith("Gradient descent on the subsets, step by step") for lines in said)
    assert "measured_rate" not in found
    gap = abs(found["simulated"] / found["measured"] - 1).where(found["simulated_steps"] > 4)
    assert 0 < float(gap.max()) < 0.05
    seen = page().function("facts")(found)["simulation"]
    assert seen["steps"] == int(found["simulated_steps"].max()) > 4


def test_a_curve_needs_the_number_of_rows_that_it_was_trained_on(trained: Path) -> None:
    with pytest.raises(InputError, match=r"^--n \(missing\): must be one size with --curve"):
        teacherstudent.mine("wine", "wine", learning_rate=1e-9, curve=trained)


def test_sizes_that_nobody_asked_for_are_left_out_where_her_steps_diverge() -> None:
    settle, tables = page().function("settle"), [each.check("wine") for each in page().rows]
    few = settle(*tables, standardise=True, n=[20], learning_rate=0.011).asked
    assert (few.sizes, max(few.grid) < 40) == ((20,), True)
    more = settle(*tables, standardise=True, n=[20], learning_rate=0.001).asked
    assert more.sizes == (20, 40)
    assert settle(*tables, standardise=True, learning_rate=0.011).asked.sizes == (20,)
    for sizes in ([20, 40], [40]):
        with pytest.raises(InputError, match=r"^--learning-rate 0\.011: must be below .* on 40 rows"):
            settle(*tables, standardise=True, n=sizes, learning_rate=0.011)


def test_training_is_as_long_as_her_curve_and_her_start_is_said_not_to_be_drawn(
    hers: xr.Dataset, trained: Path
) -> None:
    settle, tables = page().function("settle"), [each.check("wine") for each in page().rows]
    asked: dict[str, Any] = {"standardise": True, "n": [HERS], "loss": "mse", "curve": trained}
    assert settle(*tables, learning_rate=1e-9, **asked).asked.times[-1] > 300
    short = settle(*tables, learning_rate=1e-9, times=(1.0, 10.0), **asked).asked
    assert short.times == (1.0, 10.0)
    longer = short.until(300.0)
    assert (longer.times[:2], longer.times[-1]) == ((1.0, 10.0), 300.0)
    assert np.all(np.diff(longer.times) > 0)
    said = page().function("sentences")(hers)[-1]
    assert any("its first point" in line.lower() for line in said)


def test_a_kernel_is_told_with_the_width_that_its_rows_gave_it(rows: tuple[np.ndarray, np.ndarray]) -> None:
    found = teacherstudent.mine(*rows, kernel="rbf", standardise=True, n=30, seeds=4, times=[0.1])
    width = page().function("facts")(found)["width"]
    assert width > 0
    assert f"(width {width:.4g})" in page().function("sentences")(found)[1][0]


def test_python_names_an_option_that_there_is_not() -> None:
    with pytest.raises(InputError, match="did you mean ridge"):
        teacherstudent.mine("wine", "wine", rigde=1)
