"""How students that are linear in their features are trained: one module an algorithm, for all sources.

A module announces an `ALGORITHM` (`teacherstudent.house.declarations`). All are imported to list problems, so
they hold declarations, and arithmetic of single numbers, only.
"""
