"""Checks of scale-invariant weights on the sphere."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, errata_of
from teacherstudent.paper_checks.scale_invariant.misprints import READINGS

check = partial(Check, problem="scale-invariant", paper="roburin2020")
"""A check of this system; the paper is roburin2020 unless another is named."""

misprints = errata_of(READINGS, "roburin2020")
"""Known misprints: wrong claims by the ids of their readings."""

compared = partial(declared, problem="scale-invariant", paper="roburin2020")
"""A check of this system that compares two routes."""
