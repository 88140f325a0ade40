"""Every quick check agrees and refutes its negative controls; slow ones wait for `check all`."""

from __future__ import annotations

import pytest

from teacherstudent.house.catalogue import PACKAGE
from teacherstudent.house.declarations import load
from teacherstudent.paper_checks.judging.evidence import Check, put_to_test
from teacherstudent.paper_checks.ledger import checks
from tests.called import called_by

pytestmark = pytest.mark.long


@pytest.mark.parametrize("check", [each for each in checks().values() if not each.slow], ids=lambda c: c.id)
def test_the_claim_agrees_and_wrong_claims_do_not(check: Check) -> None:
    if lack := check.lacks():
        pytest.skip(f"this machine lacks {lack}")
    outcome, called = called_by(lambda: put_to_test(check))
    assert outcome.verdict.agrees, outcome.verdict
    assert not outcome.blunt
    assert sorted(check.functions) == sorted(called), "what it says that it puts to the test"


def test_functions_that_checks_name_exist() -> None:
    named = {name for check in checks().values() for name in check.functions}
    assert len(named) > 20
    assert all(callable(load(f"{PACKAGE}.{name}")) for name in named)


def test_a_check_stands_in_the_folder_of_its_system() -> None:
    """A check's claim is computed in a module of its system, or of the kit."""
    for check in checks().values():
        home = getattr(check.claim, "func", check.claim).__module__.removeprefix(f"{PACKAGE}.paper_checks.")
        assert home.partition(".")[0] in {check.problem.replace("-", "_"), "judging"}, check.id
