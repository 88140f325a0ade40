"""Checks of gradient starvation."""
