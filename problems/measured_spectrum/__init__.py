"""Linear regression on the user's own data: any covariance, any target, any time.

Rows phi of features and targets y, (P of them), are centred by their means over all P rows. A student
yhat = phi.w_hat is trained on n rows by the loss, a SUM over the n rows and over outputs,
L = 1/2 sum |y - yhat|^2 + ridge/2 |w_hat|^2, from weights N(0, init^2). Errors are means over rows of
squares WITHOUT the half, summed over outputs; label noise, N(0, noise^2) on each output of each row, is
part of them. What matters of the data is a *spectrum*: the eigenvalues lambda_k of the covariance
phi^T phi/P, their multiplicities, and the power of the target in each, theta_k^2 lambda_k.

Rows come from arrays, from a kernel on arrays (features are then those of the kernel, centred), or from a
law: modes that are listed, or a power law. Sampling: "pool" draws n rows without replacement from the P
and tests on the other P - n; "population" draws Gaussian rows (and targets) of the same second moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Choice, Number, OrWord, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import LEARNING_RATE, Parameter
from teacherstudent.house.tables import Table
from teacherstudent.problems.measured_spectrum.sources import BUNDLED, Modes, OrBundled

MOST = 10**12

SAMPLES = Parameter(
    "n", "n", "rows", Whole(1, MOST), "number of training rows", 100, also=("samples",), extensive=True
)
FEATURES = Parameter(
    "features",
    "phi",
    "own units",
    OrBundled("features"),
    "features, a row an example, instead of a law",
    instead_of=("modes", "capacity", "source", "size"),
)
TARGETS = Parameter(
    "targets",
    "y",
    "output",
    OrBundled("targets"),
    "targets, a row an example: several columns are several outputs; classes become one-hot",
    instead_of=("modes", "capacity", "source", "size"),
)
GRAM = Parameter(
    "gram",
    "K",
    "feature^2",
    OrBundled("gram"),
    "a given kernel of all rows with all rows, instead of features",
    instead_of=("features", "kernel", "width", "depth", "modes", "capacity", "source", "size"),
)
TASK = Parameter(
    "task",
    "",
    "",
    Choice(("auto", "regression", "classification")),
    "what the targets are; auto: classes where they are one column of few whole numbers",
    "auto",
)
KERNEL = Parameter(
    "kernel",
    "",
    "",
    Choice(("linear", "rbf", "ntk")),
    "features of the rows: their own, of a Gaussian kernel, or of the neural tangent kernel of a ReLU network",
    "linear",
)
WIDTH = Parameter(
    "width",
    "ell",
    "feature",
    OrWord("auto", Number(0, low_open=True)),
    "length of the Gaussian kernel exp(-|x - x'|^2/(2 ell^2)); auto: the median distance of rows",
    "auto",
)
DEPTH = Parameter(
    "depth", "L", "layers", Whole(1, 100), "hidden layers of the network of the tangent kernel", 1
)
MODES = Parameter(
    "modes",
    "m_k:lambda_k:t_k",
    "count:eigenvalue:power",
    Modes(),
    "any spectrum as count:eigenvalue:power, the power theta_k^2 lambda_k of the target summed over the count",
    instead_of=("capacity", "source", "size"),
)
CAPACITY = Parameter(
    "capacity", "a", "1", Number(1, low_open=True), "power law lambda_k = k^-a of the eigenvalues", 1.5
)
SOURCE = Parameter(
    "source",
    "r",
    "1",
    Number(0, low_open=True),
    "power law theta_k^2 lambda_k = k^-(1 + 2 r a) of the target's power",
    0.5,
)
SIZE = Parameter("size", "d", "modes", Whole(1, 10**6), "number of modes of the power law", 400)
SAMPLING = Parameter(
    "sampling",
    "",
    "",
    Choice(("pool", "population")),
    "pool: n of the rows without replacement, tested on the others (default for arrays); population: Gaussian "
    "rows of the same second moments (the only one for a law)",
)
NOISE = Parameter(
    "noise", "sigma_eps", "output", Number(0), "standard deviation of label noise that is added", 0.0,
    also=("sigma",),
)  # fmt: skip
RIDGE = Parameter(
    "ridge",
    "lambda",
    "curvature of the summed loss",
    Number(0),
    "ridge of the summed loss: ridge/2 |w_hat|^2",
    0.0,
    also=("weight_decay",),
)
INIT = Parameter(
    "init",
    "sigma_0",
    "weight",
    Number(0),
    "standard deviation of the initial student weights (features only)",
    0.0,
    also=("sigma",),
)


@dataclass(frozen=True)
class MeasuredSpectrum:
    """An instance. Exactly one of these says where the rows come from: `features` (with a kernel),
    `gram`, `modes`, or the power law of `capacity`, `source` and `size`; the others are None or empty.

    All fields are already validated; build it through `PROBLEM.instance`.
    """

    n: int
    features: Table | None = None
    gram: Table | None = None
    targets: Table | None = None
    task: Literal["", "regression", "classification"] = ""
    kernel: str = ""
    width: float | str | None = None
    depth: int | None = None
    modes: tuple[tuple[int, float, float], ...] = ()
    capacity: float | None = None
    source: float | None = None
    size: int | None = None
    sampling: Literal["pool", "population"] = "population"
    noise: float = 0.0
    ridge: float = 0.0
    init: float = 0.0

    @property
    def measured(self) -> bool:
        """Whether there are rows, or only a law."""
        return self.targets is not None

    @property
    def rows(self) -> int:
        """P, the number of measured rows; 0 of a law."""
        return 0 if self.targets is None else len(self.targets.values)


def _build(
    *,
    n: int,
    features: Table | None,
    gram: Table | None,
    targets: Table | None,
    task: str,
    kernel: str,
    width: float | str,
    depth: int,
    modes: tuple[tuple[int, float, float], ...] | None,
    capacity: float,
    source: float,
    size: int,
    sampling: str | None,
    **training: float,
) -> MeasuredSpectrum:
    if features is None and gram is None and targets is None:
        if sampling == "pool":
            raise InputError(
                "sampling", sampling, "population where no --features are given: a law has no rows"
            )
        law: dict[str, Any] = (
            {"modes": modes} if modes else {"capacity": capacity, "source": source, "size": size}
        )
        return MeasuredSpectrum(n, **law, **training)
    if targets is None:
        raise InputError("targets", "(missing)", "given beside --features or --gram")
    given = gram or features
    if given is None:
        raise InputError("features", "(missing)", "given beside --targets, or --gram instead")
    if len(given.values) != len(targets.values):
        raise InputError("targets", targets.name, f"of as many rows as the features: {len(given.values)}")
    sampling = sampling or "pool"
    if sampling == "pool" and n >= len(given.values):
        raise InputError("n", n, f"below {len(given.values)}, the number of rows: the rest is for testing")
    of_kernel: dict[str, Any] = {"kernel": "gram"} if gram else {"kernel": kernel}
    if kernel == "rbf":
        of_kernel["width"] = width
    if kernel == "ntk":
        of_kernel["depth"] = depth
    if training["init"] and of_kernel["kernel"] != "linear":
        raise InputError("init", training["init"], "0 for a kernel, whose students start at zero")
    return MeasuredSpectrum(
        n,
        features=features,
        gram=gram,
        targets=targets,
        task=_task(targets) if task == "auto" else task,  # type: ignore[arg-type]
        sampling=sampling,  # type: ignore[arg-type]
        **of_kernel,
        **training,
    )


MOST_CLASSES = 20


def _task(targets: Table) -> str:
    """Classes where the targets are one column of few whole numbers."""
    import numpy as np

    values = targets.values
    few = values.shape[1] == 1 and values.dtype.kind == "i" and np.unique(values).size <= MOST_CLASSES
    return "classification" if few else "regression"


_error = partial(Observable, nonnegative=True, best="least")


def _observed(problem: MeasuredSpectrum, options: Mapping[str, Any]) -> tuple[str, ...]:
    told = problem.task == "classification" and problem.sampling == "pool"
    return ("generalisation_error", "training_error", *(("error_rate",) if told else ()))


_LAW = {"n": 12, "modes": ((4, 1.0, 0.6), (6, 0.1, 0.4)), "noise": 0.3, "ridge": 0.1, "init": 0.2}
_ROWS = {"features": "wine", "targets": "wine", "n": 20, "noise": 0.1, "ridge": 0.1}

PROBLEM = Problem(
    id="measured-spectrum",
    title="Your own data: any covariance, any target, any time",
    source="deterministic equivalents for any spectrum and any target",
    parameters=(
        SAMPLES,
        FEATURES,
        TARGETS,
        GRAM,
        TASK,
        KERNEL,
        WIDTH,
        DEPTH,
        MODES,
        CAPACITY,
        SOURCE,
        SIZE,
        SAMPLING,
        NOISE,
        RIDGE,
        INIT,
    ),  # fmt: skip
    dynamics=(
        Dynamics(
            "descent",
            Parameter("time", "k", "steps", Whole(0), "step of gradient descent"),
            whole_time=True,
            options=(LEARNING_RATE,),
        ),
        Dynamics("flow", Parameter("time", "s", "1/curvature", Number(0), "flow time s = eta k")),
        Dynamics(
            "ridge",
            Parameter(
                "time",
                "1/lambda_added",
                "1/curvature",
                Number(0, low_open=True),
                "inverse of the ridge added to --ridge",
            ),
        ),
    ),
    observables=(
        _error(
            "generalisation_error",
            "E_g",
            "output^2",
            "squared error on rows not trained on, label noise included, summed over outputs, no half",
        ),
        _error("training_error", "E_t", "output^2", "squared error on the training rows, likewise"),
        _error(
            "error_rate", "p_err", "1", "share of rows not trained on that the largest output misclassifies"
        ),
    ),
    build=_build,
    observed=_observed,
    examples=(_LAW, _ROWS, {**_ROWS, "sampling": "population"}),
    convention="training loss: a sum over rows and outputs, 1/2 each, plus ridge/2 |w_hat|^2",
)

__all__ = ["BUNDLED", "PROBLEM", "MeasuredSpectrum"]
