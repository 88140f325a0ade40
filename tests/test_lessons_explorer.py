"""The explorer's numbers are the command line's, a link reproduces it, and a simulation could disagree."""

from __future__ import annotations

import re
from typing import Any

import pytest

import teacherstudent as ts
from teacherstudent.lessons import kit
from teacherstudent.lessons.kit import address
from tests.explored import PRINTED, alike, by_command, by_python

DRAWS = 20


@pytest.fixture(scope="module")
def explored() -> tuple[list[str], dict[str, Any]]:
    """The explorer as it opens, simulated with a tenth of its draws: its outputs as text, and what its cells
    define."""
    from teacherstudent.lessons.explorer import app

    curve = ts.curve

    def sparing(**question: Any) -> Any:
        return curve(**question | (dict(seeds=DRAWS) if "seeds" in question else {}))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ts, "curve", sparing)
        outputs, defined = app.run()
    texts = [getattr(each, "text", "") for each in outputs]  # of markdown or of HTML
    return texts, dict(defined)


def lines_of(outputs: list[str], kind: str) -> list[str]:
    """The lines that the explorer prints: commands (`text`), or `python`."""
    (said,) = (each for each in outputs if "```text" in each)
    (block,) = re.findall(rf"```{kind}\n(.+?)\n```", said, re.DOTALL)
    return block.splitlines()


def table_of(outputs: list[str]) -> dict[str, str]:
    """The explorer's table."""
    (text,) = (each for each in outputs if "<table" in each)
    return dict(re.findall(r"<th[^>]*>(.+?)</th><td>(.+?)</td>", text))


def test_the_printed_command_prints_the_same_numbers(explored: tuple[list[str], dict[str, Any]]) -> None:
    outputs, _ = explored
    theory, simulation, given = lines_of(outputs, "text")
    table = table_of(outputs)
    unmoved_by_noise = ["alignment R", "bias, fast features", "bias, slow features"]
    now = table["time t"]
    assert alike(table, by_command(theory, now)) == list(PRINTED)
    louder = theory.replace("--noise 0.7", "--noise 0.8")
    assert alike(table, by_command(louder, now)) == unmoved_by_noise
    assert "--route simulation" in simulation
    assert "--route instance" in given
    imported, in_python, *_ = lines_of(outputs, "python")
    assert imported == "import teacherstudent as ts"
    assert alike(table, by_python(in_python, now)) == list(PRINTED)
    assert alike(table, by_python(in_python.replace("noise=0.7", "noise=0.8"), now)) == unmoved_by_noise


def test_the_printed_python_asks_what_the_page_asked(explored: tuple[list[str], dict[str, Any]]) -> None:
    outputs, defined = explored

    class Front:
        """A front door that gives back what it was asked."""

        @staticmethod
        def curve(problem: str, **options: Any) -> dict[str, Any]:
            return {"problem": problem} | options

    told = [eval(line, {"ts": Front}) for line in lines_of(outputs, "python")[1:]]
    asked = [defined[name] | dict(observable=["parts"]) for name in ("asked", "simulated", "given")]
    assert told == asked


def test_the_exact_answer_of_the_drawn_inputs_is_near_the_simulation(
    explored: tuple[list[str], dict[str, Any]],
) -> None:
    _, defined = explored
    seen, exact = defined["comparison"].simulation, defined["exact"]
    for name in ("R", "Q", "excess_risk"):
        assert exact[name].values == pytest.approx(
            seen[name].values, abs=5 * float(seen[f"{name}_stderr"].max())
        )


def test_the_simulation_agrees_with_the_theory_of_its_settings_and_of_no_others(
    explored: tuple[list[str], dict[str, Any]],
) -> None:
    _, defined = explored
    comparison = defined["comparison"]
    assert comparison.agrees
    assert set(comparison.verdicts) == {"R", "Q", "excess_risk", "bias", "variance"}
    for other in (dict(noise=0.9), dict(kappa=30), dict(alpha=1.5)):
        claimed = ts.curve(**defined["asked"] | dict(times=defined["simulated"]["times"]) | other)
        assert not ts.compare(comparison.simulation, claimed).agrees, other


def test_settings_start_where_the_address_says(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"a": "2", "b": "2.4", "c": "nonsense", "d": "nan", "w": "other", "v": "none"}
    monkeypatch.setattr(address, "given", said.get)
    starts = [kit.slider(name, [1.0, 2.0, 3.0], 1.0, name=name).value for name in "abcde"]
    assert starts == [2, 2, 1, 1, 1]
    words = {"one": "the one", "other": "the other"}
    assert [kit.choice("x", words, "one", name=name).value for name in "wv"] == ["other", "one"]
    steps = [1.0, 2.0, 3.0]
    told = address.in_vain({name: list(words) if name in "wv" else steps for name in said})
    assert [re.findall("<code>(.)=", each)[0] for each in told] == list("bcdv")
    assert "nearest" in told[0]
    assert "nearest" not in "".join(told[1:])


def test_what_the_address_says_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "given", lambda name: "<script>")
    assert "<script>" not in address.in_vain({"a": [1.0]})[0]


def test_a_link_holds_every_setting_to_the_last_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address.mo, "running_in_notebook", lambda: True)
    a, b = kit.slider("a", [1e-6, 3.2e-6], 3.2e-6), kit.slider("b", [1.0, 1585.0], 1585.0)
    assert 'href="?first=3.2e-06&amp;second=1585"' in kit.again(dict(first=a, second=b)).text


def test_a_command_and_a_line_of_python_are_written_from_one_question() -> None:
    question = dict(
        problem="multiscale", times="1:10:3", alpha=3.2e-06, seeds=20, observable=("parts", "training")
    )
    assert address.command_line(**question) == [
        "teacherstudent curve multiscale",
        "--times 1:10:3",
        "--alpha 3.2e-06",
        "--seeds 20",
        "--observable parts,training",
    ]
    assert " ".join(address.python_line(**question)) == (
        'ts.curve("multiscale", times="1:10:3", alpha=3.2e-06, seeds=20, observable=["parts", "training"])'
    )
