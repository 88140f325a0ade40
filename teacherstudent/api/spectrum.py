"""The eigenvalues of the training inputs: small ones are slow to learn and easy to overfit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import pick
from teacherstudent.house.provenance import provenance, recorded, values_as_json

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr


@recorded
def spectrum(
    problem: str, *, eigenvalues: Sequence[float] | np.ndarray | None = None, **values: Any
) -> xr.Dataset:
    """Compute the limiting spectrum of X^T X, the curvature of the summed loss, exact for n, d -> infinity.

    For features of one strength this is the Marchenko-Pastur law, pezeshki2022 Eq. 2.3.30.

    Args:
        problem: Id of a problem whose theory announces a spectrum, such as `"multiscale"`.
        eigenvalues: Where to evaluate it, positive and increasing, (J,), in units of curvature. Default: a
            grid in each band, with its ends.
        **values: Parameters of the problem. Parameters that do not change the inputs (noise, ridge) have no
            effect.

    Returns:
        Dataset over `eigenvalue` with the `density` (of mass min(1, alpha), alpha being n over the number of
            weights) and `share_below`, the share of all eigenvalues that are smaller; `band_edge` over `band`
            and `end`; and `zeros`, the share of eigenvalues that are zero. Parameters are attributes.

    Raises:
        InputError: If the theory of the problem announces no spectrum, and as in `curve`.

    Examples:
        >>> import teacherstudent as ts
        >>> law = ts.spectrum("multiscale", n=200, scales=[(100, 1.0)])
        >>> law.band_edge.values.round(3).tolist(), law.band_edge.attrs["units"]
        ([[0.172, 5.828]], 'curvature')
    """
    import xarray as xr

    from teacherstudent.house.rounding import describe_rounding, rounded_values
    from teacherstudent.house.running import given_values
    from teacherstudent.house.theory_queries import ask_spectrum

    announced = pick("problem", problem, catalogue.spectra())
    kind = catalogue.find_problem(problem)
    instance = kind.instance(**values)
    fixed = given_values(kind.parameters, values)
    asked = None if eigenvalues is None else _increasing(eigenvalues)
    try:
        law = ask_spectrum(announced, instance, asked)
    except ArithmeticError as error:
        domain = f"a problem whose spectrum is certain at these values ({error})"
        raise InputError("problem", problem, domain) from None
    unit = {"units": "curvature"}
    return xr.Dataset(
        {
            "density": (
                "eigenvalue",
                law["density"],
                {"units": "1/curvature", "symbol": "rho", "long_name": "density of eigenvalues"},
            ),
            "share_below": (
                "eigenvalue",
                law["share_below"],
                {"units": "1", "symbol": "N", "long_name": "share of smaller eigenvalues, zeros included"},
            ),
            "band_edge": (
                ("band", "end"),
                law["band_edge"],
                {**unit, "symbol": "lambda", "long_name": "end of a band of eigenvalues"},
            ),
            "zeros": ((), law["zeros"], {"units": "1", "symbol": "N_0", "long_name": "share of zeros"}),
        },
        {
            "eigenvalue": (
                "eigenvalue",
                law["eigenvalue"],
                {**unit, "symbol": "lambda", "long_name": "eigenvalue of X^T X"},
            ),
            "band": (
                "band",
                list(range(1, len(law["band_edge"]) + 1)),
                {"units": "1", "long_name": "band"},
            ),
            "end": ["lower", "upper"],
        },
        provenance(
            kind,
            [announced.entry],
            instance=values_as_json(vars(instance)),
            alpha=float(law["alpha"]),
            source=announced.source,
            fixed=values_as_json(fixed),
            rounded=describe_rounding([rounded_values(kind, fixed, instance)]),
            remarks=kind.remarks(instance),
        ),
    ).assign_attrs(kind="spectrum")


def _increasing(eigenvalues: Sequence[float] | np.ndarray) -> np.ndarray:
    import numpy as np

    try:
        at = np.asarray(eigenvalues, dtype=float)
    except (OverflowError, TypeError, ValueError):
        at = np.empty(0)
    if at.ndim != 1 or not at.size or not np.all(np.isfinite(at)) or at[0] <= 0 or np.any(np.diff(at) <= 0):
        raise InputError("eigenvalues", eigenvalues, "a non-empty, increasing list of positive numbers")
    return at
