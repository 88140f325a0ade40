"""The choice of a method for the worst group, after pezeshki2022 ch. 8.5."""

from __future__ import annotations

from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.ranges import Between
from teacherstudent.house.selections import Searched, Selection
from teacherstudent.problems.spurious_groups.training import MOMENTUM

_POSITIVE = Number(0, low_open=True)

SELECTION = Selection(
    id="spurious-groups",
    trained="frozen-groups",
    dynamics="descent",
    route="simulation",
    rows="features",
    table=("table", "target", "attribute", "split", "leave_out", "missing", "encode"),
    over="method",
    searched=(
        Searched(
            Parameter(
                "learning_rate",
                "eta",
                "1/curvature of the mean loss",
                Between(_POSITIVE),
                "step sizes",
                "1e-4:0.1",
            )
        ),
        Searched(
            Parameter(
                "weight_decay",
                "lambda",
                "curvature of the mean loss",
                Between(_POSITIVE),
                "weight decays",
                "1e-5:0.1",
            )
        ),
        Searched(
            Parameter(
                "batch_size", "B", "examples", Between(Whole(1)), "batch sizes, powers of two", "8:128"
            ),
            "power of two",
        ),
        Searched(
            Parameter(
                "jtt_epochs",
                "T",
                "epochs",
                Between(Whole(1)),
                "just train twice: number of epochs of the first training",
                "1:20",
            ),
            "whole",
        ),
        Searched(
            Parameter(
                "jtt_upweight",
                "lambda_up",
                "1",
                Between(Whole(1)),
                "just train twice: number of copies of each example that is classified wrongly",
                "2:50",
            ),
            "whole",
        ),
    ),
    fixed=(MOMENTUM,),
    longest=Parameter(
        "epochs", "k", "epochs", Whole(1, 100_000), "largest number of epochs; every epoch is a candidate", 60
    ),
    criteria={
        "worst group": "validation_worst_group_accuracy",
        "average": "validation_accuracy",
    },
    told=("worst_group_accuracy", "test_accuracy"),
)
