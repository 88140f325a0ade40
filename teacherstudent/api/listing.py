"""Lists of the problems, routes, figures, checks and errata (known misprints) that announce themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from teacherstudent.house import catalogue
from teacherstudent.house.parameters import Parameter, pick

Entry = dict[str, Any]


def listing(kind: str | None = None) -> list[Entry]:
    """List the problems, routes, figures, checks and known misprints.

    Imports neither JAX nor matplotlib.

    Args:
        kind: `"problems"`, `"routes"`, `"figures"`, `"checks"` or `"errata"` (known misprints); by default
            all.

    Returns:
        One dictionary for each entry, which can be written as JSON, with `kind`, `id` and

            - problems: `title`, `source`, `parameters` and `dynamics` with their `options` (each with
              `option`, `symbol`, `unit`, `domain`, `meaning` and `default`), `observables`, and `system`, the
              folder of an outside system ("" for those of the package);
            - routes: `problem`, `dynamics`, `name`, `meaning`, `source`, `sampled`, `approximate` ("" for an
              exact one), its own `options`;
            - figures: `title`, `paper`, `ref`, `caption`;
            - checks: `problem`, `title`, `paper`, `ref`, `about` (theory, simulation, both, or the paper
              alone), the `effect` that its detectable error is compared with, the `functions` that it tests,
              `covers`, `slow`, names of `teeth` (negative controls) and `errata`; and of the last run on the
              developers' machine its `state`, the `share` of its detectable error in the effect, and whether
              that is `stale` because the code of the check has changed;
            - errata: `paper` ("" for a remark on no particular paper), `ref`, `quoted` (printed `words` and
              their `place`), `printed`, `corrected`, the `check` that refutes the print, and `held`, the
              check that confirms the correction.

    Raises:
        InputError: For an unknown kind.

    Examples:
        >>> import teacherstudent as ts
        >>> "multiscale" in [problem["id"] for problem in ts.listing("problems")]
        True
    """
    kinds = KINDS if kind is None else {kind: pick("kind", kind, KINDS)}
    return [{"kind": name, **entry} for name, entries in kinds.items() for entry in entries()]


def about(kind: str, word: str) -> list[str]:
    """The ids of the figures or checks of that system or paper."""
    from teacherstudent.figures.gallery import figures

    rooms = {id: f"{each.draw.__module__}." for id, each in figures().items()} if kind == "figures" else {}
    room = f".figures.{word.replace('-', '_')}."
    return [
        each["id"]
        for each in listing(kind)
        if word in (each.get("problem"), each["paper"]) or room in rooms.get(each["id"], "")
    ]


def titled(kind: str, words: str) -> list[str]:
    """The ids of the entries of that kind whose titles contain all of these words; dashes count as spaces."""
    sought = words.lower().replace("-", " ").split()
    titles = {each["id"]: each["title"].lower() for each in listing(kind)} if sought else {}
    return [id for id, title in titles.items() if all(word in title for word in sought)]


def _problems() -> list[Entry]:
    return [
        {
            "id": problem.id,
            "title": problem.title,
            "source": problem.source,
            "parameters": [_parameter(each) for each in problem.parameters],
            "dynamics": [
                {
                    "id": clock.name,
                    "time": _parameter(clock.time),
                    "options": [_parameter(each) for each in clock.options],
                }
                for clock in problem.dynamics
            ],
            "observables": [asdict(each) for each in problem.observables],
            "system": catalogue.system_of(problem.id).get("system", ""),
        }
        for problem in catalogue.problems().values()
    ]


def _parameter(parameter: Parameter) -> Entry:
    return {
        "id": parameter.name,
        "option": f"--{parameter.option}",
        "symbol": parameter.symbol,
        "unit": parameter.unit,
        "domain": parameter.domain.describe(),
        "meaning": parameter.meaning,
        "default": parameter.default_text,
    }


def _routes() -> list[Entry]:
    fields = ("id", "problem", "dynamics", "name", "meaning", "source", "sampled", "approximate", "version")
    return [
        {
            **{name: getattr(route, name) for name in fields},
            "options": [_parameter(each) for each in route.options],
        }
        for route in catalogue.routes()
    ]


def _figures() -> list[Entry]:
    from teacherstudent.figures.gallery import figures

    fields = ("id", "title", "paper", "ref", "caption")
    return [{name: getattr(figure, name) for name in fields} for figure in figures().values()]


def _checks() -> list[Entry]:
    from teacherstudent.paper_checks.last_run import LastRun, last_run
    from teacherstudent.paper_checks.ledger import checks

    fields = ("id", "problem", "title", "paper", "ref", "about", "functions", "covers", "slow")
    return [
        {
            **{name: getattr(check, name) for name in fields},
            "effect": check.effect.what if check.effect else "",
            "teeth": [each.name for each in check.wrong],
            "errata": [erratum.id for erratum in check.errata],
            **asdict(last_run().get(check.id, LastRun())),
        }
        for check in checks().values()
    ]


def _errata() -> list[Entry]:
    from teacherstudent.paper_checks.ledger import checks

    fields = ("id", "paper", "ref", "printed", "corrected", "held")
    return [
        {
            **{name: getattr(erratum, name) for name in fields},
            "quoted": [asdict(quotation) for quotation in erratum.reading.quoted],
            "check": check.id,
        }
        for check in checks().values()
        for erratum in check.errata
    ]


KINDS: dict[str, Callable[[], list[Entry]]] = {
    "problems": _problems,
    "routes": _routes,
    "figures": _figures,
    "checks": _checks,
    "errata": _errata,
}
