"""`check` passes only what agrees and bites, and says so in its status, its table, JSON and report."""

from __future__ import annotations

import base64
import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import teacherstudent
from teacherstudent.figures import gallery
from teacherstudent.figures.declaration import Figure
from teacherstudent.house import catalogue
from teacherstudent.house.extras import MissingExtra
from teacherstudent.paper_checks import ledger
from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast, Effect, Measured
from teacherstudent.paper_checks.judging.evidence import (
    Check,
    Erratum,
    Seeds,
    Verdict,
    WrongClaim,
    run_check,
    worst_verdict,
)
from teacherstudent.paper_checks.judging.reading import Reading
from teacherstudent.paper_checks.ledger import PaperClaim, inconsistencies
from tests.support import refusal, say, wrote

NAN = float("nan")
READING = Reading("$a < b$", "$a > b$", lambda: 1.0, "the order", "everywhere", "stands", "It is a slip.")


def judge(evidence: list[int], claimed: float) -> Verdict:
    return Verdict(claimed, 1.0, 0.25, "widgets", "one <widget>", points=len(evidence))


COUNTED = Effect(2.5, "all <widgets>")


def check(
    id: str = "widgets",
    claim: float = 0.5,
    wrong: float = 3.0,
    print: float = 7.0,
    covers: tuple[str, ...] = (),
) -> Check:
    """A check whose claim, wrong claim and erratum have these statistics, against a threshold of 1."""
    return Check(
        id, "toy", "widgets against widgets", "paper", "Eq. 1",
        evidence=lambda seeds: seeds(2),
        claim=lambda _: claim,
        judge=judge,
        wrong=(WrongClaim("a lost factor", lambda _: wrong),),
        errata=(Erratum("misprint", "Eq. 2", "a < b", "a > b", lambda _: print, "paper", READING),),
        effect=COUNTED,
        covers=covers,
    )  # fmt: skip


@pytest.fixture(autouse=True)
def known() -> None:
    """What is listed once is kept, so it is listed before any test puts other claims in its place."""
    ledger.checks()


