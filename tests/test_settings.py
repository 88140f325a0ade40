"""Settings that are written, read again and asked once more give the same question and the same numbers."""

from __future__ import annotations

import json
import pickle
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.cli.command import COMMANDS, command
from teacherstudent.cli.question import Question
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.ranges import Interval
from teacherstudent.house.running import instance_and_options
from teacherstudent.house.settings import settings_as_toml, whole_question
from tests.fuzzing import leaves
from tests.roundings import repeated
from tests.support import example_of, refusal, say

ROUTES = {route.id: route for route in catalogue.routes()}
ASKED = {
    f"{route.id}-{i}": (route, example)
    for route in ROUTES.values()
    for i, example in enumerate(catalogue.problems()[route.problem].examples)
}
SOME = [name if name.endswith("-0") else pytest.param(name, marks=pytest.mark.thorough) for name in ASKED]
FLOW = ("multiscale", "--dynamics", "flow", "--route", "asymptotic", "--n", "12", "--d", "8", "--p", "4")


def question(route: Route, example: dict[str, Any]) -> dict[str, Any]:
    """What of an example this route takes, and what it is asked by."""
    asked = {"dynamics": route.dynamics, "route": route.name, "times": [1.0, 2.0]}
    drawn = {"seeds": 2} if route.sampled else {}
    return {**asked, **drawn, **example_of(route, example)}


def read_by_the_command(problem: str, name: str, *arguments: str) -> dict[str, Any]:
    """The options that a command on that problem understands."""
    group = command(name)
    assert isinstance(group, click.Group)
    with (
        COMMANDS.make_context("teacherstudent", [name]) as top,
        group.make_context(name, [problem], parent=top) as parent,
    ):
        asked = group.get_command(parent, problem)
        assert isinstance(asked, Question)
        given = asked.make_context(problem, list(arguments), parent=parent).params
    return {key: value for key, value in given.items() if value is not None}


@pytest.mark.parametrize("name", SOME)
def test_the_settings_of_every_example_ask_the_same_of_every_route(name: str, tmp_path: Path) -> None:
    route, example = ASKED[name]
    kind = catalogue.find_problem(route.problem)
    asked = question(route, example)
    file = tmp_path / "question.toml"
    file.write_text(settings_as_toml("curve", kind, asked), encoding="utf-8")
    said = read_by_the_command(kind.id, "curve", "--from", str(file))
    clock = kind.on_clock(route.dynamics)

    def values(of: dict[str, Any]) -> Any:
        own = {each.name for each in (*kind.parameters, *clock.options, *route.options)}
        return instance_and_options(
            kind, clock, route, {key: value for key, value in of.items() if key in own}
        )

    assert values(said) == values(asked)
    said["route"] = said["route"] if isinstance(said["route"], str) else ",".join(said["route"])
    given = [said.get(key) for key in ("dynamics", "route", "times", "seeds")]
    assert given == [route.dynamics, route.name, (1.0, 2.0), 2 if route.sampled else None]


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
@pytest.mark.parametrize("problem", catalogue.problems())
def test_an_answer_asks_for_itself_again(problem: str, tmp_path: Path) -> None:
    """By its settings in Python and in the shell, and by its own file."""
    own = [entry for entry in ASKED.values() if entry[0].problem == problem]
    route, example = min(own, key=lambda entry: entry[0].sampled)
    answer = teacherstudent.curve(problem, **question(route, example))
    text = teacherstudent.settings(answer)
    asked = tomllib.loads(text)
    assert asked.pop("command") == "curve"
    assert repeated(teacherstudent.curve(**asked).drop_attrs(), answer.drop_attrs())
    (tmp_path / "question.toml").write_text(text, encoding="utf-8")
    assert say("curve", "--from", tmp_path / "question.toml", "--out", tmp_path / "a.nc").status == 0
    assert say("curve", problem, "--from", tmp_path / "a.nc", "--out", tmp_path / "b.nc").status == 0
    for name in ("a.nc", "b.nc"):
        with xr.open_dataset(tmp_path / name, engine="h5netcdf") as kept:
            assert repeated(kept.load().drop_attrs(), answer.drop_attrs())
            assert teacherstudent.settings(kept) == text


