"""`reproduce` computes each figure and check once, in a good order, and keeps what no change has touched."""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teacherstudent.api.check import outcome_fields, outcome_from, record
from teacherstudent.api.reproduce import computed, reproduce
from teacherstudent.api.reproducing import results
from teacherstudent.api.reproducing.results import Result, Results, rests_on
from teacherstudent.api.reproducing.tasks import (
    FIRST,
    UNKNOWN,
    Task,
    in_order,
    measured_seconds,
    system_of_figure,
    tasks_of,
)
from teacherstudent.cli import progress_page
from teacherstudent.cli.report import render
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

EVERYTHING = ["gadgets", "picture", "widgets"]


class Counted:
    """A figure `picture`, checks `widgets` and `gadgets`, and which of them were computed."""

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

    def check(
        self, id: str, evidence: Callable[[Any], Any] = lambda seeds: seeds(2), **values: float
    ) -> None:
        def counted(seeds: Any) -> Any:
            self.computed.append(id)
            return evidence(seeds)

        self.checks[id] = replace(check(id, **values), problem="gan", evidence=counted)

    def run(self, folder: Path, *options: object) -> list[str]:
        """What a run computes, which must end well."""
        self.computed.clear()
        said = say("reproduce", "--workers", 1, "--out", folder, *options)
        assert said.status == 0, said
        return sorted(self.computed)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Counted:
    ledger.checks()  # what is listed once is kept
    found = Counted()
    monkeypatch.setattr("teacherstudent.paper_checks.last_run.last_run", dict)  # of the other checks
    monkeypatch.setattr(gallery, "figures", lambda: found.figures)
    monkeypatch.setattr(ledger, "checks", lambda: found.checks)
    return found


def raising(error: BaseException) -> Callable[[object], Any]:
    def fail(_: object) -> Any:
        raise error

    return fail


def shown(folder: Path) -> dict[str, Any]:
    """What the page shows."""
    text = (folder / "progress.js").read_text("utf-8")
    return dict(json.loads(text.removeprefix("show(").removesuffix(");\n")))


def undated(report: str) -> str:
    return re.sub(r"\d\d:\d\d UTC", "", report)


def test_a_second_run_computes_nothing_and_gives_the_same(toys: Counted, tmp_path: Path) -> None:
    assert toys.run(tmp_path) == EVERYTHING
    outcomes, report = (tmp_path / name for name in ("checks.json", "report.html"))
    before = outcomes.read_bytes(), undated(report.read_text("utf-8"))
    assert toys.run(tmp_path) == []
    assert (outcomes.read_bytes(), undated(report.read_text("utf-8"))) == before
    assert all(each["kept"] for each in shown(tmp_path)["checks"])
    assert toys.run(tmp_path, "--fresh") == EVERYTHING
    basis = json.loads(outcomes.read_text("utf-8"))[0]["rests_on"]
    assert basis["question"] == {"check": "widgets"}
    assert {"python", "processor", "jax", "matplotlib"} <= set(basis["versions"])
    beside = json.loads((tmp_path / "kept" / "figure-picture.json").read_text("utf-8"))["kept"]
    assert beside["rests_on"]["code"]
    assert set(beside["result"]) == {"picture.png", "picture.nc"}


def forged(path: Path) -> None:
    """Whoever writes the digest, too, chooses numbers and texts of this check, and no more."""
    whole = json.loads(path.read_text("utf-8"))["kept"]
    whole["result"]["wrong"] = {"a lost factor": {**whole["result"]["verdict"], "statistic": 10**400}}
    text = json.dumps(whole)
    path.write_text(f'{{"digest": "{results._digest(text)}", "kept": {text}}}', "utf-8")


def led_away(path: Path) -> None:
    """By a link, which is replaced: what it leads to stays."""
    path.rename(path.with_suffix(".elsewhere"))
    path.with_suffix(".elsewhere").write_text("{}", "utf-8")
    path.symlink_to(path.with_suffix(".elsewhere"))


DAMAGES: list[tuple[str, Callable[[Path], object]]] = [
    ("kept/check-widgets.json", lambda path: path.write_bytes(path.read_bytes().replace(b"0.25", b"0.26"))),
    ("kept/check-widgets.json", forged),
    ("kept/check-gadgets.json", lambda path: path.write_bytes(b"[" * 100_000)),
    ("kept/check-gadgets.json", led_away),
    ("kept/figure-picture.json", lambda path: path.write_bytes(b"\xff")),
    ("figures/picture.nc", lambda path: path.write_bytes(b"")),
    ("figures/picture.png", Path.unlink),
]


def test_what_is_damaged_is_noted_and_computed_again(toys: Counted, tmp_path: Path) -> None:
    toys.run(tmp_path)
    for file, damage in DAMAGES:
        damage(tmp_path / file)
        toys.computed.clear()
        said = say("reproduce", "--workers", 1, "--out", tmp_path)
        name = next(name for name in EVERYTHING if name in file)
        assert (said.status, toys.computed) == (0, [name])
        assert f"{name} is computed again" in said.err
    assert toys.run(tmp_path) == []
    assert (tmp_path / "kept" / "check-gadgets.elsewhere").read_text("utf-8") == "{}"


