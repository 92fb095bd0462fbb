"""The small faults that can be planted into a module: another operator, number, statement or jump."""

import ast
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).parents[2]

_PAIRS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.BitOr, ast.BitAnd)),
)
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    **{one: other for pair in _PAIRS for one, other in (pair, pair[::-1])},
    **dict.fromkeys((ast.Mult, ast.Mod, ast.FloorDiv, ast.Div), ast.Add),
}
"""Operator -> its replacement."""

_SYMBOLS = (
    *((ast.Lt, "<"), (ast.LtE, "<="), (ast.Gt, ">"), (ast.GtE, ">="), (ast.Eq, "=="), (ast.NotEq, "!=")),
    *((ast.Is, "is"), (ast.IsNot, "is not"), (ast.In, "in"), (ast.NotIn, "not in")),
    *((ast.And, "and"), (ast.Or, "or"), (ast.Not, "not"), (ast.BitOr, "|"), (ast.BitAnd, "&")),
    *((ast.Add, "+"), (ast.Sub, "-"), (ast.Mult, "*"), (ast.Mod, "%"), (ast.FloorDiv, "//"), (ast.Div, "/")),
    *((ast.USub, "-"), (ast.UAdd, "+"), (ast.Invert, "~")),
)
SYMBOLS: dict[type[ast.AST], str] = dict(_SYMBOLS)
"""Operator -> its symbol in Python."""

FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
"""Built-in function -> the one that is called in its place."""

REMOVABLE: dict[type[ast.AST], str] = {
    ast.Assign: "assignment",
    ast.AugAssign: "assignment",
    ast.Raise: "raise",
    ast.Break: "break",
    ast.Continue: "continue",
}
"""Statement -> its name in faults that leave it out.

Calls are left out too, but no statement that is there only because it can never be reached.
"""

Key = tuple[str, str, int, int]
"""`module.function`, the fault, its number among the equal faults of the function, and how many there are."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a node in the syntax tree, and the statement and the function around it.

    `index` is the place in the list of nodes if the field of the parent is a list.
    """

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    statement: ast.stmt
    function: str

    def put(self, node: ast.AST) -> None:
        """Put a node at this place."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one small fault: its place, and its first line before and after.

    `lines` are the lines by which a test reaches the fault: the start of its statement, and its own.
    `node` is part of `module` only while `code` compiles it.
    """

    file: str
    key: Key
    line_before: str
    line_after: str
    lines: tuple[int, ...]
    module: ast.Module
    place: Place
    node: ast.AST

    @property
    def code(self) -> CodeType:
        """The compiled module with the fault in it."""
        self.place.put(self.node)
        code = compile(self.module, str(ROOT / self.file), "exec", dont_inherit=True)
        self.place.put(self.place.node)
        return code

    def __str__(self) -> str:
        function, fault, number, count = self.key
        return (
            f"{self.file}:{self.lines[-1]}\n- {self.line_before}\n+ {self.line_after}\n"
            f'function = "{function}"\nfault = "{fault}"\nnumber = {number}\nof = {count}'
        )


def module_name(file: str) -> str:
    """Return the last part of a module's name; for `__init__.py`, the name of the package."""
    path = Path(file)
    return path.parent.name if path.name == "__init__.py" else path.stem


def mutants(file: str) -> list[Mutant]:
    """Return all mutants of a file, in the order of its syntax; only code inside functions is changed.

    Their keys depend on the syntax alone: not on the folder, the layout or the names of variables.
    """
    text = (ROOT / file).read_text(encoding="utf-8")
    module, text_lines = ast.parse(text), text.splitlines()
    places = list(_places(module, None, ""))
    faults = [(place, fault, node) for place in places for fault, node in _replacements(place.node)]
    totals = Counter((place.function, fault) for place, fault, _ in faults)
    numbers = Counter[tuple[str, str]]()
    result = []
    for place, fault, replacement in faults:
        numbers[place.function, fault] += 1
        function = f"{module_name(file)}.{place.function}"
        key = (function, fault, numbers[place.function, fault], totals[place.function, fault])
        node = ast.fix_missing_locations(ast.copy_location(replacement, place.node))
        before, after = map(_changed_part, (place.node, node))
        line = text_lines[before.lineno - 1].encode()  # columns are counted in bytes
        rest = line[before.end_col_offset :] if before.lineno == before.end_lineno else b""
        changed_line = line[: before.col_offset] + ast.unparse(after).encode() + rest
        result.append(
            Mutant(
                file,
                key,
                line.decode().strip(),
                changed_line.decode().strip(),
                (place.statement.lineno, *range(before.lineno, before.end_lineno + 1)),
                module,
                place,
                _with_closure_kept(place.node, node),
            )
        )
    return result


