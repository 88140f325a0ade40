"""How often the risk descends over training: once for inputs of one scale, twice for two scales far apart.

Theory says when the turns come; simulated risks must be lower at its minimum than around it, draw against
draw, and higher at its maximum.

Test errors over the width: a U below interpolation, and a second descent beyond that ends lower.

Theory of infinite sizes says in which order the risks are, and which students fit their noisy labels; drawn
students are trained by gradient descent. At these sizes the risks themselves are up to twice the limit's.
Labels of no noise, or of twice as much, have the same order: it is all that is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, within_bound
from teacherstudent.paper_checks.judging.claims import positive, worst_of
from teacherstudent.paper_checks.judging.effects import Effect, Measured
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.turns import at_turns, two_descents
from teacherstudent.paper_checks.random_features import check
from teacherstudent.problems.random_features import PROBLEM
from teacherstudent.theory.random_features import landmarks

# One scale -------------------------------------------------------------------------------------------------

CASES = 30
INPUTS = 10**8
TIMES = np.append(0.0, np.geomspace(1e-2, 1e6, 50))
"""In units of the largest moment of the nonlinearity."""
NO_BUMP = 2e-4
"""Of the first minimum: the largest rise and fall that a search over thousands of places has found."""
BUMP = 0.2
"""That of two scales with strengths 13 apart."""


FAR = ((22 * INPUTS // 100, 13.0), (78 * INPUTS // 100, 1.0))
HARDLY = (0.0, 0.99**0.5, 0.0, 0.01**0.5)
"""Two scales with strengths 13 apart, and a nonlinearity with little noise of its own."""


def places(seeds: Seeds) -> list[dict[str, Any]]:
    """Evidence: questions with ratios, nonlinearity, teacher and noise drawn at random, from zero weights.

    The first is not drawn: two scales have their second descent there.
    """
    one = ((INPUTS, 1.0),)
    found: list[dict[str, Any]] = [{"psi1": 6.5, "psi2": 0.55, "hermite": HARDLY, "scales": one}]
    for seed in seeds(CASES):
        rng = np.random.default_rng(seed)
        psi1, psi2 = 10 ** rng.uniform(-1, 1, 2)
        hermite = (0.0, 10 ** rng.uniform(-1, 0.5), 10 ** rng.uniform(-3, 0))
        teacher = (0.0, 1.0, rng.choice([0.0, 1.0]) * rng.uniform())
        noise = rng.choice([0.0, 1.0]) * 10 ** rng.uniform(-1, 0.5)
        question = {"psi1": psi1, "psi2": psi2, "hermite": hermite, "teacher_hermite": teacher}
        found.append({**question, "noise": noise, "scales": one})
    return found


def bumps(evidence: list[dict[str, Any]], falls: bool = True, **changed: Any) -> np.ndarray:
    """The claim: by how much the risk rises, and falls again, after its first minimum, over that minimum."""
    found = []
    for question in evidence:
        times = TIMES / max(question["hermite"]) ** 2
        answer = run("random-features", "flow", "asymptotic", times, **{**question, **changed})
        found.append(bump(answer["excess_risk"].values, falls))
    return np.array(found)


def bump(risk: np.ndarray, falls: bool) -> float:
    """The largest rise after the first minimum, or the fall after that where it is less; over the minimum."""
    rising = np.flatnonzero(np.diff(risk) > 0)
    if not rising.size:
        return 0.0
    rise = risk - risk[rising[0]]
    least_later = np.minimum.accumulate(risk[::-1])[::-1]
    seen = np.minimum(rise, risk - least_later) if falls else rise
    return float(np.max(seen[rising[0] :]) / risk[rising[0]])


def no_second_descent(_: object, claimed: np.ndarray) -> Verdict:
    """Nothing that a plot would show."""
    reason = "largest bump found in a search over thousands of cases"
    return within_bound(claimed, NO_BUMP, reason, "bump over the first minimum")


ONE_DESCENT = check(
    id="rf-one-scale-descends-once",
    title="for inputs of one scale and zero initial weights, the risk descends only once during training",
    ref="a search over ratios, nonlinearities, teachers and noise",
    evidence=places,
    claim=bumps,
    judge=no_second_descent,
    effect=Effect(BUMP, "the bump of two input scales far apart"),
    wrong=(
        WrongClaim("two scales far apart, a weak nonlinearity", partial(bumps, scales=FAR, hermite=HARDLY)),
        WrongClaim("a rise at the end counted as a second descent", partial(bumps, falls=False)),
    ),
)

# Two scales ------------------------------------------------------------------------------------------------

SETTING: dict[str, Any] = {"width": 325, "n": 28, "scales": ((11, 13.0), (39, 1.0)), "hermite": HARDLY}
RATE, DRAWS = 0.002, 200
WIDE = 8.0
"""Factor of time on either side of a turn at which the risk has left it for sure."""
FAR_OFF = 4.0
"""Factor of time by which a wrong turn is off: between two and three the seven statements begin to fail."""
LATE = 1e4


def turns(drawn: list[int], later: float = 1.0) -> np.ndarray:
    """What is positive of the risk at the theory's turns, one row each, (statements, S); wrong at others."""

    def course(times: np.ndarray) -> np.ndarray:
        clock: dict[str, Any] = {"times": np.rint(times / RATE), "learning_rate": RATE, "seeds": drawn}
        return run("random-features", "descent", "simulation", **clock, **SETTING)["excess_risk"].values.T

    low, high = (later * turn.time for turn in landmarks.extrema(PROBLEM.instance(**SETTING), "flow"))
    return two_descents(at_turns(course, low, high, WIDE, (0.0, LATE)))


