"""Finds comparisons of computed numbers by equality: `offences(source)` gives their lines.

A number is computed where theory, a simulation, the front door or an operation that rounds has made it. So is
what it is assigned to, handed to or returned by in a module, and what is selected or reduced of it. Shapes,
masks and keys are not.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from functools import cache

from tools.nested import ROOT

FRONT = "teacherstudent"
COMPUTING = tuple(f"{FRONT}.{each}" for each in ("theory", "sims", "optimisers", "house.running"))


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DOOR = words("curve sample sweep spectrum turns onset mine select map compare")
ROUNDING = words(
    "exp expm1 log log2 log10 log1p sqrt sin cos tan arcsin arccos arctan tanh sinh cosh arctanh erf hypot "
    "logspace geomspace inv pinv solve svd eigh eigvalsh norm cholesky std var mean average dot einsum "
    "matmul inner vdot tensordot cumsum linspace fsum median quantile trapezoid"
)
HELD = words(
    "array_equal array_equiv assert_array_equal assert_equal assert_identical equal eq equals identical"
)
NEAR = words("approx isclose allclose assert_allclose assert_frame_equal assert_series_equal")
TOLERANCES = words("rel abs rtol atol rel_tol abs_tol check_exact")
OF_KEYS = words("list tuple set frozenset sorted enumerate iter next min max")
HANDED_ON = OF_KEYS | words("float dict abs sum round reversed zip getattr vars asdict astuple str repr hash")
COORDINATES = words("time seed label attribute mode scale batch")
EXACT = words(
    "shape dtype size ndim dims sizes attrs coords labels classes groups units status name dynamics verdicts "
    "ends reason isnan isfinite isinf any all argmax argmin argsort sign flatnonzero nonzero searchsorted "
    "unique rint count_nonzero keys get_color get_linestyle settings instance_and_options loads dumps "
    "allclose isclose verdict worst localised sparse above below fixed notes said remark remarks group_axes "
    "matrix_rank _cache_size output_size_in_bytes"
)
"""Names, attributes, methods and functions that are or give no computed number."""
HOLDING = words("Tuple List Set Dict ListComp SetComp DictComp GeneratorExp IfExp Starred JoinedStr Lambda")


def offences(source: str) -> list[int]:
    """Lines of a module that hold a computed number equal to anything but zero, infinity or a mask."""
    module = ast.parse(source)
    nodes, imports = list(ast.walk(module)), {}
    for node in nodes:
        match node:
            case ast.ImportFrom(module=room, names=names):
                imports |= {each.asname or each.name: f"{room}.{each.name}" for each in names}
            case ast.Import(names=names):
                imports |= {each.asname: each.name for each in names if each.asname}
    top = _Scope(module, imports)
    scopes = [top, *(_Scope(node, imports, top) for node in nodes if isinstance(node, ast.FunctionDef))]
    while any([scope.spread() for scope in scopes]):  # of each scope, until there is nothing new in any
        pass
    return sorted({line for scope in scopes for line in scope.offences()})


@cache
def rounds(path: str) -> bool:
    """Whether a name of a room is neither a constant nor a function of whole numbers and words alone."""
    module, _, name = path.rpartition(".")
    file = ROOT / module.removeprefix(f"{FRONT}.").replace(".", "/")
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    for node in ast.parse(file.read_text(encoding="utf-8")).body if file.exists() else ():
        if isinstance(node, ast.FunctionDef) and node.name == name and node.returns:
            exact = words("int str bool None list tuple dict set")
            return not {each.id for each in ast.walk(node.returns) if isinstance(each, ast.Name)} <= exact
    return not name.isupper()


class _Scope:
    """A module without its functions, or a function: the names that are computed numbers in it."""

    def __init__(self, root: ast.AST, imports: dict[str, str], outer: _Scope | None = None) -> None:
        self.name, self.imports, self.outer = getattr(root, "name", ""), imports, outer or self
        self.made: set[str] = set()
        self.keyed: set[str] = set()  # those that are data sets and dictionaries: their keys are words
        self.nodes: list[ast.AST] = []
        rest = list(ast.iter_child_nodes(root))
        while rest:
            node = rest.pop()
            self.nodes += [] if isinstance(node, ast.Name | ast.Constant | ast.expr_context) else [node]
            rest += [] if isinstance(node, ast.FunctionDef) else ast.iter_child_nodes(node)

    def spread(self) -> bool:
        """Follow assignments and returned values once; whether that found a name."""
        before = sum(map(len, (self.made, self.keyed, self.outer.made, self.outer.keyed)))
        for node in self.nodes:
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._assign(target, value)
                case (
                    ast.AnnAssign(target=target, value=ast.expr() as value)
                    | ast.NamedExpr(target=target, value=value)
                    | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
                    | ast.Call(func=ast.Attribute(value=target, attr="append" | "extend"), args=[value])
                ):
                    self._assign(target, value)
                case ast.AugAssign(target=target, op=op, value=value):
                    self._assign(target, ast.BinOp(target, op, value))
                case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                    each_of = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
                    for each in [] if self.has_keys(value) else each_of:
                        self._assign(target, each)
                case ast.Call(ast.Name(name), given):
                    self.outer.made |= {f"{name}({i})" for i, each in enumerate(given) if self.computed(each)}
                case ast.arguments(args=asked):
                    self.made |= {
                        x.arg for i, x in enumerate(asked) if f"{self.name}({i})" in self.outer.made
                    }
                case ast.Return(value=ast.expr() as value):
                    self.outer._mark(self, [f"{self.name}()"], value)
        return sum(map(len, (self.made, self.keyed, self.outer.made, self.outer.keyed))) > before

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        while isinstance(target, ast.Subscript):
            target = target.value
        match target, value:
            case ast.Tuple(ones), ast.Tuple(each) | ast.Call(ast.Name("zip"), each) if len(ones) == len(each):
                for one, other in zip(ones, each, strict=True):
                    self._assign(one, other)
            case ast.Tuple([_, one]), ast.Call(ast.Name("enumerate"), [each]):
                self._assign(one, each)
            case ast.Tuple([_, one]), ast.Call(ast.Attribute(each, "items")):
                self._assign(one, each)
            case _:
                names = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
                self._mark(self, names, value)

    def _mark(self, where: _Scope, names: list[str], value: ast.expr) -> None:
        if where.computed(value):
            self.made.update(names)
            self.keyed.update(names if len(names) == 1 and where.has_keys(value) else ())

    def has_keys(self, node: ast.expr) -> bool:
        """Whether an expression is a data set or a dictionary: to go through it gives words."""
        match node:
            case ast.Name(name):
                return name in self.keyed or name in self.outer.keyed
            case ast.Call(ast.Name(name)) if f"{name}()" in self.outer.made:
                return f"{name}()" in self.outer.keyed
            case ast.Call(func):
                path = self._path(func)
                return path.endswith((".running.run", "asdict")) or path.rpartition(".")[0] == FRONT
        return isinstance(node, ast.Dict | ast.DictComp) or getattr(node, "attr", "") == "data_vars"

    def _path(self, node: ast.AST) -> str:
        """A dotted name in full, as imports make it."""
        match node:
            case ast.Name(name):
                return self.imports.get(name, name)
            case ast.Attribute(value, attr):
                return f"{self._path(value)}.{attr}"
        return ""

    def computed(self, node: ast.AST) -> bool:
        """Whether an expression is a computed number, or holds some."""
        match node:
            case ast.Name(name):
                return name not in EXACT and (name in self.made or name in self.outer.made)
            case ast.Attribute(value, attr):
                copied = attr in EXACT or (attr in COORDINATES and self.has_keys(value))
                return not copied and self.computed(value)
            case ast.Subscript(_, ast.Constant(str(name))) if name in EXACT | COORDINATES:
                return False
            case ast.Subscript(each) | ast.FormattedValue(each, _, None) | ast.UnaryOp(ast.USub(), each):
                return self.computed(each)
            case _ if type(node).__name__ in HOLDING:
                return any(map(self.computed, ast.iter_child_nodes(node)))
            case ast.BinOp(left, op, right):
                return _rounds(left, op, right) or self.computed(left) or self.computed(right)
            case ast.Call(func, args, keywords):
                return self._called(func, [*args, *(each.value for each in keywords)])
        return False

    def _called(self, func: ast.expr, given: list[ast.expr]) -> bool:
        name = getattr(func, "attr", "") or getattr(func, "id", "")
        path = self._path(func)
        if name in EXACT or (name in OF_KEYS and given and self.has_keys(given[0])):
            return False
        if path.startswith(COMPUTING):
            return rounds(path)
        if path.rpartition(".")[0] == FRONT or name == "astype":
            return name in DOOR
        handed = any(map(self.computed, given))
        if isinstance(func, ast.Attribute):
            return name in ROUNDING or self.computed(func.value) or handed
        return name in self.made or f"{name}()" in self.outer.made or (name in HANDED_ON and handed)

    def offences(self) -> list[int]:
        """Lines of this scope. To deny that numbers are equal is right: rounding makes none equal."""
        denying = [node for node in self.nodes if isinstance(getattr(node, "op", None), ast.Not)]
        denials = Counter(id(each) for node in denying for each in ast.walk(node))
        found = []
        for node in self.nodes:
            sides = _held(node, denied=denials[id(node)] % 2 == 1)
            computed = [each for each in sides if self.computed(each)]
            if computed and not any(_settled(each, computed) for each in sides):
                found.append(getattr(node, "lineno", 0))
        return found


def _held(node: ast.AST, denied: bool) -> list[ast.expr]:
    """What must be equal where this is true, or where it is false if it is denied."""
    match node:
        case ast.Compare(left=left, ops=[*_, last] as ops, comparators=others):
            if any(isinstance(op, ast.NotEq if denied else ast.Eq) for op in ops):
                return [left, *others]
            if isinstance(last, ast.NotIn if denied else ast.In):
                return [left]
            if not denied and len(others) == 2 and ast.dump(left) == ast.dump(others[1]):
                return [left, others[0]]  # held from both sides
        case ast.Call(func, args) if not denied:
            name = getattr(func, "attr", "") or getattr(func, "id", "")
            if name in HELD or (name in NEAR and len(args) > 1 and _exact(node)):
                return [getattr(func, "value", func), *args] if len(args) == 1 else args[:2]
    return []


def _exact(call: ast.Call) -> bool:
    """Whether the tolerances that a call states are zero."""
    stated = {each.arg: _number(each.value) for each in call.keywords if each.arg in TOLERANCES}
    zero = [value == (name == "check_exact") for name, value in stated.items()]
    zero += [_number(each) == 0 for each in call.args[2:]]
    return zero != [] and all(zero)


def _rounds(left: ast.expr, op: ast.operator, right: ast.expr) -> bool:
    """Whether an operation rounds whatever names mean in it, for one of its constants is no whole or half."""
    one, other = _number(left), _number(right)
    if isinstance(op, ast.Div) and other and one is None:
        return math.frexp(other)[0] != 0.5
    if isinstance(op, ast.Div) and one is not None:
        return not other or one / other * 1024 % 1 > 0
    return isinstance(op, ast.MatMult) or any(isinstance(n, float) and n * 1024 % 1 > 0 for n in (one, other))


def _number(node: ast.expr) -> float | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else None


def _settled(node: ast.expr, computed: list[ast.expr]) -> bool:
    """Whether this is a word, zero, infinity, NaN or a mask, or states its own roundings."""
    match node:
        case ast.Constant(str()):  # unless it spells a number
            return not any(ast.unparse(each).startswith(("str(", "repr(", "f'", 'f"')) for each in computed)
        case ast.Constant(int() | float() as value) if not isinstance(value, bool):
            differs = any(isinstance(each, ast.Sub) for side in computed for each in ast.walk(side))
            return value == 0 and not differs
        case ast.Constant():
            return True
        case ast.UnaryOp(_, inner) | ast.Subscript(inner) | ast.ListComp(inner):
            return _settled(inner, computed)
        case ast.List(parts) | ast.Tuple(parts) | ast.Set(parts):
            return all(_settled(each, computed) for each in parts)
        case ast.BinOp(left, ast.Mult(), right):
            return all(_settled(each, computed) or isinstance(_number(each), int) for each in (left, right))
        case ast.Call(ast.Attribute(_, "array") | ast.Name("list" | "tuple"), [made_of, *_]):
            return _settled(made_of, computed)
        case ast.Call(ast.Name("approx") | ast.Attribute(_, "approx")):
            return not _exact(node)
        case ast.Attribute(_, name) | ast.Call(ast.Name(name) | ast.Attribute(_, name)):
            return name in EXACT | {"inf", "nan", "len", "range", "int", "bool"}
    return False
