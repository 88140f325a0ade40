"""How the search ranks what it finds: figures, glossary and guides before the reference and the code.

Material's search puts a `*` behind every word of a query, so that `R` would find all words with that
letter first. The field `names` holds what is typed for one entry, and outweighs titles and texts.
"""

from __future__ import annotations

import re
from typing import Any

BOOSTS = {
    "api/": 0.001,  # below a guide that has the word in its text only
    "reference/systems": 0.05,
    "reference/": 0.01,
    "develop/": 0.1,
    "derivations/": 0.2,
    "figures/ch4": 1.5,  # the figures without a chapter in their number
    "glossary.html#": 4.0,
}
"""Weights by the beginning of an address; all other pages have 1."""
NAMES = {
    "cite.html": "citation citing bibtex",
    "how-to/your-own-data.html": "csv tsv",
    "how-to/machines.html": "slurm dask",
    "how-to/gpu.html": "cuda",
    "topics/kernels-from-elsewhere.html": "neural-tangents",
    "topics/other-libraries.html": "scikit-learn sklearn pytorch keras optax statsmodels",
}
"""What people type for a page whose title has other words."""
WEIGHT = 1e6
"""Of the field `names`, where a title has 1e3 and a text 1."""
SYMBOL = re.compile(r"(\S+)(?: \((\w+)\))?: ")


def ranked(index: dict[str, Any]) -> dict[str, Any]:
    """The index with a weight for every entry, and with the names of some."""
    fields = {**index["config"]["fields"], "names": {"boost": WEIGHT}}
    entries = [_ranked(entry) for entry in index["docs"]]
    return {"config": {**index["config"], "fields": fields}, "docs": entries}


def _ranked(entry: dict[str, Any]) -> dict[str, Any]:
    place, title = entry["location"], entry["title"]
    boost = next((value for start, value in BOOSTS.items() if place.startswith(start)), 1.0)
    if place.startswith("glossary.html#"):
        boost *= 1 + 1 / len(title.split())  # `ridge` is the entry Ridge before Kernel ridge regression
    names = _names(place, title)
    return {**entry, "boost": boost, **({"names": names} if names else {})}


def _names(place: str, title: str) -> str:
    """What is typed for an entry: the symbol at the start of a glossary title, or the number of a figure."""
    if place.startswith("glossary.html#") and (symbol := SYMBOL.match(title)):
        return " ".join(filter(None, symbol.groups()))
    if place.startswith("figures/") and ":" in title and "#" not in place:
        number, figure = title.partition(":")[0], place.removeprefix("figures/").removesuffix(".html")
        return f"{number} figure {figure}"
    return NAMES.get(place, "")
