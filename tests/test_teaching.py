"""What lessons are taught with: their exercises, held to independent routes, tell right from wrong."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, minimize_scalar
from scipy.special import betainc, erf, roots_genlaguerre, roots_hermitenorm

import teacherstudent as ts
from teacherstudent.api.lesson import lessons
from teacherstudent.api.teaching import Exercise, agree, function, teaching
from teacherstudent.house.errors import InputError
from teacherstudent.lessons import discriminator as lesson_on_discriminators
from tests.support import refusal, say

TAUGHT = [name for name, each in lessons().items() if each.title.startswith("Lesson ")]


def exercise(name: str) -> Exercise:
    """The exercise in code of a lesson."""
    found = teaching(name).exercise
    assert found
    return found


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_says_what_it_is_for_and_asks_before_it_shows(name: str) -> None:
    of = teaching(name)
    assert 3 <= len(of.goals) <= 5
    assert of.prerequisites
    assert 10 <= of.minutes <= 120
    assert of.think_first
    assert 2 <= len(of.think_first.answers) <= 5
    assert 1 <= of.think_first.right <= len(of.think_first.answers)
    assert of.think_first.because.strip()


@pytest.mark.parametrize("name", TAUGHT)
def test_the_solution_passes_and_every_mistake_is_told_by_name(name: str) -> None:
    of = exercise(name)
    assert ts.mark(name, function(of.solution)).right
    assert len(of.mistake) >= 5
    for each in of.mistake:
        marked = ts.mark(name, function(each.code))
        assert not marked.right
        assert marked.mistake == each.says
        assert marked.says.endswith(each.says)
        assert re.fullmatch(r"[^.].*[^.]\.", each.says)
        assert not re.search(r"(?<!Eq)\. ", each.says), "a hint is one sentence"


@pytest.mark.parametrize("name", TAUGHT)
def test_the_solution_and_the_mistakes_give_different_values(name: str) -> None:
    of = exercise(name)
    answers = [function(of.solution), *(function(each.code) for each in of.mistake)]
    values = [[float(each(**asked)) for asked in of.questions()] for each in answers]
    assert np.isfinite(values).all()
    for one, other in combinations(values, 2):
        assert not all(map(agree, one, other))
        assert not all(map(agree, other, one))


def test_digits_are_those_that_are_typed() -> None:
    for typed in (0.0352, 0.0353, 0.035245):
        assert agree(typed, 0.03524547941324387)
    assert not agree(0.0354, 0.03524547941324387)
    assert agree(0.035, 0.03524547941324387, 2)
    assert agree(1.0, 0.99951)
    assert agree(-12.3, -12.34)
    assert agree(0.0, 0)
    assert not any(agree(typed, 0) for typed in (0.001, math.nan, math.inf))


def test_an_answer_that_is_right_to_three_digits_is_told_how_accurate_it_is() -> None:
    solution = function(exercise("modes").solution)
    marked = ts.mark("modes", lambda **asked: solution(**asked) * (1 + 3e-4))
    assert not marked.right
    assert marked.relative_error == pytest.approx(3e-4)
    assert "right to 3 digits at all 12 questions" in marked.says
    assert "3.0e-04, and the exercise allows 1e-06" in marked.says


@pytest.mark.parametrize("name", TAUGHT)
def test_the_code_that_a_reader_starts_from_is_no_answer(name: str) -> None:
    assert not ts.mark(name, function(exercise(name).starter)).right


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_shows_all_that_it_is_taught_with(name: str) -> None:
    source = lessons()[name].path.read_text("utf-8")
    places = [
        re.search(rf'kit\.{part}\(\s*"{name}"[,)]', source).start()  # type: ignore[union-attr]
        for part in ("opening", "think_first", "exercises", "onwards")
    ]
    assert places == sorted(places)
    assert places[1] < source.index("kit.picture(")


def test_what_is_no_answer_is_told_in_one_line() -> None:
    assert "raises ZeroDivisionError" in ts.mark("modes", lambda **asked: 1 / 0).says
    assert "gives str, not a number" in ts.mark("modes", lambda **asked: "x").says  # type: ignore[arg-type, return-value]
    assert not ts.mark("modes", lambda **asked: float("nan")).right
    assert "gives int, not a number" in ts.mark("modes", lambda **asked: 10**400).says
    assert "raises SystemExit" in ts.mark("modes", lambda **asked: sys.exit(0)).says
    with pytest.raises(InputError, match="must be a function"):
        ts.mark("modes", 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a lesson with an exercise in code"):
        ts.mark("explorer", abs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "more", [("--pages", "folder"), ("--notebook", "mine.ipynb"), ("--port", "2718"), ("--no-browser",)]
)
def test_an_answer_is_marked_and_nothing_else_done(tmp_path: Path, more: tuple[str, ...]) -> None:
    said = say("lesson", "modes", "--answer", tmp_path / "mine.py", *more)
    assert "exclude each other" in refusal(said)
    assert list(tmp_path.iterdir()) == []


def overfitting(alpha: float, noise: float, s: float) -> float:
    """The error of the front door's gradient flow."""
    question = dict(alpha=alpha, scales=((1000, 1.0),), noise=noise, times=[s])
    flow = ts.curve("multiscale", dynamics="flow", route="asymptotic", **question)
    return 2 * flow["excess_risk"].item() + noise**2


