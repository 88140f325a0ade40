"""How far descent of the multi-scale model goes in which way; needs no JAX, as `needs` does not."""

STEPWISE = 2_000
"""Steps taken one by one before the step map is composed: the first three decades."""
