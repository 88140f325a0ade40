"""Single questions of flexible activations that are refused."""

from __future__ import annotations

REFUSED = [
    ("", {"lowest": 4}, "^--lowest 4: must be at most degree 3"),
    ("examples/pencil", {"units": 4}, "^--units 4: must be at most 3 for route pencil"),
    ("examples/pencil", {"degree": 1, "lowest": 1}, "^--degree 1: must be at least 2 for route pencil"),
    ("", {"outputs": 11}, "^--outputs 11: must be a whole number >= 1 and <= 10"),
]
