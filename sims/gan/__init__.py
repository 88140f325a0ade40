"""Simulation of a generator against discriminators: real networks, trained by automatic derivatives."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "gan",
        "discriminator",
        "simulation",
        "teacherstudent.sims.gan.discriminator:discriminator",
        meaning="gradient ascent of a drawn network of finite width, in steps",
        source="the problem as it is stated",
        approximate="a finite width leaves the kernel's regime, and steps are no flow",
        sampled=True,
        needs="teacherstudent.sims.gan.needs:discriminator",
    ),
    Route(
        "gan",
        "generator",
        "simulation",
        "teacherstudent.sims.gan.generator:generator",
        meaning="steps of the points, before each of which a network is drawn and trained",
        source="the problem as it is stated",
        approximate="a finite width leaves the kernel's regime, and steps are no flow",
        sampled=True,
        needs="teacherstudent.sims.gan.needs:generator",
    ),
)
