"""No answer takes more memory than the machine has: draws go in groups that fit, and the rest is refused."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teacherstudent
from teacherstudent.house import catalogue, machine, memory
from teacherstudent.house.answers import ask_route, expected_shapes
from teacherstudent.house.certainty import nan_where
from teacherstudent.house.declarations import ROUNDING, Route, load
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.memory import KEPT, NUMBER, Need, groups_that_fit, need_of
from teacherstudent.house.running import instance_and_options
from teacherstudent.sweeps.assembly import assemble
from teacherstudent.sweeps.plan import plan
from teacherstudent.sweeps.store import Store
from tests.roundings import same
from tests.support import example_of, python, refusal, say

HOLDING = [route for route in catalogue.routes() if route.sampled or ".sims." in route.entry]
GROUPED = [  # any that draws; of the simulations, which are compiled, one of each system
    *(route for route in HOLDING if route.sampled and ".sims." not in route.entry),
    *{route.problem: route for route in HOLDING if route.sampled and ".sims." in route.entry}.values(),
]
DEAR = {route.id for route in GROUPED if ".sims." in route.entry} | {
    *("gan/generator/kernel", "orthogonal-convolution/flow/frequencies"),
}
"""Grouped routes that take a second: all share the code that groups draws."""
SEEDS = range(4)
TIMES = np.array([1.0, 4.0])

MARGIN = 1.5
"""How far a peak may exceed what the route states: `machine.SHARE` leaves room for twice as much."""

LOOSE = 6
"""How far what a route states may exceed a peak: beyond that it refuses what fits."""


def identity(route: Route) -> str:
    return route.id


def question(route: Route, **sizes: Any) -> tuple[Any, Any, dict[str, Any]]:
    """An example that this route answers: what it owes, the instance and the options."""
    kind = catalogue.find_problem(route.problem)
    clock = kind.on_clock(route.dynamics)
    instance, options = instance_and_options(kind, clock, route, example_of(route, **sizes))
    return expected_shapes(kind, route, instance, options), instance, options


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the memory of the machine, in bytes."""

    def of(size: float) -> None:
        monkeypatch.setattr(machine, "memory", lambda: size)

    return of


# What routes state ----------------------------------------------------------------------------------


@pytest.mark.parametrize("route", HOLDING, ids=identity)
def test_every_route_that_draws_or_simulates_states_its_need(route: Route) -> None:
    assert route.needs, "name a function in `needs`"
    shapes, instance, options = question(route)
    need = need_of(route, shapes, instance, TIMES, options)
    sizes = {**need.sizes, "times": 10, "seeds": 10}
    before = need.numbers(**sizes)
    for name in sizes if route.sampled else set(sizes) - {"seeds"}:
        assert need.numbers(**{**sizes, name: 10 * sizes[name]}) > before > 0, name


def test_no_number_of_a_need_is_declared_elsewhere_too() -> None:
    """It would be right only as long as somebody changes both."""

    def constants(path: Path) -> set[str]:
        lines = ast.parse(path.read_text(encoding="utf-8")).body
        targets = [target for line in lines if isinstance(line, ast.Assign) for target in line.targets]
        return {target.id for target in targets if isinstance(target, ast.Name)}

    needs = {load(route.needs).__code__.co_filename for route in catalogue.routes() if route.needs}
    assert needs
    twice = {
        (other, name)
        for path in map(Path, needs)
        for other in path.parent.glob("*.py")
        for name in constants(path) & constants(other)
        if other.name != path.name
    }
    assert twice == set()


LONG = {"gan/generator/kernel"}
"""Takes minutes for points enough to be measured; `gan/generator/steps` has its need, and is measured."""
THEORY = {each.id for each in catalogue.routes() if each.needs and ".sims." not in each.entry} - LONG
MEASURED = THEORY | {"multiscale/ridge/simulation"}
"""With a simulation that answers within a second; others take long to compile."""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process its own peak")
def test_peaks_are_about_what_is_stated() -> None:
    """`tests.memory_victim` measures all."""
    done = python("-m", "tests.memory_victim", "--first", *MEASURED)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert {line[0] for line in lines} == MEASURED
    assert [line for line in lines if float(line[2]) > MARGIN * float(line[3])] == []
    assert [line for line in lines if float(line[3]) > LOOSE * float(line[2])] == []


