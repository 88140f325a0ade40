"""Agreement of a simulation with a theory, and the smallest error that the comparison could detect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from teacherstudent.api.agreement import residual_attributes, verdict_numbers, what_draws_cannot_tell
from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import FIRST_SEED, SEEDS, Parameter
from teacherstudent.paper_checks.judging.draws import RESOLVABLE

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.paper_checks.judging.evidence import Verdict


@dataclass(frozen=True)
class Comparison:
    """The result of `teacherstudent.compare`: a simulation compared with a theory, point by point.

    Attributes:
        simulation: Means of the simulation, each with `<name>_stderr`.
        residuals: Simulation minus theory in standard errors; NaN at points that are not judged.
        verdicts: For each observable the verdict over all its points. `threshold` is the two-sided quantile
            in standard errors, corrected for the number of points; `resolution` is the smallest detectable
            error. At `undecided` points an error as large as the value would pass. At such points, and with
            `too_few_draws`, agreement is weak evidence.
        theory: Means of the theory.
        errors: The standard errors in which the residuals are measured.
        paired: Whether draws were compared one by one.
    """

    simulation: xr.Dataset
    residuals: xr.Dataset
    verdicts: Mapping[str, Verdict]
    theory: xr.Dataset
    errors: xr.Dataset
    paired: bool

    @property
    def agrees(self) -> bool:
        """Whether every observable agrees; False where no point could be judged."""
        return bool(self.verdicts) and all(verdict.agrees for verdict in self.verdicts.values())

    @property
    def notes(self) -> list[str]:
        """Sentences about observables that agree only because the draws are too few or too noisy."""
        found = {
            name: what_draws_cannot_tell(verdict_numbers(each, self.theory[name]))
            for name, each in self.verdicts.items()
        }
        return [f"{name}: {said}" for name, said in found.items() if said]


def compare(simulation: xr.Dataset, theory: xr.Dataset, *, resolvable: float = RESOLVABLE) -> Comparison:
    """Test whether a simulation agrees with a theory at the same points, in all observables that both have.

    If both sides have the same draws, they are compared draw by draw, and only the randomness over which the
    theory averages remains. Otherwise means are compared, and a theory that is itself a mean over draws adds
    its standard error. A point that is NaN on either side does not agree.

    Args:
        simulation: Answer of a sampled route by `curve`, or by `sample` with its axis `seed`, or a dataset
            that was computed from such an answer and kept its attributes. A measured curve also works, if it
            has `<name>_stderr` for each observable and the number of its runs as the attribute `n_seeds`.
        theory: Answer of another route to the same question.
        resolvable: Smallest standard error, in the unit of the observable, at which a point is judged.
            Below this size, differences are due to rounding, not chance.

    Returns:
        The residuals in standard errors, a verdict for each observable, and whether all of them agree.

    Raises:
        InputError: If the axes differ, if the two sides have seeds in common but do not both keep the same
            single draws, or if neither side has draws.

    Examples:
        >>> import teacherstudent as ts
        >>> question = dict(problem="multiscale", dynamics="ridge", times=[1, 100], seeds=5)
        >>> drawn, exact = (ts.sample(route=route, **question) for route in ("simulation", "instance"))
        >>> ts.compare(drawn, exact).agrees
        True
    """
    import numpy as np

    from teacherstudent.house.averages import mean_and_stderr
    from teacherstudent.house.running import summarise
    from teacherstudent.paper_checks.judging.agreement import within_errors

    resolvable = _RESOLVABLE.check(resolvable)
    _refuse_no_answer("simulation", simulation)
    _refuse_no_answer("theory", theory)
    for axis in (simulation.indexes.keys() & theory.indexes.keys()) - {"seed"}:
        if not simulation.indexes[axis].equals(theory.indexes[axis]):
            raise InputError(str(axis), "(different)", "the same in simulation and theory")
    _refuse_other_axes(simulation, theory)
    drawn, others = _seeds(simulation), _seeds(theory)
    if not drawn:
        raise InputError("simulation", "(without draws)", "an answer of a sampled route")
    paired = "seed" in simulation.dims and "seed" in theory.dims and drawn == others
    if not paired and drawn & others:
        raise InputError("seeds", "(shared)", "different from the theory's, or kept one by one on both sides")
    seen, claimed = summarise(simulation), summarise(theory)
    degrees = min(each.attrs["n_seeds"] for each in (seen, claimed) if "n_seeds" in each.attrs) - 1
    named = residual_attributes(
        seen.attrs.get("route", "simulation"), against=claimed.attrs.get("route", "theory")
    )
    residuals, errors, verdicts = {}, {}, {}
    gap: Any
    error: Any
    for name in [each for each in seen.data_vars if f"{each}_stderr" in seen and each in claimed]:
        if paired:
            gaps = (simulation[name] - theory[name]).transpose("seed", ...)  # aligned by seed
            gap, error = (seen[name].copy(data=each) for each in mean_and_stderr(gaps.values))
        else:
            gap, error = seen[name] - claimed[name], seen[f"{name}_stderr"]
            if f"{name}_stderr" in claimed:
                error = np.hypot(error, claimed[f"{name}_stderr"])
        judged = ~(error <= resolvable)  # NaN is judged, and fails
        if not judged.any():
            continue
        errors[name] = error
        ratio = gap / error
        residuals[name] = ratio.where(judged & np.isfinite(ratio)).assign_attrs(named)
        sizes = _sizes(claimed[name]).broadcast_like(gap).transpose(*gap.dims)
        verdicts[str(name)] = within_errors(
            *(gap.values[judged.values], 0.0, error.values[judged.values]),
            degrees=degrees,
            size=sizes.values[judged.values],
        )
    of_seen = seen[[]]  # its coordinates
    return Comparison(seen, of_seen.assign(residuals), verdicts, claimed, of_seen.assign(errors), paired)


def _sizes(claimed: xr.DataArray) -> xr.DataArray:
    """How large a value is at each point, at least as large as the median of its curve over time."""
    size = abs(claimed)
    typical = size.median("time" if "time" in size.dims else None)
    return size.where(size > typical, typical)


_RESOLVABLE = Parameter(
    "resolvable", "", "", Number(0), "largest standard error at which a point is not judged"
)


def _refuse_no_answer(name: str, answer: object) -> None:
    """Raise `InputError` for what has no draws that could be compared; units and names are not needed."""
    import xarray as xr

    if not isinstance(answer, xr.Dataset):
        raise InputError(name, answer, "a dataset that curve or sample gave")
    if "route" in answer.dims:
        routes = ", ".join(map(str, answer["route"].values))
        raise InputError(name, f"(routes {routes})", "the answer of one route: dataset.sel(route=...)")
    try:
        drawn = len(_seeds(answer))
        whole = "seed" not in answer.dims or drawn == answer.sizes["seed"]
        if not whole or drawn == 1:
            raise ValueError("some seeds occur twice, or there is only one seed")
    except (KeyError, OverflowError, TypeError, ValueError):
        domain = "a dataset from curve or sample, with at least two seeds or without draws"
        raise InputError(name, "(a dataset)", domain) from None


def _refuse_other_axes(simulation: xr.Dataset, theory: xr.Dataset) -> None:
    """Raise `InputError` where an observable of both has an axis in one that it lacks in the other."""
    for name in simulation.data_vars.keys() & theory.data_vars.keys():
        own, other = ({*each[name].dims} - {"seed"} for each in (simulation, theory))
        if unmatched := sorted(map(str, own ^ other)):
            has = "theory" if unmatched[0] in other else "simulation"
            only = f"(axis {unmatched[0]} in the {has} only)"
            raise InputError("theory", only, f"on the axes of the simulation: {has}.sel({unmatched[0]}=...)")


def _seeds(answer: xr.Dataset) -> set[int]:
    """The seeds behind an answer of `curve` or `sample`; none where nothing was drawn."""
    if "seed" in answer.dims:
        return set(answer.indexes["seed"])
    if "n_seeds" not in answer.attrs or not _has_errors(answer):
        return set()
    first = FIRST_SEED.check(answer.attrs.get("first_seed", 0))
    return set(range(first, first + SEEDS.check(answer.attrs["n_seeds"])))


def _has_errors(answer: xr.Dataset) -> bool:
    """Whether it has standard errors: a route without is asked beside one with seeds, and shares them."""
    errors = [each for name, each in answer.data_vars.items() if str(name).endswith("_stderr")]
    return any(bool(each.notnull().any()) for each in errors)
