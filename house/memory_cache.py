"""What is costly to make and asked for again, remembered as far as a part of the memory holds it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, Generic, TypeVar

from teacherstudent.house import machine

T = TypeVar("T")

PART = 0.25
"""Of the memory that a question may fill: what is remembered beyond the latest."""


class Remembered(Generic[T]):
    """The values that were used last, by what they are made of; the latest always, others while they fit."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._held = 0
        self._lock = RLock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of that key, made now if it is not remembered. What `make` raises is raised."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
                self._held += bytes_of(self._kept[key])
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._held > PART * machine.memory_for_question():
                _, dropped = self._kept.popitem(last=False)
                self._held -= bytes_of(dropped)
            return self._kept[key]


def bytes_of(value: Any) -> int:
    """Bytes of the arrays that a dataclass, or any object with attributes, holds."""
    return sum(getattr(each, "nbytes", 0) for each in vars(value).values())
