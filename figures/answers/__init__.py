"""Pictures of any answer of the front door, from its axes, units and provenance. No system is named here.

Numbers come in as datasets and are drawn as they are: nothing is computed that a reader could not read off.
"""
