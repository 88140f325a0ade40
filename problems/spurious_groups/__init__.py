"""Worst groups: a linear classifier on core, spurious and noise features (pezeshki2022 ch. 8.4, 8.5.4).

Examples have a label y and an attribute a, both +1 or -1; the four pairs (y, a) are the groups, and
a != y is the minority. Inputs are x = (spurious, core, noise), Eq. 8.4.1:

    spurious = a (1 + feature_std N(0, 1)),  core = y (1 + feature_std N(0, 1)),  noise = noise_std N(0, 1)^d

and the classifier sees gamma x: its logit is w.(gamma x), without a constant. Training loss: the MEAN
over a batch of log(1 + e^(-y logit)), plus weight_decay/2 |w|^2. Laws: `published`, the code of the
paper (noise_std 1, features moved so that y core has sample mean 1, exact counts of the minority, no
noise in tests) and `printed`, its text (noise_std = feature_std, attributes drawn one by one).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from teacherstudent.house.declarations import Observable, Problem
from teacherstudent.house.domains import Choice, Number, Several, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter
from teacherstudent.problems.spurious_groups.training import DYNAMICS

if TYPE_CHECKING:
    import numpy as np

POSITIVE = Number(0, low_open=True)

GROUPS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""(y, a) of each group, in the order of the axis `group`."""

BALANCED = {"suby": "classes", "rwy": "classes", "subg": "groups", "rwg": "groups", "gdro": "groups"}
"""What each method balances; erm and jtt balance nothing."""

SUBSAMPLING = ("suby", "subg")
RESAMPLED = ("rwy", "rwg", "gdro")
"""Methods whose epochs draw with replacement, each class or group as likely as any other."""

METHODS = ("erm", "suby", "subg", "rwy", "rwg", "gdro", "jtt")

METHOD = Parameter(
    "method",
    "",
    "",
    Choice(METHODS),
    "training method. erm: all examples equally; suby, subg: a fixed subset in which all classes or groups "
    "are as large as the smallest; rwy, rwg: batches balanced by resampling; gdro: group DRO; jtt: just "
    "train twice",
    "erm",
)
LAW = Parameter(
    "law",
    "",
    "",
    Choice(("published", "printed")),
    "version of the data's definition. published: as in the paper's code; printed: as in its text",
    "published",
)
SAMPLES = Parameter(
    "n", "n", "examples", Whole(8, 10**6), "number of training examples", 1000, extensive=True
)
MINORITY = Parameter(
    "minority",
    "p",
    "1",
    Number(0, 0.5, low_open=True),
    "share of examples with a != y; a and y have correlation 1 - 2p. The paper's code uses 199 of 1000",
    0.199,
)
COUNTS = Parameter(
    "groups",
    "n_ya",
    "examples",
    Several(Whole(1, 10**6)),
    "sizes of the groups (y, a) = (-1, -1), (-1, 1), (1, -1), (1, 1), instead of n and minority",
    instead_of=("n", "minority"),
    extensive=True,
)
NOISE_FEATURES = Parameter(
    "noise_features", "d", "features", Whole(1, 10**7), "number of noise features", 1200, extensive=True
)
GAMMA_SPURIOUS = Parameter(
    "gamma_spurious", "gamma_s", "1", POSITIVE, "scale of the spurious feature; sets its learning speed", 4.0
)
GAMMA_CORE = Parameter("gamma_core", "gamma_c", "1", POSITIVE, "scale of the core feature", 1.0)
GAMMA_NOISE = Parameter(
    "gamma_noise",
    "gamma_n",
    "1",
    POSITIVE,
    "scale of the noise features (default: 4 under law published, 20 under printed)",
)
FEATURE_STD = Parameter(
    "feature_std",
    "sigma",
    "feature",
    POSITIVE,
    "standard deviation of core and spurious feature around +1 or -1",
    0.15,
)
TEST_NOISE = Parameter(
    "test_noise",
    "",
    "",
    Choice(("zero", "fresh")),
    "noise features of test examples: zero, as in the code, or fresh, drawn as in training (default: zero "
    "under law published, fresh under printed)",
)
INIT = Parameter(
    "init",
    "w_0",
    "logit",
    Number(0),
    "scale of the initial weights: gamma w is uniform in +-init/sqrt(dimension)",
    0.01,
)


