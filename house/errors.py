"""What can be wrong with a question and with an answer, each in one line.

Nothing here imports NumPy: `teacherstudent --help` reads it.
"""

from __future__ import annotations

import math
import reprlib


class InputError(ValueError):
    """A value outside its domain: names the option, the value and the domain in one line.

    A name in capitals is an environment variable and is written as it is. `hint`, where there is one, says
    what to write instead.
    """

    def __init__(self, option: str, value: object, domain: str, hint: str = "") -> None:
        self.option, self.value, self.domain, self.hint = option, value, domain, hint
        spelling = option if option.isupper() else f"--{in_short(option).replace('_', '-')}"
        super().__init__("; ".join(filter(None, (f"{spelling} {in_short(value)}: must be {domain}", hint))))

    def __reduce__(self) -> tuple[type[InputError], tuple[str, object, str, str]]:
        """Its parts, so that a process can send it to another."""
        return InputError, (self.option, self.value, self.domain, self.hint)

    def hinted(self, hint: str) -> InputError:
        """The same, with one more hint."""
        return InputError(self.option, self.value, self.domain, "; ".join(filter(None, (self.hint, hint))))


class Misread(ValueError):
    """What is no value of a domain, with a hint at what was meant."""

    def __init__(self, hint: str = "") -> None:
        self.hint = hint
        super().__init__(hint)


class RouteError(RuntimeError):
    """A route answered otherwise than declared, in one line: a fault of its code, not of the question."""


class OutsideError(RouteError):
    """The same of a route that lives outside this package: a fault of the code of whoever asks."""


class UnconvergedWarning(UserWarning):
    """Some points of an answer are NaN because a solver gave no certified result there."""


SHORT = 100
"""Characters of a value that a line shows."""


class _Brief(reprlib.Repr):
    """A `repr` that costs little and never fails, however large or odd the value is."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 2 * SHORT
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = 20

    def repr_int(self, value: int, level: int) -> str:
        if value.bit_length() > 1000:  # Python refuses to write thousands of digits
            return f"(a whole number of about {value.bit_length() * math.log10(2):.0f} digits)"
        return repr(value)


def in_short(value: object) -> str:
    """A value as part of one line: text as it was typed unless it is blank or unprintable."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:  # an array, a frame or a tensor
        return f"({type(value).__name__}, {' x '.join(map(str, shape))})"
    typed = value[: 2 * SHORT] if isinstance(value, str) else ""
    shown = typed if typed.strip() and typed.isprintable() else _Brief().repr(value)
    if callable(value) and not hasattr(value, "digest"):  # else it shows an address in memory
        shown = f"(function {getattr(value, '__qualname__', type(value).__name__)})"
    line = " ".join(shown.split())
    return line if len(line) <= SHORT else line[: SHORT - 3].rstrip() + "..."
