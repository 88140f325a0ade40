"""Lessons and the explorer: notebooks that ask the public functions and nothing beneath them."""
