"""What a check is: evidence, a claim about it, a judge, and wrong claims that must fail.

A check gathers evidence once (simulated data, symbols, another derivation), hands it to the
claim, and lets the judge compare. The same judge on the same evidence is then given wrong
claims: the negative controls (`WrongClaim`), errors that somebody could make, and the known misprints
(`Erratum`), errors that somebody printed.
If any of them passes, the check could not have caught it, and the check has failed; so it has if
one gives no number, which says nothing of the error that it stands for.
"""

from __future__ import annotations

import hashlib
import secrets
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite, isnan, nan
from typing import Any

from teacherstudent.paper_checks.judging.effect_shares import effects_on
from teacherstudent.paper_checks.judging.effects import WEAK, Declared, Effect
from teacherstudent.paper_checks.judging.reading import Reading, Readings

Claim = Callable[[Any], Any]


ABOUT = {"theory": "theory", "sims": "simulation", "optimisers": "optimisers"}
"""What a check is evidence about, by the room of the functions that it puts to the test."""

ALGEBRA = "the paper alone"
"""Of a check that calls none of those: it proves a statement of the paper, and says nothing of any route."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of one comparison.

    `statistic` <= `threshold` is agreement; `resolution` is the smallest detectable error, in `unit`;
    `reason` explains the threshold; `parts` are the verdicts of which this one is the worst. `effect` is the
    effect with which the resolution is compared; None if neither the judge nor the check declares one.
    `from_few_draws` is the fraction of the threshold due to the uncertainty of a standard error from few
    draws. At `undecided` points an error as large as the value itself would pass; the largest such error is
    `undetected` (NaN if there are no such points).
    """

    statistic: float
    threshold: float
    resolution: float
    unit: str
    reason: str
    points: int = 1
    parts: tuple[Verdict, ...] = ()
    effect: Effect | None = None
    from_few_draws: float = 0.0
    undecided: int = 0
    undetected: float = nan

    @property
    def too_few_draws(self) -> bool:
        """Whether more than half of what is allowed is due to few draws, so that agreement says little."""
        return self.from_few_draws > 0.5

    @property
    def agrees(self) -> bool:
        """False for NaN as well: an unconverged number agrees with nothing."""
        return bool(self.statistic <= self.threshold)

    @property
    def refutes(self) -> bool:
        """False for NaN as well: a claim without a number was compared with nothing."""
        return bool(self.statistic > self.threshold)

    @property
    def share(self) -> float:
        """The smallest detectable error as a share of the effect; NaN where either is not known."""
        if self.resolution == 0:  # algebra: any error is detected
            return 0.0
        if self.effect is None:
            return nan
        return abs(self.resolution / self.effect.size) if self.effect.size else inf

    @property
    def weakest(self) -> Verdict:
        """The one of its parts whose detectable error is the largest share of its effect, or is not known."""
        return max(self.leaves, key=_weakness)

    @property
    def weakest_of_each(self) -> list[Verdict]:
        """The weakest comparison about each of its effects, the weakest of all first."""
        about: dict[str, list[Verdict]] = {}
        for leaf in self.leaves:
            if leaf.effect:
                about.setdefault(leaf.effect.what, []).append(leaf)
        return sorted((max(each, key=_weakness) for each in about.values()), key=_weakness, reverse=True)

    @property
    def leaves(self) -> list[Verdict]:
        """The comparisons that it is made of; itself where it is one."""
        return [leaf for part in self.parts for leaf in part.leaves] or [self]

    def about(self, effects: Iterator[Effect | None]) -> Verdict:
        """The same with the effects of its leaves, in their order."""
        if not self.parts:
            return replace(self, effect=next(effects))
        parts = tuple(part.about(effects) for part in self.parts)
        return replace(self, effect=worst_verdict(*parts).effect, parts=parts)


def _weakness(verdict: Verdict) -> tuple[bool, float]:
    """What orders verdicts by power: an unknown share is weaker than any."""
    return isnan(verdict.share), verdict.share


def worst_verdict(*verdicts: Verdict) -> Verdict:
    """The verdict that strains its threshold most; a disagreement beats every agreement.

    One with a finite statistic says more than one without. All of them stay readable in `parts`.
    """

    def strain(verdict: Verdict) -> tuple[bool, bool, bool, float]:
        ratio = verdict.statistic / verdict.threshold if verdict.threshold else 0.0
        return not verdict.agrees, isfinite(verdict.statistic), verdict.refutes, ratio

    return replace(max(verdicts, key=strain), parts=verdicts)


def in_words(judge: Callable[..., Verdict]) -> str:
    """What a judge requires: its `says`, or the first line of its docstring."""
    return getattr(judge, "says", "") or (judge.__doc__ or "").partition("\n")[0].rstrip(".")


@dataclass(frozen=True)
class WrongClaim:
    """A negative control, a wrong claim that somebody could make: a dropped term, a factor."""

    name: str
    claim: Claim = field(repr=False)


@dataclass(frozen=True)
class Erratum:
    """A known misprint: `claim` computes what a paper prints, `corrected` is the truth.

    `reading` sets both in formulas, with the size of the error and what it does to the paper's conclusion.
    That it fails does not say that `claim` is what the paper prints. Where the print is right somewhere, in a
    limit or a region, `held` is the id of the check that holds it there; "" where none does. `paper` is ""
    where no source is charged: the entry is a remark on a formula in use.
    """

    id: str
    ref: str
    printed: str
    corrected: str
    claim: Claim = field(repr=False)
    paper: str
    reading: Reading = field(repr=False)
    held: str = ""

    @property
    def kind(self) -> str:
        """What it does to the paper's conclusion, a key of `CONCLUSIONS`, or that it is a remark."""
        return self.reading.conclusion if self.paper else "remark"


