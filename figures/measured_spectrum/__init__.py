"""Figures of measured spectra."""
