"""What is asked, and nothing derived: parameters, sampling laws, names and units.

Both witnesses, `theory` and `sims`, stand on this room, so it stays tiny: a mistake here is
the only kind that the agreement of the two could not reveal.
"""
