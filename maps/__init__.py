"""Maps of a plane of two parameters: an adaptive grid, boundaries as traced curves, and what lies between.

The room knows no system. It asks a `Field` of places in the unit square, and `questions` makes fields of what
theories announce.
"""
