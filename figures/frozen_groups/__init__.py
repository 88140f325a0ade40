"""Figures of worst groups on frozen features."""
