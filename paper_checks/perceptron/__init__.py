"""Checks of the perceptron."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check

check = partial(Check, problem="perceptron", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="perceptron")
"""A check of this system that compares two routes."""