def sphere(eta: float, decay: float, noise: float, r0: float) -> float:
    """The last time at which the front door's effective rate is one percent from that at rest."""
    question = dict(problem="scale-invariant", dynamics="online", scheme="sgd", noise=noise, d=400)
    question |= dict(learning_rate=eta, ridge=decay, radius0=r0)
    rest = ts.curve(times=[1.0], route="equilibrium", **question)["effective_learning_rate"].item()

    def far(time: float) -> float:
        seen = ts.curve(times=[time], route="theory", **question)["effective_learning_rate"].item()
        return abs(seen / rest - 1) - 0.01

    return brentq(far, 1e-3, 5 / (eta * decay), xtol=1e-8, rtol=1e-8)


def starving(s1: float, s2: float, delta: float, ridge: float) -> float:
    """The response of the front door's fixed point."""
    question = dict(s1=s1, s2=s2, delta=delta, ridge=ridge, times=[1.0])
    return ts.curve("starvation", dynamics="primal", route="fixed-point", **question)["z2"].item()


def examples(alpha: float, noise: float) -> float:
    """The pseudo-inverse of the front door."""
    question = dict(rule="pseudo-inverse", noise=noise, d=10**6, times=[alpha])
    limit = ts.curve("perceptron", dynamics="examples", route="asymptotic", **question)
    return limit["generalisation_error"].item()


def plateau(K: int, M: int) -> float:
    """The averages by Gauss and Hermite, without the arcsine."""
    nodes, weights = roots_hermitenorm(120)
    weights = weights / weights.sum()
    g = erf(nodes / math.sqrt(2))
    own = weights @ g**2  # of a teacher's unit with itself

    def risk(c: float) -> float:
        # The student's field is c (u + sqrt(M - 1) rest), with the teacher's u.
        field = c * (nodes[:, None] + math.sqrt(M - 1) * nodes)
        student = erf(field / math.sqrt(2))
        square = weights @ student**2 @ weights
        both = (weights * g) @ student @ weights
        return (K**2 * square - 2 * K * M * both + M * own) / 2

    return minimize_scalar(risk, bounds=(0, 2), method="bounded", options={"xatol": 1e-8}).fun


def tails(batch: float, inputs: float) -> float:
    """The mean of V squared by Gauss and Laguerre: exact for polynomials."""
    x, p = roots_genlaguerre(8, batch / 2 - 1)
    y, q = roots_genlaguerre(8, (inputs - 1) / 2 - 1)
    X, Y = 2 * x[:, None], 2 * y

    def excess(eta: float) -> float:
        V = (1 - eta / batch * X) ** 2 + (eta / batch) ** 2 * X * Y
        return (p / p.sum()) @ V**2 @ (q / q.sum()) - 1

    # h(4) is convex in the step and 1 at 0: one zero lies beyond.
    return brentq(excess, 1e-3, 10, xtol=1e-13)


def rows(n: float, capacity: float, ridge: float, noise: float) -> float:
    """What is missed, times n and the slope of kappa in the ridge: no squares of L_k."""
    k = np.arange(1, 201)
    eigenvalues, power = k**-capacity, k**-1.5

    def kappa(ridge: float) -> float:
        def left(kappa: float) -> float:
            return kappa * (n - np.sum(eigenvalues / (eigenvalues + kappa))) - ridge

        return brentq(left, 0, 1e3, xtol=1e-16, rtol=1e-14)

    missed = np.sum((kappa(ridge) / (eigenvalues + kappa(ridge))) ** 2 * power)
    step = 1e-4 * ridge
    return n * (kappa(ridge + step) - kappa(ridge - step)) / (2 * step) * (missed + noise**2)


