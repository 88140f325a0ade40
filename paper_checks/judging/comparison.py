"""Two routes put to the same questions: what is asked, what becomes of it in a wrong claim, what is answered.

`declared.py` makes checks of these, `judges.py` has their judges.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.evidence import Claim, Seeds, Verdict, in_words

Question = Mapping[str, Any]
"""Keywords of `house.running.run`: values, options, times; "routes" where they are others than declared."""
Values = dict[str, np.ndarray]
"""Observables by name: (T, ...) or, where the route is sampled, (S, T, ...)."""
Changes = Mapping[str, Any] | Callable[[dict[str, Any]], Question]
"""What becomes of a question: by keyword another value, or a function of the one that it has (which leaves
questions without that keyword alone), or `ABSENT`; or a function of the whole question."""
ABSENT = object()
"""In `Changes`: without that keyword."""


@dataclass(frozen=True)
class Own:
    """A route that a check has for itself: it answers of dynamics, question and seeds.

    sampled: whether its values have an axis of draws. It is given the seeds in any case.
    """

    answers: Callable[[str, dict[str, Any], list[int]], Values]
    sampled: bool = True
    accuracy: float = 0.0

    def __str__(self) -> str:
        return self.answers.__name__.replace("_", " ")


Reference = str | Own


def scaled(factor: float) -> Callable[[Any], Any]:
    """In `Changes`: a number, or all numbers of a sequence, multiplied by a factor."""

    def times(value: Any) -> Any:
        return [factor * each for each in value] if np.ndim(value) else factor * value

    return times


def shifted(by: float) -> Callable[[Any], Any]:
    """In `Changes`: a number, or all numbers of a sequence, with that added."""
    return lambda value: [each + by for each in value] if np.ndim(value) else value + by


def in_flow_time(route: str) -> Callable[[dict[str, Any]], Question]:
    """A question about steps k as one to that route about the time s = eta k."""

    def converted(question: dict[str, Any]) -> Question:
        rate = question.pop("learning_rate", 1.0)
        return {**question, "times": [rate * k for k in question["times"]], "route": route}

    return converted


def changed(question: Question, changes: Changes) -> dict[str, Any]:
    """The question with those changes."""
    if not isinstance(changes, Mapping):
        return dict(changes(dict(question)))
    new = dict(question)
    for name, change in changes.items():
        if change is ABSENT:
            new.pop(name, None)
        elif not callable(change):
            new[name] = change
        elif name in new:
            new[name] = change(new[name])
    return new


@dataclass(frozen=True)
class Case:
    """One question under one dynamics, with what the first route says; no seeds where it draws nothing."""

    name: Any
    dynamics: str
    question: dict[str, Any]
    routes: tuple[Reference, Reference]
    seeds: list[int] | None
    values: Values

    @property
    def flat(self) -> np.ndarray:
        """Observables side by side: (P,), or (S, P) of draws."""
        return flat(self.values, self.seeds is not None)


@dataclass(frozen=True)
class Found:
    """The evidence: the cases in the order of questions, under each dynamics, and what was asked."""

    asked: Comparison
    cases: tuple[Case, ...]

    @property
    def last(self) -> Found:
        """The evidence at the last size, or whatever else the questions go along."""
        return replace(self, cases=tuple(each for each in self.cases if each.name == self.cases[-1].name))

    def only(self, names: Sequence[str]) -> Found:
        """The evidence on these observables."""
        kept = (replace(case, values={each: case.values[each] for each in names}) for case in self.cases)
        return replace(self, cases=tuple(kept))

    def along(self) -> dict[Any, np.ndarray]:
        """What was found, flat, by size or whatever else the questions go along; all dynamics together."""
        found: dict[Any, np.ndarray] = {}
        for case in self.cases:
            found[case.name] = (
                np.concatenate([found[case.name], case.flat], axis=-1) if case.name in found else case.flat
            )
        return found


Judge = Callable[[Found, Any], Verdict]
"""Of the evidence and the claims: observables of each case, or of the last alone where its `once` is true."""


@dataclass(frozen=True)
class Comparison:
    """What is compared: see `declared`."""

    problem: str
    clocks: Mapping[str, Question]
    questions: Any
    routes: tuple[Reference, Reference]
    observables: tuple[str, ...]
    draws: int | Mapping[Any, int]
    claimed: Changes
    judge: Judge = field(repr=False)
    averaged: str = ""
    stream: str = "{}"
    seen: Callable[[Values], Values] | None = None
    less: Changes | None = None

    def counts(self) -> Mapping[Any, int]:
        """How many draws there are of each question."""
        if isinstance(self.draws, Mapping):
            return self.draws
        return dict.fromkeys(self.named(), self.draws)

    def named(self) -> Mapping[Any, Question]:
        """The questions by name."""
        if isinstance(self.draws, Mapping):
            return {name: self.questions(name) for name in self.draws}
        asked = self.questions() if callable(self.questions) else dict(self.questions)
        alone = not asked or not all(isinstance(each, Mapping) for each in asked.values())
        return {"": asked} if alone else asked

    def gathered(self, seeds: Seeds) -> Found:
        """The evidence."""
        counts, cases = self.counts(), []
        asked = [
            (name, each)
            for name, question in self.named().items()
            for each in ([question] if isinstance(question, Mapping) else question)
        ]
        for name, question in asked:
            early = self.averaged and name != list(counts)[-1]
            first, second = question.get("routes", self.routes)
            routes = (self.averaged if early else first, second)
            for dynamics in [question["under"]] if "under" in question else self.clocks:
                whole = {**self.clocks[dynamics], **question}
                whole = {name: each for name, each in whole.items() if name not in ("routes", "under")}
                sampled = self.route(routes[0], dynamics).sampled
                drawn = seeds(counts[name], self.stream.format(name)) if sampled else None
                values = self.answer(routes[0], dynamics, whole, drawn)
                cases.append(Case(name, dynamics, whole, routes, drawn, values))
        return Found(self, tuple(cases))

    def claims(self, found: Found, changes: Changes) -> list[Values]:
        """What the second route says of the cases, with those changes."""
        answers = []
        for case in (found.last if getattr(self.judge, "once", False) else found).cases:
            question = changed(changed(case.question, self.claimed), changes)
            reference = question.pop("route", case.routes[1])
            answers.append(self.answer(reference, case.dynamics, question, case.seeds))
        return answers

    def answer(
        self, reference: Reference, dynamics: str, question: Question, seeds: list[int] | None
    ) -> Values:
        """The observables by one route, at those seeds if it is sampled."""
        route = self.route(reference, dynamics)
        if isinstance(route, Own):
            own = route.answers(dynamics, dict(question), seeds or [])
            values = {name: own[name] for name in self.observables or own}
            return self.seen(values) if self.seen else values
        drawn = {"seeds": seeds} if route.sampled else {}
        with warnings.catch_warnings():  # what is not certain is NaN, which no judge agrees with
            warnings.simplefilter("ignore", UnconvergedWarning)
            answer = run(route.problem, route.dynamics, route.name, **{**question, **drawn})
        values = {name: answer[name].values for name in self.observables or map(str, answer.data_vars)}
        if self.less:
            base = changed(question, self.less)
            of = base.pop("route", "{}").format(route.name)
            off = replace(self, less=None, seen=None).answer(of, dynamics, base, seeds)
            values = {name: each - off[name] for name, each in values.items()}
        return self.seen(values) if self.seen else values

    def route(self, reference: Reference, dynamics: str) -> Route | Own:
        """The route "NAME", "DYNAMICS/NAME" or "PROBLEM/DYNAMICS/NAME", "*" for the same dynamics."""
        if isinstance(reference, Own):
            return reference
        *given, name = reference.split("/")
        clock = given.pop() if given else "*"
        problem = given[0] if given else self.problem
        return find_route(find_problem(problem), dynamics if clock == "*" else clock, name)

    def both(self) -> Iterator[Route]:
        """Every declared route that evidence and claim ask."""
        named = self.questions.values() if isinstance(self.questions, Mapping) else ()
        own = [
            route for each in named if isinstance(each, Mapping) for route in each.get("routes", self.routes)
        ]
        references = (
            each for each in (self.averaged, *(own or self.routes)) if isinstance(each, str) and each
        )
        asked = dict.fromkeys(references)
        less = self.less.get("route", "{}") if isinstance(self.less, Mapping) else "{}"
        for reference in dict.fromkeys((*asked, *(less.format(each) for each in asked))):
            for route in (self.route(reference, dynamics) for dynamics in self.clocks):
                assert isinstance(route, Route)
                yield route

    @property
    def words(self) -> str:
        """What is compared, in a sentence."""
        first, second = self.routes[0], self.routes[1] or "an independent calculation"
        of = ", ".join(self.observables) or "all observables"
        counts = self.draws if isinstance(self.draws, Mapping) else {"": self.draws}
        many = ", ".join(
            f"{count}" + (f" at {_short(name)}" if name != "" else "") for name, count in counts.items()
        )
        drawn = f"; draws: {many}" if any(counts.values()) else ""
        by = f" (averages by {self.averaged} except for the last)" if self.averaged else ""
        how = in_words(self.judge)
        return f"{of} under {', '.join(self.clocks)}: {first}{by} against {second}{drawn}; {how}"


def _short(name: Any) -> str:
    """A name in a sentence: a number, or the parts of the name."""
    return " ".join(map(str, name if isinstance(name, tuple) else (name,)))


def flat(values: Values, sampled: bool) -> np.ndarray:
    """Observables side by side, (P,); where they are of draws (S, P)."""
    return np.concatenate(
        [each.reshape((len(each), -1) if sampled else (-1,)) for each in values.values()], axis=-1
    )


def otherwise(changes: Changes) -> Claim:
    """A claim with those changes."""
    return partial(_asked, changes)


def then(alter: Callable[[Values], Values], changes: Changes | None = None) -> Claim:
    """A claim of which the answers are altered: observables of one case -> others of the same names."""
    return partial(_altered, alter, changes or {})


def _asked(changes: Changes, found: Found) -> list[Values]:
    return found.asked.claims(found, changes)


def _altered(alter: Callable[[Values], Values], changes: Changes, found: Found) -> list[Values]:
    return [alter(each) for each in found.asked.claims(found, changes)]
