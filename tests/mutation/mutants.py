"""The small faults that can be planted into a module: an operator, a number, a statement, a jump."""

import ast
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
"""What stands in for an operator."""

NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
"""What is called in place of a function."""

REMOVED = (ast.Assign, ast.AugAssign, ast.Raise, ast.Break, ast.Continue)
"""The statements that are left out, and so are calls; but not what never comes to run."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node hangs in the syntax tree, and the statement and the function it is part of."""

    holder: ast.AST
    field: str
    index: int | None
    node: ast.AST
    statement: ast.stmt
    within: str

    def put(self, node: ast.AST) -> None:
        """Hang a node here."""
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one small fault: the function and the line it is in, and what the line becomes.

    `fault` hangs in the module only while its code is made.
    """

    file: str
    within: str
    line: str
    becomes: str
    numbers: tuple[int, ...]
    module: ast.Module
    place: Place
    fault: ast.AST

    @property
    def code(self) -> CodeType:
        """The module with the fault in it, as code."""
        self.place.put(self.fault)
        code = compile(self.module, str(ROOT / self.file), "exec", dont_inherit=True)
        self.place.put(self.place.node)
        return code

    @property
    def key(self) -> tuple[str, ...]:
        """What a mutant is listed by; line numbers change too often."""
        return self.file, self.within, self.line, self.becomes

    def __str__(self) -> str:
        return f"{self.file}:{self.numbers[-1]} in {self.within}\n- {self.line}\n+ {self.becomes}"


def mutants(file: str) -> Iterator[Mutant]:
    """All mutants of a file, in the order of its text; only what functions do is changed."""
    text = (ROOT / file).read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.splitlines()
    for place in list(_places(tree, None, "")):
        for other in _others(place.node):
            node = ast.fix_missing_locations(ast.copy_location(other, place.node))
            was, becomes = map(_shown, (place.node, node))
            line = lines[was.lineno - 1].encode()
            after = line[was.end_col_offset :] if was.lineno == was.end_lineno else b""
            changed = line[: was.col_offset] + ast.unparse(becomes).encode() + after
            numbers = (place.statement.lineno, *range(was.lineno, was.end_lineno + 1))
            yield Mutant(
                file,
                place.within,
                line.decode().strip(),
                changed.decode().strip(),
                numbers,
                tree,
                place,
                _remembering(place.node, node),
            )


def _shown(node: ast.AST) -> Any:
    """The part of a node that tells what it was or becomes: of a branch or a loop, its test."""
    return node.test if isinstance(node, ast.If | ast.While) else node


def _places(node: ast.AST, statement: ast.stmt | None, within: str) -> Iterator[Place]:
    """All places inside functions, but for annotations, docstrings and what is said when raising."""
    for field, content in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        # What is said when raising, and promises to the reader, decide nothing.
        if isinstance(node, ast.Raise | ast.Assert) or (
            isinstance(node, ast.keyword) and node.arg == "strict"
        ):
            continue
        for index, child in enumerate(content) if isinstance(content, list) else ((None, content),):
            if not isinstance(child, ast.AST):
                continue
            inside = child if isinstance(child, ast.stmt) else statement
            if within and inside is not None:
                yield Place(node, field, index, child, inside, within)
            name = within
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{within}.{child.name}".lstrip(".")
            if isinstance(child, ast.ClassDef):
                # What stands in the body of a class is no code of a function; its methods are.
                for method in child.body:
                    if isinstance(method, ast.FunctionDef):
                        yield from _places(method, method, f"{name}.{method.name}")
            elif within or isinstance(child, ast.FunctionDef):
                yield from _places(child, inside, name)


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """What a node can become."""
    match node:
        case ast.Compare(ops=operators):
            for place, operator in enumerate(operators):
                changed = OPERATORS[type(operator)]()
                yield _with(node, ops=[*operators[:place], changed, *operators[place + 1 :]])
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) | ast.AugAssign(op=operator):
            if type(operator) in OPERATORS:
                yield _with(node, op=OPERATORS[type(operator)]())
        case ast.UnaryOp(operand=operand):
            yield copy(operand)
        case ast.Constant(value=bool() | int() as value):
            yield ast.Constant(not value if isinstance(value, bool) else value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield _with(node, func=ast.copy_location(ast.Name(NAMES[name], ast.Load()), node.func))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(
            test, ast.Compare | ast.UnaryOp
        ):
            yield _with(node, test=ast.copy_location(ast.UnaryOp(ast.Not(), test), test))
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            pass
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
            pass
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case _ if isinstance(node, REMOVED):
            yield ast.Pass()


def _remembering(was: ast.AST, becomes: ast.AST) -> ast.AST:
    """What becomes of a node, and the old one where it is never run: a function keeps what it closes over."""
    match was, becomes:
        case _, ast.Pass():
            becomes = ast.If(ast.Constant(False), [was], [])
        case ast.Return(), ast.Return():
            becomes = ast.Return(ast.IfExp(ast.Constant(False), was.value, becomes.value))
    return ast.fix_missing_locations(ast.copy_location(becomes, was))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of a node with other fields."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
