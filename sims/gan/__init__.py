"""Simulation of a generator against discriminators: real networks, trained by automatic derivatives."""

from teacherstudent.house.declarations import Route

ROUTES = (
    Route(
        "gan",
        "discriminator",
        "simulation",
        "teacherstudent.sims.gan.discriminator:discriminator",
        meaning="gradient ascent of a drawn network of finite width, step by step",
        source="the definition of the problem",
        approximate="finite width and finite steps differ from the kernel limit and the flow",
        sampled=True,
        needs="teacherstudent.sims.gan.needs:discriminator",
    ),
    Route(
        "gan",
        "generator",
        "simulation",
        "teacherstudent.sims.gan.generator:generator",
        meaning="steps of the generator's points, with a newly drawn and trained network before each step",
        source="the definition of the problem",
        approximate="finite width and finite steps differ from the kernel limit and the flow",
        sampled=True,
        needs="teacherstudent.sims.gan.needs:generator",
    ),
)