def modes(s1: float, s2: float, u0: float) -> float:
    """Both modes by integration of Eq. 2.2.18, up to where mode 1 is half learned."""

    def half(_: float, u: np.ndarray) -> float:
        return u[0] - s1 / 2

    half.terminal = True  # type: ignore[attr-defined]
    strengths = np.array([s1, s2])
    exact = dict(rtol=1e-10, atol=1e-14, method="DOP853")
    learned = solve_ivp(lambda _, u: 2 * u * (strengths - u), (0, 100), [u0, u0], events=half, **exact)
    return learned.y[1, -1] / s2


def descents(n: float, d: float, p: float, noise: float) -> float:
    """The front door with slow features a million times weaker, after the fast ones."""
    question = dict(alpha=n / d, scales=((int(p), 1.0), (int(d - p), 1e-6)), noise=noise, times=[1e6])
    return ts.curve("multiscale", dynamics="flow", route="asymptotic", **question)["excess_risk"].item()


def grokking(n: float, d: float, init: float, ridge: float, rate: float, above: float) -> float:
    """The front door's gradient descent, interpolated between whole numbers of steps."""
    question = dict(n=int(n), d=int(d), p=int(d), kappa=1, init=init, ridge=ridge, learning_rate=rate)
    steps = np.append(np.arange(1, 400), 5000)  # at the last of them the error is final
    risk = ts.curve("multiscale", dynamics="descent", route="asymptotic", times=steps, **question)
    left = 2 * (risk["excess_risk"].values - risk["excess_risk"].values[-1])
    at = np.flatnonzero(left > above)[-1]
    share = math.log(left[at] / above) / math.log(left[at] / left[at + 1])
    return steps[at] + share


def boundaries(kappa1: float, rise1: float, kappa2: float, rise2: float) -> float:
    """The boundary at which integrals of the slope have the ratio of the rises."""

    def rise(kappa: float, critical: float) -> float:
        end = math.sqrt(kappa - critical)
        return quad(lambda x: kappa - critical - x**2, -end, end)[0]

    def excess(critical: float) -> float:
        return rise(kappa1, critical) / rise(kappa2, critical) - rise1 / rise2

    return brentq(excess, 0, kappa1 - 1e-6, xtol=1e-12)


def interpolation(samples: float, noise: float, ridge: float) -> float:
    """Ridge regression on the inputs themselves, over the Marchenko-Pastur law of their eigenvalues."""
    own = 4 * (1 / 4 - 1 / (2 * math.pi) + ridge)
    psi = (np.arange(4000) + 0.5) * np.pi / 4000
    values = 1 + samples - 2 * math.sqrt(samples) * np.cos(psi)
    share = 2 * samples * np.sin(psi) ** 2 / np.maximum(values, 1e-300) / 4000
    each = (own**2 + noise**2 * values) / (values + own) ** 2
    return (max(0.0, 1 - samples) + float(share @ each)) / 2


def nonlinear(kappa: float, strong: float) -> float:
    """The root of the condition, for strengths whose mean square is 1 by construction."""
    strengths = np.where(np.arange(1000) < round(1000 * strong), kappa, 1.0)
    weak = np.min(strengths) / math.sqrt(np.mean(strengths**2))
    return brentq(lambda q: q / (1 - q) - weak**2, 0, 0.99, xtol=1e-15)


def own(columns: float, rows: float, drop: float) -> float:
    """The root over the number of rows of the error that is wanted."""

    def error(each: float) -> float:
        return 1 / (1 - columns / each)

    return brentq(lambda each: error(each) - (1 - drop) * error(rows), rows, 1e9, xtol=1e-9, rtol=1e-14)


def leaving(stability: float, radius: float) -> float:
    """The wait from the Lévy measure, and the Gaussian time as a series in the height of the well."""
    # The measure c |x|^(-1 - stability) has the characteristic exponent |k|^stability.
    inner = quad(lambda x: np.sinc(x / (2 * np.pi)) ** 2 / 2 * x ** (1 - stability), 0, 1, epsrel=1e-10)[0]
    outer = quad(lambda x: x ** (-1 - stability), 1, np.inf, weight="cos", wvar=1, epsabs=1e-11)[0]
    measure = 1 / (2 * (inner + 1 / stability - outer))
    wait = radius**stability * stability / (2 * measure)
    k = np.arange(200)
    coefficients = np.cumprod(np.concatenate([[1.0], 1 / (k[:-1] + 1.5)])) / (k + 1)

    def gaussian(a: float) -> float:
        return radius**2 / 2 * float(np.sum(coefficients * (a * radius**2 / 2) ** k))

    return brentq(lambda a: gaussian(a) - wait, 0, 60 / radius**2, xtol=1e-13)


