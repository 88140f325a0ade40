"""The observables of a problem over time: what `teacherstudent curve` and a notebook both call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from teacherstudent.api import moving
from teacherstudent.api import scatter as scattering
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.domains import check_flag
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.labelled import Labelled, in_dataset
from teacherstudent.house.parameters import AUTO, FIRST_SEED, SEEDS, TIMES
from teacherstudent.house.provenance import recorded
from teacherstudent.house.synonyms import by_name

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.house.running import Question

A = TypeVar("A", Labelled, "xr.Dataset")


@recorded
def curve(
    problem: str,
    *,
    dynamics: str,
    route: str | Sequence[str],
    times: str | Span | Sequence[float] | None = None,
    seeds: int | None = None,
    seed: int | None = None,
    sensitivity: str | Sequence[str] | None = None,
    uncertain: Mapping[str, tuple[Any, Any]] | Sequence[str] | str | None = None,
    scatter: bool = False,
    **values: Any,
) -> xr.Dataset:
    """Compute the observables of a problem over time, under one dynamics, by one route or several.

    A point without a certain result is NaN, with an `UnconvergedWarning`. If several routes are sampled, they
    use the same seeds. The first simulation among the routes, or else the first exact sampled route, is
    compared
    with every other route, draw by draw if both are sampled.

    Args:
        problem: Id of the problem, one of `teacherstudent.listing("problems")`.
        dynamics: How the student is trained, such as `"flow"` or `"descent"`. The dynamics also defines the
            unit of `times`.
        route: Name of the route that computes the answer, such as `"asymptotic"` or `"simulation"`; or
            several, as a list or separated by commas.
        times: Recording times on the clock of the dynamics: an increasing list, a `Span`, or the text
            `LO:HI:N[:log|lin]`. For problems that allow it, `"auto"` chooses times that include the whole
            change of the error. Default: that of the dynamics, `"1:1e4:50"` for most.
        seeds: Number of draws (default 20). Sampled routes only.
        seed: Number of the first draw (default 0). Sampled routes only.
        sensitivity: Parameters, options or `time` with respect to which derivatives are computed, such as
            `"kappa,noise"` or a list. Only for routes without random draws.
        uncertain: Mean and standard deviation of uncertain inputs, such as `{"noise": (0.1, 0.02)}` or
            `"kappa=50+-5%"`. The inputs are independent and normally distributed.
        scatter: Whether to add the standard deviation between data sets, from the draws of a sampled route or
            from theory where a route has it.
        **values: Parameters of the problem and options of the dynamics and the route, by name, such as
            `kappa=50`. An activation, a loss and the learning rate of descent may be functions of an array,
            such as `activation=numpy.tanh`.

    Returns:
        Dataset of the observables over `time`, (T,), and for some observables over a further axis (`mode`,
            `scale`, `feature` or `group`). A sampled route gives means over the seeds, each with
            `<name>_stderr`, one standard error of the mean. Each variable has the attributes `units`,
            `symbol` and `long_name`. The attributes of the dataset record the question and the version of the
            code, and `caution` says why the numbers may be far off, for example because a limit is used for
            few rows. Several routes form an axis `route`. Then `<name>_residual` is the difference between
            the route in its attribute `measured` and each other route, in standard errors, and the attribute
            `agreement` holds the verdicts as JSON. `d_<name>_d_<input>` is the derivative with respect to an
            input, the others fixed, and `d_<name>_d_<input>_error` its error; the derivative is NaN if the
            error exceeds half of it. `<name>_uncertainty` is the standard deviation over uncertain inputs,
            and `<name>_shift` the mean over these inputs minus the answer. `<name>_scatter` is the standard
            deviation
            between draws, with one standard error, `<name>_scatter_stderr`.

    Raises:
        InputError: For an unknown name, a value outside its domain, a contradiction, seeds for a route that
            draws nothing, and sizes that do not fit into memory.

    Examples:
        >>> import teacherstudent as ts
        >>> question = dict(problem="multiscale", dynamics="flow", times=[1, 100], kappa=50)
        >>> answer = ts.curve(route="asymptotic", **question)
        >>> list(answer.data_vars), answer.excess_risk.attrs["units"]
        (['R', 'Q', 'excess_risk'], 'output^2')

        Two routes at once:

        >>> both = ts.curve(route="asymptotic,instance", seeds=5, **question)
        >>> both.route.values.tolist(), both.excess_risk_residual.attrs["measured"]
        (['asymptotic', 'instance'], 'instance')

        The derivative of the risk with respect to the label noise, and its uncertainty due to the noise:

        >>> question |= {"route": "asymptotic", "uncertain": {"noise": (0.1, 0.02)}}
        >>> found = ts.curve(sensitivity="noise", **question).sel(time=100)
        >>> round(float(found.d_excess_risk_d_noise), 4), round(float(found.excess_risk_uncertainty), 4)
        (0.0667, 0.0013)
    """
    asked: dict[str, Any] = {"dynamics": dynamics, "route": route, "times": times, "seeds": seeds}
    asked |= {"seed": seed, "sensitivity": sensitivity, "uncertain": uncertain, "scatter": scatter, **values}
    return in_dataset(_curve(problem, **asked))


def _curve(
    problem: str,
    *,
    dynamics: str,
    route: str | Sequence[str],
    times: Times = None,
    seeds: int | None = None,
    seed: int | None = None,
    sensitivity: str | Sequence[str] | None = None,
    uncertain: Mapping[str, tuple[Any, Any]] | Sequence[str] | str | None = None,
    scatter: bool = False,
    **values: Any,
) -> Labelled | xr.Dataset:
    """What `curve` returns, not yet as a dataset where nothing needs one."""
    from teacherstudent.house.cautions import of_question
    from teacherstudent.house.running import answer

    kind = catalogue.find_problem(problem)
    chosen = [catalogue.find_route(kind, dynamics, name) for name in route_names(route)]
    drawn = seeds_of(chosen, seeds, seed)
    spreads: dict[str, float] = {}
    if sensitivity is not None:
        moving.demand_theory(moving.SENSITIVITY, chosen)
    if uncertain is not None:
        moving.demand_theory(moving.UNCERTAIN, chosen)
        values, spreads = moving.centred(kind, chosen, values, uncertain)
    asked, later = questions(kind, chosen, times, values)
    lacking = ""
    if check_flag(scattering.OPTION, scatter):
        asked, lacking = scattering.asking_scatter(asked)
    bare: dict[str, Labelled] = {}
    for each in asked:
        try:
            given = answer(each, drawn if each.route.sampled else None)
        except InputError as error:
            if scatter and error.option == "observable":
                raise InputError(scattering.OPTION, f"(route {each.route.name})", error.domain) from None
            raise
        bare[each.route.name] = given.assign_attrs(caution=of_question(each))
    more: dict[str, Any] = {"kind": "curve", **({"first_seed": drawn[0]} if drawn else {})}
    if len(asked) == 1 and not scatter and sensitivity is None and not spreads:
        return with_remark(bare[asked[0].route.name].averaged().assign_attrs(**more), later)
    whole = {name: each.dataset() for name, each in bare.items()}
    answers = scattering.without_scatter(whole) if scatter else whole
    if len(asked) > 1:
        from teacherstudent.api.several_routes import answered_together

        found = answered_together(asked, answers, kind)
    else:
        from teacherstudent.house.running import summarise

        found = summarise(answers[asked[0].route.name])
    if scatter:
        found = with_remark(scattering.with_scatter(found, asked, whole), lacking)
    if sensitivity is not None:
        found = moving.with_sensitivity(found, asked, sensitivity)
    if spreads:
        found = moving.with_uncertainty(found, asked, spreads)
    return with_remark(found.assign_attrs(**more), later)


curve_or_arrays = recorded(_curve, "curve")
"""`curve`, whose answer is a `house.labelled.Labelled` where nothing in it needs xarray."""


def route_names(route: str | Sequence[str]) -> list[Any]:
    """The names of the requested routes. Raises `InputError` for a route that is named twice."""
    names = route.split(",") if isinstance(route, str) else route
    if not isinstance(names, list | tuple) or not names:
        return [route]
    if repeated := [name for i, name in enumerate(names) if name in names[:i]]:
        raise InputError(
            "route", ",".join(map(str, names)), f"different routes; {repeated[0]} is there twice"
        )
    return list(names)


Times = str | Span | Sequence[float] | None


def recording_times(times: Times, clock: Dynamics) -> str | Span | Sequence[float]:
    """The recording times, or `AUTO`. A text is parsed; None means the default of the dynamics.

    Raises `InputError`, also for `AUTO` if the dynamics cannot choose times for this question.
    """
    given = None if isinstance(times, str) and times == AUTO else times
    if given is None and times is not None and clock.times != AUTO:
        hint = f"the times of {clock.name} do not follow from the question here"
        raise InputError(TIMES.name, AUTO, TIMES.domain.describe(), hint)
    if given is None:
        return clock.times
    return TIMES.parse(given) if isinstance(given, str) else given


def times_of_questions(
    kind: Problem, clock: Dynamics, questions: Sequence[tuple[Any, Mapping[str, Any]]]
) -> tuple[Sequence[float], str]:
    """The times that follow from questions, pairs (instance, options), and what happens after the last time.

    The settings of the answer contain these times as if the user had typed them. Raises `InputError`.
    """
    from teacherstudent.house.provenance import record_decision

    found, later = catalogue.windows()[kind.id].function()(questions, clock.name)
    record_decision(TIMES.name, found)
    return found, later


def questions(
    kind: Problem, routes: Sequence[Route], times: Times, values: Mapping[str, Any]
) -> tuple[list[Question], str]:
    """Return one question for each route, and a remark on what happens after the last time.

    All routes have the same dynamics. Each route gets only its own options. If no times are given, the
    question to the first route determines them. Raises `InputError`.
    """
    from teacherstudent.house.running import Question, instance_and_options, time_grid

    clock = kind.on_clock(routes[0].dynamics)
    options = [option for route in routes for option in route.options]
    if len(routes) > 1:
        values = by_name((*kind.parameters, *clock.options, *dict.fromkeys(options)), values)
    own = {}
    for route in routes:
        others = {option.name for option in options} - {option.name for option in route.options}
        own[route] = {name: value for name, value in values.items() if name not in others}
    settled = {route: instance_and_options(kind, clock, route, given) for route, given in own.items()}
    later, grid = "", recording_times(times, clock)
    if isinstance(grid, str):
        grid, later = times_of_questions(kind, clock, [settled[routes[0]]])
    at = time_grid(clock, grid)
    return [Question(kind, clock, route, *settled[route], at, own[route]) for route in routes], later


def with_remark(answer: A, remark: str) -> A:
    """The answer with this remark added, if there is one."""
    return answer.assign_attrs(remarks="; ".join(filter(None, (answer.attrs.get("remarks", ""), remark))))


def seeds_of(routes: Sequence[Route], seeds: int | None, seed: int | None) -> range:
    """The seeds for the sampled routes; no seeds if no route is sampled.

    Raises `InputError` if seeds are given and no route is sampled.
    """
    if any(route.sampled for route in routes):
        first = FIRST_SEED.check(FIRST_SEED.default if seed is None else seed)
        return range(first, first + SEEDS.check(SEEDS.default if seeds is None else seeds))
    for parameter, given in ((SEEDS, seeds), (FIRST_SEED, seed)):
        if given is not None:
            names = ", ".join(route.name for route in routes)
            raise InputError(parameter.name, given, f"absent: route {names} draws nothing")
    return range(0)
