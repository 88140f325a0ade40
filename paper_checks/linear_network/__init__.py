"""Checks of linear networks."""
