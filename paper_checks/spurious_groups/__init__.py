"""Checks of worst groups under a spurious correlation."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, errata_of
from teacherstudent.paper_checks.spurious_groups.misprints import READINGS

check = partial(Check, problem="spurious-groups", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""

misprints = errata_of(READINGS, "pezeshki2022")
"""Known misprints: wrong claims by the ids of their readings."""

compared = partial(declared, problem="spurious-groups", paper="pezeshki2022")
"""A check of this system that compares two routes."""
