"""Coloured digits: what raises the accuracy of spectral decoupling, and what its loss can do."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import signed, stated
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.problems.colored_digits import FLIPS, NOISE, SWITCH, TEST_FLIP
from teacherstudent.problems.colored_digits import STEPS as TRAINED
from teacherstudent.theory.starvation import pointwise

# Six variants -------------------------------------------------------------------------------------

DRAWS, MORE = 9, 12
"""Data sets; more of them for the corners and for the two variants that gain, which scatter most."""
LINE = ((1 - NOISE) + (1 - TEST_FLIP)) / 2
"""A test accuracy half-way between those of the two cues alone: shape at best, and colour."""
ABOVE = {
    "script": 1,
    "penalty alone, scaled": 1,
    "likelihood alone, scaled": -1,
    "Eq. 6.3.17": -1,
    "Eq. 6.3.17, Adam afresh": -1,
    "Eq. 6.3.17, descent": -1,
}
"""Whether the test accuracy ends above or below `LINE`."""
PLAIN_STEPS = round(SWITCH * 1001 / 450)
"""ERM, trained as much longer than to the switch as the article's: 1001 steps and 450."""
CORNERS = {
    "coloured digits: accuracy of the script less ERM's": 1,
    "coloured digits: entropy of the script less ERM's": 1,
    "gray digits: entropy of the script less ERM's": 1,
}
"""Signs at the corners of Fig. 3.

Of blanks nothing is claimed: on them the constants decide, and in some draws a network answers both colours
alike or the wrong way round.
"""
ALL = ABOVE | CORNERS


def accuracies(seeds: Seeds) -> dict[str, np.ndarray]:
    """Evidence: test accuracies less `LINE` of every variant, and `CORNERS`, on the same draws, (draws,)."""
    from teacherstudent.sims.starvation.colored_digits import trained

    own, gaining = seeds(MORE), [name for name, sign in ABOVE.items() if sign > 0]
    found = [trained(seed, gaining if k >= DRAWS else list(ABOVE), [TRAINED]) for k, seed in enumerate(own)]
    plain = [trained(seed, ["ERM"], [PLAIN_STEPS])["ERM"] for seed in own]
    pairs = [(each["script"], erm) for each, erm in zip(found, plain, strict=True)]
    accuracy = np.array([script.corners[-1] - erm.corners[-1] for script, erm in pairs])
    entropy = np.array([script.entropies[-1] - erm.entropies[-1] for script, erm in pairs])
    corners = accuracy[:, 0], entropy[:, 0], entropy[:, 1]
    return {
        **{n: np.array([each[n].corners[-1, 0] - LINE for each in found if n in each]) for n in ABOVE},
        **dict(zip(CORNERS, corners, strict=True)),
    }


BY_THE_LOSS = ALL | dict.fromkeys(ABOVE, 1) | {"likelihood alone, scaled": -1}
"""What follows where the gain is due to Eq. 6.3.17: all that have its penalty gain."""

VARIANTS = check(
    id="gs-colored-digits",
    title="coloured digits: scaling the penalty under Adam raises the test accuracy, Eq. 6.3.17 does not; "
    "ERM is surer of digits and errs more (of blanks this cannot tell)",
    ref="Table 2 and Fig. 3 of ch. 6, App. .4.4, the published script",
    evidence=accuracies,
    claim=stated(ALL),
    judge=signed("accuracy or nat"),
    teeth=(
        Tooth("scaling alone suffices", stated({**ALL, "likelihood alone, scaled": 1})),
        Tooth("the script fails", stated({**ALL, "script": -1})),
        Tooth("the likelihood is needed", stated({**ALL, "penalty alone, scaled": -1})),
        Tooth("Adam's memory hides the gain", stated({**ALL, "Eq. 6.3.17, Adam afresh": 1})),
        *(Tooth(f"the other sign of {name}", stated({**ALL, name: -sign})) for name, sign in CORNERS.items()),
    ),
    errata=misprints({"gs-decoupling-colour": stated(BY_THE_LOSS)}),
    slow=True,
)

# The optimum --------------------------------------------------------------------------------------

PENALTIES = (0.01, 0.1, 1.0)
EXAMPLES, TABLES, STEPS, RATE = 20_000, 12, 4000, 0.5
FLIP = float(np.mean(FLIPS))
"""Of the colours, over both environments."""


def tables(seeds: Seeds) -> np.ndarray:
    """Evidence: outputs of students that have one for each colour and shape, trained on drawn labels.

    By gradient descent on the loss of Eq. 6.3.17; (draws, penalties x 4).
    """
    return np.array([_table(np.random.default_rng(seed)) for seed in seeds(TABLES)])


def _table(generator: np.random.Generator) -> np.ndarray:
    labels = generator.choice([-1, 1], EXAMPLES)
    colour, shape = (np.where(generator.random(EXAMPLES) < flip, -labels, labels) for flip in (FLIP, NOISE))
    cells = 2 * (colour > 0) + (shape > 0)
    positive = np.bincount(cells, labels > 0, 4) / EXAMPLES
    weight = np.bincount(cells, minlength=4) / EXAMPLES
    f = np.zeros((len(PENALTIES), 4))
    for _ in range(STEPS):
        f -= RATE * (weight / (1 + np.exp(-f)) - positive + 2 * weight * np.array(PENALTIES)[:, None] * f)
    return f.ravel()


def roots(_: object, colour_flip: float = FLIP, more: float = 1.0) -> np.ndarray:
    """The claim: the minimum at every colour and shape; wrong by another colour or penalty."""
    p = pointwise.share(colour_flip, NOISE).ravel()
    return np.concatenate([pointwise.minimum(p, more * each) for each in PENALTIES])


def against_colour(found: object) -> np.ndarray:
    """Wrong: shape decides where it contradicts the colour."""
    f = roots(found).reshape(-1, 2, 2).copy()
    f[:, 0, 1], f[:, 1, 0] = np.abs(f[:, 0, 1]), -np.abs(f[:, 1, 0])
    return np.asarray(f.ravel())


OPTIMUM = check(
    id="gs-colour-optimum",
    title="at any penalty the minimum of Eq. 6.3.17 tells the colour where colour and shape disagree",
    ref="Eq. 6.3.17 at each input",
    paper="",
    evidence=tables,
    claim=roots,
    judge=mean_within_errors,
    effect=Contrast("shape decides where it contradicts the colour", "what colour decides"),
    teeth=(
        Tooth("shape decides where it contradicts the colour", against_colour),
        Tooth("a colour that tells no more than shape", partial(roots, colour_flip=NOISE)),
        Tooth("half of the penalty", partial(roots, more=0.5)),
    ),
)

CHECKS = (VARIANTS, OPTIMUM)
