"""Kinds of benchmarks: a pair of ways to the same numbers, a slope, a rate beside the machine's, or a page.

A benchmark has `parts`, which are run in processes of their own and several times in turn, and makes one
record of their measurements. A record has `id`, `kind`, `title` and `holds`: whether the assertion of the
benchmark holds. Times are CPU-seconds unless a name says otherwise, memory is MiB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from statistics import linear_regression, median
from typing import Any, Literal

Runs = Mapping[str, Sequence[Mapping[str, Any]]]
"""The measurements of the runs of each part."""


@dataclass(frozen=True)
class Job:
    """Work whose inputs are ready. `run` does it and returns some of its numbers, for comparison.

    `share` is the part of the whole work that it does, if the whole would take too long; its measured times
    are divided by `share`.
    """

    run: Callable[[], Iterable[float]]
    share: float = 1.0


@dataclass(frozen=True)
class Side:
    """One way of doing the work. `prepare(quick)` draws the data and imports what is needed."""

    what: str
    prepare: Callable[[bool], Job] = field(repr=False)


@dataclass(frozen=True)
class Pair:
    """Our way against a baseline written as a researcher would write it.

    `within` bounds the largest difference of the two answers, relative to the largest number, and
    `why` gives its reason. `cold`: our time counts from the start of its process, with imports and
    compilation; otherwise later runs count, as for the baseline. `lacks(quick)` says why it cannot be run.
    """

    id: str
    title: str
    ours: Side
    baseline: Side
    within: float
    why: str
    cold: bool = False
    on_gpu: bool = False
    lacks: Callable[[bool], str] = field(default=lambda quick: "", repr=False)

    def parts(self, gpu: bool) -> tuple[str, ...]:
        """The parts, each run in a process of its own; `gpu` is ours on a GPU."""
        return ("ours", "baseline", *(["gpu"] if gpu and self.on_gpu else []))

    def measure(self, part: str, quick: bool) -> dict[str, Any]:
        """One run of a part, in this process."""
        from teacherstudent.benchmarks.timing import of_process, settled, timed

        job = (self.baseline if part == "baseline" else self.ours).prepare(quick)
        answer, first = timed(job.run)
        cold = self.cold and part != "baseline"
        counted = of_process() if cold else settled(job.run, first)
        return {
            "cpu": counted["cpu"] / job.share,
            "wall": counted["wall"] / job.share,
            "first": first["cpu"] / job.share,
            "share": job.share,
            "answer": [float(each) for each in answer],
        }

    def record(self, runs: Runs) -> dict[str, Any]:
        """Medians over the runs, their ratio, and the largest difference of the answers."""
        ours, theirs = (
            {name: _median(runs[part], name) for name in NUMBERS} for part in ("ours", "baseline")
        )
        answers = [runs[part][0]["answer"] for part in ("ours", "baseline")]
        size = max(abs(each) for each in answers[1])
        apart = max(abs(one - other) for one, other in zip(*answers, strict=True)) / size
        gpu = _median(runs["gpu"], "wall") if "gpu" in runs else None
        return {
            "id": self.id,
            "kind": "pair",
            "title": self.title,
            "baseline": self.baseline.what,
            "ratio": theirs["cpu"] / ours["cpu"],
            "wall_ratio": theirs["wall"] / ours["wall"],
            "ours_cpu": ours["cpu"],
            "baseline_cpu": theirs["cpu"],
            "ours_wall": ours["wall"],
            "ours_first_cpu": ours["first"],
            "ours_peak": ours["peak"],
            "baseline_peak": theirs["peak"],
            "baseline_share": runs["baseline"][0]["share"],
            "gpu_wall": gpu,
            "difference": apart,
            "within": self.within,
            "why": self.why,
            "holds": apart <= self.within,
        }


NUMBERS = ("cpu", "wall", "first", "peak")


@dataclass(frozen=True)
class Slope:
    """Cost that must grow as a power of a size: cost ~ size**exponent, within `slack` of the exponent.

    `measure_at(quick)` gives for each size the work that is measured, `of` what: CPU-seconds (`cpu`) or its
    peak memory in a process of its own (`peak`). Beside that of an interpreter with its libraries no power
    of a size would show: of a peak, `exponent` and `slack` are bytes for one more of the size instead.
    """

    id: str
    title: str
    exponent: float
    slack: float
    why: str
    measure_at: Callable[[bool], Mapping[float, Callable[[], object]]] = field(repr=False)
    of: Literal["cpu", "peak"] = "cpu"
    lacks: Callable[[bool], str] = field(default=lambda quick: "", repr=False)

    def parts(self, gpu: bool) -> tuple[str, ...]:
        return ("points",)

    def measure(self, part: str, quick: bool) -> dict[str, Any]:
        """The cost at each size; CPU-seconds are the least of several runs, against the load of others."""
        from teacherstudent.benchmarks.timing import least, peak_of

        works = self.measure_at(quick)
        if self.of == "peak":
            return {"sizes": list(works), "peaks": [peak_of(work) for work in works.values()]}
        return {"sizes": list(works), "cpu": least(list(works.values()), 3 if quick else 7)}

    def record(self, runs: Runs) -> dict[str, Any]:
        """The slope of the median costs, in logs or in bytes, and whether it has the asserted value."""
        sizes = runs["points"][0]["sizes"]
        name = "peaks" if self.of == "peak" else "cpu"
        costs = [median(run[name][i] for run in runs["points"]) for i in range(len(sizes))]
        if self.of == "peak":
            slope = linear_regression(sizes, costs).slope * 2**20
        else:
            slope = linear_regression(list(map(log, sizes)), list(map(log, costs))).slope
        return {
            "id": self.id,
            "kind": "slope",
            "title": self.title,
            "slope": slope,
            "expected": self.exponent,
            "slack": self.slack,
            "why": self.why,
            "sizes": sizes,
            name: costs,
            "holds": abs(slope - self.exponent) <= self.slack,
        }


@dataclass(frozen=True)
class Limit:
    """The rate of a loop beside the rates of a plain matrix product and a plain copy on the same machine."""

    id: str
    title: str
    rates: Callable[[bool], dict[str, float]] = field(repr=False)
    lacks: Callable[[bool], str] = field(default=lambda quick: "", repr=False)

    def parts(self, gpu: bool) -> tuple[str, ...]:
        return ("cpu", *(["gpu"] if gpu else []))

    def measure(self, part: str, quick: bool) -> dict[str, Any]:
        return self.rates(quick)

    def record(self, runs: Runs) -> dict[str, Any]:
        """Medians of the rates; those of a GPU under names that begin with `gpu`, None without one."""
        found: dict[str, Any] = {"id": self.id, "kind": "limit", "title": self.title, "holds": True}
        for name in runs["cpu"][0]:
            found[name] = _median(runs["cpu"], name)
        for name in runs["cpu"][0]:
            found[f"gpu_{name}"] = _median(runs["gpu"], name) if "gpu" in runs else None
        return found


@dataclass(frozen=True)
class Page:
    """A page in a browser: its first picture and the moves of its sliders, beside the same cells in Python.

    opened: milliseconds by name, `first` until the first picture stands, `move` of the page's thread for one
    stop of a control, the median over all stops of all controls, and `slowest`, that of the slowest stop.
    followed: milliseconds that all cells of the notebook take, `cells`.
    """

    id: str
    title: str
    opened: Callable[[bool], dict[str, float]] = field(repr=False)
    followed: Callable[[bool], dict[str, float]] = field(repr=False)
    lacks: Callable[[bool], str] = field(default=lambda quick: "", repr=False)

    def parts(self, gpu: bool) -> tuple[str, ...]:
        return ("page", "notebook")

    def measure(self, part: str, quick: bool) -> dict[str, Any]:
        return self.opened(quick) if part == "page" else self.followed(quick)

    def record(self, runs: Runs) -> dict[str, Any]:
        """Medians over the runs; nothing is asserted of a time."""
        found = {name: _median(runs["page"], name) for name in ("first", "move", "slowest")}
        cells = _median(runs["notebook"], "cells")
        return {"id": self.id, "kind": "page", "title": self.title, "holds": True, "cells": cells, **found}


Benchmark = Pair | Slope | Limit | Page


def _median(runs: Sequence[Mapping[str, Any]], name: str) -> float:
    return median(run[name] for run in runs)