@dataclass(frozen=True)
class SpuriousGroups:
    """An instance. All fields are already validated; build it through `PROBLEM.instance`.

    groups: exact counts in the order of `GROUPS`, or empty where the law draws them. minority: share of
    a != y, a whole number of the n examples where their count is exact.
    """

    method: str
    law: str
    n: int
    minority: float
    groups: tuple[int, ...]
    noise_features: int
    gamma_spurious: float
    gamma_core: float
    gamma_noise: float
    feature_std: float
    test_noise: str
    init: float

    @property
    def noise_std(self) -> float:
        """Standard deviation of a noise feature: 1 as published, feature_std as printed."""
        return 1.0 if self.law == "published" else self.feature_std

    @property
    def dimension(self) -> int:
        """Number of weights: spurious, core, and the noise features."""
        return 2 + self.noise_features

    @property
    def scales(self) -> np.ndarray:
        """gamma of each input, (dimension,), in the order spurious, core, noise."""
        import numpy as np

        return np.r_[self.gamma_spurious, self.gamma_core, np.full(self.noise_features, self.gamma_noise)]


def _build(
    *,
    law: str,
    n: int,
    minority: float,
    groups: tuple[int, ...] | None,
    gamma_noise: float | None,
    test_noise: str | None,
    **others: Any,
) -> SpuriousGroups:
    if groups is not None:
        if len(groups) != len(GROUPS):
            raise InputError("groups", ",".join(map(str, groups)), "four counts, one for each group")
        n, minority = sum(groups), (groups[1] + groups[2]) / sum(groups)
    elif round(minority * n) < 2:
        raise InputError("minority", minority, f"at least 2 of the n = {n} examples")
    elif law == "published":
        minority = round(minority * n) / n
    if gamma_noise is None:
        gamma_noise = 4.0 if law == "published" else 20.0
    test_noise = test_noise or ("zero" if law == "published" else "fresh")
    return SpuriousGroups(
        law=law,
        n=n,
        minority=minority,
        groups=groups or (),
        gamma_noise=gamma_noise,
        test_noise=test_noise,
        **others,
    )


def _coordinates(_: SpuriousGroups) -> Mapping[str, Any]:
    """Groups are numbered from 1; label and attribute of each lie along the same axis."""
    labels, attributes = zip(*GROUPS, strict=True)
    unit = {"units": "1"}
    return {
        "group": ("group", [1, 2, 3, 4], unit | {"long_name": "group"}),
        "label": ("group", list(labels), unit | {"long_name": "label of the group", "symbol": "y"}),
        "attribute": ("group", list(attributes), unit | {"long_name": "attribute, likewise", "symbol": "a"}),
    }


_accuracy = partial(Observable, best="most")

PROBLEM = Problem(
    id="spurious-groups",
    title="Worst-group accuracy under a spurious correlation",
    source="pezeshki2022 ch. 8.4, 8.5.4",
    question="Do reweighting and subsampling help the worst group under a spurious correlation?",
    parameters=(
        METHOD,
        LAW,
        SAMPLES,
        MINORITY,
        COUNTS,
        NOISE_FEATURES,
        GAMMA_SPURIOUS,
        GAMMA_CORE,
        GAMMA_NOISE,
        FEATURE_STD,
        TEST_NOISE,
        INIT,
    ),
    dynamics=DYNAMICS,
    # Weights are those of the direction w/|w|: without a constant in the logit, nothing else matters to
    # accuracies, and only the direction has a limit.
    observables=(
        _accuracy("worst_group_accuracy", "A_w", "1", "smallest of the groups' test accuracies"),
        _accuracy(
            "average_accuracy",
            "A",
            "1",
            "test accuracy of each group, averaged with the groups' shares of the training set as weights "
            "(the average in the literature)",
        ),
        _accuracy("group_accuracy", "A_ya", "1", "test accuracy of each group", dims=("group",)),
        _accuracy("training_worst_group_accuracy", "A_w", "1", "smallest of the groups' training accuracies"),
        Observable("spurious_weight", "e_s", "logit/weight", "logit of a spurious feature of 1, for |w| = 1"),
        Observable("core_weight", "e_c", "logit/weight", "logit of a core feature of 1, for |w| = 1"),
        Observable(
            "noise_weight",
            "r",
            "logit/weight",
            "standard deviation of the logit over fresh noise, for |w| = 1",
        ),
        Observable("margin", "m", "logit/weight", "smallest y logit over the kept examples, for |w| = 1"),
        Observable("norm", "|w|", "weight", "norm of the weights"),
        Observable("support_fraction", "f", "1", "share of the kept examples that are support vectors"),
    ),
    build=_build,
    coordinates=_coordinates,
    examples=(
        {
            "n": 20,
            "minority": 0.2,
            "noise_features": 40,
            "test_noise": "fresh",
            "batch_size": 5,
            "test_examples": 20,
        },
    ),
    convention="training loss: a mean over the batch, plus weight_decay/2 |w|^2",
    realised=lambda problem: {MINORITY.name: problem.minority},
)
