"""The shared look. Solid: theory. Markers with bars: simulation. Dashed: an approximation.

Colours are told apart by the colour-blind and by their lightness alone; each curve also has a
marker of its own. Axes are named from the attributes of the numbers, so that no label can
contradict its data. matplotlib is imported only by what draws.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import PAPER, SHEETS, Axes, Canvas
from teacherstudent.figures.kit import words
from teacherstudent.house.catalogue import find_problem, find_route

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.text import Annotation

Key = TypeVar("Key")

BLACK, BLUE, ORANGE = "#000000", "#0072B2", "#E69F00"  # Okabe and Ito; lightness 0, 46 and 71
GREEN, SKY, PURPLE, VERMILION = "#009E73", "#56B4E9", "#CC79A7", "#D55E00"  # for more than three curves
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREEK = (
    "alpha", "beta", "chi", "delta", "epsilon", "eta", "gamma", "kappa", "lambda", "mu", "nu", "omega",
    "psi", "rho", "sigma", "tau", "theta", "xi", "zeta",
)  # fmt: skip

THEORY = {"lw": 1.6}
APPROXIMATION = {"lw": 1.1, "dashes": (4, 2.5)}
BARS = {"elinewidth": 1.1, "capsize": 2.0}
JOINED = {"lw": 0.8, "ls": ":"}
"""Thin lines that only join markers."""


@dataclass(frozen=True)
class Look:
    """How one curve is told from the others."""

    label: str
    colour: str
    marker: str
    filled: bool = False


ANY = Look("", "0.3", "o")
"""Grey: what a legend says of every curve at once."""


def shades(count: int) -> list[str]:
    """Colours of an ordered family, light to dark."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["viridis"](0.8 * (1 - i / max(count - 1, 1)))) for i in range(count)]


def ordered_looks(labels: Sequence[str]) -> list[Look]:
    """Looks for an ordered family, light to dark, at most as many as there are markers."""
    parts = zip(labels, shades(len(labels)), MARKERS[: len(labels)], strict=True)
    return [Look(*each) for each in parts]


def family(members: Iterable[Key], label: str) -> dict[Key, Look]:
    """Such looks by members, each with its label, in which `{}` or `{:g}` stands for the member."""
    keys = list(members)
    return dict(zip(keys, ordered_looks([label.format(key) for key in keys]), strict=True))


def number(value: float) -> str:
    """A number in a label: 1e5 or 1e-5 as a power of ten, those near 1 as they are."""
    mantissa, _, exponent = f"{value:.6e}".partition("e")
    return f"$10^{{{int(exponent)}}}$" if mantissa == "1.000000" and abs(int(exponent)) > 3 else f"{value:g}"


def mathematics(symbol: str) -> str:
    """A plain symbol as mathtext: Greek names become letters, long subscripts upright."""
    spelled = re.sub(r"_eps(?![A-Za-z])", "_epsilon", symbol)
    upright = re.sub(rf"_(?!(?:{'|'.join(GREEK)})(?![A-Za-z]))([A-Za-z]{{2,}})", r"_{\\mathrm{\1}}", spelled)
    greek = re.sub(rf"(?<![A-Za-z\\])({'|'.join(GREEK)})(?![A-Za-z])", r"\\\1", upright)
    return f"${greek}$"


def typeset(words: str) -> str:
    """Words in which Greek letters with a subscript, as in sigma_max/sigma_min, are mathematics."""
    letter = rf"(?:{'|'.join(GREEK)})_[A-Za-z0-9]+"
    return re.sub(rf"(?<![A-Za-z_]){letter}(?:/{letter})*", lambda found: mathematics(found[0]), words)


def unit(name: str) -> str:
    """A unit in a label: powers raised."""
    return re.sub(r"\^(\w+)", r"$^{\1}$", name)


def heading(meaning: str) -> str:
    """What a meaning begins with: up to a comma or semicolon outside of brackets, or a colon and formula."""
    depth = 0
    for i, letter in enumerate(meaning):
        depth += (letter in "([") - (letter in ")]")
        if not depth and meaning[i : i + 2] in (", ", "; "):
            meaning = meaning[:i]
            break
    name, _, said = meaning.partition(": ")
    return name if re.search(r"[=^/]", said) else meaning


def axis_label(values: xr.DataArray, name: str | None = None) -> str:
    """Name, symbol and unit from the attributes; `name` stands for a `long_name` that is too long.

    A unit of 1 reads dimensionless. The symbol stands before a product of matrices: behind it, it would be a
    factor.
    """
    symbol, units = values.attrs["symbol"], values.attrs["units"]
    name, defined, value = (name or heading(values.attrs["long_name"])).partition(f" {symbol} = ")
    if product := re.fullmatch(r"(.+) of ((?:[A-Z](?:\^T)? ?)+)", name):
        noun, matrices = product.groups()
        return f"{noun} {mathematics(symbol)} of {mathematics(matrices.replace(' ', ''))} [{_units(units)}]"
    shown = mathematics(f"{symbol} = {value.partition(' of ')[0]}" if defined else symbol)
    return f"{typeset(name)} {shown} [{_units(units)}]"


