"""GramClust: what its formulas are, and its clusters and worst groups on striped digits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, judge_signs, worst_of
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.printed import Count, against_print, claim_except
from teacherstudent.paper_checks.kept import kept
from teacherstudent.paper_checks.spurious_groups import check, misprints
from teacherstudent.paper_checks.spurious_groups.kit.tables import GROUPS
from teacherstudent.problems.spurious_groups.counts import CELEBA

PAPER = "roburin2022"

# Identities ---------------------------------------------------------------------------------------

IMAGES, POSITIONS, CHANNELS, SETS = 12, 20, 5, 3


class Identities(NamedTuple):
    """Of random activations: the objective of Eq. 4.6, a squared distance of Gram matrices, the same of the
    normalised ones, and the largest difference of the Gram matrices of activations (1, 1) and (0, sqrt 2)."""

    objective: float
    distance: float
    normalised: float
    pair: float


class Activations(NamedTuple):
    """Random ones, (images, positions, channels), and the cluster of each image."""

    values: np.ndarray
    clusters: np.ndarray


def activations(seeds: Seeds) -> tuple[Identities, Activations]:
    """Evidence: both sides as the thesis defines them, from Gram matrices."""
    from teacherstudent.sims.spurious_groups.gramclust import gram

    (seed,) = seeds(1)
    generator = np.random.default_rng(seed)
    values = np.abs(generator.standard_normal((IMAGES, POSITIONS, CHANNELS)))
    clusters = np.arange(IMAGES) % SETS
    matrices = gram(values).reshape(IMAGES, -1)
    units = matrices / np.linalg.norm(matrices, axis=1, keepdims=True)
    apart = np.sum((units[:, None] - units) ** 2, axis=-1)
    objective = sum(
        apart[np.ix_(own, own)].sum() / (2 * own.size)
        for k in range(SETS)
        for own in [np.flatnonzero(clusters == k)]
    )
    one, other = gram(np.array([[[1.0], [1.0]], [[0.0], [np.sqrt(2)]]]))
    found = Identities(
        float(objective),
        float(np.sum((matrices[0] - matrices[1]) ** 2)),
        float(np.sum((units[0] - units[1]) ** 2)),
        float(np.max(np.abs(one - other))),
    )
    return found, Activations(values, clusters)


def by_moments(evidence: tuple[Identities, Activations]) -> Identities:
    """The claim: squares around centres, discrepancies with the kernel (u.v)^2, and what a cosine leaves."""
    values, clusters = evidence[1]
    matrices = np.array([each.T @ each / POSITIONS for each in values]).reshape(IMAGES, -1)
    units = matrices / np.linalg.norm(matrices, axis=1, keepdims=True)
    centres = np.array([units[clusters == k].mean(axis=0) for k in range(SETS)])
    first, second = values[:2]
    same, cross = (np.mean((a @ b.T) ** 2) for a, b in ((first, first), (first, second)))
    discrepancy = same + np.mean((second @ second.T) ** 2) - 2 * cross
    return Identities(
        float(np.sum((units - centres[clusters]) ** 2)),
        float(discrepancy),
        float(2 - 2 * units[0] @ units[1]),
        0.0,
    )


def covariances(evidence: tuple[Identities, Activations]) -> Identities:
    """Wrong: Gram matrices are centred."""
    found, values = by_moments(evidence), evidence[1].values
    first, second = (np.cov(each.T, ddof=0) for each in values[:2])
    return found._replace(distance=float(np.sum((first - second) ** 2)))


@worst_of
def alike(evidence: tuple[Identities, Activations], claimed: Identities) -> list[Verdict]:
    """Each to rounding."""
    return [
        within_bound(found - wanted, 1e-12, "rounding", "squared distance", Effect(0.1, "the distance"))
        for found, wanted in zip(evidence[0], claimed, strict=True)
    ]


IDENTITIES = check(
    id="gram-identities",
    title="the objective is k-means; distances of unnormalised Gram matrices are mean discrepancies",
    ref="Eqs. 4.5-4.6, Section 4.2.3",
    paper=PAPER,
    evidence=activations,
    claim=by_moments,
    judge=alike,
    wrong=(
        WrongClaim("centred Gram matrices", covariances),
        WrongClaim(
            "sums over ordered pairs without the factor 1/2",
            lambda e: by_moments(e)._replace(objective=2 * by_moments(e).objective),
        ),
        WrongClaim(
            "a maximum mean discrepancy of normalised Gram matrices",
            lambda e: by_moments(e)._replace(normalised=by_moments(e).distance),
        ),
    ),
    errata=misprints({"gram-diagonal": lambda e: by_moments(e)._replace(pair=1.0)}),
)

# Blond males --------------------------------------------------------------------------------------


def shares(_: Seeds) -> np.ndarray:
    """Evidence: of blond people the share of males, and of males that of the blond, in per cent."""
    blond, dark = (male for _, male in CELEBA.counts)
    return 100 * np.array([blond / sum(CELEBA.counts[0]), blond / (blond + dark)])


SHARES = check(
    id="gram-shares",
    title="5.7 % of blond people are male; 2.0 % of males are blond",
    ref="Section 4.4.1",
    paper=PAPER,
    evidence=shares,
    claim=constant_claim(np.array([5.7, 2.0])),
    judge=lambda found, claimed: within_bound(
        found - claimed, 0.05, "rounding of the printed numbers", "per cent"
    ),
    effect=Effect(1.0, "one percentage point"),
    wrong=(WrongClaim("the two percentages exchanged", constant_claim(np.array([2.0, 5.7]))),),
    errata=misprints({"gram-celeba-share": constant_claim(np.array([2.0, 2.0]))}),
)

# Clusters and worst groups ------------------------------------------------------------------------

DRAWS = 18
NEARLY = 0.1
"""As much less is nearly the same share of images: a fifth of what lies between chance and all."""
NEARLY_TRUE = 0.2
"""As much less is nearly the accuracy by true groups: half of what balancing by them gains."""


def matched(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: how much of the stripes two clusters tell beyond other features of the images, (draws,)."""
    from teacherstudent.sims.spurious_groups.gramclust import KINDS, matchings

    rows = [kept(matchings, seed=seed)["matching"] for seed in seeds(DRAWS)]
    found = dict(zip(KINDS, np.array(rows).T, strict=True))
    gram, moments = found["Gram matrices"], found["mean and variance"]
    return {
        "Gram matrices minus pixels": gram - found["pixels"],
        "Gram matrices minus raw activations": gram - found["last layer"],
        "trained minus untrained Gram matrices, less 0.1": gram - found["Gram matrices, untrained"] - NEARLY,
        "Gram matrices minus moments, less 0.1": gram - moments - NEARLY,
    }


