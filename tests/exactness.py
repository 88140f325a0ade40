"""Finds comparisons of computed numbers by equality: `offences(source)` gives their lines.

A number is computed where theory, a simulation, the front door or a function that rounds has made it. So is
what it is assigned to or returned by, and what is selected or reduced of it. Shapes and masks are not.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRONT = "teacherstudent"
COMPUTING = tuple(f"{FRONT}.{each}" for each in ("theory", "sims", "optimisers", "house.running"))
EQUAL = {"array_equal", "assert_array_equal", "assert_equal", "equals", "identical"}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DOOR = words("curve sample sweep spectrum turns onset mine select map compare")
ROUNDING = words(
    "exp expm1 log log2 log10 log1p sqrt sin cos tan arcsin arccos arctan tanh sinh cosh arctanh erf hypot "
    "logspace geomspace inv pinv solve svd eigh eigvalsh norm cholesky std var"
)
HANDED_ON = words("float list tuple dict sorted abs sum max min next reversed zip enumerate getattr vars")
EXACT = words(
    "shape dtype size ndim dims sizes attrs coords labels classes groups units status name dynamics verdicts "
    "ends reason isnan isfinite isinf any all argmax argmin argsort sign flatnonzero nonzero searchsorted "
    "unique rint count_nonzero keys get_color get_linestyle settings settle loads dumps"
)
"""Names, attributes, methods and functions that are or give no computed number."""


def offences(source: str) -> list[int]:
    """Lines of a module that hold a computed number equal to anything but a whole one, infinity or a mask."""
    module = ast.parse(source)
    computing: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(COMPUTING):
            for each in node.names:
                if rounds(str(node.module), each.name):
                    computing[each.asname or each.name] = f"{node.module}.{each.name}"
    scopes = [_Scope(module, computing, set())]
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            scopes.append(_Scope(node, computing, scopes[0].made))
    while any([scope.spread() for scope in scopes]):  # of each scope, until there is nothing new in any
        pass
    return sorted({line for scope in scopes for line in scope.offences()})


@cache
def rounds(module: str, name: str) -> bool:
    """Whether that name of a room is neither a constant nor a function of whole numbers and words alone."""
    path = ROOT / module.removeprefix(f"{FRONT}.").replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body if path.exists() else ():
        if isinstance(node, ast.FunctionDef) and node.name == name and node.returns:
            exact = words("int str bool None list tuple dict set")
            return not {each.id for each in ast.walk(node.returns) if isinstance(each, ast.Name)} <= exact
    return not name.isupper()


class _Scope:
    """A module without its functions, or a function: the names that are computed numbers in it."""

    def __init__(
        self, root: ast.Module | ast.FunctionDef, computing: dict[str, str], outer: set[str]
    ) -> None:
        self.root, self.computing, self.outer = root, computing, outer
        self.made: set[str] = set()
        self.nodes: list[ast.AST] = []
        rest = list(ast.iter_child_nodes(root))
        while rest:
            node = rest.pop()
            self.nodes.append(node)
            rest += [] if isinstance(node, ast.FunctionDef) else ast.iter_child_nodes(node)

    def spread(self) -> bool:
        """Follow assignments and returned values once; whether that found a name."""
        before = len(self.made) + len(self.computing)
        for node in self.nodes:
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._assign(target, value)
                case (
                    ast.AnnAssign(target=target, value=ast.expr() as value)
                    | ast.NamedExpr(target=target, value=value)
                    | ast.For(target=target, iter=value)
                    | ast.comprehension(target=target, iter=value)
                ):
                    self._assign(target, value)
                case ast.Return(value=ast.expr() as value):
                    if isinstance(self.root, ast.FunctionDef) and self.computed(value):
                        self.computing.setdefault(self.root.name, "")
        return len(self.made) + len(self.computing) > before

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                pass
            case ast.Tuple(elts=names), ast.Call(func=ast.Name(id="zip"), args=values) if len(names) == len(
                values
            ):
                pass
            case ast.Tuple(elts=[_, one]), (
                ast.Call(func=ast.Name(id="enumerate"), args=[each])
                | ast.Call(func=ast.Attribute(value=each, attr="items"))
            ):
                names, values = [one], [each]
            case _:
                if self.computed(value):
                    self.made |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
                return
        for one, other in zip(names, values, strict=True):
            self._assign(one, other)

    def computed(self, node: ast.expr) -> bool:
        """Whether an expression is a computed number, or holds some."""
        match node:
            case ast.Name(id=name):
                return name not in EXACT and (name in self.made or name in self.outer)
            case ast.Attribute(value=value, attr=attr):
                return attr not in EXACT and self.computed(value)
            case ast.Subscript(slice=ast.Constant(value=str(name))) if name in EXACT:
                return False
            case ast.Subscript(value=value) | ast.Starred(value=value) | ast.DictComp(value=value):
                return self.computed(value)
            case ast.UnaryOp(op=op, operand=operand):
                return not isinstance(op, ast.Not) and self.computed(operand)
            case ast.BinOp(left=left, op=op, right=right):
                divides = isinstance(op, ast.Div) and any(map(_number, (left, right)))
                return divides or self.computed(left) or self.computed(right)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
                return any(map(self.computed, parts))
            case ast.ListComp(elt=each) | ast.GeneratorExp(elt=each):
                return self.computed(each)
            case ast.IfExp(body=body, orelse=other):
                return self.computed(body) or self.computed(other)
            case ast.Call(func=ast.Name(id=name), args=given):
                return name in self.computing.keys() - EXACT or (
                    name in HANDED_ON and any(map(self.computed, given))
                )
            case ast.Call(func=ast.Attribute(value=value, attr=attr), args=given):
                return self._called(value, attr, given)
        return False

    def _called(self, value: ast.expr, attr: str, given: list[ast.expr]) -> bool:
        whose = value.id if isinstance(value, ast.Name) else ""
        if attr in EXACT:
            return False
        if whose in self.computing:
            return rounds(self.computing[whose], attr)
        if whose == FRONT or attr == "astype":
            return attr in DOOR
        return attr in ROUNDING or self.computed(value) or any(map(self.computed, given))

    def offences(self) -> list[int]:
        """Lines of this scope. To deny that numbers are equal is right: rounding makes none equal."""
        denied = {
            id(each)
            for node in self.nodes
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
            for each in ast.walk(node)
        }
        found = []
        for node in self.nodes:
            match node:
                case ast.Compare(left=left, ops=[*_, ast.Eq()] | [ast.Eq(), *_], comparators=others):
                    sides = [left, *others]
                case ast.Call(func=ast.Attribute(value=value, attr=attr), args=given) if attr in EQUAL:
                    sides = [value, *given] if attr in ("equals", "identical") else given[:2]
                case _:
                    continue
            if any(map(self.computed, sides)) and not any(map(_settled, sides)) and id(node) not in denied:
                found.append(getattr(node, "lineno", 0))
        return found


def _number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def _settled(node: ast.expr) -> bool:
    """Whether this is a word, a whole number, infinity, NaN or a mask, or states its own roundings."""
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, float) or value == 0
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner) | ast.ListComp(elt=inner):
            return _settled(inner)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(map(_settled, parts))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _settled(left) and _settled(right)
        case ast.Attribute(attr=name) | ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            exact = EXACT | {"inf", "nan", "approx", "len", "range", "int", "bool", "str"}
            made_of = (
                node.args[:1] if isinstance(node, ast.Call) and name in ("array", "list", "tuple") else []
            )
            return name in exact or any(map(_settled, made_of))
    return False
