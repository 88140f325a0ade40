"""Figures of measured data: what the theory says of rows that were not drawn from any law."""
