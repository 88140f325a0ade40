"""The rows of a measured problem, centred unless --intercept is none, and what is drawn from them or from a
law.

Axes: S seeds, P rows of the pool, n training rows, p features (or d modes of a law), c outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teacherstudent.house.errors import InputError
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.memory_cache import Remembered
from teacherstudent.house.tables import Table
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum, kernels
from teacherstudent.problems.measured_spectrum.columns import scaled
from teacherstudent.problems.measured_spectrum.targets import classes_of

if TYPE_CHECKING:
    import numpy as np

NEGATIVE = 1e-8
"""How far below zero rounding may bring eigenvalues of a kernel, relative to their sum."""


@dataclass(frozen=True)
class Rows:
    """All rows: features (P, p) or None, gram (P, P) or None, targets (P, c).

    Centred by their means, features without columns that are constant; for --intercept none as they are, with
    the bias column last where there is one. classes: of each row, (P,), places among the outputs, where the
    targets are classes; or None. means: by which targets are centred, (c,), zeros where they are not. width:
    of a Gaussian kernel, also where it is taken from the rows; or None.
    """

    features: np.ndarray | None
    gram: np.ndarray | None
    targets: np.ndarray
    means: np.ndarray
    classes: np.ndarray | None
    width: float | None = None


_ROWS: Remembered[Rows] = Remembered()


def key_of(problem: MeasuredSpectrum) -> tuple[object, ...]:
    """Equal for problems whose rows are the same, however they are named, sampled and trained."""
    tables = (problem.features, problem.gram, problem.targets)
    return (
        *(None if each is None else each.digest for each in tables),
        problem.task, problem.kernel, problem.width, problem.depth, problem.standardise,
        problem.intercept == "none", problem.bias_column,
    )  # fmt: skip


def rows_of(problem: MeasuredSpectrum) -> Rows:
    """The rows of a measured problem, which nobody writes to. The same object again while it is remembered.

    Raises `InputError` for a given kernel that is none, and for rows whose kernel is the same everywhere.
    """
    return _ROWS.get(key_of(problem), lambda: run_interruptibly(lambda: _rows(problem)))


def numbers_of(problem: MeasuredSpectrum) -> float:
    """Number of float64 values that `rows_of` holds at its peak, without the tables; 0 for a law."""
    own = problem.rows * (problem.columns + 2 * problem.outputs)
    return own + (0 if problem.kernel in ("", "linear") else 2 * problem.rows**2)


def _rows(problem: MeasuredSpectrum) -> Rows:
    import numpy as np

    assert problem.targets is not None
    outputs, classes = problem.targets.values, None
    if problem.task == "classification":
        classes, counts = classes_of(problem.targets)
        outputs = np.eye(counts.size)[classes]
    raw = problem.intercept == "none"
    means = outputs.mean(axis=0) * (not raw)
    features = gram = width = None
    if problem.kernel == "linear":
        assert problem.features is not None
        varied = np.flatnonzero(~problem.features.constant | raw)
        features = np.take(scaled(problem), varied, axis=1)  # a copy, row by row as the table
        if problem.bias_column:
            features = np.column_stack([features, np.ones(problem.rows)])
        if not raw:
            features -= features.mean(axis=0)
    else:
        gram, width = _gram(problem)
    found = Rows(features, gram, outputs - means, means, classes, width)
    for each in (found.features, found.gram, found.targets):
        if each is not None:
            each.setflags(write=False)
    return found


def _gram(problem: MeasuredSpectrum) -> tuple[np.ndarray, float | None]:
    """The kernel of all rows with all rows, (P, P), centred or not, and its width where it has one."""
    import numpy as np

    width = None

    def read(kernel: np.ndarray) -> np.ndarray:
        """With what the features of a kernel are: centred, or beside a bias column."""
        return kernel + problem.bias_column if problem.intercept == "none" else kernels.centred(kernel)

    if problem.gram is not None:
        found = read(problem.gram.values.copy())
        _demand_kernel(found, problem.gram)
        return found, None
    assert problem.features is not None
    x = scaled(problem)
    if problem.kernel == "ntk":
        found = kernels.tangent(x, problem.depth or 1)
    else:
        found, width = kernels.gaussian(x, problem.width or "auto")
    size = float(np.abs(found).max())
    found = read(found)
    if not np.abs(found).max() > NEGATIVE * size:
        domain = "such that kernel values differ: here the kernel has the same value for all pairs of rows"
        raise InputError("width" if problem.kernel == "rbf" else "kernel", problem.width or "ntk", domain)
    return found, width


def _demand_kernel(centred: np.ndarray, given: Table) -> None:
    """Raise `InputError` for a matrix, centred or not, that has an eigenvalue below zero, or is zero."""
    import numpy as np

    if not np.abs(centred).max() > NEGATIVE * np.abs(given.values).max():
        raise InputError("gram", str(given), "a kernel of rows that differ: after centring it is zero")
    shifted = centred.copy()
    shifted[np.diag_indices_from(shifted)] += NEGATIVE * abs(np.trace(centred))
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        domain = "a kernel without negative eigenvalues after centring"
        raise InputError("gram", str(given), domain) from None


def law_of(problem: MeasuredSpectrum) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Multiplicities, eigenvalues and the target's power in each, (K,), of a problem that is a law."""
    import numpy as np

    if problem.modes:
        count, value, power = (np.array(each, dtype=float) for each in zip(*problem.modes, strict=True))
        return count, value, power
    assert problem.size is not None
    assert problem.capacity is not None
    assert problem.source is not None
    k = np.arange(1.0, problem.size + 1)
    return np.ones_like(k), k**-problem.capacity, k ** -(1 + 2 * problem.source * problem.capacity)


