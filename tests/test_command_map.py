"""Maps as a command and a function: what is written reads back, what is wrong is refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent as ts
from teacherstudent.house import catalogue
from teacherstudent.house.parameters import with_larger_sizes
from teacherstudent.maps.fields import field_of
from teacherstudent.maps.questions import read_map_question
from tests.support import refusal, say, wrote

PLANE = ("map", "multiscale", "--x", "kappa=2:30", "--y", "noise=0:0.3:lin", "--n", "110", "--p", "70")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A map with two spots, as a picture and as numbers."""
    picture = tmp_path_factory.mktemp("map of descents") / "map.png"
    said = say(*PLANE, "--of", "descents", "--curve", "printed", "--spots", 2, "--seeds", 5, "--out", picture)
    assert said == (0, "", wrote(picture, picture.with_suffix(".nc")))
    return picture


def test_a_picture_has_its_numbers_beside_it(drawn: Path) -> None:
    assert drawn.read_bytes().startswith(b"\x89PNG")
    answer = xr.open_dataset(drawn.with_suffix(".nc"), engine="h5netcdf").load()
    assert answer.attrs["kind"] == "map"
    assert answer.attrs["unexplained"] == 0
    assert answer["label"].dims == ("noise", "kappa")
    assert answer["kappa"].attrs["symbol"] == "kappa"
    assert answer.attrs["fixed"] == (
        '{"n": 110, "d": 100, "p": 70, "ridge": 0.0, "init": 0.0, "output_penalty": 0.0}'
    )
    assert answer.sizes["spot"] == 2
    assert set(answer["verdict"].values) <= {"agrees", "disagrees", "off at this size", "cannot tell"}


def test_the_boundary_is_where_the_onset_is(drawn: Path) -> None:
    answer = xr.open_dataset(drawn.with_suffix(".nc"), engine="h5netcdf").load()
    line = answer.isel(boundary=0).dropna("point")
    order = np.argsort(line["boundary_y"].values)
    for noise in (0.02, 0.13):
        asked = dict(curve="printed", n=110, p=70, noise=noise, kappa=(2, 30))
        onset = np.log(ts.onset("multiscale", **asked).value)
        found = np.interp(noise, line["boundary_y"].values[order], np.log(line["boundary_x"].values[order]))
        assert abs(found - onset) / np.log(15) < 1e-3


def test_labels_are_counts(drawn: Path) -> None:
    answer = xr.open_dataset(drawn.with_suffix(".nc"), engine="h5netcdf").load()
    (count,) = (each for each in catalogue.counts() if each.name == "printed")
    kind = catalogue.find_problem("multiscale")
    for i, j in ((3, 5), (40, 190), (150, 100), (199, 199), (100, 20)):
        at = {name: float(answer[name][k]) for name, k in (("noise", i), ("kappa", j))}
        assert count.function()(kind.instance(n=110, p=70, **at), "printed") == answer["label"].values[i, j]


@pytest.mark.thorough
def test_an_observable_is_that_of_its_route() -> None:
    route = ("--dynamics", "ridge", "--route", "asymptotic")
    said = say(*PLANE[:6], "--of", "bias[2]@50", "--observable", "parts", *route)
    assert said.status == 0, said.err
    header, *rows = said.out.splitlines()
    assert header == "noise,kappa,value"
    noise, kappa, value = map(float, rows[201 * 60 + 77].split(","))
    asked = dict(
        problem="multiscale", dynamics="ridge", route="asymptotic", times=[50], observable=("parts",)
    )
    exact = float(ts.curve(kappa=kappa, noise=noise, **asked)["bias"][0, 1])
    spread = np.ptp([float(row.split(",")[2]) for row in rows])
    assert abs(value - exact) < 0.01 * spread


def test_a_problem_that_announces_nothing_maps_its_observables_only() -> None:
    asked = ("map", "starvation", "--x", "s1=1:2", "--y", "s2=1:2", "--of", "descents")
    assert refusal(say(*asked)).startswith("--of descents: must be OBSERVABLE[@TIME]")


def test_sizes_grow_at_the_same_ratios() -> None:
    parameters = catalogue.find_problem("multiscale").parameters
    found: dict[str, Any] = with_larger_sizes(parameters, {"n": 150.5, "kappa": 3.0}, 1e6)
    assert found == {"n": 1_000_000, "d": 664_452, "p": 398_671, "kappa": 3.0}
    scaled = with_larger_sizes(parameters, {"alpha": 1.5, "scales": ((1, 2.0), (3, 0.5))}, 300)
    assert scaled == {"alpha": 1.5, "scales": ((100, 2.0), (300, 0.5))}


def test_labels_of_a_profile_are_those_of_the_count() -> None:
    """Every curve that announces itself: signs of its slope decide the count, at places drawn at random."""
    draw = np.random.default_rng(3)
    for count in catalogue.counts():
        if not any(each.name == count.name and each.curve for each in catalogue.turns()):
            continue
        example, *_ = catalogue.find_problem(count.problem).examples
        fixed = {
            name: value for name, value in example.items() if name not in ("n", "noise", "ridge", "init")
        }
        asked = read_map_question(
            count.problem, x="n=4:40", y="noise=0.05:3", of="descents", curve=count.name, **fixed
        )
        places = [(float(x), float(y)) for x, y in draw.random((6, 2))]
        found = [each.label for each in field_of(asked).samples(places)]
        assert found == [count.function()(asked.instance(place), count.name) for place in places]
