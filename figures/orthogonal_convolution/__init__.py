"""Figures of orthogonal convolutions."""
