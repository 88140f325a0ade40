"""Checks of flexible activations."""

from functools import partial

from teacherstudent.paper_checks.judging.evidence import Check

check = partial(Check, problem="flexible-activations", paper="isis2021")
"""A check of this system, of the meeting's abstract unless another source is named."""
