"""The numbers of Fig. 4 of pezeshki2022 ch. 2: spectra, and errors against alpha over time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve, draws_of, on_clock, standardised
from teacherstudent.figures.multiscale import routes
from teacherstudent.house.grids import Span
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw

ID = "ch2-fig4"

SPECTRA = (0.5, 1.0, 2.0)
SIZE, BINS = 200, 24
EIGENVALUE = {"symbol": "lambda", "units": "curvature", "long_name": "eigenvalue"}
DENSITY = {"symbol": "rho", "units": "1/curvature", "long_name": "density of eigenvalues"}

TIMES = (1.0, 5.0, 20.0, 100.0, 1000.0)
D, NOISE, INIT, RATE = 100, 0.5, 0.5, 1e-3
ALPHAS = (0.3, 0.6, 0.9, 1.0, 1.1, 1.5, 2.5)
FINE = 1000  # dimension that stands for any alpha on the lines, which know ratios only
RATIO = {"symbol": "alpha", "units": "1", "long_name": "examples per parameter, alpha = n/d"}


def compute(quick: bool) -> Numbers:
    """Laws and sampled spectra by alpha, then lines, printed lines and simulated errors by time."""
    seeds = draws_of(ID, quick)
    numbers = {}
    for alpha in SPECTRA:
        numbers[f"law_{alpha:g}"] = law(alpha)
        numbers[f"sampled_{alpha:g}"] = sampled(alpha, seeds)
    samples = sorted({round(FINE * alpha) for alpha in (*Span(0.25, 3.0, 111).values(), *ALPHAS)})
    lines = [errors_at(n) for n in samples]
    simulated = [
        simulation(alpha, [seed + at * len(seeds) for seed in seeds]) for at, alpha in enumerate(ALPHAS)
    ]
    return {
        **numbers,
        "theory": along(lines, [n / FINE for n in samples]),
        "printed": along([printed(n) for n in samples], [n / FINE for n in samples]),
        "simulation": along(simulated, ALPHAS),
    }


def law(alpha: float) -> xr.Dataset:
    """Eq. 2.3.30 within its edges; the share of zeros beside it."""
    from teacherstudent.theory import marchenko_pastur

    low, high = marchenko_pastur.edges(alpha)
    at = low + (high - low) * np.sin(np.linspace(0, np.pi / 2, 200)) ** 2  # dense at both edges
    at = at[at > 0]  # at alpha = 1 the density diverges there
    density = ("eigenvalue", marchenko_pastur.density(alpha, at), DENSITY)
    coordinates = {"eigenvalue": ("eigenvalue", at, EIGENVALUE)}
    return xr.Dataset({"density": density}, coordinates, {"zeros": max(1 - alpha, 0.0)})


def sampled(alpha: float, seeds: Sequence[int]) -> xr.Dataset:
    """Histograms of drawn spectra: means over draws, standard errors, the law's means, and residuals."""
    from scipy import integrate

    from teacherstudent.theory import marchenko_pastur

    draws = draw(PROBLEM.instance(n=round(alpha * SIZE), scales=((SIZE, 1.0),)), seeds)
    eigenvalues = np.linalg.svd(draws.inputs, compute_uv=False) ** 2
    low, high = marchenko_pastur.edges(alpha)
    ends = np.linspace(low, high, BINS + 1)
    inside = np.stack([np.histogram(drawn, ends)[0] for drawn in eigenvalues]) / SIZE

    def density(x: float) -> float:
        return float(marchenko_pastur.density(alpha, np.asarray(x)))

    mass = [integrate.quad(density, *bin)[0] for bin in pairwise(ends)]
    share = drawn_mean(inside)
    mean = xr.DataArray(share.mean, dims="eigenvalue", attrs=DENSITY)
    error = xr.DataArray(share.stderr, dims="eigenvalue")
    width = ends[1] - ends[0]
    return xr.Dataset(
        {
            "density": mean / width,
            "density_stderr": error / width,
            "law": ("eigenvalue", np.asarray(mass) / width, DENSITY),
            "density_minus_law": standardised(mean - mass, error, "law"),
        },
        {
            "eigenvalue": ("eigenvalue", (ends[1:] + ends[:-1]) / 2, EIGENVALUE),
            "end": ("end", ends, EIGENVALUE),
        },
        {"n_seeds": len(seeds), "first_seed": seeds[0]},
    )


def setting(n: int, d: int) -> dict[str, Any]:
    """The problem of one panel at that size."""
    observable = ("generalisation",)
    return {"n": n, "scales": ((d, 1.0),), "noise": NOISE, "init": INIT, "observable": observable}


def errors_at(n: int) -> xr.Dataset:
    """The exact limit of gradient flow by quadrature."""
    return Curve("multiscale", "flow", setting(n, FINE)).by("quadrature", TIMES)


def printed(n: int) -> xr.Dataset:
    """Eq. 2.3.22 of the thesis at the same times."""
    from teacherstudent.paper_checks.multiscale.fresh_examples import printed_generalisation

    problem = PROBLEM.instance(n=n, scales=((FINE, 1.0),), noise=NOISE, init=INIT)
    answer = errors_at(n)[["generalisation_error"]]
    attrs = {**answer.attrs, "route": "printed", "source": "pezeshki2022 Eq. 2.3.22"}
    values = ("time", printed_generalisation(problem, np.array(TIMES)), answer["generalisation_error"].attrs)
    return answer.assign(generalisation_error=values).assign_attrs(attrs)


def simulation(alpha: float, seeds: Sequence[int]) -> xr.Dataset:
    """Errors on fresh inputs along descent, on the clock s = eta k, with residuals of two kinds."""
    curve = Curve("multiscale", "descent", {**setting(round(alpha * D), D), "learning_rate": RATE})
    return on_clock(routes.simulated(curve, [round(s / RATE) for s in TIMES], seeds), "flow", RATE)


def along(answers: Sequence[xr.Dataset], alphas: Sequence[float]) -> xr.Dataset:
    """Answers side by side on a new first axis alpha."""
    axis = xr.Variable("alpha", list(alphas), RATIO)
    whole = xr.concat(answers, axis, combine_attrs="drop_conflicts", coords="minimal", compat="override")
    return whole.assign_attrs(noise=NOISE, init=INIT)
