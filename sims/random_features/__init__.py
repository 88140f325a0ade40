"""Simulation of random features: descent and ridge regression on drawn features of drawn examples."""

from teacherstudent.house.declarations import Route

_WHERE = "teacherstudent.sims.random_features"
_TRAINED = {
    "descent": ("descent", "gradient descent"),
    "ridge": ("ridge", "ridge regression by solving the normal equations"),
    "": ("stepped", "training, step by step,"),
}
_SEEN = {
    "simulation": ("on drawn nonlinear features, tested on fresh examples with the same features", ""),
    "gaussian-equivalent": (
        "on Gaussian features and labels with the same low moments as the nonlinear ones, tested likewise",
        "Gaussian features replace nonlinear ones; the results agree only at infinite sizes",
    ),
}

ROUTES = tuple(
    Route(
        "random-features",
        dynamics,
        name,
        f"{_WHERE}.{name.replace('-', '_')}{':' * bool(dynamics)}{dynamics}",
        meaning=f"{trained} {seen}",
        source="the definition of the problem" if not approximate else "mei2022: Gaussians of equal moments",
        sampled=True,
        scheduled=dynamics == "descent",
        approximate=approximate,
        needs=f"{_WHERE}.needs:{function}",
    )
    for name, (seen, approximate) in _SEEN.items()
    for dynamics, (function, trained) in _TRAINED.items()
)
