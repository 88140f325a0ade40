"""How far descent of the multi-scale model goes in one way; without JAX, so that what it needs is known first."""

STEPWISE = 2_000
"""Steps taken one by one before the step map is composed: the first three decades."""
