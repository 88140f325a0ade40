"""The comparison of CPU and GPU works where there is no GPU: a CPU stands in for it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import jax
import numpy as np

from teacherstudent.paper_checks.judging.evidence import put_to_test
from teacherstudent.paper_checks.multiscale.devices import DEVICES, no_gpu, trained_on_both


def test_a_device_that_computes_alike_passes_and_every_tooth_bites() -> None:
    stand_in = partial(trained_on_both, lambda: jax.devices("cpu")[0])
    outcome = put_to_test(replace(DEVICES, evidence=stand_in))
    assert outcome.passed, outcome
    assert all(np.isfinite(each.resolution) for each in outcome.verdict.parts)


def test_what_a_machine_lacks_is_what_jax_does_not_find() -> None:
    assert bool(no_gpu()) == (jax.default_backend() != "gpu")
