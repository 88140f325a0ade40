"""Pictures of answers: theory as lines, simulation as markers, residuals in standard errors beneath."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import marimo as mo

from teacherstudent.lessons.kit.axes import Axis, axis_label
from teacherstudent.lessons.kit.charts import Panel, sample, svg
from teacherstudent.lessons.kit.marks import LOOKS, Band, Line, Look, Mark, Points

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent import Comparison

RESIDUALS = 76.0
"""Height of the panel of residuals."""


class Picture(mo.Html):
    """A picture as HTML, and what it was drawn from."""

    def __init__(self, panels: tuple[Panel, ...], alt: str, caption: str, html: str) -> None:
        super().__init__(html)
        self.panels, self.alt, self.caption = panels, alt, caption


class Abreast(mo.Html):
    """Pictures side by side as HTML, and each of them."""

    def __init__(self, pictures: tuple[mo.Html, ...], html: str) -> None:
        super().__init__(html)
        self.pictures = pictures


def picture(*panels: Panel, alt: str, caption: str = "") -> mo.Html:
    """Panels above each other, with a legend of all that has a label.

    `alt` says in words what is seen, for those who cannot see it; `caption` (plain text) stands
    below. Computed numbers belong in both.
    """
    marks = [mark for panel in panels for mark in panel.marks if isinstance(mark, Line | Points)]
    named = {(type(mark), mark.label): mark for mark in marks if mark.label}
    entries = "".join(
        '<li style="display:inline-flex;align-items:center;gap:.35em;margin:0 1em 0 0">'
        f"{sample(mark)}<span>{escape(mark.label)}</span></li>"
        for mark in named.values()
    )
    legend = f'<ul style="list-style:none;margin:.2rem 0;padding:0">{entries}</ul>' if entries else ""
    told = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    html = f'<figure style="margin:0;max-width:30rem">{svg(panels, alt)}{legend}{told}</figure>'
    return Picture(panels, alt, caption, html)


def abreast(*pictures: mo.Html) -> mo.Html:
    """Pictures side by side if their letters are then 12 pixels high or more, otherwise below each other."""
    items = "".join(
        f'<div style="flex:1 1 345px;min-width:0;max-width:30rem">{each.text}</div>' for each in pictures
    )
    html = f'<div style="display:flex;flex-wrap:wrap;gap:1.5rem">{items}</div>'
    return Abreast(pictures, html)


def curves(
    theory: xr.Dataset,
    name: str,
    labels: Sequence[str],
    *,
    along: str = "time",
    across: str | None = None,
    comparison: Comparison | None = None,
    x: Axis | None = None,
    y: Axis | None = None,
) -> tuple[Panel, ...]:
    """The observable `name` along a coordinate, and below it residuals if there is a comparison.

    `across` is the dimension that holds several curves (None: there is one); `labels` names each. Error bars
    are those that residuals count where draws are compared one by one with a theory of the same draws.
    Axes are labelled by the attributes of the numbers unless they are given. Raises `ValueError`
    where there are not as many labels as curves, or more curves than looks.
    """
    x = x or Axis(axis_label(theory[along]))
    y = y or Axis(axis_label(theory[name]))
    each = _split(theory[name], across)
    if len(labels) != len(each) or len(each) > len(LOOKS):
        raise ValueError(f"{len(labels)} labels for {len(each)} curves, but only {len(LOOKS)} looks exist")
    lines = [
        Line(one[along], one, look, label) for one, look, label in zip(each, LOOKS, labels, strict=False)
    ]
    if comparison is None:
        return (Panel(x, y, tuple(lines)),)
    seen, draws = comparison.simulation, comparison.simulation.attrs["n_seeds"]
    bars, of = seen[f"{name}_stderr"], "± 1 standard error"
    if comparison.paired:
        bars, of = comparison.errors[name], f"{of} of differences"
    key = f"simulation: mean of {draws} draws {of}"
    markers = [
        Points(mean[along], mean, line.look, key if line is lines[0] else "", error=bar)
        for mean, bar, line in zip(_split(seen[name], across), _split(bars, across), lines, strict=True)
    ]
    chance = comparison.verdicts[name].threshold
    left = [
        Points(gap[along], gap, line.look)
        for gap, line in zip(_split(comparison.residuals[name], across), lines, strict=True)
    ]
    return (Panel(x, y, (*lines, *markers)), residuals(x, chance, *left))


def with_simulation(
    panel: Panel, comparison: Comparison | None, name: str, look: Look, *, along: str = "time"
) -> tuple[Panel, ...]:
    """The panel with the means of a comparison, if there is one that is judged, and their residuals."""
    if comparison is None or name not in comparison.verdicts:
        return (panel,)
    seen, left = comparison.simulation, comparison.residuals[name]
    label = f"simulation: mean of {seen.attrs['n_seeds']} draws ± 1 standard error"
    means = Points(seen[along], seen[name], look, label, error=seen[f"{name}_stderr"])
    chance = comparison.verdicts[name].threshold
    return panel.with_marks(means), residuals(panel.x, chance, Points(left[along], left, look))


def residuals(x: Axis, chance: float, *marks: Mark) -> Panel:
    """The panel of residuals, with the band of chance: `chance` standard errors to both sides."""
    y = Axis("simulation − theory [standard errors]")
    return Panel(x, y, (Band(-chance, chance), *marks), RESIDUALS)


def _split(values: xr.DataArray, across: str | None) -> list[xr.DataArray]:
    return [values] if across is None else [values.isel({across: i}) for i in range(values.sizes[across])]
