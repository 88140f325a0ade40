"""Figures of measured spectra, and the page about somebody's own rows."""

from teacherstudent.figures.measured_spectrum.mine import PAGE as PAGE
