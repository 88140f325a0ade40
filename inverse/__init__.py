"""Questions asked backwards: at which value of a parameter an answer reaches a level, and where it is best.

Knows no system: problems and routes are found by what they announce.
"""
