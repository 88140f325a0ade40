"""Somebody's own draws against her own theory: whether they agree, and which errors they could have shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from teacherstudent.api.judged.judgement import Judgement
from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import Parameter

if TYPE_CHECKING:
    import numpy as np

    from teacherstudent.api.judged.values import Labels, Theory, Values

MEANT = "probability that a correct theory is rejected, over all points together"
LEVEL = Parameter("level", "", "", Number(1e-12, 0.1), MEANT, 1e-4)
EXPONENT = Parameter(
    "exponent",
    "",
    "",
    Number(0, 10, low_open=True),
    "with --sizes, the exponent of the bias, which must decrease like size^-exponent",
)
SIZE = Parameter("sizes", "", "", Number(0, low_open=True), "sizes of the draws")
EFFECT = Parameter(
    "effect", "", "", Number(0, low_open=True), "size of the effect that the draws must resolve"
)

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

    The means over draws may differ from the theory by a multiple of their standard errors. This multiple is a
    quantile of Student's statistic for the number of points and for draws as skewed as yours. If the smallest
    detectable error exceeds half of the effect, the verdict is `cannot tell`.

    Args:
        draws: Array (seeds, points) of independent draws, or (seeds,) for one point; or the path of a CSV
            file with one row for each seed under the labels of the points, or with the columns seed, point
            and value. With `sizes`, give a list with one such array or path for each size.
        theory: Array (points,), the path of a CSV file with columns point and value, or a function
            `f(points)` or `f(points, size)`. NaN marks points where it has no value.
        effect: The effect that the draws must resolve: a number or an array in the unit of the values, the
            name of one of `wrong`, or another theory (a file or a function). The default is the size of the
            values themselves, or their median at points where they are small.
        wrong: Deliberately wrong theories by name, in the same form as the theory. If the draws do not reject
            all of them, the verdict is `blunt`.
        points: Labels of the points, numbers or texts. Points in files are matched with these labels.
        sizes: Three sizes or more, if the theory holds in the limit of large ones: the bias is fitted as
            size**-exponent and the means are extrapolated. A theory that takes a size must hold at every size
            unless an exponent is given.
        exponent: The exponent that the bias must have.
        level: Probability of rejecting a correct theory (default 1e-4).

    Returns:
        The verdict, with the numbers that justify it.

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
    from teacherstudent.api.judged.values import labels_of, read_theory, real_numbers
    from teacherstudent.api.judged.verdicts import Effect, effect_of_other, effect_of_values, verdict_of

    level = LEVEL.check(LEVEL.default if level is None else level)
    if exponent is not None:
        exponent = EXPONENT.check(exponent)
        if sizes is None:
            raise InputError("exponent", exponent, "absent where there are no sizes")
    if not isinstance(wrong or {}, Mapping) or not all(
        isinstance(name, str) and name for name in wrong or {}
    ):
        raise InputError("wrong", wrong, "wrong theories by name, {name: theory}")
    right = read_theory(theory, "theory")
    samples, labels, remarks = _brought(_by_size(draws, sizes), labels_of(points), right)
    count = next(iter(samples.values())).shape[1]

    def asked(given: Any, option: str) -> dict[float, np.ndarray]:
        theory = given if given is right else read_theory(given, option)
        found = {size: theory.at(labels, count, size) for size in samples}
        remarks.extend(each for values in found.values() for each in values.said)
        return {size: each.values for size, each in found.items()}

    claims, others = asked(right, "theory"), {}
    for name, each in (wrong or {}).items():
        try:
            others[name] = asked(each, "wrong")
        except InputError as error:
            raise error.hinted(f"this is {name!r}") if error.option == "wrong" else error from None
    exact = sizes is not None and exponent is None and right.takes_size
    rules = exact, exponent, level
    found = compare(samples, claims, *rules)

    def sized(given: Any) -> Effect:
        named = isinstance(given, str) and given in others
        if named or callable(given) or isinstance(given, str | PathLike):
            by = others[given] if named else asked(given, "effect")
            return effect_of_other(flat(by), found.claimed, repr(given) if named else "the other theory")
        numbers = real_numbers(given, "effect")
        if numbers.ndim == 0:
            size = EFFECT.check(float(numbers))
            return Effect(np.full(len(found.claimed), size), f"the effect {size:g}")
        if not (numbers >= 0).all() or not numbers.any():
            raise InputError("effect", given, "sizes of errors, at least 0, and some above 0")
        return Effect(flat(asked(numbers, "effect")), "the effect")

    def flat(by: Mapping[float, np.ndarray]) -> np.ndarray:
        return np.concatenate([by[size] for size in samples]) if exact else by[max(by)]

    matters = effect_of_values(found.claimed) if effect is None else sized(effect)
    names = labels or tuple(map(float, range(count)))
    places = tuple((size, label) for size in samples for label in names) if exact else names
    return verdict_of(samples, claims, others, found, matters, places, rules, remarks)


def _by_size(draws: Any, sizes: Any) -> dict[float, Values]:
    """Draws by size, increasing; under 0 where there is no size. Raises `InputError`."""
    from teacherstudent.api.judged.values import read_draws, real_numbers

    listed = isinstance(draws, list | tuple)
    if sizes is None:
        if (
            listed
            and draws
            and all(isinstance(d, str | PathLike) or getattr(d, "ndim", 0) == 2 for d in draws)
        ):
            raise InputError("sizes", "(missing)", f"given, one for each of {len(draws)} sets of draws")
        return {0.0: read_draws(draws)}
    numbers = [SIZE.check(each) for each in real_numbers(sizes, "sizes").ravel().tolist()]
    if len({*numbers}) < max(FEWEST_SIZES, len(numbers)):
        raise InputError("sizes", numbers, f"{FEWEST_SIZES} different sizes or more, which the rate needs")
    if not listed or len(draws) != len(numbers):
        domain = f"a list, one set of draws for each of {len(numbers)} sizes"
        raise InputError("draws", f"({len(draws) if listed else 1} given)", domain)
    return dict(sorted((size, read_draws(each)) for size, each in zip(numbers, draws, strict=True)))


def _brought(
    found: Mapping[float, Values], labels: Labels | None, theory: Theory
) -> tuple[dict[float, np.ndarray], Labels | None, list[str]]:
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
            hint = "turn them: draws.T" if points > 1 else "this is one draw; at least two are needed"
            domain = f"an array (seeds, points), of {wanted} points"
            raise InputError("draws", f"({seeds} x {points})", domain, hint)
        at = each.at(labels, len(labels) if labels else first.count, "draws")
        remarks += each.said
        kept[size] = _complete(at, f" of size {size:g}" if size else "", remarks)
    return kept, labels, remarks


def _complete(draws: Values, of: str, remarks: list[str]) -> np.ndarray:
    """The draws that lack no value; of others it is said. Raises `InputError`."""
    import numpy as np

    lacking = np.isnan(draws.values)
    if (empty := np.flatnonzero(lacking.all(axis=0))).size:
        label = draws.labels[empty[0]] if draws.labels else empty[0]
        raise InputError("draws", f"(point {label} empty)", "a table with values at each point: remove it")
    whole = draws.values[~lacking.any(axis=1)]
    left_out = len(lacking) - len(whole)
    if len(whole) < 2:
        value = f"({len(whole)}{' without missing values' * (left_out > 0)})"
        raise InputError("draws", value, f"two draws or more{of}, each with a value at every point")
    if left_out:
        remarks.append(
            f"{left_out} of {len(lacking)} draws{of} lack a value and are left out: if these runs "
            "diverged, the means describe only the other runs"
        )
    return whole
