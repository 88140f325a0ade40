"""Shared tools of figures: the look, residual panels, legends, maps, films. No system is named here."""
