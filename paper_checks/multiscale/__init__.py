"""Checks of multi-scale features."""
