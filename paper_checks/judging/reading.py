"""What a misprint is to a reader: what is printed and where, both formulas set, how wrong the print is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

CONCLUSIONS = {
    "falls": "A conclusion is wrong as stated",
    "limits": "A conclusion holds with another number or in a narrower range",
    "stands": "No conclusion changes",
}
"""What a misprint does to the paper's conclusions, the worst first."""

REMARK = {"remark": "Remarks on formulas in common use, not attributed to a paper"}
"""What an entry is that quotes nobody."""


@dataclass(frozen=True)
class Quotation:
    """What a source prints, letter by letter: " ... " in `words` stands for what is left out.

    `place` says where it is printed: an equation, a page, a caption; of published code a file and its
    repository, `github.com/OWNER/NAME`. Formulas are LaTeX between dollars. A statement that charges a source
    needs one.
    """

    words: str
    place: str

    @property
    def is_code(self) -> bool:
        """Whether it is a line of published code."""
        return "github.com/" in self.place


@dataclass(frozen=True)
class Reading:
    """A misprint as its reader needs it.

    `quoted` is what is printed; without any the entry charges nobody: it is a remark on a formula in use.
    `printed` and `corrected` are texts with LaTeX between dollars. `error()` computes how wrong the print is:
    |printed - right| over |right| of the quantity `of`, in the setting `at`. It is None for a definition that
    depends on a choice that is free: no number of it is more or less wrong. `conclusion` is one of
    `CONCLUSIONS`, `because` says why in one to three sentences. `ref`, `says`, `truth`, `paper`, `held` are
    those of its `Erratum`, what is printed and what is right in plain text; without `ref` it is the place of
    the first quotation, and the paper None is that of the system.
    """

    printed: str
    corrected: str
    error: Callable[[], float] | None = field(repr=False)
    of: str
    at: str
    conclusion: str
    because: str
    quoted: tuple[Quotation, ...] = ()
    ref: str = ""
    says: str = ""
    truth: str = ""
    paper: str | None = None
    held: str = ""


def quotes(*words_and_places: str) -> tuple[Quotation, ...]:
    """Quotations from their words and places in turn."""
    words, places = words_and_places[::2], words_and_places[1::2]
    return tuple(Quotation(*each) for each in zip(words, places, strict=True))


def largest_relative_error(printed: Any, right: Any) -> float:
    """Largest |printed - right| of two numbers or arrays of one shape, over the largest |right|."""
    import numpy as np

    return float(np.max(np.abs(np.asarray(printed) - right)) / np.max(np.abs(right)))


Readings = Mapping[str, Reading]
"""The readings of one system's misprints, by their ids."""
