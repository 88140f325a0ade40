"""Checks of multi-scale features."""

from functools import partial

from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, errata_of
from teacherstudent.paper_checks.multiscale.misprints import READINGS
from teacherstudent.paper_checks.multiscale.misprints_of_figures import FIGURES

check = partial(Check, problem="multiscale", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""

compared = partial(declared, problem="multiscale", paper="pezeshki2022")
"""The same of one that compares two routes."""

misprints = errata_of({**READINGS, **FIGURES}, "pezeshki2022")
"""Known misprints by the claims that they make, of pezeshki2022 unless another paper is named."""
