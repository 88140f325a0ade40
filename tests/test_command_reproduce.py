"""`reproduce` computes each figure and check once, in a good order, and keeps what no change has touched."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teacherstudent.api.check import outcome_fields, outcome_from, record
from teacherstudent.api.reproduce import reproduce
from teacherstudent.api.reproducing import results
from teacherstudent.api.reproducing.results import Result, Results, rests_on
from teacherstudent.api.reproducing.tasks import (
    FIRST,
    Task,
    in_order,
    measured_seconds,
    system_of_figure,
    tasks_of,
)
from teacherstudent.cli import progress_page, report
from teacherstudent.figures import gallery
from teacherstudent.figures.declaration import Figure
from teacherstudent.house.catalogue import problems
from teacherstudent.house.extras import MissingExtra
from teacherstudent.paper_checks import code, ledger
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Check, Verdict, worst_verdict
from tests.support import ROOT, refusal, say
from tests.test_command_check import check
from tests.test_command_figure import draw, numbers

LOOSE = {"claim": 3.0}
"""What makes a check disagree."""


class Counted:
    """A figure `picture` and checks of the system `gan`, and how often each was computed."""

    def __init__(self) -> None:
        self.computed: list[str] = []
        self.figures: dict[str, Figure] = {}
        self.checks: dict[str, Check] = {}
        self.figure("picture")
        self.check("widgets")
        self.check("gadgets")

    def figure(self, id: str, compute: Callable[[bool], Any] = numbers) -> None:
        def counted(quick: bool) -> Any:
            self.computed.append(id)
            return compute(quick)

        self.figures[id] = Figure(id, "Two lines", "A <caption>.", "paper", "Fig. 1", counted, draw)

    def check(self, id: str, evidence: Callable[..., Any] | None = None, **values: float) -> None:
        found = check(id, **values)

        def counted(seeds: Any) -> Any:
            self.computed.append(id)
            return (evidence or found.evidence)(seeds)

        self.checks[id] = replace(found, problem="gan", evidence=counted)

    def run(self, folder: Path, *options: object) -> list[str]:
        """What a run computes, which must end well."""
        self.computed.clear()
        said = say("reproduce", "--out", folder, *options)
        assert said.status == 0, said
        return sorted(self.computed)


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> Counted:
    ledger.checks()  # what is listed once is kept
    found = Counted()
    monkeypatch.setattr(gallery, "figures", lambda: found.figures)
    monkeypatch.setattr(ledger, "checks", lambda: found.checks)
    return found


def state(folder: Path) -> dict[str, Any]:
    """What the page shows."""
    text = (folder / "progress.js").read_text(encoding="utf-8")
    return dict(json.loads(text.removeprefix("show(").removesuffix(");\n")))


TIME = re.compile(r"\d\d:\d\d UTC")
"""Of a report, not of its outcomes."""

EVERYTHING = ["gadgets", "picture", "widgets"]


def test_a_second_run_computes_nothing_and_gives_the_same(tasks: Counted, tmp_path: Path) -> None:
    assert tasks.run(tmp_path) == EVERYTHING
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert tasks.run(tmp_path) == []
    assert (tmp_path / "checks.json").read_bytes() == first["checks.json"]
    again = (tmp_path / "report.html").read_bytes()
    assert TIME.sub("", again.decode()) == TIME.sub("", first["report.html"].decode())
    assert tasks.run(tmp_path, "--fresh") == EVERYTHING
    assert {path.name for path in tmp_path.iterdir()} == {*first, "figures", "kept"}


def test_files_say_what_a_result_rests_on(tasks: Counted, tmp_path: Path) -> None:
    tasks.run(tmp_path)
    (basis, _) = (each["rests_on"] for each in json.loads((tmp_path / "checks.json").read_text("utf-8")))
    assert basis["question"] == {"check": "widgets", "seeds": "widgets"}
    assert {"python", "processor", "jax", "matplotlib"} <= set(basis["versions"])
    beside = json.loads((tmp_path / "kept" / "figure-picture.json").read_text("utf-8"))["kept"]
    assert beside["rests_on"]["question"] == {"figure": "picture"}
    assert beside["rests_on"]["code"]
    assert set(beside["result"]) == {"picture.png", "picture.nc"}


DAMAGES: dict[str, Callable[[Path], object]] = {
    "kept/check-widgets.json": lambda path: path.write_text(
        path.read_text("utf-8").replace("0.25", "0.26"), "utf-8"
    ),
    "kept/check-gadgets.json": lambda path: path.write_bytes(b"[" * 100_000),
    "kept/figure-picture.json": lambda path: path.write_bytes(b"\xff"),
    "figures/picture.nc": lambda path: path.write_bytes(b""),
    "figures/picture.png": lambda path: path.unlink(),
}


@pytest.mark.parametrize("file", DAMAGES)
def test_what_is_damaged_is_noted_and_computed_again(tasks: Counted, tmp_path: Path, file: str) -> None:
    tasks.run(tmp_path)
    DAMAGES[file](tmp_path / file)
    tasks.computed.clear()
    said = say("reproduce", "--out", tmp_path)
    name = next(name for name in EVERYTHING if name in file)
    assert (said.status, tasks.computed) == (0, [name])
    assert f"{name} is computed again" in said.err
    assert tasks.run(tmp_path) == []


@pytest.mark.parametrize("field", ["verdict", "wrong", "seeds"])
def test_a_kept_outcome_must_be_one_of_the_check(tasks: Counted, tmp_path: Path, field: str) -> None:
    """Whoever writes the digest, too, chooses numbers and texts, and no more."""
    tasks.run(tmp_path)
    path = tmp_path / "kept" / "check-widgets.json"
    whole = json.loads(path.read_text("utf-8"))["kept"]
    whole["result"][field] = {"statistic": "__import__"}
    text = json.dumps(whole)
    path.write_text(f'{{"digest": "{results._digest(text)}", "kept": {text}}}', "utf-8")
    assert tasks.run(tmp_path) == ["widgets"]


def test_a_check_that_does_not_pass_is_shown_and_fails(tasks: Counted, tmp_path: Path) -> None:
    tasks.check("widgets", **LOOSE)
    for _ in range(2):  # the second time from what is kept
        said = say("reproduce", "--out", tmp_path)
        assert (said.status, said.out.splitlines()[1]) == (1, "2 checks: 1 disagrees, 1 agrees")
        assert "widgets did not pass" in said.err
        found = {each["id"]: each for each in state(tmp_path)["checks"]}
        assert (found["widgets"]["state"], found["widgets"]["passed"]) == ("disagrees", False)
        assert found["gadgets"]["share"] == "10 % of all <widgets>"


def test_the_page_tells_what_is_done_what_is_computed_and_what_remains(
    tasks: Counted, tmp_path: Path
) -> None:
    seen: list[dict[str, Any]] = []

    def looking(quick: bool) -> Any:
        seen.append(state(tmp_path))
        return numbers(quick)

    def lacking(_: object) -> Any:
        raise MissingExtra("rows", "sklearn")

    tasks.figure("picture", looking)
    tasks.figure("missing", lacking)
    tasks.check("gadgets", lacking)
    said = say("reproduce", "--out", tmp_path)
    (during,), after = seen, state(tmp_path)
    assert during["state"] == "running"
    assert [name for name, _ in during["running"]] == ["figure picture"]
    assert during["remaining"] > after["remaining"] == 0
    assert after["state"] == "finished"
    found = {each["id"]: each for each in (*after["figures"], *after["checks"])}
    assert {id: each["state"] for id, each in found.items()} == {
        "picture": "computed", "missing": "not computed", "widgets": "agrees", "gadgets": "not computed"
    }  # fmt: skip
    assert (tmp_path / found["picture"]["picture"].partition("?")[0]).is_file()
    assert (tmp_path / found["picture"]["numbers"]).is_file()
    assert found["picture"]["caption"] == "A <caption>."
    assert "scikit-learn" in found["missing"]["lack"]
    assert said.status == 0
    for words in ("missing was not drawn: this installation", "gadgets was not run: this machine"):
        assert f"{words} lacks scikit-learn" in said.err
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "progress.js" in page
    assert "innerHTML" not in page  # titles are text


@pytest.mark.parametrize(
    ("error", "status", "shown"),
    [(KeyboardInterrupt(), 130, "interrupted"), (ZeroDivisionError("0"), 70, "stopped")],
)
def test_a_run_that_ends_early_says_what_is_finished_and_is_continued(
    tasks: Counted, tmp_path: Path, error: BaseException, status: int, shown: str
) -> None:
    def ending(_: object) -> Any:
        raise error

    before = tasks.checks["gadgets"]
    tasks.check("gadgets", ending)
    said = say("reproduce", "--out", tmp_path)
    assert said.status == status
    if status == 130:
        done = "interrupted: 1 of 1 figures and 1 of 2 checks are finished"
        assert said.err.splitlines()[-1].startswith(done)
    after = state(tmp_path)
    assert after["state"] == shown
    assert [each["state"] for each in (*after["figures"], *after["checks"])] == [
        "computed",
        "agrees",
        "waiting",
    ]
    assert not list(tmp_path.rglob("*.unfinished"))
    tasks.checks["gadgets"] = before
    assert tasks.run(tmp_path) == ["gadgets"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["multiscal"], "did you mean multiscale?"),
        (["ms-parts"], "did you mean `teacherstudent check ms-parts`?"),
        (["ch4-fig3"], "did you mean `teacherstudent figure ch4-fig3`?"),
        (["gan", "--workers", 0], "--workers"),
    ],
)
def test_wrong_words_are_refused(tmp_path: Path, words: list[object], said: str) -> None:
    assert said in refusal(say("reproduce", *words, "--out", tmp_path / "out"))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_computed(
    tasks: Counted, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    assert "--out" in refusal(say("reproduce", "--out", tmp_path / "file"))
    assert tasks.computed == []


# What there is and in which order ----------------------------------------------------------------------


def test_a_part_is_the_figures_and_checks_of_a_system() -> None:
    assert [each for each in tasks_of() if each.kind == "figure"][: len(FIRST)] == [
        Task("figure", id) for id in FIRST
    ]
    assert all(system_of_figure(id) in problems() for id in gallery.figures())
    assert Task("figure", "film-gan") in (part := tasks_of(["gan"]))
    assert {ledger.checks()[each.id].problem for each in part if each.kind == "check"} == {"gan"}
    assert len(tasks_of(["gan", "stable-noise"])) == len(part) + len(tasks_of(["stable-noise"]))


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_no_process_is_idle_long_and_what_is_cheap_comes_early(workers: int) -> None:
    seconds, tasks = measured_seconds(), tasks_of()
    ends, order, finished = [0.0] * workers, [], {}
    for task in in_order(tasks, workers, seconds):
        place = ends.index(min(ends))
        ends[place] += seconds.get(task.name, 20.0)
        order.append(task)
        finished[task] = ends[place]
    assert sorted(order, key=tasks.index) == tasks
    assert [each.id for each in order[: len(FIRST)]] == list(FIRST)
    assert max(ends) <= 1.1 * sum(ends) / workers
    half = sum(time <= max(ends) / 2 for time in finished.values())
    assert half > 0.7 * len(tasks)


# What results rest on ----------------------------------------------------------------------------------

REACHED = {
    Task("figure", "ch4-fig3"): (
        "figures/multiscale/ch4_fig3.py",
        "figures/kit/columns.py",  # which draws
        "theory/multiscale/asymptotic.py",  # a route, which is looked up by name
        "theory/contours.py",
        "sims/multiscale/descent.py",
        "sims/algorithms/descent.py",
        "house/running.py",
        "teacherstudent/api/figure.py",
    ),
    Task("figure", "map-onset"): ("maps/regions.py", "theory/turning.py"),
    Task("check", "ms-parts"): (
        "paper_checks/multiscale/limit.py",
        "paper_checks/judging/agreement.py",
        "sims/multiscale/descent.py",
        "problems/multiscale/data.py",
        "house/step_sizes.py",
    ),
}


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of all code from which digests are taken; it is older than this process."""
    rooms = ("figures", "house", "maps", "paper_checks", "problems", "optimisers", "sims", "sweeps", "theory")
    for room in (*rooms, "teacherstudent/api"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for path in tmp_path.rglob("*.py"):
        os.utime(path, (code.STARTED - 100, code.STARTED - 100))
    monkeypatch.setattr(code, "HERE", tmp_path)
    monkeypatch.setattr(results, "HERE", tmp_path)
    for each in (results._code, results._code_files):
        each.cache_clear()
    yield tmp_path
    for each in (results._code, results._code_files):
        each.cache_clear()


def change(path: Path, since: float = -50.0) -> None:
    """Change a file as if that many seconds after this process started."""
    path.write_text(path.read_text("utf-8") + "\nMORE = 1\n", "utf-8")
    os.utime(path, (code.STARTED + since, code.STARTED + since))
    results._code.cache_clear()


@pytest.mark.parametrize("task", REACHED, ids=lambda task: task.id)
def test_a_change_of_any_code_that_is_reached_changes_what_a_result_rests_on(
    copied: Path, task: Task
) -> None:
    found = [rests_on(task)]
    for file in REACHED[task]:
        change(copied / file)
        found.append(rests_on(task))
    assert None not in found
    assert len({str(each) for each in found}) == len(found)
    for file in ("theory/gan/__init__.py", "figures/gan/film_gan.py", "paper_checks/gan/__init__.py"):
        change(copied / file)
    assert rests_on(task) == found[-1]


def test_nothing_is_kept_or_used_while_code_changes(copied: Path, tasks: Counted, tmp_path: Path) -> None:
    task, kept = Task("figure", "ch4-fig3"), Results(tmp_path / "kept", tmp_path / "figures")
    tasks.figures["ch4-fig3"] = replace(tasks.figures["picture"], id="ch4-fig3")
    result = Result(rests_on(task), 1.0, {"ch4-fig3.png": "0", "ch4-fig3.nc": "0"})
    kept.keep(task, result)
    assert kept.file(task).is_file()
    kept.file(task).unlink()
    change(copied / "house" / "running.py", since=10)
    kept.keep(task, result)
    assert not kept.file(task).exists()
    assert rests_on(task) is None


def test_an_outcome_comes_back_to_the_last_digit(tasks: Counted, tmp_path: Path) -> None:
    """Also numbers of NumPy, numbers that are not finite, and parts of parts."""
    half = Verdict(np.float64(1) / 3, np.inf, 0.1, "m", "a reason", np.int64(3), undetected=0.1 + 0.2)  # type: ignore[arg-type]
    whole = worst_verdict(
        half, worst_verdict(half, replace(half, statistic=np.nan, effect=Effect(1 / 7, "a peak")))
    )
    found = outcome_fields("widgets") | {"verdict": whole}
    found["wrong"] = {name: replace(whole, threshold=each.threshold) for name, each in found["wrong"].items()}
    task, kept = Task("check", "widgets"), Results(tmp_path / "kept", tmp_path / "figures")
    kept.keep(task, Result(rests_on(task), 1.0, found))
    again = kept.find(task)
    assert again
    assert again.kept
    outcomes = [outcome_from("widgets", each) for each in (found, again.fields)]
    for text in (
        lambda each: repr([asdict(leaf) for leaf in each.verdict.leaves]),
        lambda each: repr(record(each)),
    ):
        first, second = (re.sub(r"np\.\w+\((\S+?)\)", r"\1", text(each)) for each in outcomes)
        assert first == second
    first, second = (TIME.sub("", report.render([each], tmp_path)) for each in outcomes)
    assert first == second


def test_two_processes_compute_real_checks_once(tmp_path: Path) -> None:
    tasks = [Task("check", "pc-cover-count"), Task("check", "ms-figure-5")]
    begun: list[Task] = []
    for kept in (False, True):
        found = dict(reproduce(tasks, tmp_path, fresh=False, workers=2, begun=begun.append))
        assert sorted(found, key=tasks.index) == tasks
        assert [isinstance(each, Result) and each.kept for each in found.values()] == [kept, kept]
    assert sorted(begun, key=tasks.index) == tasks


# The browser -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terminal", "variables", "opened"),
    [
        (True, {"DISPLAY": ":0"}, True),
        (False, {"DISPLAY": ":0"}, False),
        (True, {}, False),
        (True, {"DISPLAY": ":0", "CI": "true"}, False),
    ],
)
def test_a_browser_is_opened_only_where_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool, variables: dict[str, str], opened: bool
) -> None:
    asked: list[str] = []

    class Browser:
        def open(self, address: str) -> None:
            asked.append(address)

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(progress_page.sys, "platform", "linux")
    monkeypatch.setattr(progress_page.sys.stderr, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(progress_page.webbrowser, "get", Browser)
    progress_page.open_in_browser(tmp_path / "index.html")
    assert asked == [(tmp_path / "index.html").as_uri()] * opened
