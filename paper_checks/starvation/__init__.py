"""Checks of gradient starvation."""

from functools import partial

from teacherstudent.paper_checks.judging.evidence import Check, errata_of
from teacherstudent.paper_checks.starvation.misprints import READINGS

check = partial(Check, problem="starvation", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""

misprints = errata_of(READINGS, "pezeshki2022")
"""Known misprints: wrong claims by the ids of their readings."""
