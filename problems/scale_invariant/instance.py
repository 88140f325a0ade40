"""An instance of scale-invariant weights, and how it is built from validated values."""

from __future__ import annotations

from dataclasses import dataclass

from teacherstudent.house.domains import Choice
from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant.parameters import ON_THE_SPHERE, SHRINKING


@dataclass(frozen=True)
class ScaleInvariant:
    """An instance. All fields are validated; build it through `PROBLEM.instance`.

    The fields are the parameters of the same names; those that scheme and loss do not use are ignored.
    """

    d: int
    loss: str
    scheme: str
    learning_rate: float
    ridge: float
    angle0: float
    radius0: float
    teacher: str
    momentum: float
    beta1: float
    beta2: float
    epsilon: float
    v0: float
    hinge_weight: float
    margin: float
    class_mean: float
    class_noise: float

    def demand_scheme(self, *schemes: str) -> None:
        """Raise `InputError` unless the scheme is one of those that an answer is known for."""
        if self.scheme not in schemes:
            raise InputError("scheme", self.scheme, Choice(schemes).describe() + " here")

    def demand_loss(self, *losses: str, why: str) -> None:
        """Raise `InputError` unless the loss is one of those that an answer is known for."""
        if self.loss not in losses:
            known = Choice(losses).describe() if len(losses) > 1 else losses[0]
            raise InputError("loss", self.loss, f"{known} here: {why}")

    def demand_certain_labels(self, noise: float) -> None:
        """Raise `InputError` for label noise where labels name a class."""
        if self.loss == "hinge-kr" and noise:
            raise InputError("noise", noise, "0 for loss hinge-kr, whose labels are classes")

    def demand_positive_shrinkage(self, step: float) -> None:
        """Raise `InputError` where a step of that size takes (1 - step ridge) x through zero.

        step: the learning rate itself; in the online dynamics learning_rate/d.
        """
        if self.scheme in SHRINKING and not step * self.ridge < 1:
            limit = self.learning_rate / step / self.ridge
            raise InputError(
                "learning_rate", self.learning_rate, f"below {limit:g}: eta lambda < 1 in a step"
            )


def build(**values: object) -> ScaleInvariant:
    """The instance of these values, each of which is in its domain."""
    problem = ScaleInvariant(**values)  # type: ignore[arg-type]
    if problem.scheme in ON_THE_SPHERE:
        if problem.radius0 != 1:
            raise InputError("radius0", problem.radius0, f"1 for scheme {problem.scheme}, on the sphere")
        if problem.ridge:
            raise InputError("ridge", problem.ridge, f"0 for scheme {problem.scheme}, on the sphere")
    if problem.scheme.startswith("adagradg"):
        if problem.beta2 == 0:
            raise InputError("beta2", problem.beta2, f"above 0 for scheme {problem.scheme}")
    elif problem.scheme.startswith("adam") and problem.beta2 == 1:
        raise InputError("beta2", problem.beta2, f"below 1 for scheme {problem.scheme}")
    return problem