def _units(units: str) -> str:
    return "dimensionless" if units == "1" else unit(units)


def fixed(answer: xr.Dataset, asked: Mapping[str, Any] | None = None, /, **words: str) -> str:
    """Parameters of a route's answer, `word symbol = value`, joined by commas.

    `words` holds, by the names of parameters and options, what stands before the symbol; may be empty.
    Values are those of the answer's attributes; `asked` has those that the problem keeps in another form.
    """
    problem = find_problem(answer.attrs["problem"])
    clock = problem.on_clock(answer.attrs["dynamics"])
    route = find_route(problem, clock.name, answer.attrs["route"])
    symbols = {each.name: each.symbol for each in (*problem.parameters, *clock.options, *route.options)}
    kept = json.loads(answer.attrs["instance"]) | json.loads(answer.attrs["options"])
    values = {**kept, **(asked or {})}
    return ", ".join(
        f"{word} {mathematics(symbols[name])} = {given(values[name])}".strip() for name, word in words.items()
    )


def given(value: Any) -> str:
    """A parameter's value in a line of text."""
    if isinstance(value, list):
        return ", ".join(map(given, value))
    return value if isinstance(value, str) else number(value)


THIN = 0.75
"""Lines and markers of a paper, in the widths and sizes that drawings state."""


def text() -> float:
    """The size of text, in points."""
    from matplotlib import rcParams

    return float(rcParams["font.size"])


def width() -> float:
    """The width of the picture, in inches."""
    from matplotlib import rcParams

    return float(rcParams["figure.figsize"][0])


def _height() -> float:
    """The height of the sheet, in inches."""
    from matplotlib import rcParams

    return float(rcParams["figure.figsize"][1])


def abreast(most: int) -> int:
    """How many panels are side by side: this many, and more on a wide sheet."""
    return most if _height() > width() else max(most, WIDE)


WIDE = 4
"""Panels side by side on a wide sheet."""
PANELS, LOWEST, TALL = 0.7, 0.72, 0.3
"""How much of a wide sheet is for panels, how much lower these become at most, and when it is in vain."""


@contextmanager
def sheet(canvas: Canvas, name: str = "paper", wide: float | None = None) -> Iterator[None]:
    """Inside, pictures on this empty canvas are drawn for that sheet; at the end their texts are fitted."""
    from matplotlib import rc_context

    chosen = SHEETS[name]
    scale = chosen.text / PAPER.text
    settings = {
        "font.size": chosen.text,
        "figure.figsize": (wide or chosen.width, chosen.height),
        "axes.titlesize": "medium",
        "axes.titlepad": 4 * scale,
        "axes.labelpad": 2.5 * scale,
    }
    with rc_context(settings):
        canvas.set_size_inches(width(), width() * 0.75)
        yield
        fit(canvas)


TICKS = {
    "major": {"length": 2.8, "width": 0.6, "pad": 2.5},
    "minor": {"length": 1.6, "width": 0.45, "pad": 2.5},
}
"""Points on paper."""


def size(canvas: Canvas, height: float) -> None:
    """Make a picture as wide as its sheet, with parts that make room for each other.

    height: inches of its panels on paper; legends add theirs.
    """
    scale = max(width() / PAPER.width, text() / PAPER.text)
    share = PANELS * _height() / (height * scale)
    room = max(LOWEST, min(1.0, share)) if share > TALL else 1.0
    canvas.set_size_inches((width(), height * scale * room))
    canvas.set_layout_engine("constrained")


RESIDUALS = "residuals"
"""The label of the axes of residual panels, by matplotlib's name."""


def fit(canvas: Canvas) -> None:
    """Make lines and markers fit the sheet, and break titles and labels that are longer than their axes."""
    scale = text() / PAPER.text
    for axes in canvas.axes:
        for kind in ("major", "minor"):
            points = {name: scale * value for name, value in TICKS[kind].items()}
            axes.tick_params(which=kind, labelsize=text(), **points)
        _rescale([*axes.lines, *axes.collections, *axes.patches, *axes.spines.values()], THIN * scale)
        for each in _beside(axes):
            each.xyann = (scale * each.xyann[0], scale * each.xyann[1])
    for legend in _legends(canvas):
        _rescale(legend.findobj(_drawn), THIN * scale)
    engine = canvas.get_layout_engine()
    if engine is None:
        return
    engine.execute(canvas)
    for axes in canvas.axes:
        box = axes.get_window_extent()
        wide, high = box.width / canvas.dpi, box.height / canvas.dpi
        if axes.get_label() == RESIDUALS:
            high *= OVERHANGING if _height() > width() else CROWDED
        for label, room in ((axes.title, wide), (axes.xaxis.label, wide), (axes.yaxis.label, high)):
            if label.get_text():
                label.set_text(words.broken(label.get_text(), label.get_fontsize(), SHARE * room))
        for each in _beside(axes):
            if each.get_window_extent().x1 > box.x1 and each.get_horizontalalignment() == "left":
                each.set(ha="right")  # there is room on the left
                each.xyann = (-each.xyann[0], each.xyann[1])
            if each.get_window_extent().y1 > box.y1 and each.get_verticalalignment() != "top":
                each.set(va="top")
                each.xyann = (each.xyann[0], -each.xyann[1])