# Groups ---------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
@pytest.mark.parametrize(
    "route",
    [
        pytest.param(each, id=each.id, marks=[pytest.mark.thorough] if each.id in DEAR else [])
        for each in GROUPED
    ],
)
def test_draws_in_groups_give_the_numbers_of_all_together(route: Route, room: Any) -> None:
    shapes, instance, options = question(route)
    need = need_of(route, shapes, instance, TIMES, options)
    together = ask_route(route, shapes, instance, TIMES, options, SEEDS)
    answer = KEPT * len(SEEDS) * TIMES.size * sum(int(np.prod(shape)) for shape in shapes.values())
    room(NUMBER * (answer + need.numbers(times=TIMES.size, seeds=2, **need.sizes)) / machine.SHARE)
    assert [list(part or ()) for part in groups_that_fit(route, shapes, instance, TIMES, options, SEEDS)] == [
        [0, 1],
        [2, 3],
    ]
    apart = ask_route(route, shapes, instance, TIMES, options, SEEDS)
    for name, values in together.items():
        largest = np.abs(values).max(initial=0.0, where=np.isfinite(values))
        np.testing.assert_allclose(apart[name], values, rtol=0, atol=ROUNDING * largest, err_msg=name)


def test_what_groups_say_is_said_once_of_all_draws(toy: Any, room: Any) -> None:
    asked: list[int] = []

    def unsure(toy: Any, times: np.ndarray, seeds: Any) -> Any:
        asked.append(len(seeds))
        lost = np.array(seeds)[:, None] % 3 == 0
        return {"growth": nan_where(lost & (times > 1), "no root", np.ones((len(seeds), times.size)))}

    toy("unsure", unsure, sampled=True)
    question = {"problem": "toy", "dynamics": "path", "route": "unsure", "strength": 1.0}
    room(NUMBER * (8 * 2 * KEPT + 3 * 2 * memory.A_POINT) / machine.SHARE)
    with pytest.warns(UnconvergedWarning) as said:
        answer = teacherstudent.sample(times=[1.0, 2.0], seeds=8, **question)
    assert [str(each.message) for each in said] == ["no root; NaN in 3 of 8 draws"]
    assert asked == [3, 3, 2]
    assert np.isnan(answer["growth"]).sum(axis=1).values.tolist() == [1, 0, 0, 1, 0, 0, 1, 0]


# What is refused ------------------------------------------------------------------------------------


def test_what_cannot_fit_is_refused_with_the_number_that_fits(room: Any) -> None:
    asked = ("curve", "multiscale", "--dynamics", "descent", "--route", "simulation", "--n", "10")
    asked += ("--p", "10", "--seeds", "2", "--times", "1:1000:1000", "--d")
    room(12 * 2.0**30)
    line = refusal(say(*asked, "1000000"))
    assert line == (
        "--d 1000000: must be at most 460000 beside n 10, times 424, seeds 2 on this machine (12 GB)"
    )
    route = catalogue.find_route(catalogue.find_problem("multiscale"), "descent", "simulation")
    times = np.unique(np.rint(np.geomspace(1, 1000, 1000)))
    for d, parts in ((460_000, 2), (200_000, 1)):
        shapes, instance, options = question(route, n=10, d=d, p=10)
        assert len(groups_that_fit(route, shapes, instance, times, options, range(2))) == parts
    shapes, instance, options = question(route, n=10, d=480_000, p=10)
    with pytest.raises(InputError, match=r"^--d 480000: must be at most 460000 "):
        groups_that_fit(route, shapes, instance, times, options, range(2))


@pytest.mark.parametrize("route", [route for route in catalogue.routes() if route.needs], ids=identity)
def test_every_need_is_held_against_the_machine(route: Route, room: Any) -> None:
    shapes, instance, options = question(route)
    room(100.0)
    with pytest.raises(InputError, match="on this machine"):
        ask_route(route, shapes, instance, TIMES, options, SEEDS if route.sampled else None)


def test_a_route_that_states_nothing_is_held_to_its_answer(toy: Any, room: Any) -> None:
    room(NUMBER * 1000 * (memory.A_POINT + KEPT) / machine.SHARE)
    asked = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--route", "grown", "--times")
    assert say(*asked, "1:2:1000").status == 0
    assert refusal(say(*asked, "1:2:1010")).startswith("--times 1010: must be at most 1000 on this machine")


def test_too_many_seeds_for_the_answer_itself_are_refused(toy: Any, room: Any) -> None:
    room(1e4)
    asked = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--route", "drawn", "--times", "1:2:2")
    assert refusal(say(*asked, "--seeds", "1000")).startswith(
        "--seeds 1000: must be at most 62 beside times 2 "
    )


def test_one_size_that_helps_nothing_alone_is_named_with_the_others(toy: Any, room: Any) -> None:
    room(100.0)
    need = "tests.test_memory:of_two_sizes"
    toy("large", lambda toy, times: {"growth": times}, needs=need)
    asked = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--route", "large", "--times", "1:2:2")
    assert refusal(say(*asked)).startswith("--whole 40: must be far smaller, and other sizes too, on this ")


