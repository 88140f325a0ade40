"""A wrong boundary of double descent is caught by the rises that simulations show."""

from __future__ import annotations

from functools import partial

import pytest

from teacherstudent.paper_checks.judging.evidence import Seeds
from teacherstudent.paper_checks.multiscale import onset


def test_a_wrong_boundary_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer draws and condition numbers than the check itself, which is slow."""
    monkeypatch.setattr(onset, "KAPPAS", (3.0, 9.0))
    monkeypatch.setattr(onset, "DRAWS", 60)
    evidence = onset.simulated(Seeds("a wrong boundary is caught"))
    assert onset.between(evidence, onset.onset("flow", evidence)).agrees
    for wrong in (partial(onset.onset, "printed"), partial(onset.scaled, 2.0), partial(onset.scaled, 0.4)):
        assert not onset.between(evidence, wrong(evidence)).agrees
