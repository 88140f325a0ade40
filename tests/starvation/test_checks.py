"""The checks of gradient starvation judge what they say they judge."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.paper_checks.judging.evidence import put_to_test
from teacherstudent.paper_checks.starvation import experiments, jacobian
from teacherstudent.theory.starvation import starving


def test_the_check_that_nothing_starves_sees_what_is_off_the_diagonal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An error that leaves every feature's own slope right, in the theory's function."""
    right = starving.response_jacobian

    def mixed(*arguments: object) -> np.ndarray:
        found = right(*arguments)
        return found + 5.0 * (1 - np.eye(len(found)))

    assert put_to_test(jacobian.SQUARED).passed
    monkeypatch.setattr(starving, "response_jacobian", mixed)
    assert put_to_test(jacobian.SQUARED).verdict.refutes


def test_too_few_networks_refute_nothing_about_their_boundaries() -> None:
    """Gains of either sign that two networks cannot tell from none: no claim about them is refuted."""
    margins = np.array([0.1, 0.3])
    shapes = {
        name: {"margin": margins + own, "bend": margins - own, "strong": margins + own, "weak": margins - own}
        for name, own in {"no gap": margins**2, "plain": 0.0, "decoupled": np.array([0.2, 0.0])}.items()
    }
    for claim in (experiments.MOONS.claim, *(tooth.claim for tooth in experiments.MOONS.teeth)):
        verdict = experiments.MOONS.judge(shapes, claim(shapes))
        assert not verdict.agrees
        assert not verdict.refutes