def test_a_check_that_does_not_pass_is_shown_and_fails(toys: Counted, tmp_path: Path) -> None:
    toys.check("widgets", claim=3.0)
    for _ in range(2):  # the second time from what is kept
        said = say("reproduce", "--workers", 1, "--out", tmp_path)
        assert (said.status, said.out.splitlines()[1]) == (1, "checks: 2, disagrees: 1, agrees: 1")
        assert "widgets did not pass" in said.err
        widgets, gadgets = shown(tmp_path)["checks"]
        assert (widgets["state"], widgets["passed"]) == ("disagrees", False)
        assert (gadgets["state"], gadgets["share"]) == ("agrees", "10 % of all <widgets>")


def test_the_page_says_what_is_done_what_is_computed_and_what_remains(toys: Counted, tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []
    toys.figure("picture", lambda quick: seen.append(shown(tmp_path)) or numbers(quick))
    toys.figure("missing", raising(MissingExtra("rows", "sklearn")))
    said = say("reproduce", "--workers", 1, "--out", tmp_path)
    (during,), after = seen, shown(tmp_path)
    assert (during["state"], after["state"], said.status) == ("running", "finished", 0)
    assert [name for name, _ in during["running"]] == ["figure picture"]
    assert during["remaining"] > after["remaining"] == 0
    picture, missing = after["figures"]
    assert (tmp_path / picture["picture"].partition("?")[0]).is_file()
    assert (tmp_path / picture["numbers"]).is_file()
    assert picture["caption"] == "A <caption>."
    assert missing["state"] == "not computed"
    assert "missing was not drawn: this installation lacks scikit-learn" in said.err
    assert "innerHTML" not in (tmp_path / "index.html").read_text("utf-8")  # titles are text


@pytest.mark.parametrize(("error", "status", "state"), [
    (KeyboardInterrupt(), 130, "interrupted"),
    (ZeroDivisionError("0"), 70, "stopped"),
])  # fmt: skip
def test_a_run_that_ends_early_says_what_is_finished_and_is_continued(
    toys: Counted, tmp_path: Path, error: BaseException, status: int, state: str
) -> None:
    toys.check("gadgets", raising(error))
    said = say("reproduce", "--workers", 1, "--out", tmp_path)
    assert said.status == status
    done = "interrupted: 1 of 1 figures and 1 of 2 checks are finished"
    assert said.err.splitlines()[-1].startswith(done) == (status == 130)
    after = shown(tmp_path)
    assert after["state"] == state
    states = [each["state"] for each in (*after["figures"], *after["checks"])]
    assert states == ["computed", "agrees", "waiting"]
    assert not list(tmp_path.rglob("*.unfinished"))
    toys.check("gadgets")
    assert toys.run(tmp_path) == ["gadgets"]


@pytest.mark.parametrize(("word", "said"), [
    ("multiscal", "did you mean multiscale?"),
    ("ms-parts", "did you mean `teacherstudent check ms-parts`?"),
    ("ch4-fig3", "did you mean `teacherstudent figure ch4-fig3`?"),
])  # fmt: skip
def test_wrong_words_are_refused(tmp_path: Path, word: str, said: str) -> None:
    assert said in refusal(say("reproduce", word, "--out", tmp_path / "out"))
    assert not list(tmp_path.iterdir())


def test_a_part_is_the_figures_and_checks_of_a_system() -> None:
    assert tasks_of()[: len(FIRST)] == [Task("figure", id) for id in FIRST]
    assert {system_of_figure(id) for id in gallery.figures()} <= set(problems())
    part = tasks_of(["gan"])
    assert Task("figure", "film-gan") in part
    assert {ledger.checks()[each.id].problem for each in part if each.kind == "check"} == {"gan"}


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_no_process_is_idle_long_and_what_is_cheap_comes_early(workers: int) -> None:
    seconds, tasks, ends = measured_seconds(), tasks_of(), [0.0] * workers
    order: list[tuple[Task, float]] = []
    for task in in_order(tasks, workers, seconds):
        place = ends.index(min(ends))
        ends[place] += seconds.get(task.name, UNKNOWN)
        order.append((task, ends[place]))
    assert sorted((task for task, _ in order), key=tasks.index) == tasks
    assert [task.id for task, _ in order[: len(FIRST)]] == list(FIRST)
    assert max(ends) <= 1.1 * sum(ends) / workers
    assert sum(end <= max(ends) / 2 for _, end in order) > 0.7 * len(tasks)


# What results rest on ----------------------------------------------------------------------------------

REACHED = {
    Task("figure", "map-onset"): (
        "figures/multiscale/map_onset.py",
        "figures/kit/regions.py",  # which draws
        "maps/regions.py",
        "theory/multiscale/asymptotic.py",  # a route, which is looked up by name
        "sims/algorithms/momentum.py",
        "house/running.py",
        "teacherstudent/api/figure.py",
    ),
    Task("check", "ms-parts"): (
        "paper_checks/multiscale/limit.py",
        "paper_checks/judging/agreement.py",
        "theory/contours.py",
        "sims/multiscale/descent.py",
        "problems/multiscale/data.py",
    ),
}


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of all code from which digests are taken; it is older than this process."""
    for room in (*results.ROOMS[:-1], "teacherstudent/api"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for path in tmp_path.rglob("*.py"):
        os.utime(path, (code.STARTED - 100, code.STARTED - 100))
    for module in (code, results):
        monkeypatch.setattr(module, "HERE", tmp_path)
    results._code_files.cache_clear()
    results._code.cache_clear()
    yield tmp_path
    results._code_files.cache_clear()
    results._code.cache_clear()


def change(path: Path, since: float = -50.0) -> None:
    """Change a file as if that many seconds after this process started."""
    path.write_text(path.read_text("utf-8") + "\nMORE = 1\n", "utf-8")
    os.utime(path, (code.STARTED + since, code.STARTED + since))
    results._code.cache_clear()


def test_no_result_is_used_or_kept_across_code_that_changed(copied: Path, tmp_path: Path) -> None:
    for task, files in REACHED.items():
        found = [rests_on(task)]
        for file in files:
            change(copied / file)
            found.append(rests_on(task))
        for file in ("theory/gan/__init__.py", "figures/gan/film_gan.py", "paper_checks/gan/__init__.py"):
            change(copied / file)
        assert rests_on(task) == found[-1]
        assert None not in found
        assert len({str(each) for each in found}) == len(found)
    kept = Results(tmp_path / "kept", tmp_path / "figures")
    for since, is_kept in ((-30.0, False), (-20.0, True), (10.0, False)):
        result = Result(rests_on(task), 1.0, outcome_fields("pc-cover-count"))
        if not is_kept:  # while the result was computed
            change(copied / "house" / "running.py", since)
        kept.keep(task, result)
        assert kept.file(task).exists() == is_kept
        kept.file(task).unlink(missing_ok=True)
        kept = Results(tmp_path / "kept", tmp_path / "figures")
    assert rests_on(task) is None  # this process runs the code of before


def test_an_outcome_comes_back_to_the_last_digit(toys: Counted, tmp_path: Path) -> None:
    """Also numbers of NumPy, numbers that are not finite, and parts of parts."""
    points: Any = np.int64(3)
    one = Verdict(np.float64(1) / 3, np.inf, 0.1, "m", "a reason", points, undetected=0.1 + 0.2)
    whole = worst_verdict(
        one, worst_verdict(one, replace(one, statistic=np.nan, effect=Effect(1 / 7, "a peak")))
    )
    found = outcome_fields("widgets") | {"verdict": whole, "wrong": {"a lost factor": whole}}
    task, kept = Task("check", "widgets"), Results(tmp_path / "kept", tmp_path / "figures")
    kept.keep(task, Result(rests_on(task), 1.0, found))
    again = kept.find(task, rests_on(task))
    assert again
    outcomes = [outcome_from("widgets", each) for each in (found, again.fields)]
    texts = [f"{[asdict(leaf) for leaf in each.verdict.leaves]} {record(each)}" for each in outcomes]
    assert re.sub(r"np\.\w+\((\S+?)\)", r"\1", texts[0]) == texts[1]
    first, second = (undated(render([each], tmp_path)) for each in outcomes)
    assert first == second


def test_real_checks_are_computed_once(tmp_path: Path) -> None:
    tasks = [Task("check", "pc-cover-count"), Task("check", "ms-figure-5")]
    begun: list[Task] = []
    for kept in (False, True):
        found = dict(reproduce(tasks, tmp_path, fresh=False, workers=1, begun=begun.append))
        assert sorted(found, key=tasks.index) == tasks
        assert [isinstance(each, Result) and each.kept for each in found.values()] == [kept, kept]
    assert sorted(begun, key=tasks.index) == tasks
    work, travelled = pickle.loads(pickle.dumps((partial(computed, out=tmp_path), found)))
    assert (str(travelled), work.func) == (str(found), computed)  # other processes compute them, too


def test_a_browser_is_opened_only_where_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("webbrowser.get", lambda: type("Browser", (), {"open": staticmethod(asked.append)})())
    for terminal, variables in [(True, "DISPLAY"), (False, "DISPLAY"), (True, ""), (True, "DISPLAY CI")]:
        monkeypatch.setattr("sys.stderr.isatty", lambda terminal=terminal: terminal, raising=False)
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI"):
            monkeypatch.setenv(name, ":0" if name in variables.split() else "")
        progress_page.open_in_browser(tmp_path / "index.html")
        assert asked == [(tmp_path / "index.html").as_uri()]  # by the first
