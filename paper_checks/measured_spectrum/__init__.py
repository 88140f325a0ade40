"""Checks of measured spectra."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check

check = partial(Check, problem="measured-spectrum", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="measured-spectrum", paper="")
"""The same of one that compares two routes."""
