"""What the routes share: which questions they refuse, and which numbers are NaN for which reason."""

from __future__ import annotations

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.heavy_tails import HeavyTails

HIGHEST = 1000.0
"""A tail index above this is not told: nodes serve orders up to it, and no number of steps would show it."""

NO_NOISE = "noise 0: the student converges, so there is no tail"


def demand_new_examples(problem: HeavyTails) -> None:
    """Raise `InputError` for a finite set of examples."""
    if problem.n is not None:
        hint = "use --route instance (d = 1) or simulation for a finite set"
        raise InputError("n", problem.n, "left out on this route: each step takes new examples", hint)


def demand_one_strength(problem: HeavyTails) -> None:
    """Raise `InputError` for a finite set, and for inputs of several strengths."""
    demand_new_examples(problem)
    if not problem.isotropic:
        hint = "use --route moments (excess risk), transfer (two strengths) or simulation"
        raise refused_strengths(problem, "1 on this route, because all inputs must be equally strong", hint)


def refused_strengths(problem: HeavyTails, domain: str, hint: str) -> InputError:
    """The refusal of these strengths, by the option that set them."""
    shown = ",".join(f"{m}:{v**0.5:g}" for m, v in zip(problem.counts, problem.strengths, strict=True))
    if len(problem.counts) > 2:
        return InputError("scales", shown, domain.replace("1 on", "one strength on"), hint)
    strong, weak = problem.strengths
    return InputError("kappa", float(f"{(strong / weak) ** 0.5:.6g}") if weak else shown, domain, hint)


def tail_index(problem: HeavyTails, rates: np.ndarray, rho: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """The tail index over step sizes, (..., T), NaN with a reason where there is none or it is unknown.

    alpha: infinite where it is above `HIGHEST`. It is not used where rho >= 0.
    """
    if problem.noise == 0:
        return nan_where(True, NO_NOISE, {"tail_index": alpha})["tail_index"]
    found = {"tail_index": alpha}
    unstable = rho >= 0
    rates = np.broadcast_to(rates, rho.shape)
    if unstable.any():
        first = np.argmax(unstable)
        reason = (
            f"step size {rates.flat[first]:g}: rho = {rho.flat[first]:.4g} >= 0, so no stationary "
            "distribution exists"
        )
        found = nan_where(unstable, reason, found)
    light = ~unstable & (alpha > HIGHEST)
    if light.any():
        reason = f"step size {rates[light].max():g}: tail index > {HIGHEST:g}"
        found = nan_where(light, reason, found)
    return found["tail_index"]


def stationary_risk(rates: np.ndarray, critical: float, risk: np.ndarray) -> np.ndarray:
    """The excess risk over step sizes, (T,), NaN with a reason from the critical step size on."""
    reason = f"excess risk is infinite for step sizes >= eta_var = {critical:.6g}, where the tail index is 2"
    return nan_where(rates >= critical, reason, {"excess_risk": risk})["excess_risk"]


def risk_of_steps(risk: np.ndarray) -> np.ndarray:
    """The excess risk over steps, (T,), NaN with a reason where it exceeds what numbers hold."""
    reason = "excess risk grows with every step and overflows"
    return nan_where(~np.isfinite(risk), reason, {"excess_risk": risk})["excess_risk"]
