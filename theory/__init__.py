"""Closed forms in float64, on NumPy and SciPy: one subpackage a problem, plus shared tools.

Never imports JAX or `sims`. Each subpackage announces its `ROUTES`.
"""
