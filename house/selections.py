"""How somebody chooses among methods on rows of her own: what `select` asks for, declared by a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from teacherstudent.house.parameters import Parameter

Kind = Literal["number", "whole", "power of two"]


@dataclass(frozen=True)
class Searched:
    """An option of the dynamics that is drawn, uniformly in its logarithm: its range, and what numbers."""

    parameter: Parameter
    kind: Kind = "number"


@dataclass(frozen=True)
class Selection:
    """A choice among the values of one parameter, by validation, at settings drawn at random.

    id: the problem whose methods are compared. `trained` is the problem that trains them on given rows, under
    `dynamics`, by `route`; `rows` is its parameter that holds them, `table` are those of one table of
    them, which comes first; `over` names a method.
    `searched` are drawn, `fixed` are options that are the same in all trainings. `criteria` are observables
    of validation rows by what the table calls them, the first that of the recommendation; `told` those of
    test rows. Time is looked at from 1 to `longest`.
    """

    id: str
    trained: str
    dynamics: str
    route: str
    rows: str
    table: tuple[str, ...]
    over: str
    searched: tuple[Searched, ...]
    fixed: tuple[Parameter, ...]
    longest: Parameter
    criteria: Mapping[str, str] = field(hash=False)
    told: tuple[str, ...]
