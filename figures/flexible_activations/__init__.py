"""Figures of flexible activations."""
