"""Checks of heavy tails."""

from functools import partial

from teacherstudent.paper_checks.heavy_tails.misprints import READINGS
from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, misprints_of

check = partial(Check, problem="heavy-tails", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="heavy-tails")
"""One that compares two routes."""

misprint = misprints_of(READINGS, "gurbuzbalaban2021")
