"""The three statements of 8.4 about its synthetic example, and what its .8 is.

Trained by both laws: the code's (1200 noise features of variance 1, gamma = (4, 1, 4)) and the text's
(variance .15^2, gamma = (4, 1, 20)), with 1000 examples, learning rate 1e-5 and no decay. The code tests
without noise features, the text does not say so. "Good" is read as: in its worst group better than ERM on
average. "Poor": in its worst group worse than a coin.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, mean_within_errors
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.spurious_groups import check, misprints
from teacherstudent.problems.spurious_groups import PROBLEM
from teacherstudent.problems.spurious_groups.data import draw
from teacherstudent.theory.spurious_groups.accuracy import group_accuracies

EARLY, LATE = 20, 300
"""Epochs, of 500 as published: groups are learned, and reweighting has forgotten them by both laws."""
STUDENTS = 12
"""Enough to tell the sign of a difference of a tenth from chance, also where one student is late."""

SETTINGS = (("published", "zero"), ("printed", "zero"), ("printed", "fresh"))
"""Laws of the training examples, and noise features of the tests."""

SHARES = np.array([0.4, 0.1, 0.1, 0.4])
"""Of the four groups, where the attribute differs from the label with probability .2."""

Accuracies = Mapping[tuple[str, str, str], Mapping[str, np.ndarray]]
"""By law, test noise and method: worst-group and average accuracies, early and late, (S, 2) each."""


def trained(seeds: Seeds) -> Accuracies:
    """Students of three methods in every setting; with fresh noise by their logits' law (wg-accuracy)."""
    found = {}
    for law, noise in SETTINGS[:2]:
        for method in ("erm", "subg", "rwg"):
            answer = run(
                "spurious-groups", "descent", "simulation", [EARLY, LATE], seeds=seeds(STUDENTS),
                method=method, law=law, test_noise=noise,
            )  # fmt: skip
            found[law, noise, method] = {
                name: answer[f"{name}_accuracy"].values for name in ("worst_group", "average")
            }
            if law == "printed":
                found[law, "fresh", method] = with_noise(answer)
    return found


def with_noise(answer: xr.Dataset) -> dict[str, np.ndarray]:
    """Accuracies on tests whose noise features are fresh, (S, T)."""
    e_s, e_c, r = (answer[f"{name}_weight"].values for name in ("spurious", "core", "noise"))
    groups = group_accuracies(e_s, e_c, r, PROBLEM.instance(law="printed").feature_std)
    return {"worst_group": groups.min(axis=-1), "average": groups @ SHARES}


def differences(
    evidence: Accuracies,
    settings: tuple[tuple[str, str], ...] = SETTINGS[:2],
    poor: tuple[str, ...] = ("erm late", "rwg late"),
    good: tuple[str, ...] = ("subg early", "subg late", "rwg early"),
) -> np.ndarray:
    """What the statements say is positive in each setting, one row each, (settings x statements, S)."""
    rows = []
    for setting in settings:

        def of(which: str, accuracy: str = "worst_group", setting: tuple[str, str] = setting) -> np.ndarray:
            method, when = which.split()
            return evidence[(*setting, method)][accuracy][:, ("early", "late").index(when)]

        common = of("erm late", "average")
        rows += [*(1 / 2 - of(which) for which in poor), *(of(which) - common for which in good)]
    return np.stack(rows)


def all_positive(_: Any, claimed: np.ndarray) -> Verdict:
    """Judge: each mean is above 0 by the quantile of its own error."""
    return above_zero(claimed, "accuracy")


SUBG_GOOD, RWG_GOOD = ("subg early", "subg late"), ("rwg early",)

TEXT = (SETTINGS[1],)

TOY = check(
    id="wg-toy",
    title="ERM is poor in its worst group, SUBG good and stays so, RWG good if stopped early; text and code",
    ref="Sect. 8.4, Fig. 1",
    evidence=trained,
    claim=differences,
    judge=all_positive,
    teeth=(
        Tooth(
            "RWG stays good by the code",
            partial(differences, settings=SETTINGS[:1], good=(*SUBG_GOOD, "rwg late")),
        ),
        Tooth(
            "RWG stays good at the printed noise",
            partial(differences, settings=TEXT, good=(*SUBG_GOOD, "rwg late")),
        ),
        Tooth("ERM is good early", partial(differences, settings=TEXT, good=(*SUBG_GOOD, "erm early"))),
        Tooth("SUBG gets poor", partial(differences, settings=TEXT, poor=("erm late", "subg late"))),
    ),
    errata=misprints({"wg-test-noise": partial(differences, settings=SETTINGS[2:])}),
    slow=True,
)


# What is .8 -----------------------------------------------------------------------------------------------

DRAWS = 400


def correlations(seeds: Seeds) -> np.ndarray:
    """Correlation of label and attribute in each draw where P(a = y) = .8, (S,)."""
    problem = PROBLEM.instance(law="printed", n=400, minority=0.2, noise_features=1)
    drawn = draw(problem, seeds(DRAWS))
    return np.array([np.corrcoef(y, a)[0, 1] for y, a in zip(drawn.labels, drawn.attributes, strict=True)])


def correlation(_: Any, minority: float = 0.2, halves: float = 2.0) -> float:
    """1 - 2p for balanced classes."""
    return 1 - halves * minority


def as_drawn(evidence: np.ndarray, claimed: float) -> Verdict:
    """Judge: the mean over draws; its bias, of order 1/n, is that of a ratio, at most 1/n here."""
    return mean_within_errors(evidence, claimed, bias=1 / 400)


CORRELATION = check(
    id="wg-correlation",
    title="an attribute that equals the label with probability .8 has correlation .6 with it",
    ref="Sect. 8.4, below Eq. 8.4.1",
    evidence=correlations,
    claim=correlation,
    judge=as_drawn,
    effect=Contrast("wg-correlation-or-share", "the difference between .8 and .6"),
    teeth=(Tooth("minority one percentage point larger", partial(correlation, minority=0.21)),),
    errata=misprints({"wg-correlation-or-share": partial(correlation, halves=1.0)}),
)

CHECKS = (TOY, CORRELATION)
