"""Answers before they are an `xarray.Dataset`, whose import takes longer than most answers.

The command line prints and writes them as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

Entry = tuple[tuple[str, ...], "np.ndarray", Mapping[str, Any]]
"""Axes, values and attributes of one variable."""


@dataclass(frozen=True)
class Labelled:
    """Named variables, the coordinates along their axes, and attributes of the whole."""

    variables: Mapping[str, Entry]
    coordinates: Mapping[str, Entry]
    attrs: Mapping[str, Any]

    @property
    def sizes(self) -> dict[str, int]:
        """The length of each axis of the variables."""
        return {
            axis: size
            for axes, values, _ in self.variables.values()
            for axis, size in zip(axes, values.shape, strict=True)
        }

    def assign_attrs(self, **attrs: Any) -> Labelled:
        """The same with these attributes too."""
        return replace(self, attrs={**self.attrs, **attrs})

    def dataset(self) -> xr.Dataset:
        """The same as a dataset."""
        import xarray as xr

        variables, coordinates = (
            {name: xr.Variable(*of, fastpath=True) for name, of in each.items()}
            for each in (self.variables, self.coordinates)
        )
        return xr.Dataset(variables, coordinates, self.attrs)

    def averaged(self) -> Labelled:
        """Means over seeds, each with `<name>_stderr` (`house.running.summarise`)."""
        import numpy as np

        from teacherstudent.house.averages import mean_and_stderr

        if "seed" not in self.sizes:
            return self
        count = self.sizes["seed"]
        means, errors = {}, {}
        for name, (axes, values, attrs) in self.variables.items():
            left = tuple(axis for axis in axes if axis != "seed")
            mean, error = mean_and_stderr(np.moveaxis(values, axes.index("seed"), 0))
            units = {each: value for each, value in attrs.items() if each == "units"}  # none after arithmetic
            said = f"standard error of {name} over {count} seeds"
            means[name] = left, mean, attrs
            errors[f"{name}_stderr"] = left, error, {**units, "long_name": said}
        coordinates = {name: each for name, each in self.coordinates.items() if "seed" not in each[0]}
        return Labelled(means | errors, coordinates, {**self.attrs, "n_seeds": count})


def labelled(answer: xr.Dataset | Labelled) -> Labelled:
    """The same answer."""
    if isinstance(answer, Labelled):
        return answer
    variables, coordinates = (
        {str(name): (tuple(map(str, each.dims)), each.values, each.attrs) for name, each in found.items()}
        for found in (answer.data_vars, answer.coords)
    )
    return Labelled(variables, coordinates, answer.attrs)


def in_dataset(answer: xr.Dataset | Labelled) -> xr.Dataset:
    """The same answer."""
    return answer.dataset() if isinstance(answer, Labelled) else answer
