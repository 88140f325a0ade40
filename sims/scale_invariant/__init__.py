"""Simulation of scale-invariant weights: training in R^d by the real optimisers, step by step."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "scale-invariant",
        "descent",
        "simulation",
        "teacherstudent.sims.scale_invariant.descent:descent",
        meaning="training in R^d by the scheme's optimiser, step by step",
        source="roburin2020 Sect. 2-4, Algorithm 1 (lines 10-11 corrected)",
        sampled=True,
        needs="teacherstudent.sims.scale_invariant.needs:descent",
    ),
    Route(
        "scale-invariant",
        "online",
        "simulation",
        "teacherstudent.sims.scale_invariant.online:online",
        meaning="training in R^d, with one new sample per step",
        source="roburin2020 Sect. 2-4, Algorithm 1 (lines 10-11 corrected)",
        sampled=True,
        needs="teacherstudent.sims.scale_invariant.needs:steps",
    ),
    Route(
        "scale-invariant",
        "flow",
        "simulation",
        "teacherstudent.sims.scale_invariant.flow:flow",
        meaning="the gradient flow in R^d by Runge-Kutta steps of 1/50 of the curvature's time",
        source="roburin2020 Eq. 3, small steps",
        sampled=True,
        needs="teacherstudent.sims.scale_invariant.needs:steps",
    ),
)
