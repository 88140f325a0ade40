"""Functions of one number that a user gives in Python: an activation, or a loss.

A `UserFunction` is evaluated on arrays, element by element. It is known by its values on a fixed grid
(`digest`) and by the Python object itself, so that two lambdas are never confused. No text names it: settings
and files hold its name and digest, and a question asks for it again only in Python.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MethodType
from typing import TYPE_CHECKING, Any, NoReturn

from teacherstudent.house.domains import Choice
from teacherstudent.house.errors import InputError, Misread, in_short

if TYPE_CHECKING:
    import numpy as np

DIGITS = 16
"""Hexadecimal digits of a digest."""

FARTHEST = 38.0
"""Beyond so many standard deviations the normal density is below 1e-313."""

TAIL = 1e-12
"""Share of the largest square times density that may be left at `FARTHEST`."""

SIZES = (1e-100, 1e100)
"""Least and largest size of a function: between them squares neither vanish nor overflow."""

LONGEST_NAME = 60

Checked = Callable[["UserFunction"], None]
"""Raises `Misread` for a function that a parameter does not take."""


@dataclass(frozen=True, repr=False, eq=False)
class UserFunction:
    """A function that maps arrays of any shape to float64 arrays of that shape, element by element.

    name: how Python calls it. digest: of its values on a fixed grid from -38 to 38.
    """

    name: str
    digest: str
    function: Callable[[Any], Any]

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The values at x, float64 in the shape of x; warnings of overflow are kept silent."""
        import numpy as np

        with np.errstate(all="ignore"):
            return np.asarray(self.function(x), dtype=np.float64)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UserFunction) or self.digest != other.digest:
            return False
        one, two = self.function, other.function
        # an object's own == may hold what the digest has told apart, be an array, or raise
        return one is two or (isinstance(one, MethodType) and isinstance(two, MethodType) and one == two)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"function {self.name} (digest {self.digest})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Its parts for another process. Raises `InputError` for a function that it could not import."""
        if getattr(self.function, "__module__", "") == "__main__":
            self._refuse()
        try:
            pickle.dumps(self.function)
        except (pickle.PicklingError, AttributeError, TypeError):
            self._refuse()
        return type(self), (self.name, self.digest, self.function)

    def _refuse(self) -> NoReturn:
        domain = "1, since the function exists only in this process"
        hint = "other processes can import a function that is defined by `def` in a module"
        raise InputError("workers", repr(self), domain, hint)


@dataclass(frozen=True)
class ChoiceOrFunction(Choice):
    """A word for a function that is built in, or, in Python only, a function. `example` gives one.

    checked: what else a function must be, beside finite, real and not constant.
    """

    example: str = ""
    checked: Checked | None = field(default=None, repr=False)

    def parse(self, text: str) -> str:
        try:
            return super().check(text)
        except Misread as misread:
            raise Misread(misread.hint or f"functions are given in Python: {self.example}") from None

    def check(self, value: Any) -> Any:
        if not callable(value):
            return super().check(value)
        found = value if isinstance(value, UserFunction) else as_function(value)
        if self.checked:
            self.checked(found)
        return found

    def describe(self) -> str:
        return f"{super().describe()}, or in Python a function of an array"


def name_of(function: Any) -> str:
    """How Python calls a function: without the address in memory, in one line."""
    name = getattr(function, "__qualname__", "") or getattr(function, "__name__", "")
    name = str(name or type(function).__name__).replace("<locals>.", "")
    return name[:LONGEST_NAME] if name.isprintable() else "function"


def as_function(function: Callable[[Any], Any]) -> UserFunction:
    """A function whose values were looked at. Raises `Misread` for what no average can be taken of."""
    import numpy as np

    near, far = np.linspace(-8, 8, 4001), np.linspace(8, FARTHEST, 601)[1:]
    grid = np.concatenate([-far[::-1], near, far])
    values = values_of(function, grid)
    square = np.reshape(grid[:4600], (46, 100))
    again = values_of(function, square).ravel()
    if not np.allclose(again, values[:4600], rtol=1e-12, atol=0, equal_nan=True):
        raise Misread("its value at one number changes with the other numbers or at random")
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        first = wrong[np.argmin(np.abs(grid[wrong]))]
        raise Misread(f"at {grid[first]:.4g} it is {values[first]}, and must be finite up to {FARTHEST:g}")
    if np.ptp(values) <= 1e-14 * np.max(np.abs(values)):
        raise Misread(f"it is constant ({values[0]:.6g})")
    with np.errstate(divide="ignore"):
        weight = 2 * np.log(np.abs(values)) - grid**2 / 2
    if max(weight[0], weight[-1]) > np.max(weight) + np.log(TAIL):
        raise Misread("it grows too fast: its square has no mean over a normal variable")
    if not SIZES[0] <= np.exp(np.max(weight) / 2) <= SIZES[1]:
        raise Misread(f"its size is not between {SIZES[0]:g} and {SIZES[1]:g}")
    return UserFunction(name_of(function), digest_of(values), function)


def demand_unchanged(values: Mapping[str, Any]) -> None:
    """Raise `InputError` for a function among these that no longer has the values which it is known by."""
    for name, value in values.items():
        if type(value) is UserFunction:  # rates of steps are read once
            try:
                now = as_function(value.function).digest
            except Misread:
                now = ""
            if now != value.digest:
                domain = "a function whose values do not change; they changed while the answer was computed"
                raise InputError(name, value, domain)


def digest_of(values: np.ndarray) -> str:
    """That of the values of a function."""
    import hashlib

    return hashlib.blake2b((values + 0.0).tobytes(), digest_size=DIGITS // 2).hexdigest()


def values_of(
    function: Callable[[Any], Any], x: np.ndarray, example: str = "lambda x: numpy.tanh(x)"
) -> np.ndarray:
    """Its values, float64 in the shape of x. Raises `Misread`, with an example of what would do."""
    import numpy as np

    given = x.copy()
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(function(given))
    except Exception as error:  # whatever a user's function may raise
        said = in_short(" ".join(str(error).split()))
        raise Misread(
            f"given an array it raised {type(error).__name__}: {said}; write it with numpy or operators, "
            f"as {example}"
        ) from None
    if not np.array_equal(given, x):
        raise Misread("it changes its argument")
    if found.shape != x.shape:
        raise Misread(f"given an array of shape {x.shape} it returns one of shape {found.shape}")
    if found.dtype.kind in "biu" or found.dtype == np.float64:
        return found.astype(np.float64)
    hint = ""
    if found.dtype == np.float32:
        hint = '; write it with numpy, or call jax.config.update("jax_enable_x64", True) first'
    raise Misread(f"it returns numbers of type {found.dtype}, not float64{hint}")
