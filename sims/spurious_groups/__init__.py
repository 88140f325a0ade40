"""Simulation of worst groups: linear classifiers trained in batches by seven methods, and to their margin."""

from teacherstudent.house.declarations import Route

_MEASURED = (
    "worst_group_accuracy",
    "average_accuracy",
    "group_accuracy",
    "training_worst_group_accuracy",
    "spurious_weight",
    "core_weight",
    "noise_weight",
    "margin",
    "norm",
)

ROUTES = (
    Route(
        "spurious-groups",
        "descent",
        "simulation",
        "teacherstudent.sims.spurious_groups.descent:descent",
        meaning="stochastic descent with momentum, batch by batch, on drawn data; accuracies on test data",
        source="pezeshki2022 ch. 8.3-8.4",
        sampled=True,
        gives=_MEASURED,
        needs="teacherstudent.sims.spurious_groups.needs:descent",
    ),
    Route(
        "spurious-groups",
        "normalised",
        "simulation",
        "teacherstudent.sims.spurious_groups.normalised:normalised",
        meaning="descent on the loss's logarithm, step by step, on drawn data; accuracies on test data",
        source="pezeshki2022 ch. 8.5.4",
        sampled=True,
        gives=_MEASURED,
        needs="teacherstudent.sims.spurious_groups.needs:normalised",
    ),
)
