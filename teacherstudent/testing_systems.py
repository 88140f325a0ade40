"""A plugin of pytest: what holds for every system, tested of yours.

    pytest -p teacherstudent.testing_systems --teacherstudent-system FOLDER

The folders may stand in pytest's settings, as `teacherstudent_systems = ["."]`, relative to that file.
Without any, the systems of installed packages are tested. This runs the code of these systems. Tests are
called `SYSTEM::what is tested[route]`; choose among them by `-k`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.declarations import Problem, Route
    from teacherstudent.house.outside.announced import Announced

Test = tuple[str, Callable[[], None]]
EARLY = (0.25, 0.75, 1.0, 3.0)
"""Times at which the examples of a problem are asked, those that its clock has."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The folders of the systems."""
    group = parser.getgroup("teacherstudent")
    group.addoption(
        "--teacherstudent-system",
        action="append",
        default=[],
        metavar="FOLDER",
        help="test the system in FOLDER, which runs its code (repeatable)",
    )
    parser.addini("teacherstudent_systems", "folders of systems to test", "paths", [])


def pytest_configure(config: pytest.Config) -> None:
    """Load the systems, also for their own tests."""
    from teacherstudent.house import catalogue
    from teacherstudent.house.errors import InputError

    for folder in config.getoption("teacherstudent_system") or config.getini("teacherstudent_systems"):
        try:
            catalogue.use(folder)
        except InputError as error:
            raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the tests of the systems; later plugins choose among all."""
    from teacherstudent.house import catalogue

    systems = catalogue.from_outside()
    for each in [each for each in systems if each.system.named] or systems:
        parent = _Of.from_parent(session, name=each.problem.id, nodeid=each.problem.id)
        items += [_Test.from_parent(parent, name=name, work=work) for name, work in tests_of(each)]


class _Of(pytest.Collector):
    """The tests of one system."""

    def collect(self) -> list[pytest.Item]:
        return []


class _Test(pytest.Item):
    def __init__(self, *, work: Callable[[], None], **more: Any) -> None:
        super().__init__(**more)
        self.work = work

    def runtest(self) -> None:
        self.work()

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Show only the message if the test itself says what is wrong."""
        from teacherstudent.house.errors import InputError, RouteError

        if isinstance(excinfo.value, AssertionError | InputError | RouteError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


def tests_of(each: Announced) -> Iterator[Test]:
    """Every test of a system, with its name."""
    from teacherstudent.figures.declaration import Figure
    from teacherstudent.figures.gallery import figures
    from teacherstudent.house.catalogue import problems, routes
    from teacherstudent.house.outside.announced import table
    from teacherstudent.house.outside.independence import demand_independence
    from teacherstudent.paper_checks.ledger import checks

    problem = problems()[each.problem.id]
    own = [route for route in routes() if route.problem == problem.id]
    yield "witnesses are independent", partial(demand_independence, each.system)
    yield "claims and checks agree", partial(_claims_agree, each)
    yield "examples ask for every observable", partial(_examples_ask, problem, own)
    for route in own:
        yield f"gives what it declares[{route.id}]", partial(_gives, problem, route)
        yield f"is put to the test by a check[{route.id}]", partial(_reached, each, route)
        if not route.sampled:
            yield f"answers a time alone as among others[{route.id}]", partial(_alone, problem, route)
    for one, other in combinations(own, 2):
        if _comparable(one, other):
            yield f"exact routes agree[{one.id}-{other.name}]", partial(_agree, problem, one, other)
    for id, check in checks().items():
        if check.problem == problem.id:
            yield f"agrees, and wrong claims do not[{id}]", partial(_holds, id)
    for figure in table(each.system, "figures", "FIGURES", Figure):
        assert figure.id in figures()
        yield f"is drawn[{figure.id}]", partial(_drawn, figure)


def _claims_agree(each: Announced) -> None:
    from teacherstudent.paper_checks.ledger import checks, claims_of, inconsistencies

    own = {id: check for id, check in checks().items() if check.problem == each.problem.id}
    claims = claims_of(each)
    faults = inconsistencies(claims, own) if claims else []
    assert not faults, "; ".join(faults)


def _questions(problem: Problem, *routes: Route) -> Iterator[dict[str, Any]]:
    """The problem's examples, with what the routes' examples add, without what these do not know."""
    clock = problem.on_clock(routes[0].dynamics)
    options = [option for route in routes for option in route.options]
    known = {each.name for each in (*problem.parameters, *clock.options, *options)}
    for example in problem.examples:
        whole = {**example, **{name: value for route in routes for name, value in route.example.items()}}
        yield {name: value for name, value in whole.items() if name in known}


def _answer(
    problem: Problem, route: Route, question: Mapping[str, Any], times: tuple[float, ...] = EARLY
) -> tuple[xr.Dataset, bool]:
    """What a route says, of two draws where it draws, and whether it warned. Raises `InputError`."""
    from teacherstudent.house.errors import UnconvergedWarning
    from teacherstudent.house.running import run

    clock, valid = problem.on_clock(route.dynamics), []
    for time in times:
        with suppress(ValueError):
            clock.time.domain.check(int(time) if clock.whole_time and time == int(time) else time)
            valid.append(time)
    seeds = {"seeds": (0, 1)} if route.sampled else {}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UnconvergedWarning)
        found = run(problem.id, route.dynamics, route.name, valid, **seeds, **question)
    return found, any(issubclass(each.category, UnconvergedWarning) for each in said)