TWO_DESCENTS = check(
    id="rf-two-descents",
    title="for two scales far apart, simulated turning points are within a factor 3 of the predicted times",
    ref="minimum and maximum of the excess risk over gradient flow",
    evidence=lambda seeds: seeds(DRAWS),
    claim=turns,
    judge=positive("excess risk"),
    wrong=(
        WrongClaim("turning points four times later", partial(turns, later=FAR_OFF)),
        WrongClaim("turning points four times earlier", partial(turns, later=1 / FAR_OFF)),
    ),
    slow=True,
)

# Over the width ------------------------------------------------------------------------------------------

TRAINED: dict[str, Any] = {"d": 30, "n": 120, "activation": "erf", "noise": 0.3, "learning_rate": 0.02}
STEPS, DRAWN = 1e6, 40
START = 3.0
"""Standard deviation of the weights of another interpolator at its start."""
STUDENTS: dict[str, dict[str, Any]] = {
    "few": {"width": 8},
    "best": {"width": 56},
    "almost": {"width": 98},
    "just": {"width": 150},
    "many": {"width": 480},
    "many, random start": {"width": 480, "init": START},
}
ORDER = {
    "the U falls": ("few", "best"),
    "the U rises": ("almost", "best"),
    "the error descends again": ("just", "many"),
    "below the U": ("best", "many"),
    "least norm matters": ("many, random start", "best"),
}
"""Pairs of students whose risks differ."""
ENDED = ("best", "many", "many, random start")
"""Students whose training error has ended: at 0, or above."""
NOTHING = 1e-20
"""Of a training error, in output^2: the square of the rounding of an output is 1e-30."""


class Errors(NamedTuple):
    """Excess risk and training error by student, (draws,), or what the limit says of them."""

    risk: dict[str, Any]
    training: dict[str, Any]


def trained(seeds: Seeds) -> Errors:
    """Evidence: both errors of every student on the same examples."""
    return _errors("simulation", seeds=seeds(DRAWN))


def _errors(route: str, **own: Any) -> Errors:
    answers = {
        name: run("random-features", "descent", route, [STEPS], **{**TRAINED, **student, **own})
        for name, student in STUDENTS.items()
    }
    return Errors(
        {name: answer["excess_risk"].values[..., 0] for name, answer in answers.items()},
        {name: answer["training_error"].values[..., 0] for name, answer in answers.items()},
    )


class Said(NamedTuple):
    """Which of each pair errs more (+1: the first), and which students fit their labels."""

    signs: dict[str, int]
    fits: tuple[str, ...]


def by_theory(_: object, **own: Any) -> Said:
    """The claim: the limit's order; wrong for another question."""
    risk, training = _errors("asymptotic", **own)
    signs = {name: int(np.sign(risk[one] - risk[other])) for name, (one, other) in ORDER.items()}
    return Said(signs, tuple(name for name in ENDED if training[name] < NOTHING))


def otherwise(statement: str, evidence: object) -> Said:
    """Wrong: one of the pairs is the other way round."""
    signs, fits = by_theory(evidence)
    return Said({**signs, statement: -signs[statement]}, fits)


def never_fits(evidence: object) -> Said:
    """Wrong: no student fits noisy labels."""
    return Said(by_theory(evidence).signs, ())


@worst_of
def in_order(found: Errors, said: Said) -> Iterator[Verdict]:
    """Mean differences have their signs; a training error is nothing in each draw, or above in the mean."""
    for name, (one, other) in ORDER.items():
        yield above_zero(said.signs[name] * (found.risk[one] - found.risk[other])[None], "excess risk")
    for name in ENDED:
        error = found.training[name]
        if name in said.fits:
            yield within_bound(error, NOTHING, "rounding of the outputs, squared", "training error")
        else:
            yield above_zero(error[None] - NOTHING, "training error")


WIDTHS = check(
    id="rf-double-descent",
    title="below interpolation, the risk as a function of width is U-shaped; beyond interpolation, students "
    "fit noisy labels and the least-norm risk ends lower (only the order is checked; the noise level is not "
    "resolved)",
    paper="isis2021",
    ref="abstract of M. Belkin's talk",
    evidence=trained,
    claim=by_theory,
    judge=in_order,
    effect=Measured(
        lambda found: float(np.mean(found.training["best"])), "the training error before interpolation"
    ),
    wrong=(
        WrongClaim("no rise of the risk before interpolation", partial(otherwise, "the U rises")),
        WrongClaim(
            "the risk only rises beyond interpolation", partial(otherwise, "the error descends again")
        ),
        WrongClaim("interpolators are worse than the minimum of the U", partial(otherwise, "below the U")),
        WrongClaim("every interpolator reaches the lower risk", partial(otherwise, "least norm matters")),
        WrongClaim("no student fits noisy labels", never_fits),
        WrongClaim("three times as many samples", partial(by_theory, n=360)),
    ),
    slow=True,
)

CHECKS = (
    ONE_DESCENT,
    TWO_DESCENTS,
    WIDTHS,
)