TOLD = {
    "Gram matrices minus pixels": 1,
    "Gram matrices minus raw activations": 1,
    "trained minus untrained Gram matrices, less 0.1": -1,
    "Gram matrices minus moments, less 0.1": -1,
}


MATCHING = check(
    id="gram-matching",
    title="clusters of Gram matrices or of moments recover the stripes; untrained networks nearly do",
    ref="Sections 4.3.2, 4.4.4",
    paper=PAPER,
    evidence=matched,
    claim=constant_claim(TOLD),
    judge=judge_signs("fraction of images"),
    wrong=(
        WrongClaim("clustering needs a trained network", constant_claim({**TOLD, list(TOLD)[2]: 1})),
        WrongClaim("means and variances fail", constant_claim({**TOLD, list(TOLD)[3]: 1})),
        WrongClaim(
            "pixels recover the stripes as well", constant_claim({**TOLD, "Gram matrices minus pixels": -1})
        ),
        WrongClaim(
            "raw activations recover the stripes as well", constant_claim({**TOLD, list(TOLD)[1]: -1})
        ),
    ),
    slow=True,
)


def balanced(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: differences of test accuracies of the worst group on the same draws, (draws,)."""
    from teacherstudent.sims.spurious_groups.gramclust import worst_groups

    rows = [kept(worst_groups, seed=seed)["accuracy"] for seed in seeds(DRAWS)]
    plain, alone, found, true = np.array(rows).T
    return {
        "class and cluster minus no balancing": found - plain,
        "class and cluster minus cluster alone": found - alone,
        "true groups minus class and cluster, less 0.2": true - found - NEARLY_TRUE,
    }


GAINED = {
    "class and cluster minus no balancing": 1,
    "class and cluster minus cluster alone": 1,
    "true groups minus class and cluster, less 0.2": -1,
}

WORST = check(
    id="gram-worst-group",
    title="balancing by class and cluster is nearly as good as by true groups; by cluster alone is worse",
    ref="Section 4.4.2",
    paper=PAPER,
    evidence=balanced,
    claim=constant_claim(GAINED),
    judge=judge_signs("accuracy"),
    wrong=(
        WrongClaim(
            "balancing brings no gain", constant_claim({**GAINED, "class and cluster minus no balancing": -1})
        ),
        WrongClaim(
            "balancing by clusters suffices",
            constant_claim({**GAINED, "class and cluster minus cluster alone": -1}),
        ),
        WrongClaim("far worse than true groups", constant_claim({**GAINED, list(GAINED)[2]: 1})),
    ),
    slow=True,
)

# Tables 4.1 and 4.2 -------------------------------------------------------------------------------

UNGROUPED, ALL = ("EIIL", "GEORGE", "JTT"), ("ERM", "IRM", "Imp. Weighting", "GroupDRO")
PRINTED = {
    "GramClust-cv against methods without group labels": (
        GROUPS.against("GramClust-cv", *UNGROUPED),
        Count(5, 5, 0, 0),
    ),
    "GramClust-orig against methods without group labels": (
        GROUPS.against("GramClust-orig", *UNGROUPED),
        Count(8, 6, 0, 2),
    ),
    "GramClust-cv against all methods": (
        GROUPS.against("GramClust-cv", *UNGROUPED, *ALL),
        Count(10, 10, 3, 0),
    ),
    "GramClust-orig against ERM": (GROUPS.against("GramClust-orig", "ERM"), Count(3, 2, 0, 1)),
    "GramClust-orig against GroupDRO": (GROUPS.against("GramClust-orig", "GroupDRO"), Count(1, 0, 2, 1)),
    "Gram matrices against moments": (GROUPS.against("GramClust-orig", "MeanVar"), Count(2, 1, 0, 2)),
    "Gram matrices against the last layer": (GROUPS.against("GramClust-orig", "GEORGE"), Count(3, 2, 0, 1)),
}

TABLES = check(
    id="gram-differences",
    title="GramClust is above all methods without group labels, but below GroupDRO on two of three data sets",
    ref="Tables 4.1-4.2: Welch's tests",
    paper=PAPER,
    **against_print(
        PRINTED,
        *("GramClust-orig against ERM", "GramClust-orig against GroupDRO", "Gram matrices against moments"),
        errata=misprints({"gram-every-baseline": claim_except(PRINTED, "GramClust-cv against all methods")}),
    ),
)

CHECKS = (IDENTITIES, SHARES, MATCHING, WORST, TABLES)
