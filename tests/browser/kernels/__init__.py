"""The theory of the static pages, held to the Python numbers in a real browser.

A module here declares `KERNELS`. Questions are drawn at random, from a generator seeded by the kernel's name;
the page's answer and Python's must agree to `ACCURACY` of every single number. To see by how much they do:

    python -m tests.browser.kernels multiscale   # a part of the names; none: all
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from teacherstudent.lessons.pages import scripts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ACCURACY = 1e-9
"""Largest difference from Python, relative to Python's number."""
TOGETHER = 50
"""Questions put to the page at once."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Kernel:
    """A function of a page and the Python that answers the same.

    call: the function, below `TS.theory`, which takes the question as an object; script: where it is, below
    `scripts`. question: draws one, of numbers, words and lists. answer: Python's numbers by name, of the
    question's entries as keywords; the function gives an object with these names (it may give more). floor:
    of an observable, the size below which only the absolute difference counts, as a share of the largest in
    the same answer, and `why` it cannot be held to more.
    """

    call: str
    script: str
    question: Callable[[np.random.Generator], dict[str, Any]]
    answer: Callable[..., Mapping[str, Any]]
    count: int = 1000
    floor: Mapping[str, float] = field(default_factory=dict)
    why: str = ""

    def __post_init__(self) -> None:
        if bool(self.floor) != bool(self.why):
            raise ValueError(f"{self.call}: a floor has a reason")

    def generator(self) -> np.random.Generator:
        """The same for the same name."""
        return np.random.default_rng(zlib.crc32(self.call.encode()))


@dataclass(frozen=True)
class Worst:
    """The largest difference over all questions, in units that `ACCURACY` bounds, where it is, and how many
    numbers were compared."""

    error: float
    where: str
    numbers: int


def kernels() -> list[Kernel]:
    """All that the modules of this folder declare."""
    names = sorted(each.name for each in pkgutil.iter_modules(__path__) if not each.name.startswith("_"))
    return [one for name in names for one in importlib.import_module(f"{__name__}.{name}").KERNELS]


@contextmanager
def with_scripts(browser: Browser, *names: str) -> Iterator[Page]:
    """An empty page that has run those scripts and what they need."""
    page = browser.new_page()
    page.set_default_timeout(600_000)
    for name in scripts.in_order(names):
        page.add_script_tag(content=scripts.source(name))
    yield page
    page.close()


def differences(kernel: Kernel, page: Page) -> Worst:
    """Put all questions of a kernel to the page and to Python."""
    random = kernel.generator()
    questions = [kernel.question(random) for _ in range(kernel.count)]
    worst, where, numbers = 0.0, "", 0
    for first in range(0, len(questions), TOGETHER):
        some = questions[first : first + TOGETHER]
        for question, said in zip(some, asked(page, kernel.call, some), strict=True):
            for name, value in kernel.answer(**question).items():
                mine = np.asarray(value, dtype=float)
                theirs = np.array(said[name], dtype=float)  # null is NaN
                if theirs.shape != mine.shape:
                    raise AssertionError(f"{kernel.call}: {name} has shape {theirs.shape}, not {mine.shape}")
                error = difference(mine, theirs, kernel.floor.get(name, 0.0))
                numbers += int(np.isfinite(mine).sum())
                if not error <= worst:
                    worst, where = error, f"{name} of {json.dumps(question)}"
    return Worst(worst, where, numbers)


def asked(page: Page, call: str, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The page's answers. What is no number comes as null, and a typed array as a list."""
    ask = """([call, questions]) => {
      const plain = (value) => {
        if (ArrayBuffer.isView(value)) value = Array.from(value);
        if (Array.isArray(value)) return value.map(plain);
        if (typeof value === "boolean") return Number(value);
        return value === null || Number.isNaN(value) ? null : value;
      };
      const does = call.split(".").reduce((at, name) => at[name], TS.theory);
      return JSON.stringify(questions.map((question) => {
        const answer = does(question);
        return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, plain(value)]));
      }));
    }"""
    return json.loads(page.evaluate(ask, [call, questions]))


def difference(mine: np.ndarray, theirs: np.ndarray, floor: float) -> float:
    """The largest relative difference of two arrays of one shape; inf where one alone is NaN or infinite."""
    if mine.size == 0:
        return 0.0
    gone = np.isnan(mine)
    if np.any(gone != np.isnan(theirs)):
        return np.inf
    if np.any((np.isinf(mine) | np.isinf(theirs)) & (mine != theirs)):
        return np.inf
    same = gone | (mine == theirs)
    if same.all():
        return 0.0
    size = np.maximum(np.abs(mine), floor * np.nanmax(np.abs(mine), initial=0.0))
    with np.errstate(divide="ignore"):
        return float(np.max(np.abs(mine - theirs)[~same] / size[~same]))
