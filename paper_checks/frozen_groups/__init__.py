"""Checks of worst groups on frozen features."""

from functools import partial

from teacherstudent.paper_checks.judging.evidence import Check

check = partial(Check, problem="frozen-groups", paper="pezeshki2022")
"""A check of this system; the paper is pezeshki2022 unless another is named."""

SIMULATION = "sims.frozen_groups.descent:descent"
THEORY = "theory.frozen_groups.optimum:optimum"
