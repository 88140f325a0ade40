"""Figures of multi-scale features."""