SHARE = 0.93
"""How much of its axes' length a label takes at most: axes shrink as labels get more lines."""

OVERHANGING, CROWDED = 1.45, 1.12
"""How much longer than a residual panel its label may be, on a wide sheet too."""


def _beside(axes: Axes) -> list[Annotation]:
    """The words of a panel that are this many points off the place that they name."""
    from matplotlib.text import Annotation

    notes = (each for each in axes.texts if isinstance(each, Annotation) and each.get_text())
    return [each for each in notes if each.anncoords == "offset points"]


def _drawn(artist: Any) -> bool:
    """Whether it has lines."""
    return hasattr(artist, "set_linewidth")


def _rescale(artists: Iterable[Any], scale: float) -> None:
    for each in artists:
        each.set_linewidth(scale * np.asarray(each.get_linewidth()))
        if hasattr(each, "set_markersize"):
            each.set(ms=scale * each.get_markersize(), mew=scale * each.get_markeredgewidth())
        elif hasattr(each, "set_sizes") and np.size(each.get_sizes()):
            each.set_sizes(scale**2 * np.asarray(each.get_sizes()))


def _legends(canvas: Canvas) -> list[Any]:
    """All legends of a picture, its parts and its axes."""
    places: list[Any] = [canvas]
    for place in places:
        places += place.subfigs
    return [
        *(legend for place in places for legend in place.legends),
        *(legend for axes in canvas.axes if (legend := axes.get_legend())),
    ]


def ticks(axis: Axis, values: Sequence[float], labels: Sequence[str] | None = None) -> None:
    """Ticks at these places and nowhere else, labelled by their values unless said otherwise."""
    axis.set_ticks(values, labels or [f"{value:g}" for value in values])
    axis.set_ticks([], minor=True)


FEW, MANY = 30.0, 300.0
"""Ratios of an axis's ends: below the first a tick stands at more digits, from the second on at 1 alone."""


def digits(axis: Axis, low: float, high: float) -> None:
    """Logarithmic ticks at some digits of each power of ten, written as they are: powers of ten overlap."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    fine = (1.0, 2.0, 5.0) if high / low >= FEW else (1.0, 2.0, 3.0, 5.0, 7.0)
    parts = fine if high / low < MANY else (1.0,)
    axis.set_major_locator(LogLocator(subs=parts))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    powers(axis)


def powers(axis: Axis) -> None:
    """Numbers at powers of ten only: those between would overlap."""
    from matplotlib.ticker import NullFormatter

    axis.set_minor_formatter(NullFormatter())


def theory(axes: Axes, answer: xr.Dataset, x: str, y: str, look: Look, **line: object) -> None:
    """A theory: a solid line."""
    axes.plot(answer[x], answer[y], color=look.colour, **{**THEORY, **line})


def name(
    axes: Axes, answer: xr.Dataset, x: str, y: str, look: Look, at: float, shift: tuple[float, float] = (4, 0)
) -> None:
    """Write a curve's label next to it, that many points off its place at `at`."""
    place = answer.dropna(x, subset=[y]).sel({x: at}, method="nearest")
    axes.annotate(
        look.label,
        (float(place[x]), float(place[y])),
        shift,
        textcoords="offset points",
        color=look.colour,
        ha="center" if shift[0] == 0 else "left" if shift[0] > 0 else "right",
        va="center" if shift[1] == 0 else "bottom" if shift[1] > 0 else "top",
    )


def approximation(axes: Axes, answer: xr.Dataset, x: str, y: str, look: Look) -> None:
    """An approximation: a dashed line."""
    axes.plot(answer[x], answer[y], color=look.colour, **APPROXIMATION)


def simulation(axes: Axes, answer: xr.Dataset, x: str, y: str, look: Look, **line: object) -> None:
    """Means over draws, each with one standard error up and down (and sideways where x has one)."""
    errors = {"yerr": answer[f"{y}_stderr"], "xerr": answer.get(f"{x}_stderr")}
    axes.errorbar(answer[x], answer[y], **errors, **marked(look), **BARS, **line)


def marked(look: Look, size: float = 4.5) -> dict[str, object]:
    """Markers, filled white so that the line below stays in sight, or with their colour."""
    face = look.colour if look.filled else "white"
    return {"ls": "none", "marker": look.marker, "ms": size, "color": look.colour, "mfc": face, "mew": 1.1}
