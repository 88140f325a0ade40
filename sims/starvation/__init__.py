"""Simulation of gradient starvation: students and their duals trained step by step, and real networks."""

from teacherstudent.house.declarations import Route
from teacherstudent.problems.starvation import RESPONSES

_MEANINGS = {
    "dual": ("gradient ascent on the dual of the ridge loss", "Eq. 6.3.8"),
    "mirror": ("gradient ascent on the dual in the entropy metric, in margins", "Eq. 6.3.8"),
    "primal": ("gradient descent on the ridge loss", "Eq. 6.3.5"),
    "decoupled": ("gradient ascent on the dual of the spectrally decoupled loss", "Eq. 6.3.17"),
    "primal-decoupled": ("gradient descent on the spectrally decoupled loss", "Eq. 6.3.17"),
}

ROUTES = tuple(
    Route(
        "starvation",
        dynamics,
        "simulation",
        f"teacherstudent.sims.starvation.paths:{dynamics.replace('-', '_')}",
        meaning=f"{meaning}, step by step",
        source=f"pezeshki2022 {equation}",
        gives=RESPONSES,
        needs="teacherstudent.sims.starvation.needs:paths",
    )
    for dynamics, (meaning, equation) in _MEANINGS.items()
)