def misprints_of(readings: Readings, paper: str) -> Callable[..., Erratum]:
    """How a system declares its misprints: each with its reading, of that paper unless another is named."""

    def misprint(
        id: str, ref: str, printed: str, corrected: str, claim: Claim, paper: str = paper, held: str = ""
    ) -> Erratum:
        return Erratum(id, ref, printed, corrected, claim, paper, readings[id], held)

    return misprint


def errata_of(readings: Readings, paper: str) -> Callable[[Mapping[str, Claim]], tuple[Erratum, ...]]:
    """How a check names its misprints, where the readings have all but the claim: claims by their ids.

    They are of that paper unless the reading names another.
    """

    def misprints(claims: Mapping[str, Claim]) -> tuple[Erratum, ...]:
        return tuple(erratum(id, claim, readings[id]) for id, claim in claims.items())

    def erratum(id: str, claim: Claim, reading: Reading) -> Erratum:
        ref = reading.ref or reading.quoted[0].place
        charged = paper if reading.paper is None else reading.paper
        return Erratum(id, ref, reading.says, reading.truth, claim, charged, reading, reading.held)

    return misprints


@dataclass(frozen=True)
class Check:
    """One question, answered by two independent calculations.

    `paper` is the key of the paper that states the claim ("": none does); `ref` names the place in it, or
    states the claim in words.

    `evidence(seeds)` computes the expensive side once; `seeds(count)` gives that many draws.
    `claim(evidence)` computes the asserted values; `judge(evidence, claimed)` compares both. `functions` are
    the functions under test, `room.module:function`; the default is their measured list in `functions.json`,
    empty for a check by algebra. `effect` is the effect that the check is about, for every comparison whose
    judge does not declare one itself. `covers` names the entries of `papers/<paper>.toml` that the check
    proves, `also` the same statements in other papers, (paper, entry); `ledger.checks` adds the entries that
    name this check. `slow` evidence is computed by `check`, not by the tests. `compared` describes the
    comparison of two declared routes ("" for a check written by hand). `lacks()` names what this machine
    lacks to run the check ("": nothing); a check that lacks something has no outcome.
    """

    id: str
    problem: str
    title: str
    paper: str
    ref: str
    evidence: Callable[[Seeds], Any] = field(repr=False)
    claim: Claim = field(repr=False)
    judge: Callable[[Any, Any], Verdict] = field(repr=False)
    wrong: tuple[WrongClaim, ...]
    errata: tuple[Erratum, ...] = ()
    effect: Declared = None
    functions: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    slow: bool = False
    compared: str = ""
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
    wrong: dict[str, Verdict]
    errata: dict[str, Verdict]
    seeds: Seeds
    seconds: float

    @property
    def missed(self) -> list[str]:
        """Negative controls and known misprints that pass: wrong claims that this check did not refute."""
        return [name for name, verdict in {**self.wrong, **self.errata}.items() if not verdict.refutes]

    @property
    def teeth(self) -> dict[str, Verdict]:
        """An older name of `wrong`."""
        warnings.warn("`Outcome.teeth` is now called `wrong`", DeprecationWarning, stacklevel=2)
        return self.wrong

    @property
    def blunt(self) -> list[str]:
        """An older name of `missed`."""
        warnings.warn("`Outcome.blunt` is now called `missed`", DeprecationWarning, stacklevel=2)
        return self.missed

    @property
    def passed(self) -> bool:
        return self.verdict.agrees and not self.missed

    @property
    def weak(self) -> bool:
        """Whether it could accept a claim that is wrong by the whole effect, or does not know its power."""
        return not self.verdict.weakest.share <= WEAK

    @property
    def state(self) -> str:
        """`disagrees`, `misses errors` where a wrong claim was not refuted, `weak` or `agrees`."""
        if not self.verdict.agrees:
            return "disagrees"
        return "misses errors" if self.missed else "weak" if self.weak else "agrees"

    @property
    def why(self) -> str:
        """Why it did not pass, "" where it did."""
        if not self.verdict.agrees:
            return (
                f"{self.verdict.statistic:.3g} exceeds {self.verdict.threshold:.3g} ({self.verdict.reason})"
            )
        return f"it did not reject these wrong claims: {', '.join(self.missed)}" if self.missed else ""


def run_check(check: Check, seeds: Seeds | None = None) -> Outcome:
    """Gather a check's evidence once and judge its claim, its negative controls and its known misprints.

    Raises `ValueError` where neither judge nor check says what the detectable error is to be compared with,
    or where the wrong claim that the check's effect names was judged by other comparisons than the claim.
    """
    seeds = seeds or Seeds(check.id)
    started = time.perf_counter()
    evidence = check.evidence(seeds)

    def judged(claim: Claim) -> Verdict:
        return check.judge(evidence, claim(evidence))

    verdict = judged(check.claim)
    wrong = {each.name: judged(each.claim) for each in check.wrong}
    errata = {erratum.id: judged(erratum.claim) for erratum in check.errata}
    verdict = verdict.about(effects_on(check.effect, evidence, verdict, {**wrong, **errata}))
    if silent := {leaf.unit for leaf in verdict.leaves if leaf.effect is None}:
        raise ValueError(
            f"{check.id} must declare an effect to compare errors with, in {' and '.join(silent)}"
        )
    return Outcome(check, verdict, wrong, errata, seeds, time.perf_counter() - started)
