"""Checks of worst groups on frozen features."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check

check = partial(Check, problem="frozen-groups", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""

compared = partial(declared, problem="frozen-groups", paper="")
"""A check of this system that compares two routes."""
