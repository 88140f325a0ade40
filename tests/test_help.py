"""What was typed a little wrong is answered by what is right, and whoever asks for help gets it."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import teacherstudent
from teacherstudent.cli.command import COMMANDS, command_names
from teacherstudent.figures.gallery import figures
from teacherstudent.house import catalogue
from teacherstudent.house.certainty import nan_where
from teacherstudent.house.declarations import Problem
from teacherstudent.house.errors import InputError
from teacherstudent.house.provenance import package_version
from teacherstudent.house.suggestions import did_you_mean, nearest_words, one_of
from teacherstudent.paper_checks.ledger import checks
from tests.fuzzing import leaves
from tests.support import refusal, say, wrote
from tests.test_refused import taking

LEAVES = {" ".join(path): (path, found) for path, found in leaves(COMMANDS)}
every_command = pytest.mark.parametrize("name", LEAVES)


def slipped(word: str) -> str:
    """That word with two letters in the other order."""
    place = next(i for i in range(len(word) // 2, len(word) - 1) if word[i] != word[i + 1])
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


# The nearest right one -------------------------------------------------------------------------------


def test_the_nearest_words_come_first_and_unlike_ones_not_at_all() -> None:
    among = ("asymptotic", "instance", "printed", "ch4-fig3", "ch2-fig3")
    assert nearest_words("asymtotic", among) == ["asymptotic"]
    assert nearest_words("ch4fig3", among) == nearest_words("CH4_FIG3", among) == ["ch4-fig3"]
    assert nearest_words("mpa", ("compare", "map"))[0] == "map"
    assert nearest_words("fig3", among) == ["ch4-fig3", "ch2-fig3"]
    for strange in ("", "-", "zzz", "x" * 10**6, None, 3):
        assert nearest_words(strange, among) == []
    assert (did_you_mean("print", among), did_you_mean("zzz", among)) == ("did you mean printed?", "")


def test_a_long_list_gives_way_to_the_command_that_lists_it() -> None:
    assert one_of(("a", "b"), "list things") == "one of a, b"
    assert one_of(map(str, range(100)), "list things") == "one that `list things` lists"


IDS = {"commands": command_names(), "figures": [*figures()], "checks": [*checks()]}


@pytest.mark.parametrize("kind", IDS)
def test_every_id_is_found_by_a_slip_of_it(kind: str) -> None:
    for word in IDS[kind][:: 1 + len(IDS[kind]) // 25]:
        assert word in nearest_words(slipped(word), IDS[kind])


@every_command
def test_a_slip_in_an_option_is_answered_by_the_option(name: str) -> None:
    path, found = LEAVES[name]
    option = max((each for param in found.params for each in param.opts if each[0] == "-"), key=len)
    line = refusal(say(*path, slipped(option)))
    assert line.startswith(f"{slipped(option)}: must be one ")
    assert f"; did you mean {option}" in line


@pytest.mark.parametrize("problem", catalogue.problems().values(), ids=lambda each: each.id)
def test_a_route_of_another_dynamics_is_answered_by_the_dynamics(problem: Problem) -> None:
    routes = [route for route in catalogue.routes() if route.problem == problem.id]
    for clock in problem.dynamics:
        own = {route.name for route in routes if route.dynamics == clock.name}
        for name in {route.name for route in routes if not nearest_words(route.name, own)}:
            with pytest.raises(InputError) as caught:
                catalogue.find_route(problem, clock.name, name)
            others = [route.dynamics for route in routes if route.name == name]
            said = f"{name} is a route under --dynamics {' or '.join(others)}, not {clock.name}"
            assert caught.value.hint == said


def flow(**values: Any) -> Any:
    return teacherstudent.curve("multiscale", dynamics="flow", route="asymptotic", times="1,2", **values)


CLOCKS = ", ".join(each.name for each in catalogue.find_problem("multiscale").dynamics)
MISTAKEN: dict[str, Any] = {
    "did you mean multiscale?": lambda: teacherstudent.curve("multiscal"),
    f"--dynamics (missing): must be one of {CLOCKS}": lambda: teacherstudent.curve("multiscale"),
    "--route (missing): must be one of theory": lambda: teacherstudent.curve("starvation", dynamics="dual"),
    "did you mean --kappa?": lambda: flow(kapa=3),
    "only `sweep` takes several values": lambda: flow(kappa=[1, 5]),
    "--kappa (1, 5): must be a finite number >= 1; only `sweep` takes several values": lambda: flow(
        kappa=(1, 5)
    ),
    f"--eta 1: must be absent under flow: an option of --dynamics {taking('learning_rate')}": lambda: flow(
        eta=1
    ),
    "--lambda 1: must be absent where --ridge is given, the same": lambda: flow(ridge=1, lambda_=1),
    "lists; did you mean ch4-fig3?": lambda: teacherstudent.figure("ch4fig3"),
    "must be one that `teacherstudent list checks` lists": lambda: teacherstudent.check("ms-modes"),
    "did you mean figures?": lambda: teacherstudent.listing("figure"),
    "; --inverse-temperature takes 1/temperature: --inverse-temperature 50": lambda: teacherstudent.curve(
        "multiscale", dynamics="langevin", route="asymptotic", temperature=0.02
    ),
    "did you mean --noise?": lambda: teacherstudent.onset("multiscale", nois=1),
}


@pytest.mark.parametrize("line", MISTAKEN)
def test_python_says_it_too(line: str) -> None:
    with pytest.raises(InputError, match=re.escape(line)):
        MISTAKEN[line]()


ANSWERED = (
    "list errata",
    "curve multiscale --dynamics flow --route asymptotic,instance --times 1,2 --n 6 --d 4 --p 2 --seeds 2",
    "sweep multiscale --dynamics ridge --route asymptotic --times 1 --kappa 1,2",
    "turns multiscale --kappa 30",
    "onset multiscale --curve printed --n 110 --p 70 --kappa 2:30 --accuracy .1",
)


@pytest.mark.parametrize("typed", ANSWERED)
def test_what_is_right_is_compared_with_no_other_words(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difflib.SequenceMatcher, "__init__", lambda *_: pytest.fail("compares words"))
    assert say(*typed.split()).status == 0


# Telling ---------------------------------------------------------------------------------------------


@every_command
def test_every_command_shows_help_for_h_and_knows_verbose(name: str) -> None:
    path, _ = LEAVES[name]
    shown = say(*path, "-h")
    assert (shown.status, shown.err) == (0, "")
    assert {"-h, --help", "--verbose"} & {word.strip() for word in re.split(r"  +", shown.out)}
    assert "--verbose" in shown.out


def test_every_group_shows_its_commands_for_h() -> None:
    assert say() == say("-h") == say("--help")
    assert say().out.startswith("Usage: teacherstudent")
    for name in command_names():
        if isinstance(group := COMMANDS.load(name), click.Group):
            assert say(name, "-h") == say(name, "--help")
            assert "-h, --help" in say(name, "-h").out, group


def test_the_version_is_that_of_the_package_and_of_the_clone() -> None:
    shown = say("--version")
    version = re.escape(package_version())
    assert (shown.status, shown.err) == (0, "")
    assert re.fullmatch(rf"teacherstudent {version}( \(commit [0-9a-f]{{40}}\))?\n", shown.out)


PATH = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--times", "1,2")
COST = r"info: \S+ s; this process: \S+ CPU-s, peak \d+ MiB"


def test_verbose_tells_what_is_computed_how_and_how_long(toy: Any) -> None:
    quiet = say(*PATH, "--route", "drawn", "--seeds", "3")
    told = say(*PATH, "--route", "drawn", "--seeds", "3", "--verbose")
    assert quiet == (0, told.out, "")
    question, began, took, cost = told.err.splitlines()
    assert question.startswith('info: question: command = "curve", problem = "toy", dynamics = "path"')
    assert "seeds = 3" in question
    assert began == "info: route toy/path/drawn: 2 times, 3 draws in 1 groups"
    assert re.fullmatch(r"info: route toy/path/drawn: took \S+ s", took)
    assert re.fullmatch(COST, cost)
    assert re.match(COST, say("--verbose", "list", "problems").err)


def test_verbose_tells_the_place_of_a_warning_and_the_traceback_of_a_fault(toy: Any) -> None:
    def unsure(toy: Any, times: np.ndarray) -> dict[str, Any]:
        return {"growth": nan_where(times > 0, "no root", times)}

    def failing(toy: Any, times: np.ndarray) -> dict[str, Any]:
        raise RuntimeError("midway")

    toy("unsure", unsure)
    toy("failing", failing)
    place = r"^warning: no root; NaN at 2 of 2 times \(.+\.py, line \d+\)$"
    assert re.search(place, say(*PATH, "--verbose", "--route", "unsure").err, re.MULTILINE)
    failed = say(*PATH, "--verbose", "--route", "failing")
    assert failed.status == 70
    assert 'raise RuntimeError("midway")' in failed.err
    assert failed.err.splitlines()[-1].startswith("error: route toy/path/failing failed")


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("name", ["a.csv", "a.nc"])
def test_a_file_that_is_written_is_said_to_be_and_a_replaced_one_too(tmp_path: Path, name: str) -> None:
    asked = (*PATH, "--route", "grown")
    files = {"--out": tmp_path / name, "--settings": tmp_path / "q.toml"}
    told = [word for pair in files.items() for word in pair]
    first, again = say(*asked, *told), say(*asked, *told)
    for said, replacing in ((first, False), (again, True)):
        lines = wrote(*files.values(), replacing=replacing).splitlines()
        assert (said.status, set(said.err.splitlines())) == (0, set(lines))
    (tmp_path / name).unlink()
    assert say(*asked, "--out", tmp_path / name) == (0, "", wrote(tmp_path / name))
    refusal(say(*asked, *told, "--part", "9"))
