"""Counts, turns and spectra that a theory announces, each held to its declaration as a route's answer is.

They leave no point to be NaN, so what is not certain is an `ArithmeticError`, and the front door refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from numbers import Integral
from traceback import walk_tb
from typing import Any

import numpy as np

from teacherstudent.house.answers import LOG
from teacherstudent.house.declarations import Count, Spectrum, Turns
from teacherstudent.house.errors import InputError, RouteError
from teacherstudent.house.interruptible import run_interruptibly


def ask_count(count: Count, instance: Any) -> int:
    """The number that it gives of this instance.

    Raises `ArithmeticError` where it cannot be certain, and `RouteError` where it is no number of things.
    """
    with _held(f"count {count.problem}/{count.name}") as wrong:
        found: Any = run_interruptibly(lambda: count.function()(instance, count.name))
        if isinstance(found, bool) or not isinstance(found, Integral) or found < 0:
            raise wrong(f"gives {found!r}, not a whole number of {count.counted}")
        LOG.info("count %s/%s: %d %s", count.problem, count.name, found, count.counted)
        return int(found)


def ask_turns(turns: Turns, instance: Any) -> Sequence[Any]:
    """The turns of that curve for this instance, in the order of time.

    Raises `ArithmeticError` where it cannot be certain, and where a time or a value is not finite, and
    `RouteError` where they are not in order or do not alternate.
    """
    with _held(f"turns {turns.problem}/{turns.name}") as wrong:
        found = run_interruptibly(lambda: list(turns.function()(instance, turns.name)))
        numbers = np.array([(each.time, each.value) for each in found], dtype=float)
        if not np.isfinite(numbers).all():
            raise ArithmeticError("a minimum or maximum is not finite")
        if not all(one.time < other.time for one, other in pairwise(found)):
            raise wrong("gives times that do not increase")
        if not all(bool(one.is_minimum) != bool(other.is_minimum) for one, other in pairwise(found)):
            raise wrong("gives minima and maxima that do not alternate")
        return found


LAW = {"eigenvalue": "J", "density": "J", "share_below": "J", "band_edge": "B2", "zeros": "", "alpha": ""}
"""The arrays of a spectrum with their axes: J eigenvalues, B bands of 2 ends."""


def ask_spectrum(spectrum: Spectrum, instance: Any, eigenvalues: np.ndarray | None) -> Mapping[str, Any]:
    """The arrays of that spectrum for this instance, in float64.

    Raises `ArithmeticError` where it cannot be certain, and where a number is not finite, and `RouteError`
    where names or shapes are not those declared.
    """
    with _held(f"spectrum {spectrum.problem}") as wrong:
        given = run_interruptibly(lambda: spectrum.function()(instance, eigenvalues))
        if set(given) != set(LAW):
            raise wrong(f"gives {', '.join(given)}, not {', '.join(LAW)}")
        found = {name: np.asarray(given[name], dtype=float) for name in LAW}
        sizes = {"J": found["eigenvalue"].size, "B": len(np.atleast_1d(found["band_edge"])), "2": 2}
        for name, axes in LAW.items():
            shape = tuple(sizes[axis] for axis in axes)
            if found[name].shape != shape:
                raise wrong(f"gives {name} in shape {found[name].shape}, not {shape}")
            if not np.isfinite(found[name]).all():
                raise ArithmeticError(f"{name} is not finite")
        return found


@contextmanager
def _held(what: str) -> Iterator[Callable[[str], RouteError]]:
    """Names the fault: what breaks down is not certain, whatever else goes wrong is a fault of the code.

    A solver of SciPy that finds no change of sign, or does not converge, breaks down.
    """
    try:
        yield lambda text: RouteError(f"{what} {text}")
    except np.linalg.LinAlgError as error:
        raise ArithmeticError(str(error)) from error
    except (InputError, RouteError, ArithmeticError):
        raise
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        if _by_a_solver(error):
            raise ArithmeticError(str(error)) from error
        raise RouteError(f"{what} failed ({type(error).__name__}: {error})") from error


def _by_a_solver(error: BaseException) -> bool:
    """Whether SciPy's solvers raised it themselves, and not a function that they were given."""
    *_, (raising, _) = walk_tb(error.__traceback__)
    return raising.f_globals.get("__name__", "").startswith("scipy.optimize")
