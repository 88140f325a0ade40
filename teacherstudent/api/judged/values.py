"""Draws and theories that somebody brings, at the same points.

Points are matched by their labels: numbers to one part in a million, texts letter by letter.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.tables import LEAST, MOST, as_table, demand_room

SAME = 1e-6
"""Labels that differ by less, relatively, are the same point: files round them."""

Labels = tuple[float | str, ...]


@dataclass(frozen=True)
class Values:
    """Numbers with points along the last axis, and the labels of the points, if there are any.

    said: remarks on how the numbers were read. name: the name of the file, if they come from a file.
    """

    values: np.ndarray
    labels: Labels | None = None
    said: tuple[str, ...] = ()
    name: str = ""

    @property
    def count(self) -> int:
        """How many points there are."""
        return int(self.values.shape[-1])

    def at(self, labels: Labels | None, count: int, option: str) -> Values:
        """The same numbers for this number of points, in the order of these labels. Raises `InputError`."""
        if labels is None or self.labels is None:
            if self.count != count:
                raise InputError(option, f"({self.count} points)", f"at the {count} points of the draws")
            return replace(self, labels=self.labels if labels is None else labels)
        places = _places(labels, self.labels)
        missing = [label for label, place in zip(labels, places, strict=True) if place < 0]
        if missing:
            domain = f"at all points of the draws, equal to 1 in a million: {_some(missing)} missing"
            raise InputError(option, self.name or "(given)", domain, f"it has {_some(self.labels)}")
        return replace(self, values=self.values[..., places], labels=labels)


def _some(labels: Sequence[float | str]) -> str:
    return ", ".join(f"{each}" for each in labels[:3]) + ", ..." * (len(labels) > 3)


def _places(labels: Sequence[float | str], among: Sequence[float | str]) -> list[int]:
    """Where these labels are among others; -1 where they are not."""
    if any(isinstance(each, str) for each in (*labels, *among)):
        known = {each: i for i, each in enumerate(among)}
        return [known.get(each, -1) for each in labels]
    wanted, others = np.array(labels, dtype=float), np.sort(np.array(among, dtype=float))
    nearest = np.searchsorted((others[1:] + others[:-1]) / 2, wanted)
    same = np.abs(others[nearest] - wanted) <= SAME * np.maximum(np.abs(wanted), np.abs(others[nearest]))
    places: list[int] = np.where(same, np.argsort(np.array(among, dtype=float))[nearest], -1).tolist()
    return places


def refuse_repeated(labels: Sequence[float | str], name: str, option: str) -> None:
    """Raise `InputError` if two labels are equal."""
    if any(isinstance(each, str) for each in labels):
        repeated = [each for each, count in Counter(labels).items() if count > 1]
    else:
        numbers = np.sort(np.array(labels, dtype=float))
        repeated = numbers[1:][np.diff(numbers) <= SAME * np.abs(numbers[1:])].tolist()
    if repeated:
        raise InputError(option, name, f"of different points: {repeated[0]} occurs twice")


def labels_of(points: Any) -> Labels | None:
    """The labels that the user gave. Raises `InputError`."""
    if points is None:
        return None
    listed = points.tolist() if hasattr(points, "tolist") else points
    labels: Labels
    if isinstance(listed, list | tuple) and listed and all(isinstance(each, str) for each in listed):
        labels = tuple(listed)
    else:
        numbers = real_numbers(points, "points")
        if numbers.ndim != 1 or np.isnan(numbers).any():
            raise InputError("points", points, "a list of numbers, or of texts")
        labels = tuple(numbers.tolist())
    refuse_repeated(labels, "(given)", "points")
    return labels


def real_numbers(given: Any, option: str) -> np.ndarray:
    """An array of real numbers, NaN among them. Raises `InputError`."""
    try:
        demand_room((len(given),) if isinstance(given, Sequence) else ())
        numbers = _numbers(given)
    except Misread as error:
        raise InputError(option, given, "an array of real numbers", error.hint) from None
    if count := int(np.isinf(numbers).sum()):
        raise InputError(option, f"({count} infinite)", "finite numbers, or NaN for a missing value")
    told = numbers[~np.isnan(numbers)]
    if told.size and (np.abs(told).max() > MOST or 0 < np.ptp(told) < LEAST):
        domain = f"numbers up to {MOST:g} that differ by {LEAST:g} or more"
        raise InputError(option, "(out of range)", domain, "choose other units")
    return numbers


def _numbers(given: Any) -> np.ndarray:
    """An array of numbers; what is none is read as a table, or refused as such. Raises `Misread`."""
    with suppress(ValueError, TypeError, OverflowError, RuntimeError):
        found = np.asarray(given)
        if found.size and found.dtype.kind in "biuf" and not np.ma.is_masked(given):
            return found.astype(float)
    return as_table(given).values


def read_draws(given: Any, option: str = "draws") -> Values:
    """Draws (S, P): an array, or a file. Raises `InputError`."""
    if isinstance(given, str | PathLike):
        from teacherstudent.api.judged.files import values_in_file

        return values_in_file(given, option, draws=True)
    numbers = real_numbers(given, option)
    numbers = numbers[:, None] if numbers.ndim == 1 else numbers
    if numbers.ndim != 2:
        shape = " x ".join(map(str, numbers.shape)) or "one number"
        hint = "give several sizes as a list, with sizes=" if numbers.ndim == 3 else ""
        raise InputError(option, f"({shape})", "an array (seeds, points)", hint)
    return Values(numbers)


@dataclass(frozen=True)
class Theory:
    """A theory: a function, or numbers that are the same at each size."""

    given: Values | Callable[..., Any]
    option: str

    @property
    def takes_size(self) -> bool:
        """Whether it is a function of points and size, that is, has two arguments without defaults."""
        if isinstance(self.given, Values):
            return False
        try:
            parameters = inspect.signature(self.given).parameters.values()
        except (TypeError, ValueError):  # as of functions that are written in C
            return False
        positional = [each for each in parameters if each.kind <= each.POSITIONAL_OR_KEYWORD]
        return sum(each.default is each.empty for each in positional) == 2

    def at(self, labels: Labels | None, count: int, size: float) -> Values:
        """The values (P,) of the theory at these points. Raises `InputError`."""
        found = self.given
        if not isinstance(found, Values):
            if labels is None or any(isinstance(each, str) for each in labels):
                domain = f"numbers if {self.option} is a function, which takes them"
                raise InputError("points", "(missing)", domain)
            points = np.array(labels, dtype=float)
            answer = found(points, size) if self.takes_size else found(points)
            answered = real_numbers(answer, self.option)
            if answered.shape != points.shape:
                shape = " x ".join(map(str, answered.shape)) or "one number"
                domain = f"a function of all points at once, one number for each of {count}"
                raise InputError(self.option, f"(gave {shape})", domain)
            found = Values(answered, labels)
        found = found.at(labels, count, self.option)
        if np.isnan(found.values).all():
            raise InputError(self.option, "(NaN at all points)", "a number at some point")
        return found


def read_theory(given: Any, option: str) -> Theory:
    """A theory: numbers (P,), a file, or a function. Raises `InputError`."""
    if callable(given):
        return Theory(given, option)
    if isinstance(given, str | PathLike):
        from teacherstudent.api.judged.files import values_in_file

        return Theory(values_in_file(given, option, draws=False), option)
    numbers = real_numbers(given, option)
    if numbers.ndim > 1 and numbers.size != max(numbers.shape):
        raise InputError(option, f"({' x '.join(map(str, numbers.shape))})", "an array (points,)")
    return Theory(Values(numbers.ravel()), option)
