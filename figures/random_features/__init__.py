"""Figures of random features."""
