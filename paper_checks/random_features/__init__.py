"""Checks of random features."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, errata_of
from teacherstudent.paper_checks.random_features.misprints import READINGS

check = partial(Check, problem="random-features", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="random-features", paper="")
"""The same of one that compares two routes."""

misprints = errata_of(READINGS, "dascoli2020triple")
"""Known misprints by the claims that they make, of published data."""
