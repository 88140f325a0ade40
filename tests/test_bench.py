"""Benchmarks compare like with like, assert what they say, and say what was not measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from teacherstudent.benchmarks import machine, running, table, timing
from teacherstudent.benchmarks.declaration import Job, Limit, Page, Pair, Side, Slope
from tests.support import python, refusal, say

ROWS = {"ours": {"cpu": 0.5, "wall": 0.4, "first": 2.0, "peak": 100.0, "share": 1.0, "answer": [1.0, 2.0]}}
ROWS["baseline"] = {**ROWS["ours"], "cpu": 10.0, "share": 0.25, "peak": 50.0}


def side(answer: list[float], share: float = 1.0) -> Side:
    return Side("by hand", lambda quick: Job(lambda: answer, share))


def pair(id: str = "pair", **more: Any) -> Pair:
    return Pair(id, "two ways", side([1.0, 2.0]), side([1.0, 2.0], 0.25), within=1e-9, why="rounding", **more)


def slope(exponent: float = 1.0) -> Slope:
    return Slope("slope", "cost over size", exponent, 0.1, "noise", lambda quick: {})


LIMIT = Limit("limit", "a loop", lambda quick: {})
RATES = {
    "product_gflops": 50.0, "copy_gbytes": 80.0, "loop_gflops": 15.0, "loop_gbytes": 60.0, "share": 0.75,
}  # fmt: skip
COSTS = {"sizes": [1, 2, 4], "cpu": [0.1, 0.2, 0.4]}


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[str, str]]]:
    """Call it with benchmarks, and what their parts measured; it gives the list of parts as they are run."""

    def only(*benchmarks: Any, gpu: str = "", **parts: dict[str, Any]) -> list[tuple[str, str]]:
        ran: list[tuple[str, str]] = []

        def measured(name: str, part: str, quick: bool) -> dict[str, Any]:
            ran.append((name, part))
            return {**ROWS, "points": COSTS, "cpu": RATES, "gpu": ROWS["ours"] | RATES, **parts}[part]

        monkeypatch.setattr(running, "benchmarks", lambda: {each.id: each for each in benchmarks})
        monkeypatch.setattr(running, "in_fresh_process", measured)
        monkeypatch.setattr(machine, "gpu", lambda: gpu)
        return ran

    return only


def test_a_pair_is_a_ratio_of_cpu_seconds_measured_in_turn(stub: Callable[..., Any]) -> None:
    ran = stub(pair())
    said = say("bench")
    assert ran == [("pair", "ours"), ("pair", "baseline")] * running.REPEATS
    assert said.status == 0
    assert said.out.splitlines()[1].split()[3:8] == ["20", "0.5", "10", "100", "50"]
    assert said.err.startswith("measuring every benchmark, which takes long; --quick ")
    assert said.err.endswith("no GPU was available: nothing was measured on one\n")
    ran = stub(pair())
    assert say("bench", "--quick").err.startswith("quick run: sizes are smaller")
    assert ran == [("pair", "ours"), ("pair", "baseline")]


def test_two_sides_that_compute_different_numbers_are_no_comparison(stub: Callable[..., Any]) -> None:
    stub(pair(), baseline={**ROWS["baseline"], "answer": [1.0, 2.0001]})
    said = say("bench")
    assert said.status == 1
    assert "FAILS: difference 5e-05" in said.out


@pytest.mark.parametrize(("exponent", "status"), [(1.0, 0), (1.05, 0), (2.0, 1), (0.0, 1)])
def test_cost_that_grows_otherwise_than_asserted_fails(
    stub: Callable[..., Any], exponent: float, status: int
) -> None:
    stub(slope(exponent))
    assert say("bench").status == status


@pytest.mark.parametrize(("leak", "status"), [(0, 0), (90, 0), (170, 1)])
def test_memory_that_grows_otherwise_than_asserted_fails(
    stub: Callable[..., Any], leak: int, status: int
) -> None:
    """By so many bytes for each cell, beside the 280 of an answer and 116 MiB of the process."""
    sizes = [900, 3600, 14400]
    of_a_sweep = replace(running.benchmarks()["sweep-memory"], id="slope")
    stub(of_a_sweep, points={"sizes": sizes, "peaks": [116 + (280 + leak) * size / 2**20 for size in sizes]})
    assert say("bench").status == status


def test_the_peak_of_a_work_is_measured_in_a_process_of_its_own() -> None:
    """In a small process that may fork: this one has threads."""
    lines = (
        "from teacherstudent.benchmarks.timing import peak_of",
        "print(peak_of(lambda: None), peak_of(lambda: bytes(range(256)) * 2**18), peak_of(lambda: None))",
        "peak_of(lambda: 1 / 0)",
    )
    done = python("-c", "\n".join(lines))
    before, large, after = map(float, done.stdout.split())
    assert large > 60 + before  # MiB
    assert after < 32 + before
    assert "the work whose memory is measured failed" in done.stderr


def test_what_a_machine_cannot_run_is_named_with_its_reason(stub: Callable[..., Any], tmp_path: Path) -> None:
    ran = stub(pair("large", lacks=lambda quick: "needs 1000 GiB"), pair("small"))
    said = say("bench", "--json", tmp_path / "all.json")
    assert said.status == 0
    assert "not run: needs 1000 GiB" in said.out
    assert {name for name, _ in ran} == {"small"}
    result = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert [each["id"] for each in result["benchmarks"]] == ["large", "small"]
    assert result["machine"].keys() >= {"date", "processor", "cores", "load", "python", "jax", "numpy"}
    assert "needs 1000 GiB" in table.section(result)


def test_an_unknown_name_is_refused_in_one_line(stub: Callable[..., Any]) -> None:
    stub(pair())
    assert refusal(say("bench", "nothing")) == "NAME nothing: must be one of pair"


def test_cells_of_a_gpu_are_empty_without_one_and_measured_with_one(
    stub: Callable[..., Any], tmp_path: Path
) -> None:
    def columns() -> list[list[str]]:
        say("bench", "--json", tmp_path / "all.json")
        text = table.markdown(tmp_path)
        assert (table.NO_GPU in text) == (not gpu)
        return [
            line.split(" | ") for line in text.splitlines() if line.startswith(("| two ways", "| a loop"))
        ]

    for gpu, cells in {"": [[" "], [" "]], "A GPU": [["0.4", "25"], ["15.0", "60.0", "75%"]]}.items():
        ran = stub(pair(on_gpu=True), LIMIT, gpu=gpu)
        both, loop = columns()
        assert [both[-1].strip(" |"), loop[-1].strip(" |")] == [each[-1].strip() for each in cells]
        assert (("pair", "gpu") in ran) == bool(gpu)


def test_a_page_is_shown_with_its_times_and_asserts_none(stub: Callable[..., Any], tmp_path: Path) -> None:
    page = Page("page", "a page", lambda quick: {}, lambda quick: {})
    ran = stub(page, page={"first": 300.0, "move": 20.0, "slowest": 40.0}, notebook={"cells": 900.0})
    said = say("bench", "--json", tmp_path / "all.json")
    assert said.status == 0
    assert (
        "first picture 300 ms, median slider 20 ms, slowest slider 40 ms; all cells in Python 900 ms"
        in said.out
    )
    assert ran == [("page", "page"), ("page", "notebook")] * running.REPEATS
    assert "| a page | 300 | 20 | 40 | 900 |" in table.markdown(tmp_path)


def test_every_benchmark_says_what_it_is_compared_with() -> None:
    for each in running.benchmarks().values():
        assert each.title
        if isinstance(each, Pair):
            assert each.ours.what
            assert each.baseline.what
            assert each.why


def test_a_process_of_its_own_measures_a_part() -> None:
    found = running.in_fresh_process("curve", "ours", True)
    assert found["cpu"] > 0
    assert found["peak"] > 20  # MiB: an interpreter with NumPy; the system may count its parent as well
    assert len(found["answer"]) == 100
    with pytest.raises(RuntimeError, match="KeyError"):
        running.in_fresh_process("nothing", "ours", True)


class Clock:
    """A process in which time passes only as it is told to: `cpu` in work, `wall` in work and waiting."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cpu = self.wall = 0.0
        monkeypatch.setattr(timing, "used", lambda: self.cpu)
        monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: self.wall))
        monkeypatch.setattr(timing, "STARTED", 0.0)

    def work(self, seconds: float) -> None:
        self.cpu, self.wall = self.cpu + seconds, self.wall + seconds

    def wait(self, seconds: float) -> None:
        self.wall += seconds


