"""Checks of linear networks."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, misprints_of
from teacherstudent.paper_checks.linear_network.misprints import READINGS

check = partial(Check, problem="linear-network", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""

compared = partial(declared, problem="linear-network", paper="pezeshki2022")
"""One that compares two routes."""

misprint = misprints_of(READINGS, "pezeshki2022")
"""A known misprint with its reading, of pezeshki2022 unless another paper is named."""
