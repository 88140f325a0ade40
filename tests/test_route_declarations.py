"""A route that does not keep its declaration is found out: in Python, in a sweep, in the shell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teacherstudent
from teacherstudent.house.answers import expected_shapes
from teacherstudent.house.certainty import Reason, nan_where, nan_where_not_finite, reasons
from teacherstudent.house.declarations import Route
from teacherstudent.house.domains import Choice
from teacherstudent.house.errors import InputError, RouteError, UnconvergedWarning
from teacherstudent.house.parameters import Parameter
from teacherstudent.sweeps import answering
from teacherstudent.sweeps.answering import Task
from teacherstudent.sweeps.cells import Cell, Point
from tests.roundings import repeated, unrounded
from tests.support import TOY, refusal, say

PATH = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--times", "1:2:2", "--route")
ASKED: dict[str, Any] = {"problem": "toy", "dynamics": "path", "times": [1.0, 2.0]}


def returning(answer: Any) -> Callable[..., Any]:
    """A route that gives this, whatever is asked."""
    return lambda toy, times, **_: answer


BROKEN = {
    "another name": (
        {"grwoth": [1.0, 2.0]},
        "gives grwoth and lacks growth: its declaration promises growth",
    ),
    "a name too many": ({"growth": [1.0, 2.0], "more": [1.0, 2.0]}, "gives more: its declaration promises"),
    "an observable of other routes": ({"growth": [1.0, 2.0], "modes": np.ones((2, 2))}, "gives modes: its"),
    "nothing": ({}, "lacks growth: its declaration promises growth"),
    "no mapping": ([1.0, 2.0], "gives list, not arrays by name"),
    "a number for two times": ({"growth": 1.0}, "gives growth in shape (), not (2,)"),
    "a time too many": ({"growth": np.ones(3)}, "gives growth in shape (3,), not (2,)"),
    "an axis too many": ({"growth": np.ones((2, 1))}, "gives growth in shape (2, 1), not (2,)"),
    "rows of two lengths": ({"growth": [[1.0], [1.0, 2.0]]}, "gives growth with rows of different lengths"),
    "complex numbers": (
        {"growth": np.ones(2, dtype=complex)},
        "gives growth as complex128, not as real numbers",
    ),
    "truth values": ({"growth": [True, False]}, "gives growth as bool, not as real numbers"),
    "words": ({"growth": ["1", "2"]}, "gives growth as <U1, not as real numbers"),
    "objects": ({"growth": [None, 1.0]}, "gives growth as object, not as real numbers"),
}


@pytest.mark.parametrize(("answer", "line"), BROKEN.values(), ids=BROKEN)
def test_what_was_not_declared_is_an_error_that_names_the_route(
    toy: Any, tmp_path: Path, answer: Any, line: str
) -> None:
    toy("broken", returning(answer))
    said = say(*PATH, "broken", "--out", tmp_path / "answer.csv")
    assert (said.status, said.out) == (70, "")
    assert said.err.startswith(f"error: route toy/path/broken {line}")
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    for ask in (teacherstudent.curve, teacherstudent.sweep):
        strength: Any = 1.0 if ask is teacherstudent.curve else [1.0]
        with pytest.raises(RouteError, match=r"^route toy/path/broken "):
            ask(route="broken", strength=strength, **ASKED)


@pytest.mark.usefixtures("toy")
def test_the_same_routes_keep_their_declaration_when_nothing_is_broken() -> None:
    assert say(*PATH, "grown").status == say(*PATH, "modes").status == 0


def test_a_sampled_route_owes_a_row_a_draw(toy: Any) -> None:
    toy("broken", returning({"growth": np.ones((3, 2))}), sampled=True)
    assert "in shape (3, 2), not (4, 2)" in say(*PATH, "broken", "--seeds", "4").err
    assert say(*PATH, "broken", "--seeds", "3").status == 0


def test_an_axis_of_its_own_has_the_length_of_its_coordinate(toy: Any) -> None:
    toy("broken", returning({"growth": np.ones(2), "modes": np.ones((2, 3))}), gives=())
    assert "gives modes in shape (2, 3), not (2, 2)" in say(*PATH, "broken").err
    assert say(*PATH, "broken", "--sizes", "1,2,3").status == 0


def test_an_axis_without_a_coordinate_is_a_fault_of_the_problem() -> None:
    route = Route("toy", "path", "any", "", "", "")
    nowhere = replace(TOY, coordinates=lambda _: {})
    with pytest.raises(RouteError, match=r"^problem toy: modes has no coordinate along its axis mode$"):
        expected_shapes(nowhere, route, TOY.instance(strength=1.0), {})


# Numbers that are not certain ----------------------------------------------------------------------


def test_an_infinity_becomes_nan_with_a_reason_and_spares_the_rest(toy: Any) -> None:
    toy("broken", returning({"growth": np.array([1.0, np.inf]), "modes": np.ones((2, 2))}), gives=())
    with pytest.warns(
        UnconvergedWarning, match="^route toy/path/broken: growth is not finite; NaN at 1 of 2 times$"
    ):
        answer = teacherstudent.curve(route="broken", strength=1.0, **ASKED)
    assert unrounded(answer["growth"][:1], [1.0])
    assert np.isnan(answer["growth"].values[1])
    assert np.isfinite(answer["modes"]).all()
    swept = teacherstudent.sweep(route="broken", strength=[1.0], **ASKED)
    assert swept["reason"].values.tolist() == [
        "route toy/path/broken: growth is not finite; NaN at 1 of 2 times"
    ]


def test_a_nan_that_nobody_explained_is_explained(toy: Any) -> None:
    toy("broken", returning({"growth": np.array([[1.0, np.nan], [1.0, 2.0]])}), sampled=True)
    with pytest.warns(
        UnconvergedWarning, match="route toy/path/broken: growth is not finite; NaN in 1 of 2 draws"
    ):
        teacherstudent.sample(route="broken", strength=1.0, seeds=2, **ASKED)


def test_a_nan_with_a_reason_needs_no_second_one(toy: Any) -> None:
    toy("unsure", lambda toy, times: {"growth": nan_where(times > 1, "no root\n found", times)})
    warned = "warning: no root found; NaN at 1 of 2 times\n"
    assert say(*PATH, "unsure") == (0, "time,growth\n1.0,1.0\n2.0,nan\n", warned)


def test_a_nan_beside_an_explained_one_is_explained_too(toy: Any) -> None:
    def unsure(toy: Any, times: np.ndarray) -> Any:
        values = nan_where(times > 1, "no root", np.ones(2))
        return {"growth": np.where(times < 2, np.nan, values), "modes": np.ones((2, 2))}

    toy("unsure", unsure, gives=())
    line = "warning: route toy/path/unsure: growth is not finite; NaN at 1 of 2 times\n"
    assert say(*PATH, "unsure").err == f"warning: no root; NaN at 1 of 2 times\n{line}"


def test_a_reason_for_one_observable_is_none_for_another(toy: Any) -> None:
    def unsure(toy: Any, times: np.ndarray) -> Any:
        certain = nan_where(times > 1, "no root", {"growth": np.ones(2)})
        return {**certain, "modes": np.full((2, 2), np.nan)}

    toy("unsure", unsure, gives=())
    assert say(*PATH, "unsure").err.splitlines() == [
        "warning: no root; NaN at 1 of 2 times",
        "warning: route toy/path/unsure: modes is not finite; NaN at 2 of 2 times",
    ]


POINTS = np.array([[True, False, False], [False, False, True]])


@pytest.mark.parametrize(
    ("lost", "names", "covered"),
    [
        (np.array(True), (), np.ones((2, 3))),
        (POINTS, (), POINTS),
        (POINTS[0], ("growth",), [POINTS[0]] * 2),
        (POINTS[:, 0], (), [[True] * 3, [False] * 3]),
        (POINTS, ("modes",), np.zeros((2, 3))),
        (POINTS[:, :2], (), np.ones((2, 3))),
        (POINTS, ("root",), POINTS),
    ],
    ids=["all", "points", "times", "draws", "another", "points within", "an array within"],
)
def test_a_reason_covers_the_points_that_it_was_given_for(lost: np.ndarray, names: Any, covered: Any) -> None:
    reason = Reason("no root", lost, names)
    assert np.array_equal(reason.covers("growth", ("growth", "modes"), (2, 3)), covered)


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
def test_what_a_thread_says_is_heard() -> None:
    from teacherstudent.sims.arrays import side_by_side

    parts = [np.array([i]) for i in range(4)]
    with reasons() as given:
        side_by_side(lambda part: nan_where(part > 0, f"no root {part[0]}", part.astype(float)), parts)
    assert sorted(each.text[:9] for each in given) == ["no root 1", "no root 2", "no root 3"]


@pytest.mark.parametrize("size", [1.0, 1e200, 1e300])
def test_means_of_large_numbers_stay_numbers(toy: Any, size: float) -> None:
    draws = size * np.array([[1.0, 0.5], [0.5, -1.0], [1.0, 0.5]])
    toy("large", returning({"growth": draws}), sampled=True)
    asked: dict[str, Any] = {"route": "large", "seeds": 3, **ASKED}
    mean = teacherstudent.curve(strength=1.0, **asked)
    swept = teacherstudent.sweep(strength=[1.0], **asked).isel(strength=0)
    for name, ones in (("growth", [2.5 / 3, 0.0]), ("growth_stderr", [1 / 6, 0.5])):
        np.testing.assert_allclose(mean[name] / size, ones, rtol=1e-14, atol=1e-15)
        assert repeated(swept[name].values, mean[name].values)
    drawn = teacherstudent.sample(strength=1.0, **asked)
    residuals = teacherstudent.compare(drawn, mean.drop_attrs() * 0).residuals["growth"]
    np.testing.assert_allclose(residuals, [5.0, 0.0], atol=1e-14)
    paired = teacherstudent.compare(drawn, drawn * 0).residuals["growth"]
    np.testing.assert_allclose(paired, [5.0, 0.0], atol=1e-14)


FAILURES = [
    OverflowError("too large"),
    ZeroDivisionError(),
    FloatingPointError("x"),
    np.linalg.LinAlgError("y"),
]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
@pytest.mark.parametrize("sampled", [False, True])
def test_a_route_that_breaks_down_is_nan_with_its_reason(toy: Any, failure: Exception, sampled: bool) -> None:
    def failing(toy: Any, times: Any, **_: Any) -> Any:
        raise failure

    toy("failing", failing, sampled=sampled, gives=())
    why = f"route toy/path/failing broke down ({type(failure).__name__}"
    said = say(*PATH, "failing", *(("--seeds", "2") if sampled else ()))
    assert said.status == 0
    assert said.err.startswith(f"warning: {why}")
    assert said.err.endswith("; NaN everywhere\n")
    header, *rows = said.out.splitlines()
    assert header.startswith("time,mode,growth,modes")
    assert all(set(row.split(",")[2:]) == {"nan"} for row in rows)
    swept = teacherstudent.sweep(
        route="failing", strength=[1.0, 2.0], **ASKED, **({"seeds": 2} if sampled else {})
    )
    assert all(reason.startswith(why) for reason in swept["reason"].values)
    assert np.isnan(swept["growth"]).all()


@pytest.mark.parametrize("error", [KeyError, RuntimeError, TypeError, ValueError])
def test_a_route_that_fails_is_named_in_one_line(toy: Any, error: type[Exception]) -> None:
    def failing(toy: Any, times: Any) -> Any:
        raise error("no such thing")

    toy("failing", failing)
    with pytest.raises(
        RouteError, match=f"toy/path/failing failed .{error.__name__}: .*no such thing"
    ) as said:
        teacherstudent.curve(route="failing", strength=1.0, **ASKED)
    assert isinstance(said.value.__cause__, error)


def test_what_is_no_fault_of_a_route_passes(toy: Any) -> None:
    def interrupted(toy: Any, times: Any) -> Any:
        raise KeyboardInterrupt

    toy("interrupted", interrupted)
    with pytest.raises(KeyboardInterrupt):
        teacherstudent.curve(route="interrupted", strength=1.0, **ASKED)


# Many questions in one call -------------------------------------------------------------------------


def batch_of_two(instances: Any, times: np.ndarray, *, options: Any, seeds: Any) -> Any:
    """Answers in one call: the second lacks what it owes."""
    yield {"growth": np.ones((2, times.size))}
    yield {}


def short_batch(instances: Any, times: np.ndarray, *, options: Any, seeds: Any) -> Any:
    """One answer, however many questions."""
    yield {"growth": np.ones((2, times.size))}


def infinite_batch(instances: Any, times: np.ndarray, *, options: Any, seeds: Any) -> Any:
    """Infinite answers in one call."""
    for _ in instances:
        yield {"growth": np.full((2, times.size), np.inf)}


def tasks(batch: str) -> list[Task]:
    route = Route("toy", "path", "batched", "", "", "", sampled=True, batch=f"{__name__}:{batch}")
    times, shapes = np.array([1.0, 2.0]), {"growth": ()}
    return [Task(Cell(key, route, Point({})), times, (0, 1), shapes) for key in "ab"]


def test_answers_of_one_call_are_held_to_the_declaration() -> None:
    with pytest.raises(RouteError, match=r"^route toy/path/batched lacks growth"):
        list(answering.answered(tasks("batch_of_two"), batch=2))


def test_too_few_answers_of_one_call_are_noticed() -> None:
    with pytest.raises(RouteError, match=r"^route toy/path/batched gives NoneType, not arrays by name"):
        list(answering.answered(tasks("short_batch"), batch=2))


def test_infinities_of_one_call_become_nan_with_a_reason() -> None:
    (piece,) = answering.answered(tasks("infinite_batch"), batch=2)
    reasons_given = {row[-1] for rows in piece for row in rows}
    assert reasons_given == {"route toy/path/batched: growth is not finite; NaN in 2 of 2 draws"}


# Options of routes ----------------------------------------------------------------------------------

GRAIN = Parameter("grain", "", "", Choice(("fine", "coarse")), "how finely", "fine")


@pytest.fixture
def grained(toy: Any) -> None:
    """Route `grained`, which has an option of its own, and doubles where that is coarse."""
    toy(
        "grained",
        lambda toy, times, *, grain: {"growth": toy.strength * times * (2 if grain == "coarse" else 1)},
        options=(GRAIN,),
    )


@pytest.mark.usefixtures("grained")
def test_a_route_takes_its_own_option_and_others_refuse_it() -> None:
    assert say(*PATH, "grained", "--grain", "coarse").out == "time,growth\n1.0,2.0\n2.0,4.0\n"
    assert say(*PATH, "grained").out == "time,growth\n1.0,1.0\n2.0,2.0\n"
    line = "must be absent for route grown of path: an option of --dynamics path --route grained"
    assert refusal(say(*PATH, "grown", "--grain", "fine")) == f"--grain fine: {line}"
    swept = ("sweep", *PATH[1:3], "1:2:2", *PATH[4:])
    assert refusal(say(*swept, "grown", "--grain", "fine")) == f"--grain fine: {line}"


@pytest.mark.usefixtures("grained")
def test_the_help_lists_an_option_under_its_route() -> None:
    words = " ".join(say("curve", "toy", "--help").out.split())
    assert "Options of --dynamics path --route grained: --grain VALUE how finely" in words


@pytest.mark.usefixtures("grained")
def test_of_several_routes_those_that_have_an_option_get_it() -> None:
    answer = teacherstudent.sweep(route=["grown", "grained"], strength=1.0, grain=["fine", "coarse"], **ASKED)
    assert unrounded(answer["growth"].sel(time=1.0), [[1.0, 1.0], [1.0, 2.0]])
    assert answer.attrs["n_failed"] == 0
    alone = teacherstudent.curve(route="grained", strength=1.0, grain="coarse", **ASKED)
    assert '"grain": "coarse"' in alone.attrs["options"]


# The helper -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lost", "of", "extent"),
    [
        (True, "", "everywhere"),
        ([True, False, True], "", "at 2 of 3 times"),
        ([True, False, True], "draws", "at 2 of 3 draws"),
        ([[True, False], [True, True], [False, False]], "", "in 2 of 3 draws"),
        ([[True, False], [True, True], [False, False]], "problems", "in 2 of 3 problems"),
    ],
)
def test_what_is_lost_is_nan_and_counted(lost: Any, of: str, extent: str) -> None:
    lost = np.array(lost)
    values = {"plain": np.ones(lost.shape), "wide": np.ones((*lost.shape, 4))}
    with reasons() as given, pytest.warns(UnconvergedWarning, match=f"^no root; NaN {extent}$"):
        found = nan_where(lost, "no root", values, of)
    assert [each.text for each in given] == [f"no root; NaN {extent}"]
    assert np.array_equal(np.isnan(found["plain"]), lost)
    assert np.array_equal(np.isnan(found["wide"]), np.stack([lost] * 4, axis=-1))


def test_nothing_lost_is_nothing_said_and_nothing_copied() -> None:
    values = np.ones(3)
    with reasons() as given:
        assert nan_where(np.zeros(3, dtype=bool), "no root", values) is values
    assert given == []


def test_a_point_that_is_not_finite_in_one_array_is_nan_in_all() -> None:
    values = {"one": np.array([[1.0, np.inf]]), "two": np.ones((1, 2, 3))}
    with pytest.warns(UnconvergedWarning, match="^diverges; NaN in 1 of 1 draws$"):
        found = nan_where_not_finite(values, "diverges")
    assert np.isnan(found["two"][0, 1]).all()
    assert np.isfinite(found["two"][0, 0]).all()


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
def test_reasons_are_those_of_the_innermost_block() -> None:
    with reasons() as outer:
        nan_where(True, "first", np.ones(()))
        with reasons() as inner:
            nan_where(True, "second", np.ones(()))
        nan_where(True, "third", np.ones(()))
    assert [each.text for each in outer] == ["first; NaN everywhere", "third; NaN everywhere"]
    assert [each.text for each in inner] == ["second; NaN everywhere"]


def test_a_refusal_stays_a_refusal(toy: Any) -> None:
    def refusing(toy: Any, times: Any) -> Any:
        raise InputError("part", toy.part, "something else")

    toy("refusing", refusing)
    assert refusal(say(*PATH, "refusing")) == "--part 2: must be something else"