@pytest.mark.parametrize("name", SOME)
def test_defaults_that_depend_on_others_stand_in_settings_and_answers(name: str) -> None:
    """As comments, since they hold for these values only; given as values they change nothing."""
    route, example = ASKED[name]
    kind = catalogue.find_problem(route.problem)
    own = {each.name: each for each in kind.parameters}
    given = {key: value for key, value in question(route, example).items() if key in own}
    derived = kind.derive(given)
    assert all(own[key].default is None for key in derived)
    text = settings_as_toml("curve", kind, question(route, example))
    assert not derived.keys() & tomllib.loads(text).keys()
    below = tomllib.loads("".join(line[2:] for line in text.splitlines(True) if line.startswith("# ")))
    assert {key: own[key].check(value) for key, value in below.items()} == derived
    with suppress(InputError):  # a question for another route
        assert kind.instance(**given, **derived) == kind.instance(**given)


def test_the_answer_says_with_which_overlap_and_ridge_it_was_asked() -> None:
    asked = {"dynamics": "online", "route": "asymptotic", "times": [1.0]}
    assert json.loads(teacherstudent.curve("committee", **asked).attrs["fixed"])["overlap"] == 0.01
    assert "# overlap = 0.01\n" in settings_as_toml("curve", catalogue.find_problem("committee"), asked)
    asked = {"dynamics": "examples", "route": "asymptotic"}
    assert "# ridge = 0.1\n" in settings_as_toml("curve", catalogue.find_problem("perceptron"), asked)


COMMANDS_ON_MULTISCALE = {
    "curve": (*FLOW, "--times", "1,2,5"),
    "sweep": (*FLOW[:5], *FLOW[7:], "--times", "1:4:2", "--kappa", "2,3", "--alpha", "1:2:2:lin"),
    "onset": ("multiscale", "--n", "110", "--d", "100", "--p", "70", "--kappa", "2:30", "--accuracy", "0.1"),
}


@pytest.mark.parametrize("name", COMMANDS_ON_MULTISCALE)
def test_every_command_writes_the_settings_that_repeat_it(name: str, tmp_path: Path) -> None:
    file = tmp_path / "question.toml"
    first = say(name, *COMMANDS_ON_MULTISCALE[name], "--settings", file)
    assert first.status == 0, first.err
    again = say(name, "--from", file, "--settings", tmp_path / "again.toml")
    assert again == (0, first.out, first.err.replace(str(file), str(tmp_path / "again.toml")))
    assert (tmp_path / "again.toml").read_text(encoding="utf-8") == file.read_text(encoding="utf-8")
    assert file.read_text(encoding="utf-8").startswith(f'command = "{name}"\nproblem = "multiscale"\n')


def test_settings_of_a_curve_serve_a_sweep(tmp_path: Path) -> None:
    file = tmp_path / "question.toml"
    assert say("curve", *FLOW, "--settings", file).status == 0
    swept = say("sweep", "--from", file, "--kappa", "2,3", "--times", "1,2")
    assert swept.status == 0, swept.err


def test_swept_grids_are_settings_too() -> None:
    question: dict[str, Any] = {"problem": "multiscale", "dynamics": "flow", "times": [1.0]}
    swept = teacherstudent.sweep(**question, route=["asymptotic", "printed"], kappa="1:9:2", noise=[0, 1])
    asked = tomllib.loads(teacherstudent.settings(swept))
    assert asked.pop("command") == "sweep"
    assert (asked["kappa"], asked["noise"]) == ("1:9:2:log", [0.0, 1.0])
    assert repeated(teacherstudent.sweep(**asked).drop_attrs(), swept.drop_attrs())


def test_settings_say_what_takes_part_and_nothing_else() -> None:
    kind = catalogue.find_problem("multiscale")
    limit = whole_question(kind, {"dynamics": "flow", "route": "asymptotic", "alpha": 2.0})
    assert not limit.keys() & {"n", "scales", "seeds", "seed", "learning_rate", "inverse_temperature"}
    drawn = whole_question(kind, {"dynamics": "descent", "route": "asymptotic,simulation", "scales": "4:1"})
    assert drawn.keys() >= {"n", "scales", "seeds", "seed", "learning_rate", "precision"}
    assert not drawn.keys() & {"d", "p", "kappa", "alpha"}
    assert whole_question(kind, {"curve": "flow", "kappa": "2:30"})["kappa"] == Interval(2.0, 30.0)
    assert whole_question(kind, {"dynamics": "flow", "times": "1:9:3"})["times"] == Span(1.0, 9.0, 3)
    plane = whole_question(kind, {"x": "lambda=0.1:1", "y": "alpha=1:2"})
    assert plane.keys() >= {"x", "y", "kappa"}
    assert not plane.keys() & {"ridge", "alpha", "n"}
    assert whole_question(kind, {"dynamics": "flow", "points": Path("a.csv")}) == {
        "dynamics": "flow",
        "points": Path("a.csv"),
    }


