"""Symbolic claims: a claim is its residuals, and agrees when every one of them is zero.

SymPy is imported when a check is run: listing checks needs none of it, and not every installation has it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from teacherstudent.house.extras import importing_extra
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict

if TYPE_CHECKING:
    import sympy as sp
else:

    class _Late:
        def __getattr__(self, name: str) -> Any:
            with importing_extra("a check by algebra"):
                import sympy
            return getattr(sympy, name)

    sp = _Late()


@cache
def positive(names: str) -> dict[str, sp.Symbol]:
    """Positive symbols, by their names, with which claims are read from texts."""
    return {name: sp.Symbol(name, positive=True) for name in names.split()}


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
