"""States and shares of the checks when each was last run, kept in `last_run.json`.

`python -m tools.last_run FILE` takes them from what `teacherstudent check all --json FILE` wrote. Shares are
rounded: other processors find slightly other ones.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from teacherstudent.house.catalogue import listed
from teacherstudent.paper_checks.code import code_of
from teacherstudent.paper_checks.ledger import checks

FILE = Path(__file__).with_name("last_run.json")
NOT_RUN = "not run"
STATES = ("disagrees", "misses errors", "weak", "agrees", NOT_RUN)
"""States of checks in the order in which they need attention."""


@dataclass(frozen=True)
class LastRun:
    """The state of a check when it was last run, one of `STATES`, and its share of the effect.

    `stale`: the code that the check runs has changed since. The share is None where it is not known.
    """

    state: str = NOT_RUN
    share: float | None = None
    stale: bool = False

    def __str__(self) -> str:
        return f"{self.state}, stale" if self.stale else self.state


@listed
def last_run(file: Path = FILE) -> dict[str, LastRun]:
    """How each check ended when it was last run, by its id."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    return {
        id: LastRun(was["state"], was["share"], was["code"] != code_of(check))
        if (was := kept.get(id))
        else LastRun()
        for id, check in checks().items()
    }
