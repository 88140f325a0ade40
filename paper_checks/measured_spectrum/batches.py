"""One pass over Gaussian rows of several spectra, exact at any size; batches of drawn rows, draw by draw."""

from __future__ import annotations

from typing import Any

from teacherstudent.paper_checks.judging.comparison import scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.judges import PairedMeans
from teacherstudent.paper_checks.measured_spectrum import compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import permuted
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled

MODES = ((3, 1.0, 0.3), (6, 0.3, 0.8), (12, 0.05, 0.2))
TRAINING: dict[str, Any] = {"noise": 0.4, "ridge": 0.2, "init": 0.2, "n": 20}


def rows_of(name: str) -> dict[str, Any]:
    """Centred rows of a bundled set."""
    features, targets = bundled(name)
    return {"features": features, "targets": targets, "intercept": "pool"}


def passes() -> dict[str, Any]:
    """Batches of 1, 4 and n; targets of more and less power in strong directions, and one with a residual."""
    wine = {**rows_of("wine"), "sampling": "population"}
    cases: list[tuple[dict[str, Any], int, float, tuple[int, ...]]] = [
        ({"modes": MODES}, 1, 0.006, (3, 20, 150)),
        ({"modes": MODES}, 20, 0.035, (2, 10, 80)),
        ({"size": 30, "source": 0.2}, 1, 0.015, (3, 20, 150)),
        ({"size": 30, "source": 1.0}, 4, 0.025, (3, 20, 150)),
        (wine, 4, 0.006, (2, 20, 80)),
    ]
    return {
        str(place): {**TRAINING, **own, "batch": batch, "learning_rate": rate, "times": times}
        for place, (own, batch, rate, times) in enumerate(cases)
    }


CHECKS = (
    compared(
        id="sgd-spectra",
        title="one pass over Gaussian rows of modes, a power law and wine's moments against drawn students",
        ref="second moments of Gaussian rows of any spectrum",
        clocks={"sgd": {}},
        questions=passes,
        routes=("simulation", "asymptotic"),
        observables=("generalisation_error",),
        draws=2000,
        effect=Contrast("batches without noise", "what the noise of batches adds"),
        wrong={
            "batches without noise": {"batch": 10**9},
            "target's share permuted": {"modes": permuted},
            "rate a fifth higher": {"learning_rate": scaled(1.2)},
        },
        slow=True,
    ),
    compared(
        id="sgd-pool",
        title="batches of real rows, drawn anew: both errors against the mean over batches, draw by draw",
        ref="second moments of batches without repetition",
        clocks={"sgd": {"times": (10, 60, 250), "batch": 2, "learning_rate": 0.003, "data": "replacement"}},
        questions=lambda: {"": {**rows_of("wine"), "n": 30, "noise": 0.3, "ridge": 0.2}},
        routes=("simulation", "instance"),
        observables=("generalisation_error", "training_error"),
        draws=600,
        judge=PairedMeans(),
        effect=Contrast("batches twice as large", "half of the noise of batches"),
        wrong={"batches twice as large": {"batch": 4}, "no ridge": {"ridge": 0.0}},
        slow=True,
    ),
)
