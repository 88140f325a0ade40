"""What checks say of the functions that they put to the test, against what they call.

`python -m tools.witnesses [ID...]` runs these checks, by default all that are quick, and prints: functions
that a check names but that at most its wrong claims call; functions that it calls and does not name; and
functions that evidence and claim share without a reason in `tools/witnesses.toml`. That file also has
reasons for the functions that nothing but wrong claims call, in any check. The tests ask the same of quick
checks. With `--write` it first keeps what they call in `paper_checks/functions.json`.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from teacherstudent.paper_checks.judging.evidence import Check
from teacherstudent.paper_checks.ledger import FUNCTIONS, checks
from tests.called import Parts, called_in_parts

REASONS = Path(__file__).with_suffix(".toml")


@cache
def reasons() -> dict[str, Any]:
    """`shared`: by check the functions that evidence and claim share, with the reason; `refuted`: reasons of
    functions that only wrong claims call."""
    return tomllib.loads(REASONS.read_text(encoding="utf-8"))


def faults(check: Check, parts: Parts) -> Iterator[str]:
    """What is wrong with what a check says of its functions, one line each."""
    for name in sorted(set(check.functions) - parts.tested):
        only = "only a wrong claim calls" if name in parts.wrong else "nothing calls"
        yield f"{check.id} names {name}, which {only}"
    for name in sorted(parts.tested - set(check.functions)):
        yield f"{check.id} calls {name} and does not name it"
    declared = set(reasons()["shared"].get(check.id, {}).get("functions", ()))
    for name in sorted(parts.shared - declared):
        yield f"{check.id}: evidence and claim share {name}"
    for name in sorted(declared - parts.shared):
        yield f"{check.id}: evidence and claim do not share {name}, as tools/witnesses.toml says"
    named = {name for each in checks().values() for name in each.functions}
    for name in sorted(parts.wrong - parts.ran - named - set(reasons()["refuted"])):
        yield f"{check.id}: no check puts {name} to the test, which its wrong claims call"


def main() -> None:
    """The command."""
    ids = [each for each in sys.argv[1:] if each != "--write"]
    chosen = [checks()[id] for id in ids] or [each for each in checks().values() if not each.slow]
    for check in chosen:
        if not check.lacks():
            parts = called_in_parts(check)[1]
            if "--write" in sys.argv:
                check = kept(check, parts)
            print("\n".join(faults(check, parts)), end="", flush=True)


def kept(check: Check, parts: Parts) -> Check:
    """The check with the functions that it was seen to call, which are kept for it."""
    known = json.loads(FUNCTIONS.read_text(encoding="utf-8")) | {check.id: sorted(parts.tested)}
    lines = (f"{json.dumps(id)}: {json.dumps(known[id])}" for id in sorted(known) if known[id])
    FUNCTIONS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return replace(check, functions=tuple(sorted(parts.tested)))


if __name__ == "__main__":
    main()
