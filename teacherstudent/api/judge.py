"""Somebody's own draws against her own theory: whether they agree, and which errors they could have shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from teacherstudent.api.judged.judgement import Judgement
from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

if TYPE_CHECKING:
    import numpy as np

    from teacherstudent.api.judged.values import Labels, Theory, Values
    from teacherstudent.api.judged.verdicts import Effect

LEVEL = Parameter(
    "level",
    "",
    "",
    Number(1e-12, 0.1),
    "probability that a right theory is refused, all points together",
    1e-4,
)
EXPONENT = Parameter(
    "exponent", "", "", Number(0, 10, low_open=True), "with --sizes: the bias must fall like size^-exponent"
)
SIZE = Parameter("sizes", "", "", Number(0, low_open=True), "sizes of the draws")
EFFECT = Parameter("effect", "", "", Number(0, low_open=True), "size of an error that matters")

FEWEST_SIZES = 3


def judge(
    draws: Any,
    theory: Any,
    *,
    effect: Any = None,
    wrong: Mapping[str, Any] | None = None,
    points: Sequence[float | str] | None = None,
    sizes: Sequence[float] | None = None,
    exponent: float | None = None,
    level: float | None = None,
) -> Judgement:
    """Judge your own draws against your own theory.

    The means over draws may differ from the theory by a multiple of their standard errors: the quantile of
    Student's statistic for that number of points, and for draws as skewed as yours. An error smaller than the
    detectable one would pass; if that is more than half of the effect, the verdict is `cannot tell`.

    Args:
        draws: Array (seeds, points) of independent draws, or (seeds,) of one point; or the path of a CSV
            file: one row for each seed under the labels of the points, or the columns seed, point and value.
            With `sizes`, a list of these, one for each size.
        theory: Array (points,), the path of a CSV file with columns point and value, or a function
            `f(points)` or `f(points, size)`. NaN where it has no value.
        effect: An error that would matter: a number or an array in the unit of the values, the name of one of
            `wrong`, or another theory (a file or a function). Default: the values themselves, where they are
            small the median of all.
        wrong: Wrong theories by name, given as the theory is. Each must be refuted, otherwise the verdict is
            `blunt`.
        points: Labels of the points, numbers or texts. Those of files are matched with them.
        sizes: Three sizes or more, if the theory holds in the limit of large ones: the bias is fitted as
            size**-exponent and the means are extrapolated. A theory that takes a size must hold at each of
            them unless an exponent is given.
        exponent: The exponent that the bias must have.
        level: Probability that a right theory is refused (default 1e-4).

    Returns:
        The verdict, with everything that it rests on.

    Raises:
        InputError: For draws or a theory that are not numbers, for fewer than two draws, and for shapes or
            labels that do not match.

    Examples:
        >>> import numpy as np, teacherstudent as ts
        >>> x = np.linspace(0, 1, 5)
        >>> draws = x**2 + 0.1 * np.random.default_rng(0).standard_normal((100, 5))
        >>> found = ts.judge(draws, lambda x: x**2, points=x, effect=0.2, wrong={"cube": lambda x: x**3})
        >>> found.verdict, found.missed
        ('agrees', ())
    """
    import numpy as np

    from teacherstudent.api.judged.statistics import compare
    from teacherstudent.api.judged.values import labels_of, read_theory
    from teacherstudent.api.judged.verdicts import effect_of_other, effect_of_values, verdict_of

    level = LEVEL.check(LEVEL.default if level is None else level)
    if exponent is not None:
        exponent = EXPONENT.check(exponent)
        if sizes is None:
            raise InputError("exponent", exponent, "absent where there are no sizes")
    right = read_theory(theory, "theory")
    drawn, labels, remarks = _brought(_by_size(draws, sizes), labels_of(points), right)
    samples = {size: each.values for size, each in drawn.items()}
    count = next(iter(samples.values())).shape[1]

    def asked(at: Theory) -> dict[float, np.ndarray]:
        found = {size: at.at(labels, count, size) for size in samples}
        remarks.extend(each for values in found.values() for each in values.said)
        return {size: each.values for size, each in found.items()}

    claims = asked(right)
    others = {}
    for name, each in _wrong(wrong).items():
        try:
            others[name] = asked(read_theory(each, "wrong"))
        except InputError as error:
            raise error.hinted(f"this is {name!r}") if error.option == "wrong" else error from None
    exact = sizes is not None and exponent is None and right.takes_size
    rules = exact, exponent, level
    found = compare(samples, claims, *rules)

    def flat(by: Mapping[float, np.ndarray]) -> np.ndarray:
        return np.concatenate([by[size] for size in samples]) if exact else by[max(by)]

    def of(given: Any) -> Effect:
        if given is None:
            return effect_of_values(found.claimed)
        if isinstance(given, str) and given in others:
            return effect_of_other(flat(others[given]), found.claimed, repr(given))
        if callable(given) or isinstance(given, str | PathLike):
            other = flat(asked(read_theory(given, "effect")))
            return effect_of_other(other, found.claimed, "the other theory")
        return _of_numbers(given, lambda sizes: flat(asked(sizes)), len(found.claimed))

    names = labels or tuple(float(i) for i in range(count))
    places = tuple((size, label) for size in samples for label in names) if exact else names
    return verdict_of(samples, claims, others, found, of(effect), places, rules, remarks)


def _of_numbers(given: Any, flat: Any, count: int) -> Effect:
    """An effect of a size that is given for all points, or for each."""
    import numpy as np

    from teacherstudent.api.judged.values import read_theory, real_numbers
    from teacherstudent.api.judged.verdicts import Effect

    sizes = real_numbers(given, "effect")
    if sizes.ndim == 0:
        size = EFFECT.check(float(sizes))
        return Effect(np.full(count, size), f"the effect {size:g}")
    if not (sizes >= 0).all() or not sizes.any():
        raise InputError("effect", given, "sizes of errors, at least 0, and some above 0")
    return Effect(flat(read_theory(sizes, "effect")), "the effect")


def _wrong(given: Any) -> Mapping[str, Any]:
    """Wrong theories by name. Raises `InputError`."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) and name for name in given):
        raise InputError("wrong", given, "wrong theories by name, {name: theory}")
    return given


