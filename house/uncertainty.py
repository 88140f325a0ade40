"""How uncertain an answer is whose inputs are: the standard deviation over normally distributed inputs.

Inputs are independent, each normal about its value. The answer is averaged over them by Gauss-Hermite
quadrature of five nodes each, which is exact for a polynomial of degree four in each input, and compared
with that of three nodes. Propagation to first order, the root of sum_j (dy/dx_j sd_j)^2, sees slopes alone:
at a minimum, at a peak, and where the inputs' errors are large, it is wrong. It is computed too, and where
both differ that is said.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.ranges import ends_of
from teacherstudent.house.rounding import SAME
from teacherstudent.house.running import Question
from teacherstudent.house.sensitivity import Input, derivatives, moved

OPTION = "uncertain"
FORM = "NAME=VALUE+-SD or NAME=VALUE+-PERCENT%, the standard deviation of a parameter"

NODES, FEWER = 5, 3
"""Values of each input: those that are used, and those that they are compared with."""

MOST = 3
"""Inputs that may be uncertain at a time: 5^3 curves."""

ALIKE = 0.1
"""The share by which a bar to first order may differ that is taken for right."""

EVEN = 0.2
"""The share by which quadratures may differ; that of more nodes is then mostly right to a few percent."""

REACH = 3.0
"""Standard deviations from its value that an input's domain must hold: the outermost node is at 2.86."""


@dataclass(frozen=True)
class Bar:
    """Of one observable, arrays (T, ...): the standard deviation, how far the mean lies from the answer, and
    the standard deviation to first order."""

    spread: np.ndarray
    shift: np.ndarray
    first_order: np.ndarray


def read_uncertain(given: Any) -> dict[str, tuple[str | float, str | float]]:
    """Value and standard deviation by the name of each input, as they were written. Raises `InputError`.

    given: {name: (value, sd)}, or one or several texts NAME=VALUE+-SD, also in one text with commas.
    """
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        pairs = [_pair(text) for each in _texts(given) for text in each.split(",")]
    for name, pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise InputError(OPTION, f"{name}={pair}", f"{FORM}; in Python {{name: (value, sd)}}")
    names = [name for name, _ in pairs]
    if not names or len(names) > MOST or len(set(names)) < len(names):
        raise InputError(OPTION, ",".join(map(str, names)), f"one to {MOST} different inputs")
    return {name: (pair[0], pair[1]) for name, pair in pairs}


def _texts(given: Any) -> Sequence[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        raise InputError(OPTION, given, FORM)
    return texts


def _pair(text: str) -> tuple[str, tuple[str, str]]:
    match = re.fullmatch(r"\s*([\w-]+)\s*=(.+?)(?:\+-|\+/-|±)(.+)", text)
    if not match:
        raise InputError(OPTION, text, FORM, "as noise=0.1+-0.02")
    return match[1], (match[2].strip(), match[3].strip())


def value_and_sd(declared: Parameter, value: Any, sd: Any) -> tuple[Any, float]:
    """The value as its declaration reads it, and the standard deviation, which may be given in percent of it.

    Raises `InputError`.
    """
    ends = ends_of(declared.domain)
    if ends is None:
        raise InputError(OPTION, declared.name, "a parameter that is a number")
    read = declared.check(value)
    if isinstance(read, str):
        raise InputError(OPTION, f"{declared.name}={value}", f"{FORM}, VALUE a number")
    center = float(read)
    written = f"{declared.name}={value}+-{sd}"
    share = str(sd).endswith("%")
    try:
        size = Number(0, low_open=True).parse(str(sd).removesuffix("%"))
        spread = Number(0, low_open=True).check(size * abs(center) / 100 if share else size)
    except ValueError:
        raise InputError(OPTION, written, f"{FORM}, SD a finite number > 0") from None
    room = min(center - ends.low, ends.high - center) / REACH
    if spread > room * (1 + SAME):
        domain = f"a value with {REACH:g} SD on both sides within the domain, {declared.domain.describe()}"
        raise InputError(OPTION, written, domain, f"an SD of at most {0.99 * room:.2g} does")
    return read, spread


def bars(question: Question, inputs: Sequence[Input], spreads: Sequence[float]) -> dict[str, Bar]:
    """The bar of each observable of a question whose inputs have these standard deviations.

    NaN where quadratures of five and of three nodes differ: there the answer is no smooth function of the
    inputs within their errors. Raises `InputError` where it has no answer at a node.
    """
    here = moved(question, inputs, [each.value for each in inputs])
    many, few = (_moments(question, inputs, spreads, here, count) for count in (NODES, FEWER))
    slopes = [derivatives(question, each) for each in inputs]
    found = {}
    for name, value in here.items():
        (spread, shift), (rough, rough_shift) = many[name], few[name]
        least = question.route.accuracy * np.abs(value)
        sure = (np.abs(spread - rough) <= EVEN * spread + least) & (
            np.abs(shift - rough_shift) <= EVEN * np.maximum(spread, np.abs(shift)) + least
        )
        parts = [slope[name].value * sd for slope, sd in zip(slopes, spreads, strict=True)]
        first = np.sqrt(np.sum(np.square(parts), axis=0))
        found[name] = Bar(np.where(sure, spread, np.nan), np.where(sure, shift, np.nan), first)
    return found


def _moments(
    question: Question,
    inputs: Sequence[Input],
    spreads: Sequence[float],
    here: Mapping[str, np.ndarray],
    count: int,
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Standard deviation and mean minus `here` of each observable, by `count` nodes of each input."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(count)
    weights = weights / weights.sum()
    mean = {name: np.zeros_like(each) for name, each in here.items()}
    square = {name: np.zeros_like(each) for name, each in here.items()}
    for place in itertools.product(range(count), repeat=len(inputs)):
        values = [one.value + sd * nodes[i] for one, sd, i in zip(inputs, spreads, place, strict=True)]
        weight = np.prod(weights[list(place)])
        for name, each in moved(question, inputs, values).items():
            gap = each - here[name]
            mean[name] += weight * gap
            square[name] += weight * gap**2
    return {name: (np.sqrt(np.maximum(square[name] - mean[name] ** 2, 0.0)), mean[name]) for name in here}
