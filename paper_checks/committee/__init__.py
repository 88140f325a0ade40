"""Checks of the committee machine."""

from functools import partial

from teacherstudent.paper_checks.committee.misprints import READINGS
from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, misprints_of

check = partial(Check, problem="committee", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="committee")
"""One that compares two routes."""

misprint = misprints_of(READINGS, "goldt2019")
"""A known misprint with its reading."""