def _by_size(draws: Any, sizes: Any) -> dict[float, Values]:
    """Draws by size, increasing; under 0 where there is no size. Raises `InputError`."""
    from teacherstudent.api.judged.values import read_draws, real_numbers

    listed = isinstance(draws, list | tuple)
    if sizes is None:
        if listed and draws and all(map(_is_set, draws)):
            raise InputError("sizes", "(missing)", f"given, one for each of {len(draws)} sets of draws")
        return {0.0: read_draws(draws)}
    numbers = [SIZE.check(each) for each in real_numbers(sizes, "sizes").ravel().tolist()]
    if len({*numbers}) < max(FEWEST_SIZES, len(numbers)):
        raise InputError("sizes", numbers, f"{FEWEST_SIZES} different sizes or more, as a rate needs")
    if not listed or len(draws) != len(numbers):
        count = len(draws) if listed else 1
        domain = f"a list, one set of draws for each of {len(numbers)} sizes"
        raise InputError("draws", f"({count} given)", domain)
    found = {size: read_draws(each) for size, each in zip(numbers, draws, strict=True)}
    return dict(sorted(found.items()))


def _is_set(given: Any) -> bool:
    """Whether that is a set of draws, and not a draw."""
    return isinstance(given, str | PathLike) or getattr(given, "ndim", 0) == 2


def _brought(
    found: Mapping[float, Values], labels: Labels | None, theory: Theory
) -> tuple[dict[float, Values], Labels | None, list[str]]:
    """Draws without missing values, at the same points, the labels of these, and what was left out."""
    from teacherstudent.api.judged.values import Values

    given = theory.given if isinstance(theory.given, Values) else None
    first = next(iter(found.values()))
    labels = labels or first.labels or (given.labels if given else None)
    remarks: list[str] = []
    kept = {}
    for size, each in found.items():
        seeds, points = each.values.shape
        wanted = len(labels) if labels else given.count if given else points
        if each.labels is None and seeds == wanted != points:
            hint = "turn them: draws.T" if points > 1 else "this is one draw, and two or more are needed"
            domain = f"an array (seeds, points), of {wanted} points"
            raise InputError("draws", f"({seeds} x {points})", domain, hint)
        at = each.at(labels, len(labels) if labels else first.count, "draws")
        whole, of = _complete(at, f" of size {size:g}" if size else "")
        kept[size] = whole
        remarks += [*each.said, *of]
    return kept, labels, remarks


def _complete(draws: Values, of: str) -> tuple[Values, list[str]]:
    """The draws that lack no value, and what must be said of the others. Raises `InputError`."""
    import numpy as np

    lacking = np.isnan(draws.values)
    if (empty := lacking.all(axis=0)).any():
        place = int(np.flatnonzero(empty)[0])
        label = draws.labels[place] if draws.labels else place
        raise InputError("draws", f"(point {label} empty)", "a table with values at each point: leave it out")
    complete = ~lacking.any(axis=1)
    if (count := int(complete.sum())) < 2:
        value = f"({count})" if complete.all() else f"({count} without missing values)"
        raise InputError("draws", value, f"two draws or more{of}, each with a value at every point")
    if complete.all():
        return draws, []
    return replace(draws, values=draws.values[complete]), [
        f"{int((~complete).sum())} of {len(complete)} draws{of} lack a value and are left out: if these are "
        "runs that diverged, the means are those of the others"
    ]
