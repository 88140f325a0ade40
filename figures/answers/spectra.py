"""The spectrum of the training inputs: how many directions are slow, and how slow."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import page, question, scales
from teacherstudent.figures.declaration import Canvas
from teacherstudent.figures.kit import style


def draw(canvas: Canvas, law: xr.Dataset) -> None:
    """Density of eigenvalues left, share of smaller ones right, band by band."""
    zeros = f"share of eigenvalues that are zero: {float(law['zeros']):.3g}"
    notes = [[zeros], *question.notes(law, [])]
    place = page.laid(canvas, f"{question.title(law)}: spectrum of the training inputs", [], notes, 2.7)
    left, right = place.subplots(1, 2)
    places = law["eigenvalue"].values
    bands = np.digitize(places, law["band_edge"].values[:, 0] * (1 - 1e-12))
    for axes, name in ((left, "density"), (right, "share_below")):
        scales.along(axes, law["eigenvalue"])
        # Between bands there is no density, and the share stays what it is.
        for inside in [bands == band for band in np.unique(bands)] if axes is left else [places > 0]:
            axes.plot(places[inside], law[name].values[inside], color=style.BLUE, **style.THEORY)
        axes.set(xlabel=scales.label(law["eigenvalue"]), ylabel=scales.label(law[name]))
    if scales.over_decades([law["density"].values[law["density"].values > 0]]):
        left.set_yscale("log")
