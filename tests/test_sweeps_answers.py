"""A sweep answers each cell as `curve` would, computes no cell twice, and hides no failure."""

from __future__ import annotations

import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.house.certainty import nan_where
from teacherstudent.house.declarations import load
from teacherstudent.house.grids import Span
from teacherstudent.sweeps import answering
from teacherstudent.sweeps.assembly import assemble, shortfall
from teacherstudent.sweeps.engine import Missing, fill
from teacherstudent.sweeps.plan import Plan, plan
from teacherstudent.sweeps.store import Store
from tests.roundings import repeated, unrounded

pytestmark = pytest.mark.usefixtures("toy")

MULTISCALE: dict[str, Any] = {"problem": "multiscale", "times": "1:100:3", "d": 8, "p": 4}


def sweep(**asked: Any) -> xr.Dataset:
    return teacherstudent.sweep(**{"problem": "toy", "dynamics": "path", "times": [1.0, 2.0], **asked})


def test_every_cell_is_what_curve_answers() -> None:
    asked = {**MULTISCALE, "dynamics": "flow", "seeds": 3, "seed": 5}
    swept = teacherstudent.sweep(
        route=["asymptotic", "instance"], kappa=[2.0, 9.0], alpha=[0.5, 1.5], **asked
    )
    assert dict(swept.sizes) == {"route": 2, "kappa": 2, "alpha": 2, "time": 3}
    for route in ("asymptotic", "instance"):
        question = asked if route == "instance" else {k: v for k, v in asked.items() if k[:4] != "seed"}
        for kappa in (2.0, 9.0):
            for alpha in (0.5, 1.5):
                alone = teacherstudent.curve(route=route, kappa=kappa, alpha=alpha, **question)
                cell = swept.sel(route=route, kappa=kappa, alpha=alpha)
                for name in alone.data_vars:
                    assert repeated(cell[name].values, alone[name].values)
                    assert cell[name].attrs == alone[name].attrs
    assert swept.attrs.items() >= {"n_seeds": 3, "first_seed": 5, "n_failed": 0}.items()
    assert swept["kappa"].attrs["units"] == "ratio"
    assert np.isnan(swept["R_stderr"].sel(route="asymptotic")).all()
    assert shortfall(swept) == ""


def test_points_vary_together() -> None:
    laid_out = plan("toy", dynamics="path", route="grown", times=[1.0], strength=[1.0, 2.0])
    with Store(None) as store:
        together = replace(laid_out, axes={**laid_out.axes, "part": (0, 1)}, together=True)
        fill(together, store)
        answer = assemble(together, store)
    assert dict(answer.sizes) == {"point": 2, "time": 1}
    assert answer["part"].values.tolist() == [0, 1]
    assert answer["growth"].values.ravel().tolist() == [1.0, 2.0]


def test_an_observable_keeps_its_own_axis() -> None:
    answer = sweep(route="modes", strength=[1, 2], sizes=(5.0, 7.0))
    assert answer["modes"].dims == ("strength", "time", "mode")
    assert answer["mode"].values.tolist() == [1, 2]
    assert unrounded(answer["modes"][1], [[5.0, 7.0], [10.0, 14.0]])


def test_an_axis_that_is_shorter_in_some_cells_is_filled_with_nan() -> None:
    asked = {**MULTISCALE, "dynamics": "flow", "route": "asymptotic", "observable": ("parts",)}
    answer = teacherstudent.sweep(**{**asked, "p": [4, 8]})
    assert answer["scale"].values.tolist() == [1, 2]
    assert np.isnan(answer["bias"].sel(p=8, scale=2)).all()
    assert np.isfinite(answer["bias"].sel(p=8, scale=1)).all()
    assert answer.attrs["n_failed"] == 0


@pytest.fixture
def counted(toy: Any) -> Counter[tuple[float, int]]:
    """Route `counted`: how often each strength and seed was computed."""
    counts: Counter[tuple[float, int]] = Counter()

    def drawn(toy: Any, times: np.ndarray, seeds: Any) -> dict[str, Any]:
        counts.update((toy.strength, seed) for seed in seeds)
        return {"growth": [toy.strength * times + seed for seed in seeds]}

    toy("counted", drawn, sampled=True)
    return counts


