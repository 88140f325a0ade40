"""What a check is: evidence, a claim about it, a judge, and wrong claims that must fail.

A check gathers evidence once (simulated data, symbols, another derivation), hands it to the
claim, and lets the judge compare. The same judge on the same evidence is then given wrong
claims: the negative controls (`Tooth`), errors that somebody could make, and the known misprints
(`Erratum`), errors that somebody printed.
If any of them passes, the check could not have caught it, and the check has failed; so it has if
one gives no number, which says nothing of the error that it stands for.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from teacherstudent.paper_checks.judging.reading import Reading, Readings

Claim = Callable[[Any], Any]

ABOUT = {"theory": "theory", "sims": "simulation", "optimisers": "optimisers"}
"""What a check is evidence about, by the room of the functions that it puts to the test."""

ALGEBRA = "the paper alone"
"""Of a check that calls none of those: it proves a statement of the paper, and says nothing of any route."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of one comparison.

    `statistic` <= `threshold` is agreement; `resolution` is the smallest error that the
    comparison could detect, in `unit`; `reason` says what the threshold is made of; `parts`
    are the verdicts that this one is the worst of.
    """

    statistic: float
    threshold: float
    resolution: float
    unit: str
    reason: str
    points: int = 1
    parts: tuple[Verdict, ...] = ()

    @property
    def agrees(self) -> bool:
        """False for NaN as well: an unconverged number agrees with nothing."""
        return bool(self.statistic <= self.threshold)

    @property
    def refutes(self) -> bool:
        """False for NaN as well: a claim without a number was compared with nothing."""
        return bool(self.statistic > self.threshold)


def worst(*verdicts: Verdict) -> Verdict:
    """The verdict that strains its threshold most; a disagreement beats every agreement.

    One with a finite statistic says more than one without. All of them stay readable in `parts`.
    """

    def strain(verdict: Verdict) -> tuple[bool, bool, bool, float]:
        ratio = verdict.statistic / verdict.threshold if verdict.threshold else 0.0
        return not verdict.agrees, isfinite(verdict.statistic), verdict.refutes, ratio

    return replace(max(verdicts, key=strain), parts=verdicts)


@dataclass(frozen=True)
class Tooth:
    """A negative control, a wrong claim that somebody could make: a dropped term, a factor."""

    name: str
    claim: Claim = field(repr=False)


@dataclass(frozen=True)
class Erratum:
    """A known misprint: `claim` computes what a paper prints, `corrected` is the truth.

    `reading` sets both in formulas, with the size of the error and what it does to the paper's conclusion.
    That it fails does not say that `claim` is what the paper prints. Where the print is right somewhere, in a
    limit or a region, `held` is the id of the check that holds it there; "" where no check does.
    """

    id: str
    ref: str
    printed: str
    corrected: str
    claim: Claim = field(repr=False)
    paper: str
    reading: Reading = field(repr=False)
    held: str = ""


def misprints_of(readings: Readings, paper: str) -> Callable[..., Erratum]:
    """How a system declares its misprints: each with its reading, of that paper unless another is named."""

    def misprint(
        id: str, ref: str, printed: str, corrected: str, claim: Claim, paper: str = paper, held: str = ""
    ) -> Erratum:
        return Erratum(id, ref, printed, corrected, claim, paper, readings[id], held)

    return misprint


@dataclass(frozen=True)
class Check:
    """One question put to two witnesses.

    `evidence(seeds)` gathers the expensive side once; `seeds(count)` gives that many draws.
    `claim(evidence)` computes what is asserted; `judge(evidence, claimed)` compares. `functions`
    are those of the witnesses that it puts to the test, `room.module:function`, as the tests measure
    them; none where the evidence and the claim are algebra of its own. `covers`
    names the entries of `papers/<paper>.toml` that this check proves, `also` the same statements in
    other papers, (paper, entry). `slow` evidence is
    gathered by `check`, not by the tests. `lacks()` says what this machine lacks to gather it,
    "" for nothing: without that there is no outcome, neither agreement nor disagreement.
    """

    id: str
    problem: str
    title: str
    paper: str
    ref: str
    evidence: Callable[[Seeds], Any] = field(repr=False)
    claim: Claim = field(repr=False)
    judge: Callable[[Any, Any], Verdict] = field(repr=False)
    teeth: tuple[Tooth, ...]
    errata: tuple[Erratum, ...] = ()
    functions: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    slow: bool = False
    lacks: Callable[[], str] = field(default=lambda: "", repr=False)

    @property
    def proves(self) -> tuple[tuple[str, str], ...]:
        """(paper, entry) of every claim that it proves."""
        return (*((self.paper, entry) for entry in self.covers), *self.also)

    @property
    def about(self) -> str:
        """Whose numbers it is evidence about, by the rooms of its `functions`; `ALGEBRA` without any."""
        rooms = {name.partition(".")[0] for name in self.functions}
        return " and ".join(whose for room, whose in ABOUT.items() if room in rooms) or ALGEBRA


@dataclass(frozen=True)
class Seeds:
    """Draws that belong to a check's name, so that nobody shops for them."""

    name: str

    def __call__(self, count: int, stream: str = "") -> list[int]:
        """That many seeds; another `stream` gives other draws."""
        digest = hashlib.sha256(f"{self.name}/{stream}".encode()).digest()
        first = int.from_bytes(digest[:5])
        return list(range(first, first + count))

    @classmethod
    def fresh(cls, name: str) -> Seeds:
        """Seeds that nobody has seen before."""
        return cls(f"{name}/{secrets.token_hex(8)}")


@dataclass(frozen=True)
class Outcome:
    """What became of a check: verdicts on its claim, its negative controls and its known misprints."""

    check: Check
    verdict: Verdict
    teeth: dict[str, Verdict]
    errata: dict[str, Verdict]
    seeds: Seeds
    seconds: float

    @property
    def blunt(self) -> list[str]:
        """Negative controls and known misprints that pass: wrong claims that this check did not refute."""
        return [name for name, verdict in {**self.teeth, **self.errata}.items() if not verdict.refutes]

    @property
    def passed(self) -> bool:
        return self.verdict.agrees and not self.blunt


def put_to_test(check: Check, seeds: Seeds | None = None) -> Outcome:
    """Gather a check's evidence once and judge its claim, its negative controls and its known misprints."""
    seeds = seeds or Seeds(check.id)
    started = time.perf_counter()
    evidence = check.evidence(seeds)

    def judged(claim: Claim) -> Verdict:
        return check.judge(evidence, claim(evidence))

    verdict = judged(check.claim)
    teeth = {tooth.name: judged(tooth.claim) for tooth in check.teeth}
    errata = {erratum.id: judged(erratum.claim) for erratum in check.errata}
    return Outcome(check, verdict, teeth, errata, seeds, time.perf_counter() - started)