@pytest.fixture
def announce(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Call it with the checks that there shall be."""

    def only(*checks: Check) -> None:
        monkeypatch.setattr(ledger, "checks", lambda: {each.id: each for each in checks})

    return only


FAILURES = {
    "a claim that disagrees": ({"claim": 1.5}, "1.5 exceeds 1"),
    "a claim without a number": ({"claim": NAN}, "nan exceeds 1"),
    "a wrong claim that passes": ({"wrong": 0.9}, "it did not reject these wrong claims: a lost factor"),
    "a wrong claim without a number": ({"wrong": NAN}, "it did not reject these wrong claims: a lost factor"),
    "a print that agrees": ({"print": 0.9}, "it did not reject these wrong claims: misprint"),
    "a print without a number": ({"print": NAN}, "it did not reject these wrong claims: misprint"),
}


def test_what_this_machine_cannot_run_is_named_and_neither_passes_nor_fails(
    announce: Callable[..., None],
) -> None:
    announce(check("here"), replace(check("elsewhere"), lacks=lambda: "a telescope"))
    said = say("check", "all")
    assert (said.status, said.err) == (0, "elsewhere was not run: this machine lacks a telescope\n")
    assert "elsewhere" not in said.out
    assert [each.check.id for each in teacherstudent.check()] == ["here"]
    assert "elsewhere" in refusal(say("check", "elsewhere"))


def test_a_check_without_its_library_is_left_out_of_all(announce: Callable[..., None]) -> None:
    def lacking(_: object) -> None:
        raise MissingExtra("rows", "sklearn")

    announce(check("here"), replace(check("elsewhere"), evidence=lacking))
    said = say("check", "all")
    lack = "this machine lacks scikit-learn: pip install 'teacherstudent[data]'"
    assert (said.status, said.err) == (0, f"elsewhere was not run: {lack}\n")
    assert [each.check.id for each in teacherstudent.check()] == ["here"]


def test_checks_that_agree_and_bite_pass(announce: Callable[..., None]) -> None:
    announce(check("first"), check("second"))
    said = say("check", "all")
    assert (said.status, said.err) == (0, "")
    header, *lines = said.out.splitlines()
    assert header.split() == [
        "check",
        "compared",
        "verdict",
        "statistic/threshold",
        "resolution",
        "controls",
        "errata",
        "seconds",
        "share",
    ]
    assert [line.split()[0] for line in lines] == ["first", "second"]
    assert all("agrees" in line and "0.25 widgets  1/1       1/1" in line for line in lines)
    assert all(line.endswith(" 0.1") for line in lines)


@pytest.mark.parametrize(("values", "why"), FAILURES.values(), ids=FAILURES)
def test_one_failure_among_others_is_status_one(
    announce: Callable[..., None], values: dict[str, float], why: str
) -> None:
    announce(check("good"), check("bad", **values))
    said = say("check", "all")
    assert said.status == 1
    assert said.err.startswith("bad did not pass, seeds bad: ")
    assert why in said.err
    assert said.err.count("\n") == 1
    assert say("check", "good").status == 0
    assert say("check", "bad").status == 1


def test_a_wrong_claim_without_a_number_is_missed_even_among_others_that_agree() -> None:
    agreeing, refuted, lost, endless = (judge([1], each) for each in (0.5, 3.0, NAN, float("inf")))
    assert run_check(check(wrong=NAN)).missed == ["a lost factor"]
    assert not worst_verdict(agreeing, lost).refutes
    for among in itertools.permutations([agreeing, refuted, lost, endless]):
        assert worst_verdict(*among).statistic == 3  # what can be read, whatever the order
    assert worst_verdict(lost, endless).refutes


def test_a_rate_that_noise_hides_neither_agrees_nor_refutes() -> None:
    hidden = at_rate([1, 2, 4], [1.0, 0.5, 0.25], -1, stderr=[1.0, 1.0, 1.0])
    seen = at_rate([1, 2, 4], [1.0, 0.5, 0.25], -2, stderr=[1e-3, 1e-3, 1e-3])
    assert (hidden.agrees, hidden.refutes, seen.agrees, seen.refutes) == (False, False, False, True)


def test_json_holds_every_number_and_is_strict(announce: Callable[..., None], tmp_path: Path) -> None:
    announce(check("first", claim=NAN), check("second"))
    assert say("check", "all", "--json", tmp_path / "checks.json").status == 1
    first, second = json.loads((tmp_path / "checks.json").read_text("utf-8"), parse_constant=pytest.fail)
    assert (first["id"], first["passed"], first["agrees"], first["statistic"]) == (
        "first",
        False,
        False,
        None,
    )
    assert second.items() >= {
        "id": "second", "paper": "paper", "ref": "Eq. 1", "passed": True, "statistic": 0.5, "threshold": 1.0,
        "resolution": 0.25, "unit": "widgets", "reason": "one <widget>", "points": 2, "seeds": "second",
    }.items()  # fmt: skip
    assert [(each["id"], each["statistic"], each["agrees"]) for each in second["teeth"]] == [
        ("a lost factor", 3, False)
    ]
    assert [(each["id"], each["statistic"], each["agrees"]) for each in second["errata"]] == [
        ("misprint", 7, False)
    ]


def test_seeds_come_from_the_name_unless_fresh_ones_are_asked_for(announce: Callable[..., None]) -> None:
    announce(check())
    usual, again = (teacherstudent.check("widgets")[0].seeds for _ in range(2))
    assert usual == again == Seeds("widgets")
    fresh, fresher = (teacherstudent.check("widgets", fresh_seeds=True)[0].seeds for _ in range(2))
    assert len({usual(1)[0], fresh(1)[0], fresher(1)[0]}) == 3


def test_a_check_that_breaks_leaves_no_file(announce: Callable[..., None], tmp_path: Path) -> None:
    def broken(seeds: Seeds) -> Any:
        raise RuntimeError("midway")

    announce(Check("broken", "toy", "", "paper", "", broken, lambda _: 0, judge, wrong=()))
    said = say("check", "broken", "--json", tmp_path / "checks.json", "--report", tmp_path / "report.html")
    assert (said.status, said.out) == (70, "")
    assert said.err.startswith("error: a defect of this program (RuntimeError: midway); ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--json", "--report"])
def test_files_that_cannot_be_written_are_found_before_checking(
    announce: Callable[..., None], tmp_path: Path, option: str
) -> None:
    announce(check())
    (tmp_path / "a-file").touch()
    line = refusal(say("check", "all", option, tmp_path / "a-file" / "page.html"))
    assert line.startswith(f"{option} {tmp_path}/a-file/page.html: must be a writable path")


class Page(HTMLParser):
    """The words of a page, and whatever a browser would fetch for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words, self.fetched, self.pictures, self.anchors = "", [], {}, {"links": set(), "ids": set()}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "img":
            self.pictures[given["alt"]] = given["src"]
        self.anchors["ids"].add(given.get("id"))
        address = given.get("src") or given.get("href") or ""
        if address.startswith("#"):
            self.anchors["links"].add(address[1:])
        elif tag in ("link", "iframe") or (address and not address.startswith("data:")):
            self.fetched.append((tag, address))

    def handle_data(self, data: str) -> None:
        self.words += " " + data
        if "@import" in data or "url(" in data:
            self.fetched.append(("style", data))


CLAIMS = (
    PaperClaim("paper", "eq-1", "Widgets are widgets.", check="widgets"),
    PaperClaim("paper", "eq-2", "Other widgets.", check="elsewhere"),
    PaperClaim("paper", "eq-3", "A theorem.", reason="needs no simulation"),
)


def report(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    """The report of `check widgets`, with one picture beside it."""
    figure = Figure("one", "Two lines", "A caption.", "paper", "Fig. 1", pytest.fail, pytest.fail)
    monkeypatch.setattr(gallery, "figures", lambda: {"one": figure})
    monkeypatch.setattr(ledger, "claims", lambda: CLAIMS)
    (folder / "figures").mkdir()
    (folder / "figures" / "one.png").write_bytes(b"a picture")
    assert say("check", "widgets", "--report", folder / "report.html").status == 0
    return (folder / "report.html").read_text(encoding="utf-8")


def test_the_report_is_one_file_that_asks_for_nothing_and_says_how_sharply_was_compared(
    announce: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    announce(check(), check("elsewhere"))
    text = report(monkeypatch, tmp_path)
    page = Page(text)
    assert page.fetched == []
    assert page.anchors["links"] <= page.anchors["ids"]
    encoded = base64.b64encode(b"a picture").decode()
    assert page.pictures == {"Two lines. A caption.": f"data:image/png;base64,{encoded}"}
    links = re.findall('href="#(.*?)"', text.partition("<nav")[2].partition("</nav>")[0])
    assert links == re.findall('<section [^>]*id="(.*?)"', text)
    assert "not-run" in links
    words = " ".join(page.words.split())
    for stated in (
        "checks agree 1 of 1", "negative controls rejected 1 of 1", "known misprints rejected 1 of 1",
        "1 other check was not requested A state marked",
        "✓ agrees 10 % of all <widgets> 0.25 widgets 0.5, threshold 1 one <widget> 1 of 1 rejected "
        "a lost factor: 3, threshold 1 ✓ rejected",
        "paper, Eq. 2 misprint a < b a > b ✓ rejected 7, threshold 1 ✓ agrees 0.5, threshold 1",
        "paper: 2 of 3 claims have a check", "eq-1 Widgets are widgets. widgets ✓ agrees",
        "eq-2 Other widgets. elsewhere – not run", "eq-3 A theorem. needs no simulation",
        "numpy", "Python", "machine", "date",
    ):  # fmt: skip
        assert stated in words


def test_a_report_of_failures_says_which() -> None:
    from teacherstudent.cli.report import render

    outcomes = [run_check(check(claim=NAN)), run_check(check("missing", wrong=0.5, print=0.5))]
    words = " ".join(Page(render(outcomes, Path("nowhere"))).words.split())
    assert "checks agree 0 of 2" in words
    assert "✗ disagrees widgets , seeds widgets : nan exceeds 1 (one <widget>)" in words
    assert "missing : it did not reject these wrong claims: a lost factor, misprint" in words
    assert "0.5, threshold 1 ✗ not rejected" in words
    assert "No pictures were found" in words


def test_the_report_begins_with_what_failed_and_what_did_not_run(announce: Callable[..., None]) -> None:
    from teacherstudent.cli.report import render

    problems = ("multiscale", "linear-network", "toy")
    good = [replace(check(name), problem=name) for name in problems]
    bad = replace(check("bad", claim=1.5), problem="multiscale")
    announce(*good, bad)
    outcomes = [run_check(each) for each in (*good, bad)]
    page = render(outcomes, Path("nowhere"), {"far": "a <telescope>"})
    words = " ".join(Page(page).words.split())
    places = [
        words.index(text)
        for text in ("1.5 exceeds 1", "far : this machine lacks a <telescope>", "All checks, by system")
    ]
    assert places == sorted(places)
    rows = re.findall(r'<tr id="check-(.*?)" class="filtered" data-system="(.*?)" data-state="(.*?)">', page)
    inside = [id for id in catalogue.problems() if id in problems]
    assert [system for _, system, _ in rows] == [
        each for id in (*inside, "toy") for each in [id] * (1 + (id == "multiscale"))
    ]
    assert [(id, state) for id, system, state in rows if system == "multiscale"] == [
        ("bad", "disagrees"),
        ("multiscale", "agrees"),
    ]


def test_without_scripts_the_report_shows_every_check_and_no_filter() -> None:
    from teacherstudent.cli.report import render

    page = render([run_check(check())], Path("nowhere"))
    assert [tag for tag in re.findall("<[^>]* hidden[ >]", page)] == [
        '<form class="filter" id="filter" role="search" hidden>'
    ]


# Power ------------------------------------------------------------------------------------------------

EFFECTS = {
    "a number": (Effect(0.4, "a bump"), 0.625),
    "half is enough": (Effect(0.5, "a bump"), 0.5),
    "of the evidence": (Measured(len, "the draws"), 0.125),
    "a wrong claim": (Contrast("a lost factor", "the factor"), 1 / 3),
    "a misprint": (Contrast("misprint", "the print"), 1 / 7),
}


@pytest.mark.parametrize(("effect", "share"), EFFECTS.values(), ids=EFFECTS)
def test_what_a_check_could_detect_is_a_share_of_what_it_is_about(
    announce: Callable[..., None], tmp_path: Path, effect: Any, share: float
) -> None:
    """Weak ones are named, in the table, in JSON and in the report; they pass."""
    announce(replace(check(), effect=effect))
    said = say("check", "widgets", "--json", tmp_path / "out.json", "--report", tmp_path / "out.html")
    (found,) = json.loads((tmp_path / "out.json").read_text("utf-8"))
    weak = share > 0.5
    assert said.status == 0
    assert said.out.splitlines()[1].endswith(f" {share:.2g}")
    assert ("  weak  " in said.out) is weak
    line = "weak checks, whose smallest detectable error exceeds half of the effect: widgets\n" * weak
    assert said.err == line + wrote(tmp_path / "out.json", tmp_path / "out.html")
    assert found["share"] == pytest.approx(share)
    assert (found["state"], found["passed"]) == ("weak" if weak else "agrees", True)
    assert (found["effect"], found["detectable"], found["detectable_unit"]) == (effect.what, 0.25, "widgets")
    assert found["detectable"] / found["effect_size"] == pytest.approx(share)
    words = " ".join(Page((tmp_path / "out.html").read_text("utf-8")).words.split())
    assert ("Weak checks" in words) is weak
    assert f"{100 * share:.2g} % of {effect.what}" in words


def test_the_weakest_part_decides_and_each_effect_keeps_its_own() -> None:
    rate = at_rate([1, 2, 4], [1.0, 0.5, 0.25], -1, slack=0.3)
    relative = Verdict(0.1, 1.0, 1e-3, "relative", "a bound", effect=WHOLE)
    counted = Verdict(0.1, 1.0, 0.25, "widgets", "a bound")
    outcome = run_check(
        replace(check(), judge=lambda *_: worst_verdict(counted, rate, relative), wrong=(), errata=())
    )
    shares = {each.effect.what: each.share for each in outcome.verdict.weakest_of_each if each.effect}
    assert shares == {
        "half a power, the distance to the next exponent": pytest.approx(0.6),
        "all <widgets>": pytest.approx(0.1),
        "the quantity itself": pytest.approx(1e-3),
    }
    assert outcome.verdict.weakest.unit.startswith("exponent")
    assert outcome.state == "weak"


def test_a_check_that_does_not_say_what_it_is_about_is_refused() -> None:
    with pytest.raises(ValueError, match="widgets must declare an effect to compare errors with, in widgets"):
        run_check(replace(check(), effect=None))


CONTRADICTIONS = {
    "neither check nor reason": (
        [PaperClaim("paper", "a", "")],
        (),
        "claim a needs either a check or a reason",
    ),
    "both": (
        [PaperClaim("paper", "a", "", "widgets", "why")],
        ("a",),
        "claim a needs either a check or a reason",
    ),
    "unknown check": (
        [PaperClaim("paper", "a", "", "gadgets")],
        (),
        "claim a names the check gadgets, which does not exist",
    ),
    "not covered": (
        [PaperClaim("paper", "a", "", "widgets")],
        (),
        "claim a names the check widgets, which does not cover it",
    ),
    "twice": ([PaperClaim("paper", "a", "", reason="why")] * 2, (), "claim a is listed twice"),
    "not listed": (
        [PaperClaim("other", "b", "", reason="why")],
        ("b",),
        "claim b, which widgets covers, is not listed",
    ),
}


@pytest.mark.parametrize(("claims", "covered", "found"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradictions_between_claims_and_checks_are_found(
    claims: list[PaperClaim], covered: tuple[str, ...], found: str
) -> None:
    (line,) = inconsistencies(claims, {"widgets": check(covers=covered)})
    assert found in line


def test_claims_are_read_paper_by_paper(tmp_path: Path) -> None:
    (tmp_path / "second.toml").write_text(
        '[[claim]]\nid = "b"\nsays = "B."\nreason = "why"\n', encoding="utf-8"
    )
    (tmp_path / "first.toml").write_text(
        '[[claim]]\nid = "a"\nsays = "A."\ncheck = "widgets"\n', encoding="utf-8"
    )
    assert ledger.claims(tmp_path) == (
        PaperClaim("first", "a", "A.", check="widgets"),
        PaperClaim("second", "b", "B.", reason="why"),
    )


def test_the_papers_claims_and_the_checks_agree_with_each_other() -> None:
    assert inconsistencies(ledger.claims(), ledger.checks()) == []
