"""Checks of scale-invariant weights on the sphere."""

from functools import partial

from teacherstudent.paper_checks.judging.evidence import Check, misprints_of
from teacherstudent.paper_checks.scale_invariant.misprints import READINGS

check = partial(Check, problem="scale-invariant", paper="roburin2020")
"""A check of this system; the paper is roburin2020 unless another is named."""

misprint = misprints_of(READINGS, "roburin2020")
"""A known misprint with its reading, of roburin2020 unless another paper is named."""


def elsewhere(**entries: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """What a check also proves, as `also` lists it: entries of other papers by their keys."""
    return tuple((paper, each) for paper, listed in entries.items() for each in listed)
