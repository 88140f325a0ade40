"""Figures of the residual network."""
