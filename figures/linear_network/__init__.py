"""Figures of linear networks."""
