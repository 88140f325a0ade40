"""Simulation of motion driven by stable noise: paths of Euler's scheme, step by step."""

from teacherstudent.house.declarations import Route
from teacherstudent.problems.stable_noise.parameters import WALKERS

_EULER = "the error of Euler's scheme is that of its step"

ROUTES = (
    Route(
        "stable-noise",
        "relaxation",
        "simulation",
        "teacherstudent.sims.stable_noise.relaxation:relaxation",
        meaning="paths of Euler's scheme from 0",
        source="the problem as it is stated; variates by chambers1976",
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
        meaning="paths of Euler's scheme until the first step outside",
        source="the problem as it is stated; variates by chambers1976",
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
        meaning="students after 20 times of relaxation by Euler's scheme, on drawn and on fresh examples",
        source="the problem as it is stated; variates by chambers1976",
        approximate=_EULER,
        sampled=True,
        gives=("training_loss", "population_loss", "generalisation_gap"),
        options=(WALKERS,),
        example={"walkers": 40},
        needs="teacherstudent.sims.stable_noise.needs:gap",
    ),
)
