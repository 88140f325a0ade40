"""Simulation of motion driven by stable noise: paths of Euler's scheme, step by step."""

from teacherstudent.house.declarations import Route
from teacherstudent.problems.stable_noise.parameters import WALKERS

_EULER = "has the step error of Euler's scheme"

ROUTES = (
    Route(
        "stable-noise",
        "relaxation",
        "simulation",
        "teacherstudent.sims.stable_noise.relaxation:relaxation",
        meaning="paths of Euler's scheme, started at 0",
        source="the definition of the problem; variates by chambers1976",
        approximate=_EULER,
        sampled=True,
        gives=("mean_log", "variance_log", "characteristic"),
        options=(WALKERS,),
        example={"walkers": 40},
        needs="teacherstudent.sims.stable_noise.needs:relaxation",
    ),
    Route(
        "stable-noise",
        "exit",
        "simulation",
        "teacherstudent.sims.stable_noise.exits:leaving",
        meaning="paths of Euler's scheme until the first step outside the interval",
        source="the definition of the problem; variates by chambers1976",
        approximate=_EULER,
        sampled=True,
        gives=("exit_time",),
        options=(WALKERS,),
        example={"walkers": 40},
        needs="teacherstudent.sims.stable_noise.needs:leaving",
    ),
    Route(
        "stable-noise",
        "gap",
        "simulation",
        "teacherstudent.sims.stable_noise.gap:gap",
        meaning="students after 20 relaxation times by Euler's scheme, on training and fresh examples",
        source="the definition of the problem; variates by chambers1976",
        approximate=_EULER,
        sampled=True,
        gives=("training_loss", "population_loss", "generalisation_gap"),
        options=(WALKERS,),
        example={"walkers": 40},
        needs="teacherstudent.sims.stable_noise.needs:gap",
    ),
)
