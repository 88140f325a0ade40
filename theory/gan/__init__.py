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
        meaning="infinite width: training time times the witness of the kernel's MMD",
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
        meaning="finite width: the same by the kernel that the drawn network has before training",
        source=_LINEAR,
        sampled=True,
        approximate="a relu network's kernel moves while it is trained; that of fourier does not",
        needs=f"{_ROOM}.needs:instance",
    ),
    Route(
        "gan",
        "generator",
        "kernel",
        f"{_ROOM}.generator:kernel",
        meaning="infinite width and small steps: the flow of (tau/2) MMD^2, held by the kinks of data points",
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
        meaning="infinite width: as many steps down the slope of the witness of the kernel's MMD",
        source="franceschi2022: generators against an IPM discriminator in the kernel regime",
        sampled=True,
        exact_for="limit",
        approximate="the error of steps is that of their size",
        needs=f"{_ROOM}.needs:generator",
    ),
    Route(
        "gan",
        "generator",
        "closed-form",
        f"{_ROOM}.dirac:closed_form",
        meaning="all points at one place and data at one point: one number that falls by a law of its kernel",
        source="derived here",
        exact_for="limit",
        accuracy=1e-11,
    ),
)
