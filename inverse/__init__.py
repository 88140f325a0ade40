"""Questions asked backwards: at which value of a parameter an answer reaches a level, where it is best, how
much it moves with its inputs.

Knows no system: problems and routes are found by what they announce.
"""