def groups(p: float, ratio: float, gamma_noise: float) -> float:
    """The front door at many examples."""
    few = round(100_000 * p)
    question = dict(groups=(100_000 - few, few, few, 100_000 - few), noise_features=round(200_000 * ratio))
    question |= dict(gamma_spurious=2.0, gamma_noise=gamma_noise, test_noise="fresh", init=0.0)
    step = dict(dynamics="normalised", route="initial-gradient", method="rwg", times=[1])
    accuracy = ts.curve("spurious-groups", **step, **question)["group_accuracy"]
    return accuracy.isel(time=0, group=[1, 2]).mean().item()


def labels(wrong: float, steps: int, decay: float) -> float:
    """Descent step by step, and the variance by a count over all labels."""
    c, gain = 0.1 / np.arange(1, 61) ** 2, np.zeros(60)
    for _ in range(steps):
        gain = gain - 12 * (c * (gain - 1) + decay * gain)
    chance = np.array([1 - wrong, *[wrong / 9] * 9])
    drawn = np.eye(10) - 1 / 10
    variance = chance @ np.sum((drawn - chance @ drawn) ** 2, axis=1)
    return 0.5 * variance * float(np.mean(gain**2))


def students(inputs: int, outputs: int, units: int, degree: int) -> float:
    """The ambiguity of the front door, which counts by exact ranks."""
    question = dict(inputs=inputs, outputs=outputs, units=units, degree=degree, lowest=2, times=[60])
    counted = ts.curve("flexible-activations", dynamics="examples", route="rank", **question)
    return counted["ambiguity"].item()


def discriminator(distance: float, bias: float) -> float:
    """The point moved along the speed, until it is at its data."""

    def arrived(_: float, at: np.ndarray) -> float:
        return at[0]

    def speed(_: float, at: np.ndarray) -> np.ndarray:
        square = at**2
        return -(at - bias / (2 * math.pi) * (square - bias**2) / (square + bias**2))

    arrived.terminal = True  # type: ignore[attr-defined]
    exact = dict(rtol=1e-11, atol=1e-12, method="DOP853")
    return solve_ivp(speed, (0, 1000), [distance], events=arrived, **exact).t[-1]


def cloud(distance: float, half: float, length: float) -> float:
    """The slope of the lesson's discriminator, which takes any points in any number of dimensions."""
    places = np.array([[distance - half], [distance + half]])
    (left,), (right,) = -lesson_on_discriminators.witness(
        "fourier", length, places, places, np.zeros((1, 1))
    )[1]
    return float(right - left) / 2


def trust(points: int, draws: int, chance: float) -> float:
    """The tails of Student's law by the incomplete beta function, all points at once."""

    def excess(threshold: float) -> float:
        beyond = betainc((draws - 1) / 2, 0.5, (draws - 1) / (draws - 1 + threshold**2))
        return math.log(-math.expm1(points * math.log1p(-beyond)) / chance)

    return brentq(excess, 1, 1000, xtol=1e-12)


TRUTHS: dict[str, Callable[..., float]] = {
    each.__name__: each
    for each in (
        *(
            overfitting,
            sphere,
            starving,
            examples,
            plateau,
            tails,
            rows,
            modes,
            descents,
            grokking,
            boundaries,
        ),
        *(interpolation, nonlinear, leaving, groups, labels, students, discriminator, cloud, own, trust),
    )
}

# Why there is no independent route to a lesson's solution.
NONE: dict[str, str] = {}

# Relative accuracies of limits; all else is held to the accuracy of the exercise.
LIMITS: dict[str, float] = {
    "descents": 1e-5,  # by then slow features learned a share of 1e-6, of risks of order 1
    "grokking": 1e-5,  # what is left of other parts when the test error is that close to its end
}


def test_each_lesson_has_a_truth_or_a_reason() -> None:
    assert sorted([*TRUTHS, *NONE]) == sorted(TAUGHT)
    assert len(NONE) <= 3


@pytest.mark.parametrize("name", TRUTHS)
def test_the_solution_is_true(name: str) -> None:
    exercise = teaching(name).exercise
    assert exercise
    solution = function(exercise.solution)
    for asked in exercise.questions(4):
        assert solution(**asked) == pytest.approx(
            TRUTHS[name](**asked), rel=LIMITS.get(name, exercise.accuracy), abs=0
        ), asked
