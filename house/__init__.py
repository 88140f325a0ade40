"""The vocabulary of the house and the one path every answer takes; no system is named here.

`domains` (values), `declarations` (problems, routes), `catalogue` (who announced what) and
`running` (question to labelled answer). The lowest room: it imports none of the others.
"""