def test_more_points_and_more_seeds_extend_a_store(counted: Counter, tmp_path: Any) -> None:
    asked = {"route": "counted", "out": tmp_path / "answer.nc"}
    sweep(**asked, strength=[0.5, 1.0], seeds=2)
    sweep(**asked, strength=[0.5, 1.0, 2.0], seeds=3, resume=True)
    few = sweep(**asked, strength=[2.0, 1.0], seeds=2, seed=1, resume=True)
    assert counted == Counter({(strength, seed): 1 for strength in (0.5, 1.0, 2.0) for seed in (0, 1, 2)})
    assert unrounded(few["growth"], [[3.5, 5.5], [2.5, 3.5]]), "means over seeds 1 and 2"
    fresh = sweep(route="counted", strength=[0.5, 1.0, 2.0], seeds=3)
    whole = sweep(**asked, strength=[0.5, 1.0, 2.0], seeds=3, resume=True)
    assert repeated(whole, fresh)
    with xr.open_dataset(tmp_path / "answer.nc", engine="h5netcdf") as kept:
        assert repeated(kept.load(), fresh)


def test_equal_cells_of_one_sweep_are_computed_once(counted: Counter) -> None:
    laid_out = plan(
        "toy", dynamics="path", route="counted", times=[1.0], strength=[1.0], whole=[4], seeds=(0,)
    )
    twice = replace(laid_out, axes={"strength": (1.0, 1.0), "whole": (4, 4)}, together=True)
    with Store(None) as store:
        fill(twice, store)
    assert counted == Counter({(1.0, 0): 1})


def test_a_finished_store_leaves_nothing_to_do() -> None:
    laid_out = plan("toy", dynamics="path", route="grown", times=[1.0], strength=[1.0, 2.0])
    with Store(None) as store:
        assert len(list(Missing(laid_out, store))) == 2
        fill(laid_out, store)
        assert list(Missing(laid_out, store)) == []
        fill(laid_out, store, workers=99)  # would take long to start
        fill(laid_out, store, scheduler="nowhere")


def traced(
    work: Callable[[Plan, Store], xr.Dataset | None], lay_out: Callable[[], Plan], store: Store
) -> int:
    """Bytes that planning and this work take at their peak, beyond those of the dataset that it gives."""
    tracemalloc.start()
    try:
        answer = work(lay_out(), store)
        return tracemalloc.get_traced_memory()[1] - (answer.nbytes if answer else 0)
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_cells(tmp_path: Path) -> None:
    """Neither where all is computed, nor where all is found, nor where it is put together.

    Python keeps some freed tuples, up to 150 bytes a cell here; a cell that is kept takes a kilobyte.
    """
    needed: dict[str, list[int]] = {}
    sides = (3, 5, 16)  # the first is not counted: some things are imported then
    for side in sides:
        grid: dict[str, Any] = {"strength": Span(0.1, 1.9, side), "whole": list(range(2, side + 2))}
        lay_out = partial(plan, "toy", dynamics="path", route="grown", times=[1.0], **grid)
        with Store(tmp_path / f"{side}.cells") as store:
            for name, work in {"compute": fill, "find": fill, "assemble": assemble}.items():
                needed.setdefault(name, []).append(traced(work, lay_out, store))
    cells = sides[2] ** 2 - sides[1] ** 2
    for name, (_, few, many) in needed.items():
        assert (many - few) / cells < 300, f"{name}: bytes a cell"


def unsure(toy: Any, times: np.ndarray, seeds: Any = (0,)) -> dict[str, Any]:
    """No answer at even seeds where strength is above 1; refuses strength 2."""
    if toy.strength == 2:
        raise np.linalg.LinAlgError("singular")
    lost = [toy.strength > 1 and seed % 2 == 0 for seed in seeds]
    return {"growth": nan_where(np.array(lost), "no root", np.tile(times, (len(lost), 1)), "draws")}


