"""Every quick check agrees and every tooth of it bites; slow ones wait for `check all`."""

from __future__ import annotations

import pytest

from teacherstudent.paper_checks.judging.evidence import Check, put_to_test
from teacherstudent.paper_checks.ledger import checks


@pytest.mark.parametrize("check", [each for each in checks().values() if not each.slow], ids=lambda c: c.id)
def test_the_claim_agrees_and_wrong_claims_do_not(check: Check) -> None:
    if lack := check.lacks():
        pytest.skip(f"this machine lacks {lack}")
    outcome = put_to_test(check)
    assert outcome.verdict.agrees, outcome.verdict
    assert not outcome.blunt
