"""Symbolic claims: a claim is its residuals, and agrees when every one of them is zero."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict


def no_draws(_: Seeds) -> None:
    """Evidence of a claim that needs none but the algebra."""


def vanish(_: object, residuals: list[sp.Expr]) -> Verdict:
    """Judge: every residual simplifies to zero."""
    return _all_zero(residuals, sp.simplify, "residuals that do not simplify to zero")


def expand_to_zero(_: object, residuals: list[sp.Expr]) -> Verdict:
    """Judge for polynomials: expanding decides whether one is zero."""
    return _all_zero(residuals, sp.expand, "residual polynomials that are not zero")


def _all_zero(residuals: list[sp.Expr], reduced: Callable[[sp.Expr], sp.Expr], reason: str) -> Verdict:
    left = sum(reduced(residual) != 0 for residual in residuals)
    return Verdict(left, 0, 0, "symbolic", reason, len(residuals))