def of_two_sizes(toy: Any, times: Any, options: Any) -> Need:
    """Both are too large by themselves."""
    return Need({"whole": 40, "part": 30}, lambda whole, part, times, seeds: 10.0 * times * (whole + part))


GRIDS = {"dynamics": "ridge", "route": "asymptotic", "kappa": "1:100:100", "noise": "0.1:1:50"}
HELD = 2 * NUMBER * 100 * 50 * 10
"""Bytes of one number for each point of these grids at ten times, held twice."""


def test_the_answer_of_a_sweep_is_held_against_the_memory_before_it_is_computed(room: Any) -> None:
    shapes, *_ = question(catalogue.find_route(catalogue.find_problem("multiscale"), "ridge", "asymptotic"))
    numbers = HELD * sum(int(np.prod(shape)) for shape in shapes.values())
    times = np.geomspace(1, 1e3, 10)
    room(numbers / machine.SHARE)
    assert plan("multiscale", times=times, **GRIDS).size == 5000
    room(0.995 * numbers / machine.SHARE)
    with pytest.raises(
        InputError, match=r"^--kappa 100: must be on a grid of at most 99 points beside noise 50, "
    ):
        plan("multiscale", times=times, **GRIDS)
    room(numbers / 1e3 / machine.SHARE)
    with pytest.raises(InputError, match=r"^--kappa 100: must be far smaller, and other sizes too, on this "):
        plan("multiscale", times=times, **GRIDS)


def test_of_a_sweep_that_draws_standard_errors_and_rows_of_a_file_count_too(
    toy: Any, room: Any, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("strength\n" + "".join(f"{(1 + row) / 40}\n" for row in range(40)), encoding="utf-8")
    asked = {"dynamics": "path", "times": [1.0, 2.0], "points": rows}
    grown, drawn = plan("toy", route="grown", **asked), plan("toy", route="drawn", seeds=(0, 1), **asked)
    given = sum(int(np.prod(shape)) for shape in grown.extent_of_corners().shapes.values())
    room(2 * NUMBER * given * grown.size * 2 / machine.SHARE)
    plan("toy", route="grown", **asked)
    with pytest.raises(InputError, match=r"^--points 40: must be at most 20 beside times 2 on "):
        plan("toy", route="drawn", seeds=(0, 1), **asked)
    with (
        Store(None) as store,
        pytest.raises(InputError, match=r"^--points 40: must be at most 20 "),
    ):
        assemble(drawn, store)


# The machine ----------------------------------------------------------------------------------------


def test_the_smallest_limit_of_the_groups_of_this_process_counts(tmp_path: Path) -> None:
    for name, limit in (("a/memory.max", "max\n"), ("memory.max", "5000\n"), ("a/b/memory.max", "3000\n")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(limit, encoding="utf-8")
    (tmp_path / "memory" / "v1").mkdir(parents=True)
    (tmp_path / "memory" / "v1" / "memory.limit_in_bytes").write_text("4000\n", encoding="utf-8")
    listed = tmp_path / "cgroup"
    for lines, least in (("0::/a/b\n", 3000), ("4:memory:/v1\n0::/a\n", 4000), ("7:cpu:/\n0::/a\n", 5000)):
        listed.write_text(lines, encoding="utf-8")
        assert min(machine._limits(listed, tmp_path)) == least
    assert list(machine._limits(tmp_path / "none", tmp_path)) == []


def test_workers_share_the_memory_and_are_no_more_than_cores_or_memory_allow(
    monkeypatch: pytest.MonkeyPatch, room: Any
) -> None:
    monkeypatch.setattr(machine, "cores", lambda: 8)
    room(2.0**40)
    assert [machine.count_processes(500, pieces) for pieces in (1000, 3)] == [8, 3]
    assert machine.count_processes(5, 1000) == 5
    room(3 * machine.PROCESS / machine.SHARE)
    assert machine.count_processes(500, 1000) == 3
    whole = machine.memory_for_question()
    monkeypatch.setenv(machine.WORKERS, "3")
    assert same(machine.memory_for_question(), whole / 3, 2)


@pytest.mark.parametrize("number", ["0", "-1", "abc", "", "1.5", "inf", "9" * 400])
def test_a_number_of_workers_that_is_none_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    monkeypatch.setenv(machine.WORKERS, number)
    for command in ("curve", "sweep"):
        grid = ("--kappa", "1:2:2") if command == "sweep" else ()
        question = ("--dynamics", "flow", "--route", "asymptotic", "--times", "1:2:2", *grid)
        line = refusal(say(command, "multiscale", *question))
        assert line.startswith(f"{machine.WORKERS} ")
        assert line.endswith(": must be a whole number >= 1")
