"""Simulation of random features: gradient descent and ridge regression on drawn nonlinear features."""

from teacherstudent.house.declarations import Route

ROUTES = tuple(
    Route(
        "random-features",
        name,
        "simulation",
        f"teacherstudent.sims.random_features.training:{name}",
        meaning=f"{what} on drawn nonlinear features, tested on fresh ones",
        source="the problem as it is stated",
        sampled=True,
        needs=f"teacherstudent.sims.random_features.needs:{name}",
    )
    for name, what in (("descent", "gradient descent"), ("ridge", "ridge regression"))
)
