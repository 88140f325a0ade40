"""Outcomes that lesson 7 shows after its reader has made a prediction, computed beforehand.

`python -m teacherstudent.lessons.pages.outcomes` computes them again, in half a minute.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "drawn" / "trust-outcomes.json"


def outcomes() -> dict[str, Any]:
    """`controls`: wrong formulas at the lesson's first settings; `checks`: the claims of papers, by id.

    Each is `text` in markdown and the same as `html`. Controls name those `passing`; a check says whether the
    print is `right`.
    """
    return json.loads(FILE.read_text(encoding="utf-8"))


def draw() -> dict[str, Any]:
    """Simulate and check what is kept."""
    import teacherstudent as ts
    from teacherstudent.lessons import trust
    from teacherstudent.lessons.pages.cells import Notebook
    from teacherstudent.lessons.pages.words import html

    controls = Notebook("trust").controls
    first = {name: controls[name].value for name in ("inputs", "d", "eta")}
    formulas = controls["formula"].options
    tried = trust.tested(**first, formulas=list(formulas.values()))
    text = trust.table(tried, formulas)
    passing = [name for name, each in tried.items() if each.agrees and name != "limit"]
    kept: dict[str, Any] = {"controls": {"text": text, "html": html(text), "passing": passing}, "checks": {}}
    for claim in trust.CLAIMS:
        (outcome,) = ts.check(claim)
        text = trust.told(outcome)
        right = not any(erratum.paper for erratum in outcome.check.errata)
        kept["checks"][claim] = {"text": text, "html": html(text), "right": right}
    return kept


if __name__ == "__main__":
    FILE.write_text(json.dumps(draw(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(FILE)
