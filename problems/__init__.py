"""Definitions of the systems, without derived results: parameters, sampling distributions, names and units.

`theory` and `sims`, two independent calculations, both rely on this package, so it stays small: only a
mistake here could escape their comparison.
"""
