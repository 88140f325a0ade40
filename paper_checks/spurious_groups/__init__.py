"""Checks of worst groups under a spurious correlation."""
