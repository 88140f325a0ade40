"""What an answer holds in memory, known before it is asked for: what cannot fit is refused, with what would.

A route says what it needs (`Need`). Draws go in groups that fit (`groups_that_fit`), since each is an answer
of its own; what is too large for one draw is refused in one line that names the number that would fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house import machine
from teacherstudent.house.declarations import Route, load
from teacherstudent.house.errors import InputError

NUMBER = 8
"""Bytes of a float64."""

A_POINT = 64
"""Numbers that a route which states no need holds for each number of its answer, at most."""

KEPT = 4
"""Times that the answer itself is held while it is labelled, averaged and written."""


@dataclass(frozen=True)
class Need:
    """What a question needs: `numbers`, of float64, that the route holds at once, at its peak.

    sizes: what the question is large in, by the names of its options. `numbers` takes these by keyword,
    and `times` and `seeds`, how many there are of each (one seed where nothing is drawn). It grows with
    each of them, and counts everything that does: data, matrices, recorded states, copies in between.
    group: numbers that a group of draws may hold even if more fit, where small groups are faster.
    """

    sizes: Mapping[str, int]
    numbers: Callable[..., float]
    group: float = math.inf


def need_of(
    route: Route,
    shapes: Mapping[str, tuple[int, ...]],
    instance: Any,
    times: np.ndarray,
    options: Mapping[str, Any],
) -> Need:
    """What that question needs: as the route states it, or in proportion to its answer.

    shapes: of the observables along their own axes (`house.answers.expected_shapes`).
    """
    if route.needs:
        need: Need = load(route.needs)(instance, times, options)
        return need
    points = sum(math.prod(shape) for shape in shapes.values())
    return Need({}, lambda times, seeds: A_POINT * points * times * seeds)


def groups_that_fit(
    route: Route,
    shapes: Mapping[str, tuple[int, ...]],
    instance: Any,
    times: np.ndarray,
    options: Mapping[str, Any],
    seeds: Sequence[int] | None,
) -> list[Sequence[int] | None]:
    """The seeds in groups, as few as fit in memory (and in `Need.group`) one after the other; [None] where
    nothing is drawn.

    Raises `InputError` where not even one draw fits.
    """
    need = need_of(route, shapes, instance, times, options)
    answer = KEPT * sum(math.prod(shape) for shape in shapes.values())
    room = machine.memory_for_question() / NUMBER
    drawn = len(seeds or (0,))

    def whole(group: int, drawn: int, times: int, **sizes: int) -> float:
        return answer * drawn * times + need.numbers(times=times, seeds=group, **sizes)

    most = _largest(drawn, lambda group: whole(group, drawn, times.size, **need.sizes) <= room)
    if most == 0:
        asked = {**need.sizes, "times": times.size, **({"seeds": drawn} if seeds else {})}
        raise _refusal(asked, lambda sizes: whole(1, **{"drawn": sizes.pop("seeds", 1), **sizes}) <= room)
    if seeds is None:
        return [None]
    held = partial(need.numbers, times=times.size, **need.sizes)
    most = max(1, _largest(most, lambda group: held(seeds=group) <= need.group))
    size = -(-drawn // -(-drawn // most))
    return [seeds[first : first + size] for first in range(0, drawn, size)]


def demand_memory(
    sizes: Mapping[str, int], numbers: Callable[[dict[str, int]], float], grids: Collection[str]
) -> None:
    """Raise `InputError` where so many numbers of float64 do not fit; it names the size that would.

    sizes: what `numbers` grows with, by the names of options. grids: those that are lengths of a grid.
    """
    room = machine.memory_for_question() / NUMBER

    def fits(sizes: dict[str, int]) -> bool:
        return numbers(sizes) <= room

    if not fits({**sizes}):
        raise _refusal(sizes, fits, grids)


def _largest(top: int, fits: Callable[[int], bool]) -> int:
    """The largest whole number up to `top` that fits; 0 where not even 1 does."""
    if fits(top):
        return top
    low, high = 0, top
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


Fits = Callable[[dict[str, int]], bool]
"""Whether a question of these sizes fits."""


def _refusal(asked: Mapping[str, int], fits: Fits, grids: Collection[str] = ()) -> InputError:
    """What to say of a question of these sizes: the first that alone could make it fit, largest first."""
    workers = machine.workers()
    shared = f" for {workers} workers" if workers > 1 else ""
    where = f"on this machine ({machine.memory() / 2**30:.3g} GB{shared})"
    largest_first = sorted(asked, key=lambda name: -asked[name])
    for name in largest_first:
        if most := _fitting(asked, name, fits):
            given = [f"{other} {size}" for other, size in asked.items() if other != name]
            beside = f"beside {', '.join(given)} " if given else ""
            on_grid, points = ("on a grid of ", "points ") if name in grids else ("", "")
            domain = f"{on_grid}at most {_rounded(most)} {points}{beside}{where}"
            return InputError(name, asked[name], domain)
    return InputError(largest_first[0], asked[largest_first[0]], f"far smaller, and other sizes too, {where}")


def _fitting(asked: Mapping[str, int], name: str, fits: Fits) -> int:
    return _largest(asked[name], lambda size: fits({**asked, name: size}))


def _rounded(number: int) -> int:
    """The first two digits, which is all that such an estimate says."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return number // unit * unit
