"""A wrong boundary of double descent is caught by the onset that simulations show."""

from __future__ import annotations

from functools import partial

import pytest

from teacherstudent.paper_checks.judging.evidence import Seeds
from teacherstudent.paper_checks.multiscale import onset


@pytest.mark.thorough
def test_a_wrong_boundary_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer draws than the check itself, which is slow."""
    monkeypatch.setattr(onset, "DRAWS", 100)
    monkeypatch.setattr(onset, "GROUPS", 20)
    evidence = onset.simulated(Seeds("a wrong boundary is caught"))
    assert onset.within_its_error(evidence, onset.onset("flow", evidence)).agrees
    for wrong in (partial(onset.onset, "printed"), partial(onset.scaled, 2.0), partial(onset.scaled, 0.4)):
        assert onset.within_its_error(evidence, wrong(evidence)).refutes
