"""Checks of motion driven by stable noise."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, misprints_of
from teacherstudent.paper_checks.stable_noise.misprints import READINGS

check = partial(Check, problem="stable-noise", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="stable-noise")
"""One that compares two routes."""

misprint = misprints_of(READINGS, "simsekli2020")
"""A statement of that paper which does not hold as it is printed, with its reading."""
