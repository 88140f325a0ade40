"""The toy problem as a fixture, and an environment in which no test depends on an earlier run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from teacherstudent.house import catalogue
from tests.support import TOY, StubRoute, _drawn, _grown, _modes

os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"  # no test depends on what an earlier run left behind


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files marked `long` come first, each still in its order."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session", autouse=True)
def state_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tracebacks of faults, which the command line keeps for a user, lie in a temporary folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """The toy problem beside the real ones; call it to add a route: `toy(name, answer)`."""
    problems, routes = dict(catalogue.problems()), list(catalogue.routes())
    problems["toy"] = TOY
    monkeypatch.setattr(catalogue, "problems", lambda: problems)
    monkeypatch.setattr(catalogue, "routes", lambda: tuple(routes))

    def add(
        name: str,
        answer: Callable[..., Any],
        sampled: bool = False,
        dynamics: str = "path",
        gives: tuple[str, ...] = ("growth",),
        **more: Any,
    ) -> None:
        meaning = f"the {name} route"
        routes.append(
            StubRoute(
                "toy", dynamics, name, "", meaning, "nowhere", sampled, gives=gives, answer=answer, **more
            )
        )

    add("grown", _grown)
    add("modes", _modes, gives=())
    add("drawn", _drawn, sampled=True)
    add("stepped", _grown, dynamics="steps")
    return add
