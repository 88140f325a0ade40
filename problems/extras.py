"""Observables that are computed only when they are asked for, in groups, by the option `observable`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teacherstudent.house.domains import Choice, Several
from teacherstudent.house.parameters import Parameter

Groups = Mapping[str, tuple[str, ...]]
"""The names of observables, by the name of their group."""


def extra(groups: Groups, meaning: str) -> Parameter:
    """The option that adds groups of observables; the name of one leads to its group."""
    within = tuple((name, group) for group, names in groups.items() for name in names if name not in groups)
    return Parameter("observable", "", "", Several(Choice(tuple(groups), within)), meaning)


def asked(groups: Groups, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The observables that these options add."""
    return tuple(name for group in options.get("observable") or () for name in groups[group])