def _answers(problem: Problem, *routes: Route) -> Iterator[list[tuple[xr.Dataset, bool]]]:
    """What these routes say to each example that all of them answer."""
    from teacherstudent.house.errors import InputError

    for question in _questions(problem, *routes):
        with suppress(InputError):
            yield [_answer(problem, route, question) for route in routes]


def _examples_ask(problem: Problem, routes: list[Route]) -> None:
    found = [answer for route in routes for ((answer, _),) in _answers(problem, route)]
    given = {str(name) for each in found for name in each.data_vars}
    lacking = {each.name for each in problem.observables} - given
    assert not lacking, f"no route gives {', '.join(sorted(lacking))} of an example of PROBLEM"


def _gives(problem: Problem, route: Route) -> None:
    """Names, shapes and types are held by the house; here, that it gives any, finite or with a reason."""
    import numpy as np

    answered = False
    for ((found, warned),) in _answers(problem, route):
        answered = True
        for each in problem.observables:
            if each.name in found:
                values = found[each.name].values
                assert warned or np.isfinite(values).all(), f"{each.name} is not finite, without a reason"
                negative = each.nonnegative and not route.approximate and (values < 0).any()
                assert not negative, f"{each.name} is declared nonnegative and is negative"
    assert answered, "it refuses every example of PROBLEM; Route.example must add what they lack"


def _reached(each: Announced, route: Route) -> None:
    from teacherstudent.paper_checks.ledger import checks

    entry = each.short(route.entry.partition(".")[2])
    reaching = [check for check in checks().values() if entry in check.functions]
    assert reaching, f"no check names {entry}"
    both = [check for check in reaching if "theory" in check.about and "simulation" in check.about]
    assert both or route.witness != "sims", f"no check holds {entry} against theory"


def _alone(problem: Problem, route: Route) -> None:
    for question in _questions(problem, route):
        with suppress(ValueError):
            together, _ = _answer(problem, route, question)
            for time in together["time"].values.tolist():
                alone, _ = _answer(problem, route, question, (time,))
                gap = _furthest(alone, together.sel(time=[time]))
                assert gap <= 2 * route.accuracy, f"at time {time:g} it differs by {gap:.2g} when asked alone"


def _comparable(one: Route, other: Route) -> bool:
    """Whether two routes that draw nothing by training are exact for the same."""
    kinds = {one.exact_for, other.exact_for}
    return (
        one.dynamics == other.dynamics
        and not any(each.approximate or each.witness == "sims" for each in (one, other))
        and (len(kinds) == 1 or kinds == {"question", "draw"})
    )


def _agree(problem: Problem, one: Route, other: Route) -> None:
    for (first, _), (second, _) in _answers(problem, one, other):
        gap = _furthest(first, second)
        assert gap <= one.accuracy + other.accuracy, f"they differ by {gap:.2g} of the largest value"


def _furthest(one: xr.Dataset, other: xr.Dataset) -> float:
    """Largest difference of an observable that both give, relative to its largest magnitude."""
    import numpy as np

    gaps = [0.0]
    for name in one.data_vars.keys() & other.data_vars.keys():
        size = float(max(abs(one[name]).max(), abs(other[name]).max()))
        gap = abs(one[name] - other[name]).where(~(np.isnan(one[name]) & np.isnan(other[name])), 0.0)
        gaps.append(float(gap.max(skipna=False)) / (size or 1.0))
    return float(np.max(gaps))


def _holds(id: str) -> None:
    from teacherstudent.api.check import check

    (outcome,) = check(id)
    assert outcome.passed, outcome.why
    assert math.isfinite(outcome.verdict.weakest.share), "it compares no number that a wrong claim changes"


def _drawn(figure: Any) -> None:
    from matplotlib.figure import Figure as Canvas

    with pytest.MonkeyPatch.context() as patch:
        for constant, value in figure.small.items():
            patch.setattr(constant, value)
        canvas = Canvas(layout="constrained")
        figure.draw(canvas, figure.compute(True))
        canvas.draw_without_rendering()