def test_a_part_counts_its_share_and_a_warm_start_its_later_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = pair().measure("baseline", True)
    assert measured["share"] == 0.25
    clock = Clock(monkeypatch)
    runs: list[float] = []

    def faster_each_time() -> list[float]:
        clock.work(0.1 / (1 + len(runs)) ** 2)
        runs.append(0.0)
        return runs[-1:]

    slow_at_first = Side("", lambda quick: Job(faster_each_time))
    warm = Pair("warm", "", slow_at_first, slow_at_first, 0.0, "").measure("ours", True)
    assert len(runs) > 10  # short work is run often
    assert warm["wall"] < 0.02
    runs.clear()
    cold = Pair("cold", "", slow_at_first, slow_at_first, 0.0, "", cold=True).measure("ours", True)
    assert len(runs) == 1
    assert cold["wall"] > 0.1


def test_cpu_seconds_are_of_work_not_of_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    assert timing.timed(lambda: clock.wait(5.0))[1] == {"cpu": 0.0, "wall": 5.0}
    assert timing.timed(lambda: clock.work(2.0))[1] == {"cpu": 2.0, "wall": 2.0}


def test_the_clock_of_this_process_runs_on() -> None:
    before = timing.used()
    assert sum(range(10**6)) > 0
    assert timing.used() > before
    assert len(timing.least([lambda: None, lambda: None], 2)) == 2


@pytest.mark.parametrize("path", sorted(table.RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_committed_results_hold_and_are_of_benchmarks_that_exist(path: Path) -> None:
    result = json.loads(path.read_text(encoding="utf-8"))
    assert not result["quick"]
    assert {each["id"] for each in result["benchmarks"]} <= set(running.benchmarks())
    assert all(each.get("holds", True) for each in result["benchmarks"])
    assert table.section(result).count("\n| ") > len(result["benchmarks"]) / 2


def test_without_results_the_table_says_so(tmp_path: Path) -> None:
    assert "no measurements" in table.markdown(tmp_path)
