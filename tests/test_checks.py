"""Every quick check agrees and refutes its negative controls; slow ones wait for `check all`.

Of the quick ones `make test` runs those that suffice: `FIRST`. The others are thorough tests.
"""

from __future__ import annotations

from math import isfinite

import pytest

from teacherstudent.api.check import record
from teacherstudent.api.listing import listing
from teacherstudent.house import catalogue
from teacherstudent.house.catalogue import PACKAGE
from teacherstudent.house.declarations import Route, load
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import ALGEBRA, Check, Outcome, Seeds, WrongClaim
from teacherstudent.paper_checks.judging.symbols import no_draws, vanish
from teacherstudent.paper_checks.ledger import PaperClaim, checks, inconsistencies
from tests.called import Parts, called_in_parts
from tools.witnesses import faults, reasons

QUICK = [each for each in checks().values() if not each.slow]
LONG = {
    *("cm-perfect", "cm-symmetries"),
    *("gs-flow-ends", "gs-paths", "gs-theorem-exact", "gs-decoupled-paths", "gs-mirror"),
    *("ms-langevin-moments", "ms-penalty-bump", "ms-saddle-point", "ms-early-stopping-bound"),
    *("rf-fixed-features", "sphere-adagradg", "sphere-equilibria", "sphere-optimisers"),
    *("fa-rank", "gs-features", "ht-growth", "sn-gap", "own-descent-exact", "ms-descent-averages"),
    *("own-ridge-exact", "sphere-table", "ms-penalty-exact", "ln-depth", "sn-variates", "ms-uncertain"),
    *("wg-accuracy", "wg-reweighting", "wg-separability", "wg-summaries"),
    *("oc-flow", "oc-identity", "hk-training", "ln-edge", "gan-fourier"),
    *("ln-butterflies", "sn-exit-law"),
}
"""Checks of a second and more."""


def sufficient(among: list[Check]) -> list[Check]:
    """Checks that put to the test, together, every function that these do; none repeats what others reach."""
    found, reached = [], set[str]()
    for check in sorted(among, key=lambda each: -len(each.functions)):
        if not reached >= set(check.functions):
            found.append(check)
            reached |= set(check.functions)
    return found


FIRST = {check.id for check in sufficient([each for each in QUICK if each.id not in LONG])}


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(each, id=each.id, marks=() if each.id in FIRST else pytest.mark.thorough)
        for each in QUICK
    ],
)
def test_the_claim_agrees_and_wrong_claims_do_not(check: Check) -> None:
    if lack := check.lacks():
        pytest.skip(f"this machine lacks {lack}")
    outcome, parts = called_in_parts(check)
    assert outcome.verdict.agrees, outcome.verdict
    assert not outcome.missed
    assert isfinite(outcome.verdict.weakest.share), "a comparison that no wrong claim changes"
    assert list(faults(check, parts)) == []


def test_what_make_test_runs_reaches_what_all_quick_checks_but_the_long_ones_do() -> None:
    assert {each.id for each in QUICK} > LONG
    for system in {each.problem for each in QUICK if each.functions}:
        assert any(each.problem == system for each in QUICK if each.id in FIRST), system
    reached = {name for each in QUICK if each.id in FIRST for name in each.functions}
    assert reached == {name for each in QUICK if each.id not in LONG for name in each.functions}


def test_an_effect_that_is_a_contrast_is_to_a_wrong_claim_of_the_check() -> None:
    for check in checks().values():
        if isinstance(check.effect, Contrast):
            wrong = [*(tooth.name for tooth in check.wrong), *(erratum.id for erratum in check.errata)]
            assert check.effect.wrong in wrong, check.id


def test_functions_that_checks_name_exist() -> None:
    named = {name for check in checks().values() for name in check.functions}
    assert len(named) > 20
    assert all(callable(load(f"{PACKAGE}.{name}")) for name in named)


def test_a_function_is_put_to_the_test_by_what_is_to_agree_alone() -> None:
    """Not by a wrong claim, which is refuted whatever is wrong with it."""
    check = toy(functions=("theory.a:named", "theory.a:control"))
    parts = Parts(
        {"theory.a:named", "sims.b:both"}, {"sims.b:both"}, set(), {"theory.a:control", "theory.a:new"}
    )
    assert list(faults(check, parts)) == [
        "widgets names theory.a:control, which only a wrong claim calls",
        "widgets calls sims.b:both and does not name it",
        "widgets: evidence and claim share sims.b:both",
        "widgets: no check puts theory.a:control to the test, which its wrong claims call",
        "widgets: no check puts theory.a:new to the test, which its wrong claims call",
    ]


