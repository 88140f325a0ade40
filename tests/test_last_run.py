"""States of the last run are kept with a digest of the code, listed, and called stale when it has changed."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from teacherstudent.api.listing import listing
from teacherstudent.paper_checks import code, last_run
from teacherstudent.paper_checks.last_run import STATES, LastRun
from teacherstudent.paper_checks.ledger import checks
from tests.support import refusal, say
from tools.last_run import merged

RECORD = {
    "id": "ms-parts",
    "state": "weak",
    "share": 0.61234,
    "code": "abc",
    "seeds": "ms-parts",
    "seconds": 3,
}


def kept(file: Path, **codes: str) -> dict[str, LastRun]:
    """What is read back where these checks were weak when their code had these digests."""
    text = merged({}, [RECORD | {"id": id, "seeds": id, "code": digest} for id, digest in codes.items()])
    file.write_text(text, encoding="utf-8")
    return last_run.last_run(file)


def test_a_state_is_stale_when_the_code_has_changed_and_not_run_when_there_is_none(tmp_path: Path) -> None:
    now = code.code_of(checks()["ms-parts"])
    fresh = kept(tmp_path / "fresh.json", **{"ms-parts": now})
    stale = kept(tmp_path / "stale.json", **{"ms-parts": "0"})
    assert fresh["ms-parts"] == LastRun("weak", 0.61)
    assert str(stale["ms-parts"]) == "weak, stale"
    assert fresh["ms-limit-ridge"] == LastRun("not run")


def test_what_is_taken_is_of_usual_seeds_and_of_checks_that_there_are() -> None:
    others = ({"id": "gone", "seeds": "gone"}, {"id": "ms-limit-ridge", "seeds": "ms-limit-ridge/1f"})
    before = {"os-peak": {"state": "agrees", "share": 0.1, "code": "d"}, "withdrawn": {}}
    found = json.loads(merged(before, [RECORD, *(RECORD | other for other in others)]))
    assert found == {
        "ms-parts": {"state": "weak", "share": 0.61, "code": "abc"},
        "os-peak": before["os-peak"],
    }


def test_what_is_kept_is_of_known_states() -> None:
    """Whether it is stale, and how large shares are on another processor, is not tested."""
    assert {each.state for each in last_run.last_run().values()} <= set(STATES)
    assert set(last_run.last_run()) == set(checks())


def test_lists_show_states_and_choose_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"ms-parts": LastRun("weak", 1.2, stale=True), "os-peak": LastRun("agrees", 0.01)}
    monkeypatch.setattr(last_run, "last_run", lambda: found)
    listed = {each["id"]: (each["state"], each["share"], each["stale"]) for each in listing("checks")}
    assert listed["ms-parts"] == ("weak", 1.2, True)
    assert listed["ms-limit-ridge"] == ("not run", None, False)
    for state, id in {"weak": "ms-parts", "stale": "ms-parts", "agrees": "os-peak"}.items():
        (entry,) = json.loads(say("list", "checks", "--state", state, "--json").out)
        assert entry["id"] == id
    _, line = say("list", "checks", "--state", "weak").out.splitlines()
    assert line.rstrip().endswith("weak, stale  1.2")
    assert len(say("list", "checks", "--state", "not-run").out.splitlines()) == len(checks()) - 1
    assert "only checks have states" in refusal(say("list", "figures", "--state", "weak"))
    assert "disagrees" in refusal(say("list", "checks", "--state", "strong"))


# The digest -------------------------------------------------------------------------------------------

MODULE = '''"""A module."""
from teacherstudent.theory.edges import lower
from teacherstudent.theory import spectral

SIZE = 3


def used(x):
    """Words."""
    # a remark
    return lower(x) + SIZE + spectral.flow


def other(x):
    return x
'''


def statement(name: str, text: str = MODULE) -> code.Statement:
    (found,) = (
        each
        for node in ast.parse(text).body
        if name in (each := code.Statement(node, text.splitlines())).binds
    )
    return found


def test_words_do_not_change_the_code_and_numbers_do() -> None:
    again = MODULE.replace("Words.", "Other\n    words.").replace("# a remark", "# another")
    assert statement("used").code == statement("used", again).code
    assert statement("SIZE").code != statement("SIZE", MODULE.replace("3", "4")).code
    assert {"lower", "SIZE", "spectral"} <= statement("used").names
    assert "other" not in statement("used").names


@pytest.mark.parametrize(
    ("id", "place"),
    [
        ("ms-parts", ("paper_checks.multiscale.limit", "DESCENT")),  # what is asked
        ("ms-parts", ("paper_checks.judging.agreement", "shrinking_bias")),  # how it is judged
        ("ms-parts", ("theory.multiscale.asymptotic", "descent")),  # the route, which is looked up by name
        ("ms-parts", ("theory.contours", "NODES")),  # what that computes with
        ("ms-parts", ("sims.multiscale.descent", "descent")),
        ("ms-parts", ("problems.multiscale.data", "draw")),
        ("ms-parts", ("house.step_sizes", "of_draws")),
        ("ms-parts", ("house.certainty", "nan_where")),
        ("hk-training", ("optimisers.adam", "scale_by_adam_srt")),  # of the package's own names
        ("pc-hebb", ("sims.perceptron.losses", "hinge")),  # of a module that is asked by text
        ("cm-one-pass", ("theory.spectral.one_pass", "critical_rate")),  # of a module that is chosen
        ("pc-square-spectrum", ("problems.measured_spectrum.building", "build")),  # of another system's route
    ],
)
def test_a_digest_follows_names_to_what_computes(
    id: str, place: code.Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, step = checks()[id], code._step
    before = code.code_of(check)

    def changed(asked: code.Place) -> tuple[frozenset[str], frozenset[code.Place]]:
        own, used = step(asked)
        return (own | {"changed"} if asked == place else own), used

    monkeypatch.setattr(code, "_step", changed)
    assert code.code_of(check) != before


def test_checks_of_other_systems_have_other_digests() -> None:
    digests = {
        id: code.code_of(checks()[id]) for id in ("ms-parts", "ms-limit-ridge", "ln-sigmoid", "gan-steps")
    }
    assert len(set(digests.values())) == len(digests)
