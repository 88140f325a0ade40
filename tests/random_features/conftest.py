"""What tests of simulated random features share."""

from __future__ import annotations

import pytest

from teacherstudent.sims.random_features import measures


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few fresh examples: what is unbiased is so for any number of them."""
    monkeypatch.setattr(measures, "BLOCK", 12)
    monkeypatch.setattr(measures, "BLOCKS", 3)
