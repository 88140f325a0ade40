"""What an installation may lack: libraries that few questions need, and how to get them, in one line.

`pip install .` brings what pyproject.toml calls dependencies; its extras bring these. Whatever imports one of
them does so within `importing_extra`, but for `WHOLE`, which is imported within it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

EXTRAS = {
    "checks": ("mpmath", "sympy"),
    "cluster": ("dask", "distributed", "zarr"),
    "data": ("sklearn",),
    "lessons": ("latex2mathml", "marimo", "markdown", "nbformat"),
}
"""The libraries that each extra brings, by the names under which they are imported."""

WHOLE = {"teacherstudent.lessons": "lessons", "teacherstudent.sweeps.cluster": "cluster"}
"""Rooms, and modules, that are of one extra as a whole: they import its libraries as they like."""

SPELT = {"sklearn": "scikit-learn"}
"""Libraries that are installed under another name."""


class MissingExtra(ImportError):
    """A library that an extra brings is not installed: one line says what needs it and how to install it."""

    def __init__(self, what: str, library: str) -> None:
        self.what = what
        self.extra = next(extra for extra, libraries in EXTRAS.items() if library in libraries)
        self.lack = f"{SPELT.get(library, library)}: pip install 'teacherstudent[{self.extra}]'"
        super().__init__(f"{what}: this installation lacks {self.lack}", name=library)

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        """Its parts, so that a process can send it to another."""
        return MissingExtra, (self.what, self.name or "")


@contextmanager
def importing_extra(what: str) -> Iterator[None]:
    """Import libraries of an extra within this. Raises `MissingExtra` where one is not installed.

    what: names what needs them, as an option with its value.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if not any(library in libraries for libraries in EXTRAS.values()):
            raise
        raise MissingExtra(what, library) from None


def demand_installed(what: str, *libraries: str) -> None:
    """Raise `MissingExtra` where one of these is not installed; imports none.

    what: names what needs them, as an option with its value.
    """
    from importlib.util import find_spec

    for library in libraries:
        if find_spec(library) is None:
            raise MissingExtra(what, library)