@pytest.fixture
def file(here: Path) -> Path:
    asked = ("problem = 'multiscale'", "dynamics = 'flow'", "route = 'asymptotic'", "times = [1, 2]")
    Path("q.toml").write_text("\n".join((*asked, "n = 12", "d = 8", "p = 4", "")), encoding="utf-8")
    return Path("q.toml")


def test_the_command_line_overrides_a_file(file: Path) -> None:
    asked = ("curve", "multiscale", "--from", "q.toml")
    assert read_by_the_command("multiscale", *asked[:1], *asked[2:], "--n=30")["n"] == 30
    ratio = read_by_the_command("multiscale", *asked[:1], *asked[2:], "--alpha", "2")
    assert "n" not in ratio, "alpha stands instead of n"
    file.write_text(file.read_text(encoding="utf-8") + "lambda = 0.5\n", encoding="utf-8")
    assert read_by_the_command("multiscale", *asked[:1], *asked[2:])["ridge"] == 0.5
    assert read_by_the_command("multiscale", *asked[:1], *asked[2:], "--weight-decay", "2")["ridge"] == 2


WRONG = {
    "kapa = 3": "--from q.toml: must be without the name kapa, which is no option here; did you mean kappa?",
    "kappa = 0.5": "--kappa 0.5: must be a finite number >= 1; so says q.toml",
    "kappa = [1, 5]": "--kappa [1, 5]: must be a finite number >= 1; only `sweep` takes several values; so ",
    "kappa = flow": "--from q.toml: must be a file in TOML (",
    "sigma = 0.5": "--sigma 0.5: must be said by its name: --noise (",
    "workrs = 3": "--from q.toml: must be without the name workrs, which is no option here",
    "lambda = 1\nridge = 1": "--from q.toml: must be without a second line for ridge",
    "accuracy = 0.1\ncommand = 'onset'": "--from q.toml: must be without the name accuracy, which is no "
    "option here; it is for `teacherstudent onset`",
    "learning_rate = 1": "--learning-rate 1.0: must be absent under flow",
    "init = {}": "--init {}: must be a finite number >= 0; so says q.toml",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_in_a_file_is_refused_with_the_file(file: Path, line: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    assert refusal(say("curve", "multiscale", "--from", "q.toml")).startswith(WRONG[line])


QUESTIONS = {" ".join(path): found for path, found in leaves(COMMANDS) if isinstance(found, Question)}
WORDS = {
    "best": {"over", "of", "subject_to", "largest", "dynamics", "route", "times", "seeds", "seed"},
    "curve": {
        *("dynamics", "route", "times", "seeds", "seed"),
        *("sensitivity", "uncertain", "scatter"),
    },
    "sweep": {"dynamics", "route", "times", "seeds", "seed", "points"},
    "map": {"x", "y", "of", "along", "curve", "dynamics", "route", "spots", "seeds", "seed"},
    "turns": {"curve"},
    "onset": {"curve", "accuracy"},
    "solve": {"for_", "where", "curve", "accuracy", "dynamics", "route", "times", "seeds", "seed"},
    "mine": {
        *("table", "target", "leave_out", "missing", "encode", "curve", "simulate"),
        *("n", "times", "seeds", "seed", "learning_rate", "loss"),
    },
}
"""All that a file may set apart from parameters of the problem. A stranger may set it, too."""


def saved(text: str, suffix: str) -> Path:
    """Settings as a file of that kind."""
    path = Path(f"sent{suffix}")
    if suffix == ".toml":
        path.write_text(text, encoding="utf-8")
    elif suffix == ".nc":
        xr.Dataset(attrs={"settings": text}).to_netcdf(path, engine="h5netcdf")
    else:
        path.mkdir(exist_ok=True)
        new = {"zarr_format": 3, "node_type": "group", "attributes": {"settings": text}}
        (path / "zarr.json").write_text(json.dumps(new), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_file_sets_values_of_the_question_and_nothing_else(name: str, here: Path) -> None:
    asked, (command, *_) = QUESTIONS[name], name.split()
    own = {each.name for each in asked.parameters}
    assert asked.asking - own <= WORDS[command]
    others = [each for each in asked.params if each.name not in asked.asking]
    words = {opt.removeprefix("--") for each in others for opt in each.opts}
    assert words >= {"from", "settings", "verbose"}
    problem = asked.problem.id
    few = {"from", "settings", *({"out", "plot"} & words)}  # every word of one system, and of its texts
    for suffix in (".toml", ".nc", ".zarr") if problem == "multiscale" else [".toml"]:
        for word in words if problem == "multiscale" and suffix == ".toml" else few:
            sent = saved(f"problem = '{problem}'\n{word} = 'tcp://127.0.0.1:9'\n", suffix)
            told = refusal(say(command, "--from", sent))
            assert told.startswith(f"--from {sent}: must be without the name {word}; "), told
    assert {each.name for each in here.iterdir()} <= {"sent.toml", "sent.nc", "sent.zarr"}


def test_python_takes_from_a_file_what_the_command_line_takes(file: Path) -> None:
    assert teacherstudent.settings(file) == teacherstudent.settings("q.toml") == file.read_text("utf-8")
    for line in ("scheduler = 'tcp://127.0.0.1:9'", "out = 'a.nc'", "resume = true", "new = 1"):
        text = file.read_text("utf-8") + line
        for sent in (
            *(saved(text, suffix) for suffix in (".toml", ".nc", ".zarr")),
            xr.Dataset(attrs={"settings": text}),
        ):
            with pytest.raises(InputError, match=f"without the name {line.partition(' ')[0]}: settings only"):
                teacherstudent.settings(sent)


@pytest.mark.parametrize("word", ["scheduler", "out", "workers"])
def test_what_is_drawn_does_not_obey_what_an_answer_calls_fixed(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines between few recorded times are asked for again, by the values that the answer says were fixed."""
    asked: dict[str, Any] = {"dynamics": "flow", "route": ["asymptotic", "instance"], "kappa": [1, 2]}
    answer = teacherstudent.sweep("multiscale", **asked, times=[1.0, 2.0, 3.0], seeds=2, n=12, d=8, p=4)
    answer.attrs["fixed"] = json.dumps({**json.loads(answer.attrs["fixed"]), word: "sent.nc"})
    obeyed = []
    monkeypatch.setattr("teacherstudent.api.sweep.sweep", lambda *_, **asked: obeyed.append(asked))
    teacherstudent.plot(answer)
    assert obeyed == []


def test_arrays_of_a_sent_answer_are_not_decoded(file: Path) -> None:
    """A codec of Zarr unpickles, an array of HDF5 may stand in another file: only attributes are read."""
    array = Path("sent.zarr/time")
    array.mkdir(parents=True)
    Path("sent.zarr/.zgroup").write_text('{"zarr_format": 2}', encoding="utf-8")
    Path("sent.zarr/.zattrs").write_text(json.dumps({"settings": file.read_text("utf-8")}), encoding="utf-8")
    codecs = [{"id": "vlen-utf8"}, {"id": "pickle", "protocol": 5}]
    about = {"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": "|O", "compressor": None, "order": "C"}
    about |= {"fill_value": "", "filters": codecs}
    (array / ".zarray").write_text(json.dumps(about), encoding="utf-8")
    (array / ".zattrs").write_text('{"_ARRAY_DIMENSIONS": ["time"]}', encoding="utf-8")
    (array / "0").write_bytes(pickle.dumps([Path("pickled")]))
    assert say("curve", "--from", "sent.zarr") == say("curve", "--from", "q.toml")


def test_what_is_no_file_of_settings_is_refused(file: Path) -> None:
    assert refusal(say("curve", "starvation", "--from", "q.toml")) == (
        "--from q.toml: must be for starvation: it is for multiscale"
    )
    assert "No such file" in refusal(say("curve", "--from", "missing.toml"))
    assert refusal(say("curve", "--from", "q.json")).startswith(
        "--from q.json: must be a file ending in .toml"
    )
    assert refusal(say("curve", "multiscale", "--from")).startswith("--from (missing): must be a file")
    file.write_text("problem = 'multiscal'", encoding="utf-8")
    assert refusal(say("curve", "--from", "q.toml")).endswith("; did you mean multiscale?")
    file.write_bytes(b"\xff")
    assert "not UTF-8" in refusal(say("curve", "--from", "q.toml"))
    for name in ("a.nc", "a.zarr"):
        Path(name).write_text("no answer", encoding="utf-8")
        assert "an answer that holds its settings" in refusal(say("curve", "--from", name))
    xr.Dataset({"R": ("time", np.ones(2))}).to_netcdf("b.nc", engine="h5netcdf")
    assert "an answer that holds its settings" in refusal(say("curve", "--from", "b.nc"))


def test_python_refuses_what_holds_no_settings() -> None:
    for answer in (3, xr.Dataset(), xr.Dataset(attrs={"settings": 3})):
        with pytest.raises(InputError, match=r"^--answer "):
            teacherstudent.settings(answer)  # type: ignore[arg-type]
    many = teacherstudent.curve(
        "multiscale", dynamics="flow", route="asymptotic", times=np.geomspace(1, 2, 9000), n=8, d=4, p=2
    )
    with pytest.raises(InputError, match="an answer of this package that holds"):
        teacherstudent.settings(many)