def test_what_does_not_converge_is_nan_with_its_reason_and_counted(toy: Any) -> None:
    toy("unsure", unsure, sampled=True)
    answer = sweep(route="unsure", strength=[0.5, 1.5, 2.0], part=[1, 5], seeds=2)
    assert np.isfinite(answer["growth"].values).all(axis=-1).tolist() == [
        [True, False],
        [False] * 2,
        [False] * 2,
    ]
    assert answer["reason"].values[:, 0].tolist() == [
        "",
        "no root; NaN at 1 of 2 draws",
        "route toy/path/unsure broke down (LinAlgError: singular); NaN everywhere",
    ]
    assert answer.attrs["n_failed"] == 5
    assert shortfall(answer) == (
        "5 of 6 cells have no finite answer in part or whole: "
        "--part 5: must be at most whole = 4 (3, and 2 other reasons)"
    )


def test_a_mean_is_nan_where_any_draw_is_not_over_the_draws_that_went_well(toy: Any) -> None:
    toy("unsure", unsure, sampled=True)
    answer = sweep(route="unsure", strength=[1.5], seeds=3)
    assert np.isnan(answer["growth"].values).all()
    assert np.isnan(answer["growth_stderr"].values).all()


def test_draws_that_went_well_are_not_blamed_for_others(toy: Any) -> None:
    toy("unsure", unsure, sampled=True)
    laid_out = plan("toy", dynamics="path", route="unsure", times=[1.0], strength=[1.5], seeds=(0, 1))
    with Store(None) as store:
        fill(laid_out, store)
        answers = store.get(next(laid_out.cells).key, (0, 1))
    assert [answer.reason for answer in answers] == ["no root; NaN at 1 of 2 draws", ""]


def test_other_warnings_of_a_route_are_passed_on(toy: Any) -> None:
    def loud(toy: Any, times: np.ndarray) -> dict[str, Any]:
        warnings.warn("look here", RuntimeWarning, stacklevel=1)
        return {"growth": times}

    toy("loud", loud)
    with pytest.warns(RuntimeWarning, match="look here"):
        sweep(route="loud", strength=[1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            sweep(route="loud", strength=[1.0, 2.0])


def test_many_cells_in_one_call_give_the_same_numbers() -> None:
    """Draws of one shape train side by side: sums in another order, so equal up to rounding.

    Also cells that share no shape, that the call leaves to be answered alone, and that diverge.
    """
    asked = {
        **MULTISCALE,
        "dynamics": "descent",
        "route": "simulation",
        "seeds": 2,
        "ridge": 0.1,
        "noise": 0.3,
    }
    grids: dict[str, Any] = {
        "alpha": [0.5, 1.5],
        "kappa": [1.0, 5.0],
        "learning_rate": [0.1, 50.0],
        "precision": ["float64", "float32"],
    }
    one_by_one = teacherstudent.sweep(**asked, **grids)
    at_once = teacherstudent.sweep(**asked, **grids, at_once=5)
    for name in one_by_one.data_vars:
        for precision, rounding in {"float64": 1e-12, "float32": 1e-5}.items() if name != "reason" else ():
            several, alone = (each[name].sel(precision=precision) for each in (at_once, one_by_one))
            np.testing.assert_allclose(several, alone, rtol=rounding, atol=rounding / 100)
    assert at_once["reason"].values.tolist() == one_by_one["reason"].values.tolist()
    assert at_once.attrs["n_failed"] == one_by_one.attrs["n_failed"] > 0


def test_cells_of_theory_share_calls_as_far_as_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {
        **MULTISCALE,
        "dynamics": "ridge",
        "route": "asymptotic",
        "alpha": [0.5, 1.5],
        "ridge": [0, 1, 2],
    }
    together, sizes = teacherstudent.sweep(**asked), []

    def counted(entry: str) -> Callable[..., Any]:
        def batch(instances: Any, *rest: Any, **named: Any) -> Any:
            sizes.append(len(instances))
            return load(entry)(instances, *rest, **named)

        return batch

    monkeypatch.setattr(answering, "load", counted)
    monkeypatch.setattr(answering, "memory_for_question", lambda: 3 * 8 * 3 * (16 * 3 + 11))
    parts = teacherstudent.sweep(**asked)
    assert sizes == [3, 3]
    for name in ("R", "Q", "excess_risk"):
        np.testing.assert_allclose(parts[name], together[name], rtol=1e-12)
