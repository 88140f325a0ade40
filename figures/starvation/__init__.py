"""Figures of gradient starvation."""
