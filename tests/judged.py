"""Two numbers or arrays that must be the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound


def assert_same(one: Any, other: Any, bound: Any, reason: str) -> None:
    verdict = within_bound(np.asarray(one) - other, bound, reason)
    assert verdict.agrees, verdict
