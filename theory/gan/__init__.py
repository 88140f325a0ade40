"""Theory of generators and discriminators: kernels of infinite width and drawn ones, flows, the Dirac GAN."""

from teacherstudent.house.declarations import Route

_ROOM = "teacherstudent.theory.gan"
_LINEAR = "franceschi2022: the output of an IPM discriminator in the kernel regime, linear in time"

ROUTES = (
    Route(
        "gan",
        "discriminator",
        "kernel",
        f"{_ROOM}.discriminator:kernel",
        meaning="infinite width: training time multiplied by the witness function of the kernel's MMD",
        source=_LINEAR,
        sampled=True,
        exact_for="limit",
        needs=f"{_ROOM}.needs:kernel",
    ),
    Route(
        "gan",
        "discriminator",
        "instance",
        f"{_ROOM}.discriminator:instance",
        meaning="finite width: witness function of the drawn network's initial kernel, times training time",
        source=_LINEAR,
        sampled=True,
        approximate="the kernel of a relu network changes during training; the kernel of fourier does not",
        needs=f"{_ROOM}.needs:instance",
    ),
    Route(
        "gan",
        "generator",
        "kernel",
        f"{_ROOM}.generator:kernel",
        meaning="infinite width and small steps: flow of (tau/2) MMD^2; it may stop at kinks of data points",
        source="franceschi2022: generators against an IPM discriminator in the kernel regime",
        sampled=True,
        exact_for="limit",
        accuracy=1e-6,
        needs=f"{_ROOM}.needs:generator",
    ),
    Route(
        "gan",
        "generator",
        "steps",
        f"{_ROOM}.generator:steps",
        meaning="infinite width: gradient descent steps with the witness function of the kernel's MMD",
        source="franceschi2022: generators against an IPM discriminator in the kernel regime",
        sampled=True,
        exact_for="limit",
        approximate="has an error of the order of the step",
        needs=f"{_ROOM}.needs:generator",
    ),
    Route(
        "gan",
        "generator",
        "closed-form",
        f"{_ROOM}.dirac:closed_form",
        meaning="closed form of the distance, if all generator points start together and all data are at "
        "one point",
        source="derived here",
        exact_for="limit",
        accuracy=1e-11,
    ),
)
