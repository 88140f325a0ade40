"""A module gives the same numbers imported alone as in company: one module alone changes what they depend on.

That is `sims.precision`, which sets JAX to double precision. No import of another changes JAX's
settings, NumPy's handling of errors, filters of warnings, styles, random states, the locale, the environment
or signals.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.support import python
from tools.nested import FRONT, ROOT, module_name, rooms

PRECISION = f"{FRONT}.sims.precision"
ASKING = {"jax.devices", "jax.default_backend", "jax.default_device"}
"""What asks JAX for devices, not for numbers."""
GLOBAL = {
    "config", "environ", "filterwarnings", "putenv", "rcParams", "resetwarnings", "seed",
    "set_options", "set_printoptions", "set_start_method", "seterr", "setlocale",
    "setrecursionlimit", "signal", "simplefilter",
}  # fmt: skip
"""Names of what the whole process shares."""
FILES = {module_name(path): path for room in rooms() for path in sorted((ROOT / room).rglob("*.py"))}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def words(path: Path) -> set[str]:
    return set(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """All below a node that is run when the module is imported: what no function holds."""
    for each in ast.iter_child_nodes(node):
        types = isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING"
        if not types and not isinstance(each, ast.FunctionDef | ast.Lambda):
            yield each
            yield from at_import(each)


def imports(nodes: Iterable[ast.AST]) -> set[str]:
    """What these import, by name, with all packages on the way."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    parts = [each.split(".") for each in found]
    return {".".join(part[: k + 1]) for part in parts for k in range(len(part))}


@cache
def imported(name: str) -> frozenset[str]:
    return frozenset(imports(at_import(parsed(FILES[name]))) if name in FILES else ())


def reached(names: Iterable[str]) -> set[str]:
    """All that is imported with these, through others too."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        each = todo.pop()
        if each not in found:
            found.add(each)
            todo += imported(each)
    return found


def needy(path: Path) -> list[str]:
    """The module, and functions in it, that use JAX in whatever precision it has."""
    if not words(path) & {"jax", "optax"}:
        return []
    module = parsed(path)
    own, found = imports(at_import(module)), []
    for part in (module, *(each for each in ast.walk(module) if isinstance(each, ast.FunctionDef))):
        nodes = list(at_import(part) if part is module else ast.walk(part))
        here = imports(nodes)
        if not here & {"jax", "optax"}:
            continue
        called = {ast.unparse(each) for each in nodes if isinstance(each, ast.Attribute)}
        computes = part is module or any(each.startswith("jax.") for each in called - ASKING)
        computes |= any(each.endswith(".update") for each in called) or "jax.numpy" in here
        if computes and PRECISION not in reached(here | own):
            found.append(getattr(part, "name", path.name))
    return found


def test_whatever_uses_jax_sets_it_to_double_precision() -> None:
    """But the optimisers, which work in the precision of the weights that they are given."""
    own = (PRECISION, f"{FRONT}.optimisers")
    paths = [path for name, path in FILES.items() if not name.startswith(own) and "theory" not in path.parts]
    assert not [f"{path.relative_to(ROOT)}: {each}" for path in paths for each in needy(path)]


def test_a_use_of_jax_without_double_precision_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "leaf.py"
    path.write_text(
        "import jax\n\ndef found():\n    import jax.numpy as jnp\n    return jnp.ones(1)\n", encoding="utf-8"
    )
    assert needy(path) == ["leaf.py", "found"]
    path = tmp_path / "asking.py"
    path.write_text("def found():\n    import jax\n    return jax.devices()\n", encoding="utf-8")
    assert not needy(path)


def shared(path: Path) -> set[str]:
    """Names in a module of what all modules share, changed or called when it is imported."""
    found: set[str] = set()
    for node in at_import(parsed(path)) if words(path) & GLOBAL else ():
        changed: list[ast.AST] = []
        if isinstance(node, ast.Call):
            changed = [node.func]
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            changed = list(getattr(node, "targets", None) or [node.target])  # type: ignore[union-attr]
        for each in changed:
            if isinstance(each, ast.Subscript | ast.Attribute):
                found |= GLOBAL & set(ast.unparse(each).replace("[", ".").split("."))
    return found


def test_no_other_module_changes_what_all_share() -> None:
    assert {name for name, path in FILES.items() if shared(path)} == {PRECISION}


VARIATES = """
import json, jax
from teacherstudent.sims.stable_noise.paths import variates
print(json.dumps([float(each) for each in variates(1.5, jax.random.key(3), 4)]))
"""


def test_a_simulation_imported_alone_draws_the_same_numbers() -> None:
    alone = python("-c", VARIATES)
    import jax

    import teacherstudent.sims.arrays  # noqa: F401  company
    from teacherstudent.sims.stable_noise.paths import variates

    company = np.asarray(variates(1.5, jax.random.key(3), 4))
    np.testing.assert_allclose(json.loads(alone.stdout), company, rtol=1e-14)


EACH_ALONE = """
import hashlib, importlib, locale, os, random, signal, sys, warnings
import h5py, jax, matplotlib.pyplot, mpmath, numpy, optax, pandas, sklearn.datasets, sympy, xarray
import scipy.integrate, scipy.optimize, scipy.sparse.linalg, scipy.special, scipy.stats

def state():
    settings = dict(jax.config.values)
    settings = {name: settings[name] for name in settings if "compilation_cache" not in name
                and not name.startswith("jax_persistent")}
    return dict(settings, errors=numpy.geterr(), filters=list(warnings.filters), environ=dict(os.environ),
                random=random.getstate(), numpy=repr(numpy.random.get_state()), limit=sys.getrecursionlimit(),
                locale=locale.setlocale(locale.LC_ALL), style=dict(matplotlib.rcParams),
                signals=[signal.getsignal(each) for each in signal.valid_signals()])

for name in sys.argv[1:]:
    sys.stdout.flush()
    if os.fork():
        assert os.wait()[1] == 0, name
        continue
    before = state()
    importlib.import_module(name)
    after = state()
    changed = [each for each in after if after[each] != before[each]]
    if changed:
        print(name, *changed)
    os._exit(0) if not sys.stdout.flush() else None
"""


@pytest.mark.thorough
def test_a_module_imported_alone_changes_the_precision_of_jax_or_nothing() -> None:
    names = [name for name in FILES if name.split(".")[1] in ("theory", "sims", "paper_checks", "optimisers")]
    done = python("-W", "ignore::RuntimeWarning", "-c", EACH_ALONE, *names)
    assert done.returncode == 0, done.stderr[-2000:]
    changed = {name: set(what) for name, *what in map(str.split, done.stdout.splitlines())}
    uses = [name for name in names if PRECISION in reached([name])]
    assert changed == {name: {"jax_enable_x64", "jax_default_matmul_precision"} for name in uses}
