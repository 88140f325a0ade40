"""Worst-group accuracy on a user's features: seven methods of pezeshki2022 ch. 8 for training a last layer.

A file holds features x, classes y and attributes a of training, validation and test rows; the pairs (y, a)
that occur among training rows are the groups. The student is a linear layer with a constant on frozen
features, with one logit per class and zero initial weights. Training loss: the MEAN over a batch of the
cross-entropy, plus weight_decay/2 times the squares of all weights, including the constants. Methods are
those of `spurious-groups`: subsets are the first rows of each class or group in a random order; resampled
epochs draw as many rows as the training set has. Without a file, rows are scikit-learn's digits under stripes
whose direction is the attribute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from teacherstudent.house.declarations import Dynamics, Observable, Problem
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.problems.frozen_groups.one_table import rows_of
from teacherstudent.problems.frozen_groups.selection import SELECTION
from teacherstudent.problems.frozen_groups.sources import STRIPES, GroupFile, Rows
from teacherstudent.problems.measured_spectrum import parameters as shared
from teacherstudent.problems.spurious_groups import METHOD
from teacherstudent.problems.spurious_groups.training import (
    BATCH_SIZE,
    GDRO_RATE,
    JTT_EPOCHS,
    JTT_UPWEIGHT,
    MOMENTUM,
    WEIGHT_DECAY,
)

FEATURES = Parameter(
    "features",
    "x",
    "own units",
    GroupFile(),
    "features x, classes y and attributes a of the rows of training (tr), validation (va) and test (te). "
    "With --table: the columns that are features (default: all others). Without either: images of stripes",
)
TARGET = replace(shared.TARGET, meaning="column of --table with the class: text or whole numbers")
ATTRIBUTE = replace(TARGET, name="attribute", meaning="attribute column of --table: text or whole numbers")
SPLIT = replace(
    TARGET,
    name="split",
    meaning="column of --table that says train, val, test or 0, 1, 2 in each row (default: random)",
)
ONE_TABLE = (replace(shared.TABLE, instead_of=()), TARGET, ATTRIBUTE, SPLIT, shared.LEAVE_OUT, shared.MISSING,
             shared.ENCODE)  # fmt: skip
LEARNING_RATE = Parameter(
    "learning_rate",
    "eta",
    "1/curvature of the mean loss",
    Number(0, low_open=True),
    "learning rate of stochastic descent",
    1e-2,
    also=("lr",),
)


@dataclass(frozen=True)
class FrozenGroups:
    """An instance. All fields are already validated; build it through `PROBLEM.instance`."""

    features: Rows
    method: str


def _build(*, method: str, table: Any, features: Any, **asked: Any) -> FrozenGroups:
    if table is not None:
        return FrozenGroups(rows_of(table.name, table, features=features, **asked), method)
    for name, value in asked.items():
        if value is not None:
            raise InputError(name, value, "left out without --table, because it concerns the table's columns")
    if isinstance(features, str | tuple):
        hint = did_you_mean(features, [STRIPES]) or "it does not end in .npz, unlike files of numpy.savez"
        raise InputError("features", features, FEATURES.domain.describe(), hint)
    return FrozenGroups(features or FEATURES.check(STRIPES), method)


def _coordinates(problem: FrozenGroups) -> Mapping[str, Any]:
    """Groups are numbered from 1; label and attribute of each lie along the same axis."""
    pairs = problem.features.groups
    unit = {"units": "1"}
    return {
        "group": ("group", list(range(1, len(pairs) + 1)), unit | {"long_name": "group"}),
        "label": ("group", [y for y, _ in pairs], unit | {"long_name": "class of the group", "symbol": "y"}),
        "spurious_attribute": (
            "group",
            [a for _, a in pairs],
            unit | {"long_name": "attribute, likewise", "symbol": "a"},
        ),
    }


_accuracy = partial(Observable, best="most")

PROBLEM = Problem(
    id="frozen-groups",
    title="Worst-group accuracy on your own frozen features",
    source="pezeshki2022 ch. 8",
    question="Which training method helps the worst group in my own features?",
    parameters=(FEATURES, *ONE_TABLE, METHOD),
    dynamics=(
        Dynamics(
            "descent",
            Parameter("time", "k", "epochs", Whole(0), "epoch of stochastic descent with momentum"),
            whole_time=True,
            options=(
                LEARNING_RATE,
                BATCH_SIZE,
                MOMENTUM,
                WEIGHT_DECAY,
                GDRO_RATE,
                JTT_EPOCHS,
                JTT_UPWEIGHT,
            ),
            times=Span(1, 60, 12),
        ),
    ),
    observables=(
        _accuracy("worst_group_accuracy", "A_w", "1", "smallest of the groups' test accuracies"),
        _accuracy(
            "test_accuracy",
            "A",
            "1",
            "share of test rows that are classified correctly, with every row counted equally; the average "
            "accuracy in the literature weights groups by their shares of the training rows",
        ),
        _accuracy("group_accuracy", "A_ya", "1", "test accuracy of each group", dims=("group",)),
        _accuracy(
            "validation_worst_group_accuracy", "A_w", "1", "smallest of the groups' validation accuracies"
        ),
        _accuracy("validation_accuracy", "A", "1", "share of validation rows that are classified correctly"),
        _accuracy(
            "training_worst_group_accuracy",
            "A_w",
            "1",
            "smallest of the groups' accuracies on the training rows that are kept",
        ),
        Observable("norm", "|w|", "weight", "norm of all weights, including the constants", nonnegative=True),
    ),
    build=_build,
    derived=lambda problem: {"features": problem.features} if problem.features.name == STRIPES else {},
    remarks=lambda problem: "; ".join(problem.features.said),
    examples=({"batch_size": 64, "weight_decay": 0.1},),
    coordinates=_coordinates,
    convention="training loss: a mean over the batch, plus weight_decay/2 times the sum of squared weights",
)

__all__ = ["PROBLEM", "SELECTION", "FrozenGroups"]
