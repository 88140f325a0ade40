"""Keep states and shares of checks: `python -m tools.last_run FILE...` takes them from `check --json FILE`.

What is kept of other checks stays, so that a few can be run alone. Outcomes of fresh seeds are not taken.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from teacherstudent.paper_checks.last_run import FILE
from teacherstudent.paper_checks.ledger import checks


def merged(kept: Mapping[str, Any], outcomes: Iterable[Mapping[str, Any]]) -> str:
    """The file's text: one line for each check that there is and that was run."""
    new = {each["id"]: each for each in outcomes if each["seeds"] == each["id"]}
    found = {**kept, **{id: _kept(each) for id, each in new.items()}}
    lines = (f"{json.dumps(id)}: {json.dumps(found[id])}" for id in sorted(checks()) if id in found)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _kept(outcome: Mapping[str, Any]) -> dict[str, Any]:
    share = outcome["share"]
    return {
        "state": outcome["state"],
        "share": None if share is None else float(f"{share:.2g}"),
        "code": outcome["code"],
    }


def main() -> None:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", nargs="+", type=Path, metavar="FILE")
    files = arguments.parse_args().files
    outcomes = [each for file in files for each in json.loads(file.read_text(encoding="utf-8"))]
    FILE.write_text(merged(json.loads(FILE.read_text(encoding="utf-8")), outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
