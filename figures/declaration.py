"""What a figure is: numbers first, then the drawing of exactly those numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from teacherstudent.house.catalogue import find_problem
from teacherstudent.house.declarations import Problem, load
from teacherstudent.house.parameters import Parameter

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Canvas

    Numbers = dict[str, xr.Dataset]
else:  # only names of types: what lists figures loads neither of them
    Axes = Canvas = Numbers = Any


@dataclass(frozen=True)
class Sheet:
    """What a picture is made for: its width in inches, the size of its text in points, and its height.

    A sheet with a height is wide: panels stand side by side and are lower, as far as their labels allow.
    """

    width: float
    text: float
    height: float = 100.0


PAPER = Sheet(6.8, 8.0)
SHEETS = {"paper": PAPER, "slide": Sheet(13.33, 14.0, 7.5), "poster": Sheet(17.0, 20.0)}
"""Sheets by name. Sizes that drawings state are sizes on paper."""

NARROWEST = 5.0
"""Inches of the narrowest picture with the text of paper; larger text needs more."""


@dataclass(frozen=True)
class Figure:
    """One picture.

    `compute(quick)` returns the numbers behind it, group by group (the front door saves them
    as NetCDF beside the picture); `draw(canvas, numbers)` draws them on an empty matplotlib
    figure and computes nothing that is not in `numbers`. `quick` means fewer seeds, never
    another question.

    A figure that moves has a `film(canvas, numbers)` too: it draws on an empty figure and yields
    whenever a frame is complete. Its last frame is what `draw` draws (`figures.kit.films.still`), so
    that paper and screen cannot differ.
    """

    id: str
    title: str
    caption: str
    paper: str
    ref: str
    compute: Callable[[bool], Numbers] = field(repr=False)
    draw: Callable[[Canvas, Numbers], None] = field(repr=False)
    film: Callable[[Canvas, Numbers], Iterator[None]] | None = field(default=None, repr=False)
    no_residuals: str = ""
    small: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Page:
    """What `teacherstudent mine` answers about rows that somebody brings.

    `rows` are the two parameters of the problem that hold them, or `table` those of one table that does:
    first the table, then the columns that are learned. `parameters` are the others that may be chosen,
    with the domains that they have here, `options` those of the page itself. The functions are named as
    `module:function` and imported when they are used:

    - `read(values of table and of the first of rows by keyword)` gives what `rows` hold;
    - `settle(rows and options by keyword)` gives a question that can be answered, or raises `InputError`;
    - `compute(question)` gives its numbers as one dataset of kind `mine`;
    - `draw(canvas, answer)` draws exactly those on an empty matplotlib figure;
    - `sentences(answer)` says them in words, paragraph by paragraph, each a list of lines;
    - `facts(answer)` gives them as what JSON can hold.
    """

    problem: str
    rows: tuple[Parameter, Parameter]
    table: tuple[Parameter, ...]
    parameters: tuple[Parameter, ...]
    options: tuple[Parameter, ...]
    read: str
    settle: str
    compute: str
    draw: str
    sentences: str
    facts: str

    @property
    def id(self) -> str:
        """The problem's: it has one page."""
        return self.problem

    def kind(self) -> Problem:
        """The problem with those parameters only that the page takes, so that it has defaults of no other.

        What the page chooses by itself, as the sizes of training sets, stays open in settings.
        """
        return replace(find_problem(self.problem), parameters=(*self.rows, *self.table, *self.parameters))

    def function(self, name: str) -> Callable[..., Any]:
        """One of its functions."""
        found: Callable[..., Any] = load(getattr(self, name))
        return found


def constants(module: str, **values: Any) -> dict[str, Any]:
    """Values for constants of that module, as `small` names them."""
    return {f"{module}.{name}": value for name, value in values.items()}
