"""Figures of scale-invariant weights on the sphere."""
