"""Checks that compare two routes, declared as data: questions, routes, observables, draws, negative controls.

    SIMULATED = compared(
        id="rf-simulation",
        ref="the definition of the problem",
        clocks={"ridge": {"times": (3.0, 300.0)}},
        questions={"relu": {"d": 30, "activation": "relu", "noise": 0.5}, "erf": {...}},
        routes=("simulation", "instance"),
        observables=("generalisation_error", "training_error"),
        draws=150,
        judge=PairedMeans(),
        effect=Contrast("label noise a fifth larger", "a fifth of the label noise"),
        wrong={
            "label noise a fifth larger": {"noise": scaled(1.2)},
            "no ridge": {"ridge": 0.0},
            "the limit": {"route": "asymptotic"},
            "flow in place of descent": otherwise(in_flow_time("flow/asymptotic")),
            "a risk without its half": then(doubled_risk),
        },
        slow=True,
    )

where the system's `__init__` defines `compared = partial(declared, problem="random-features", paper="")`.
The first route is the evidence, the second the claim. Negative controls change the claim's questions. A
check may also have its own judge `judge(found, claimed)`, wrong claims `claim(found)`, and known misprints
(`misprint(..., otherwise({"route": "printed"}))`).

Equal draw by draw, up to the rounding of a thousand steps:

    clocks={"descent": {"times": (0, 1, 1000), "learning_rate": 0.1}}, questions={"n": 9}, draws=3,
    routes=("simulation", "instance"), judge=Rounding(lambda asked: 1000 * asked["n"], "k n eps"),
    wrong={"one step too many": {"times": shifted(1)}, "ridge off by 1e-8": {"ridge": scaled(1 + 1e-8)}},

Approach to a limit: the bias, like 1/d, is measured at all sizes but the last, where means must agree:

    clocks={"descent": {"times": (10, 300), "learning_rate": 0.2}},
    questions=lambda d: {"n": 2 * d, "d": d, "noise": 0.3}, draws={10: 4000, 20: 2000, 40: 1000, 100: 500},
    routes=("simulation", "asymptotic"), averaged="instance", judge=AtSizes(whole=True),
    wrong={"noise 10 % larger": {"noise": scaled(1.1)}}, effect=Contrast(...), slow=True,

Small steps: an error proportional to the learning rate, at equal seeds:

    clocks={"descent": {}}, draws=dict.fromkeys((0.02, 0.01, 0.005), 3), stream="",
    questions=lambda rate: {"n": 9, "times": np.rint(TIMES / rate), "learning_rate": rate},
    routes=("simulation", "flow/instance"), judge=FirstOrder(curvature=4.0),
    claimed={"times": TIMES, "learning_rate": ABSENT}, wrong={"1 % fast": {"times": scaled(1.01)}},

Two formulas of two problems, within the accuracies declared by their routes:

    clocks={"flow": {"times": (1.0, 30.0)}}, questions={"n": 60, "scales": ((9, 1.0),)},
    routes=("asymptotic", "measured-spectrum/*/asymptotic"), observables=("training_error",),
    claimed=as_modes, wrong={"time off by 1e-7": {"times": scaled(1 + 1e-7)}},

Calculations outside the catalogue, such as students' weights, as the check's own routes:

    routes=(Own(simulated_weights), Own(closed_form)), questions={"30": SMALL}, draws=4, judge=Rounding(...),
    wrong={"off": {"learning_rate": scaled(1 + 1e-9)}, "half": {"route": Own(partial(closed_form, 0.5))}},

The default judge is `AtSizes` with sizes (the claim is a limit), `Means` for a sampled route against one
without draws, and otherwise `Accuracies`, at equal seeds if both routes are sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from teacherstudent.paper_checks.judging.comparison import (
    Changes,
    Comparison,
    Judge,
    Question,
    Reference,
    Values,
    otherwise,
)
from teacherstudent.paper_checks.judging.effects import Declared
from teacherstudent.paper_checks.judging.evidence import Check, Claim, Erratum, WrongClaim
from teacherstudent.paper_checks.judging.judges import Accuracies, AtSizes, Means


def declared(
    *,
    id: str,
    problem: str,
    ref: str,
    clocks: Mapping[str, Question],
    routes: tuple[Reference, Reference],
    questions: Any = None,
    observables: tuple[str, ...] = (),
    draws: int | Mapping[Any, int] = 0,
    wrong: Mapping[str, Mapping[str, Any] | Claim],
    claimed: Changes | None = None,
    claim: Claim | None = None,
    judge: Judge | None = None,
    averaged: str = "",
    stream: str | None = None,
    seen: Callable[[Values], Values] | None = None,
    less: Changes | None = None,
    title: str = "",
    paper: str = "",
    errata: tuple[Erratum, ...] = (),
    effect: Declared = None,
    functions: tuple[str, ...] = (),
    covers: tuple[str, ...] = (),
    also: tuple[tuple[str, str], ...] = (),
    slow: bool = False,
    lacks: Callable[[], str] = lambda: "",
) -> Check:
    """A check that two routes agree.

    clocks: the times and options of each dynamics; every question is asked under every dynamics.
    questions: the keywords of one question, or a mapping from names to questions; a function without
    arguments if they are expensive to make; a function of the size if `draws` has sizes, which may return a
    list. A question may have its own times, options and "routes", and "under", the only dynamics it is asked
    under.
    routes: evidence and claim, each "NAME", or "DYNAMICS/NAME" or "PROBLEM/DYNAMICS/NAME" if it belongs to
    another ("*": the same dynamics, as in "multiscale/*/asymptotic"); "" for a claim that asks no route; or
    `Own(answers)`, a function of dynamics, question and seeds outside the catalogue.
    less: changes to a question whose answers by the same route are subtracted ("route": "descent/{}").
    observables: the compared observables; () for all that a route gives. `seen` transforms them.
    draws: the number of draws per question, 0 for a route without draws; or a mapping from the varied number
    (size, learning rate, width) to the number of draws, with the number nearest to the claim last.
    claimed: changes that make the claim's questions (`Changes`). claim: a claim written by hand instead,
    such as `then(alter)` or `otherwise(function of the question)`.
    wrong: negative controls: from name to changes of the claim's questions ("route": another route), or to
    a claim `f(found)`: `otherwise(function of the question)`, `then(alter)`, or one written by hand.
    averaged: a route of averages given the inputs, which measures the bias at all sizes but the last.
    stream: names the draws of a question: "{}" is its name, "d={}" its size; equal streams give equal draws.
    functions: functions under test besides the routes. The other arguments are fields of `Check`; the default
    title says what is compared.
    """
    sizes = isinstance(draws, Mapping)
    asked = Comparison(
        problem, clocks, questions or {}, routes, observables, draws, claimed or {}, judge or Accuracies(),
        averaged, ("d={}" if sizes else "{}") if stream is None else stream, seen, less,
    )  # fmt: skip
    if judge is None:
        sampled = [
            bool(each) and any(asked.route(each, clock).sampled for clock in clocks) for each in routes
        ]
        chosen = AtSizes() if sizes else Means() if sampled == [True, False] else Accuracies()
        asked = replace(asked, judge=chosen)
    entries = (route.entry.partition(".")[2] for route in asked.both())
    return Check(
        id=id,
        problem=problem,
        title=title or asked.words.partition(";")[0],
        paper=paper,
        ref=ref,
        evidence=asked.gathered,
        claim=claim or otherwise({}),
        judge=asked.judge,
        wrong=tuple(
            WrongClaim(name, each if callable(each) else otherwise(each)) for name, each in wrong.items()
        ),
        errata=errata,
        effect=effect,
        functions=tuple(dict.fromkeys((*entries, *functions))),
        covers=covers,
        also=also,
        slow=slow,
        lacks=lacks,
        compared=asked.words,
    )
