"""Checks of the residual network on digits."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check

check = partial(Check, problem="residual-digits", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="residual-digits", paper="")
"""The same of one that compares two routes."""

SIMULATION = "sims.residual_digits.descent:descent"
THEORY = "theory.residual_digits.descent:descent"