def demand_known(problem: MeasuredSpectrum) -> None:
    """Raise `InputError` where training rows are new ones, which can neither be drawn nor stand for all."""
    if problem.sampling == "new-rows":
        domain = "pool or population on this route"
        raise InputError("sampling", "new-rows", domain, "use --route extrapolation to predict new rows")


@dataclass(frozen=True)
class Draws:
    """What each seed drew (leading axis S).

    chosen: places of the training rows in the pool, (S, n), or None under population. mixtures: under
    population of measured rows g, (S, n, P): a training row is sum_i g_i row_i/sqrt(P), its target likewise.
    inputs: features of a law's rows, (S, n, d), or None. noise: that is added to the targets, (S, n, c).
    initial: w_hat at time 0, (S, p, c), or None of a kernel.
    """

    chosen: np.ndarray | None
    mixtures: np.ndarray | None
    inputs: np.ndarray | None
    noise: np.ndarray
    initial: np.ndarray | None


def draw(problem: MeasuredSpectrum, seeds: Sequence[int]) -> Draws:
    """Draw one training set a seed. Rows, noise and start have separate random streams.

    From a pool a seed draws its rows in one order: fewer are the first of more. Raises `InputError` for rows
    that nobody has.
    """
    import numpy as np

    demand_known(problem)
    n, columns, outputs = problem.n, problem.columns, problem.outputs
    chosen = mixtures = inputs = None
    if not problem.measured:
        counts, values, _ = law_of(problem)
        strengths = np.repeat(values, counts.astype(int))
        inputs = _normal(seeds, 1, n, columns) * np.sqrt(strengths)
    elif problem.sampling == "pool":
        orders = [np.random.default_rng([seed, 0]).permutation(problem.rows)[:n] for seed in seeds]
        chosen = np.stack(orders)
    else:
        mixtures = _normal(seeds, 1, n, problem.rows)
    return Draws(
        chosen,
        mixtures,
        inputs,
        problem.noise * _normal(seeds, 2, n, outputs),
        problem.init * _normal(seeds, 3, columns, outputs) if columns else None,
    )


def teacher_of(problem: MeasuredSpectrum) -> np.ndarray:
    """theta of a law, (d, 1): the power of each eigenvalue spread evenly over its modes."""
    import numpy as np

    counts, values, powers = law_of(problem)
    return np.repeat(np.sqrt(powers / (counts * values)), counts.astype(int))[:, None]


def _normal(seeds: Sequence[int], stream: int, *shape: int) -> np.ndarray:
    """Standard normal numbers, (S, *shape), from a stream of each seed's own."""
    import numpy as np

    return np.stack([np.random.default_rng([seed, stream]).standard_normal(shape) for seed in seeds])
