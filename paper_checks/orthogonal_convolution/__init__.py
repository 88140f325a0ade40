"""Checks of orthogonal convolutions."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check

check = partial(Check, problem="orthogonal-convolution", paper="")
"""A check of this system; what it checks stands in no paper unless one is named."""

compared = partial(declared, problem="orthogonal-convolution")
"""One that compares two routes."""

talk = partial(check, paper="isis2021")
"""A check of what the meeting's talk states in words; the formulas are those of achour2022."""
