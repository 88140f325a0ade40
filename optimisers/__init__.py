"""Optimisers for radially invariant groups of weights, as optax gradient transformations."""
