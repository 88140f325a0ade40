"""An instance of a network with flexible activations, and how it is built from validated values."""

from __future__ import annotations

from dataclasses import dataclass

from teacherstudent.house.errors import InputError


@dataclass(frozen=True)
class FlexibleActivations:
    """All fields are validated: build it through `PROBLEM.instance`. Names as in its parameters."""

    inputs: int
    outputs: int
    units: int
    degree: int
    lowest: int

    @property
    def powers(self) -> range:
        """The powers s of an activation's monomials."""
        return range(self.lowest, self.degree + 1)

    @property
    def parameters(self) -> int:
        """All numbers of V, W and c together, P."""
        return self.units * (self.inputs + self.outputs + len(self.powers))


def build(*, inputs: int, outputs: int, units: int, degree: int, lowest: int) -> FlexibleActivations:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    if lowest > degree:
        raise InputError("lowest", lowest, f"at most degree {degree}, so that an activation contains a power")
    return FlexibleActivations(inputs, outputs, units, degree, lowest)
