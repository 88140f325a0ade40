"""Checks of a generator against discriminators."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check
from teacherstudent.paper_checks.judging.questions import Questions

check = partial(Check, problem="gan", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="gan")
"""One that compares two routes."""

ask = Questions("gan")