def test_reasons_for_functions_are_about_checks_and_functions_that_there_are() -> None:
    assert set(reasons()["shared"]) <= set(checks())
    named = {name for check in checks().values() for name in check.functions}
    assert not named & set(reasons()["refuted"]), "a check puts it to the test"
    assert all(callable(load(f"{PACKAGE}.{name}")) for name in reasons()["refuted"])
    assert all(each["reason"] for each in reasons()["shared"].values())
    assert all(reasons()["refuted"].values())


def test_a_check_stands_in_the_folder_of_its_system() -> None:
    """A check's claim is computed in a module of its system, or of the kit."""
    for check in checks().values():
        home = getattr(check.claim, "func", check.claim).__module__.removeprefix(f"{PACKAGE}.paper_checks.")
        assert home.partition(".")[0] in {check.problem.replace("-", "_"), "judging"}, check.id


# What checks reach ----------------------------------------------------------------------------------

BOTH = "theory and simulation"
every_route = pytest.mark.parametrize("route", catalogue.routes(), ids=lambda route: route.id)


def reaching(route: Route) -> list[Check]:
    """The checks that put a route's own function to the test."""
    entry = route.entry.removeprefix(f"{PACKAGE}.")
    return [check for check in checks().values() if entry in check.functions]


@every_route
def test_every_route_is_put_to_the_test_by_a_check(route: Route) -> None:
    assert reaching(route), "no check names the function behind it"


@pytest.mark.parametrize(
    "route", [route for route in catalogue.routes() if ".sims." in route.entry], ids=lambda route: route.id
)
def test_every_simulation_is_held_against_theory_by_a_check(route: Route) -> None:
    assert [check.id for check in reaching(route) if check.about == BOTH]


def test_routes_have_functions_of_their_own_to_be_told_apart_by() -> None:
    """A function made by another has that one's code: what a check calls could not be measured."""
    names = {route.id: route.function().__qualname__ for route in catalogue.routes()}
    assert [id for id, name in names.items() if not name.isidentifier()] == []


# What checks say of themselves ------------------------------------------------------------------------


def toy(**more: object) -> Check:
    """A check of algebra, with changes."""
    fields = {"evidence": no_draws, "claim": lambda _: [], "judge": vanish, "wrong": ()} | more
    return Check("widgets", "toy", "widgets", "first", "Eq. 1", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("functions", "about"),
    [
        ((), ALGEBRA),
        (("theory.toy.a:b",), "theory"),
        (("sims.toy.a:b", "theory.toy.a:b", "theory.toy.a:c"), BOTH),
        (("optimisers.adam:b", "sims.toy.a:b"), "simulation and optimisers"),
    ],
)
def test_a_check_says_whose_numbers_it_is_about(functions: tuple[str, ...], about: str) -> None:
    assert toy(functions=functions).about == about


def test_lists_and_records_say_whose_numbers_a_check_is_about() -> None:
    listed = {each["id"]: each for each in listing("checks")}
    assert {id: each["about"] for id, each in listed.items()} == {c.id: c.about for c in checks().values()}
    assert all((each["about"] == ALGEBRA) == (not each["functions"]) for each in listed.values())
    effects = {c.id: c.effect.what for c in checks().values() if c.effect}
    assert {id: each["effect"] for id, each in listed.items() if each["effect"]} == effects
    verdict = vanish(None, [])
    assert record(Outcome(toy(), verdict, {}, {}, Seeds("widgets"), 0.0))["about"] == ALGEBRA


def test_a_check_proves_nothing_of_another_paper_unless_it_says_so() -> None:
    """Equal numbers in two papers are two statements."""
    claims = [PaperClaim(paper, "Eq. 1", "a", "widgets") for paper in ("first", "second")]
    silent = toy(covers=("Eq. 1",))
    (line,) = inconsistencies(claims, {"widgets": silent})
    assert line.startswith("second: claim Eq. 1 names the check widgets, which does not cover it")
    explicit = toy(covers=("Eq. 1",), also=(("second", "Eq. 1"),))
    assert inconsistencies(claims, {"widgets": explicit}) == []
    (line,) = inconsistencies(claims[:1], {"widgets": explicit})
    assert line == "second: claim Eq. 1, which widgets covers, is not listed"


def test_the_checks_that_hold_a_print_where_it_is_right_exist() -> None:
    held = {erratum.held for check in checks().values() for erratum in check.errata} - {""}
    assert held
    assert held <= set(checks())


def test_every_check_has_a_negative_control() -> None:
    assert not [check.id for check in checks().values() if not (check.wrong or check.errata)]
    assert all(isinstance(each, WrongClaim) for check in checks().values() for each in check.wrong)