def _changed_part(node: ast.AST) -> Any:
    """Return the part of a node that a fault changes: the test of a branch or a loop, otherwise the node."""
    return node.test if isinstance(node, ast.If | ast.While) else node


def _places(node: ast.AST, statement: ast.stmt | None, function: str) -> Iterator[Place]:
    """Yield all places inside functions, except annotations, defaults, docstrings and messages of errors."""
    for field, content in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        # Messages of errors, assertions and `strict=` decide nothing.
        if isinstance(node, ast.Raise | ast.Assert) or (
            isinstance(node, ast.keyword) and node.arg == "strict"
        ):
            continue
        for index, child in enumerate(content) if isinstance(content, list) else ((None, content),):
            if not isinstance(child, ast.AST):
                continue
            child_statement = child if isinstance(child, ast.stmt) else statement
            if function and child_statement is not None:
                yield Place(node, field, index, child, child_statement, function)
            name = function
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{function}.{child.name}".lstrip(".")
            if isinstance(child, ast.ClassDef):
                # Of the body of a class, only the methods are code of functions.
                for method in child.body:
                    if isinstance(method, ast.FunctionDef):
                        yield from _places(method, method, f"{name}.{method.name}")
            elif function or isinstance(child, ast.FunctionDef):
                yield from _places(child, child_statement, name)


def _replacements(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield each replacement of a node after the name of the fault, which contains no name of the code."""
    match node:
        case ast.Compare(ops=operators):
            for place, operator in enumerate(operators):
                other = OPERATORS[type(operator)]()
                ops = [*operators[:place], other, *operators[place + 1 :]]
                yield _operator_fault(operator, other), _copy_with(node, ops=ops)
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) | ast.AugAssign(op=operator):
            if type(operator) in OPERATORS:
                other = OPERATORS[type(operator)]()
                yield _operator_fault(operator, other), _copy_with(node, op=other)
        case ast.UnaryOp(op=operator, operand=operand):
            yield f"{SYMBOLS[type(operator)]} left out", copy(operand)
        case ast.Constant(value=bool() | int() as value):
            changed = not value if isinstance(value, bool) else value + 1
            yield f"{value} becomes {changed}", ast.Constant(changed)
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            function = ast.copy_location(ast.Name(FUNCTIONS[name], ast.Load()), node.func)
            yield f"{name} becomes {FUNCTIONS[name]}", _copy_with(node, func=function)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "return becomes return None", ast.Return(ast.Constant(None))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(
            test, ast.Compare | ast.UnaryOp
        ):
            opposite = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
            yield "condition negated", _copy_with(node, test=opposite)
        case ast.Break():
            yield "break becomes continue", ast.Continue()
        case ast.Continue():
            yield "continue becomes break", ast.Break()
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            pass
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
            pass
        case ast.Expr(value=ast.Call()):
            yield "call left out", ast.Pass()
        case _ if type(node) in REMOVABLE:
            yield f"{REMOVABLE[type(node)]} left out", ast.Pass()


def _operator_fault(operator: ast.AST, other: ast.AST) -> str:
    """Return the name of the fault that replaces an operator."""
    return f"{SYMBOLS[type(operator)]} becomes {SYMBOLS[type(other)]}"


def _with_closure_kept(node: ast.AST, replacement: ast.AST) -> ast.AST:
    """Return the replacement with the removed code in a branch that never runs.

    So the function keeps its free variables, without which its code cannot be exchanged.
    """
    match node, replacement:
        case _, ast.Pass():
            replacement = ast.If(ast.Constant(False), [node], [])
        case ast.Return(), ast.Return():
            replacement = ast.Return(ast.IfExp(ast.Constant(False), node.value, replacement.value))
    return ast.fix_missing_locations(ast.copy_location(replacement, node))


def _copy_with(node: ast.AST, **fields: object) -> ast.AST:
    """Return a copy of a node with some fields replaced."""
    result = copy(node)
    for name, value in fields.items():
        setattr(result, name, value)
    return result
