"""Observables that are computed only when they are asked for, in groups, by the option `observable`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from teacherstudent.house.domains import Choice, Several
from teacherstudent.house.errors import InputError
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


def demand_given(groups: Groups, observable: Sequence[str] | None, gives: Collection[str]) -> None:
    """Raise `InputError` for a group in `observable` of which a route that gives these names lacks any."""
    known = [group for group, names in groups.items() if all(name in gives for name in names)]
    for group in observable or ():
        if group not in known:
            domain = f"one of {', '.join(known)} on this route" if known else "left out on this route"
            raise InputError("observable", group, domain)
