"""Batches of CIFAR-10 in the form in which they are published: pickles of version 2, by Python 2.

A pickle is a program. This module reads a closed part of its language: dictionaries, lists, text, whole
numbers, and arrays of bytes under NumPy's names. Nothing that the file names is imported or called.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pickletools import genops
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

MOST_OPERATIONS = 10**5
"""Of one batch: a published one, of 10,000 images, has 30,000 or 40,000."""

RECONSTRUCT, NDARRAY, DTYPE = "numpy.core.multiarray _reconstruct", "numpy ndarray", "numpy dtype"
OF_BYTES = (3, "|", None, None, None, -1, -1, 0)
"""What NumPy adds to the type of unsigned bytes: version, byte order, and nothing else."""


@dataclass(frozen=True)
class Name:
    """One of the three names that a batch may hold. Nothing is looked up by it."""

    text: str


@dataclass
class Numbers:
    """An array of unsigned bytes, once its numbers have been read."""

    values: np.ndarray | None = None


BYTES = Name("unsigned bytes")


def unpickled(content: bytes) -> dict[str, Any]:
    """The dictionary in a published batch: lists, whole numbers, text and `Numbers` under their names.

    Raises `ValueError`, or what the operations raise of too few values, for everything else.
    """
    stack: list[Any] = []
    marks: list[int] = []
    memo: dict[Any, Any] = {}
    for count, (operation, given, _) in enumerate(genops(content)):
        if count > MOST_OPERATIONS:
            raise ValueError("the file is too long")
        match operation.name:
            case "PROTO" if given == 2:
                pass
            case "STOP":
                break
            case "EMPTY_DICT":
                stack.append({})
            case "EMPTY_LIST":
                stack.append([])
            case "NONE" | "NEWTRUE" | "NEWFALSE":
                stack.append({"NONE": None, "NEWTRUE": True, "NEWFALSE": False}[operation.name])
            case "BININT" | "BININT1" | "BININT2" | "BINSTRING" | "SHORT_BINSTRING":
                stack.append(given)
            case "GLOBAL":
                if given not in (RECONSTRUCT, NDARRAY, DTYPE):
                    raise ValueError(f"it asks for {given}")
                stack.append(Name(given))
            case "MARK":
                marks.append(len(stack))
            case "BINPUT" | "LONG_BINPUT":
                memo[given] = stack[-1]
            case "BINGET" | "LONG_BINGET":
                stack.append(memo[given])
            case "TUPLE":
                stack.append(tuple(_from(stack, marks.pop())))
            case "TUPLE1" | "TUPLE2" | "TUPLE3":
                stack.append(tuple(_from(stack, len(stack) - int(operation.name[-1]))))
            case "APPEND" | "APPENDS":
                added = _from(stack, len(stack) - 1 if operation.name == "APPEND" else marks.pop())
                _top(stack, list).extend(added)
            case "SETITEM" | "SETITEMS":
                added = _from(stack, len(stack) - 2 if operation.name == "SETITEM" else marks.pop())
                for key, value in zip(added[::2], added[1::2], strict=True):
                    if not isinstance(key, str):
                        raise ValueError("a key is not text")
                    _top(stack, dict)[key] = value
            case "REDUCE":
                called, arguments = _from(stack, len(stack) - 2)
                stack.append(_made(called, arguments))
            case "BUILD":
                (state,) = _from(stack, len(stack) - 1)
                _complete(stack[-1], state)
            case _:
                raise ValueError(f"it has the operation {operation.name}, which no published batch has")
    (whole,) = stack
    if not isinstance(whole, dict):
        raise ValueError("it is not a dictionary")
    return whole


def _from(stack: list[Any], place: int) -> list[Any]:
    """Removes the items from that place on from the stack, and returns them."""
    if not 0 <= place <= len(stack):
        raise ValueError("it takes more values than it has")
    taken = stack[place:]
    del stack[place:]
    return taken


def _top(stack: list[Any], kind: type) -> Any:
    if not isinstance(stack[-1], kind):
        raise ValueError(f"something is added to a value that is not a {kind.__name__}")
    return stack[-1]


def _made(called: Any, arguments: Any) -> Any:
    """An array without numbers, or the type of unsigned bytes."""
    if called == Name(RECONSTRUCT) and arguments == (Name(NDARRAY), (0,), "b"):
        return Numbers()
    if called == Name(DTYPE) and arguments == ("u1", 0, 1):
        return BYTES
    raise ValueError("it builds objects other than arrays of bytes")


def _complete(built: Any, state: Any) -> None:
    """Gives an array its numbers; the type of unsigned bytes has nothing to be given."""
    import numpy as np

    if built is BYTES and state == OF_BYTES:
        return
    if not isinstance(built, Numbers) or built.values is not None or not isinstance(state, tuple):
        raise ValueError("it builds objects other than arrays of bytes")
    version, shape, kind, by_columns, raw = state
    sized = isinstance(shape, tuple) and all(type(each) is int and each >= 0 for each in shape)
    if version != 1 or kind is not BYTES or not sized or not isinstance(raw, str):
        raise ValueError("it holds an array of numbers other than bytes")
    if len(shape) != 2 or math.prod(shape) != len(raw):
        raise ValueError("it holds an array whose shape does not match its bytes")
    flat = np.frombuffer(raw.encode("latin-1"), np.uint8)
    built.values = flat.reshape(shape, order="F" if by_columns is True else "C")
