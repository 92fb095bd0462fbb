"""The small faults that can be planted into a module: an operator, a number, a statement, a jump."""

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
"""What stands in for an operator."""

_SYMBOLS = (
    *((ast.Lt, "<"), (ast.LtE, "<="), (ast.Gt, ">"), (ast.GtE, ">="), (ast.Eq, "=="), (ast.NotEq, "!=")),
    *((ast.Is, "is"), (ast.IsNot, "is not"), (ast.In, "in"), (ast.NotIn, "not in")),
    *((ast.And, "and"), (ast.Or, "or"), (ast.Not, "not"), (ast.BitOr, "|"), (ast.BitAnd, "&")),
    *((ast.Add, "+"), (ast.Sub, "-"), (ast.Mult, "*"), (ast.Mod, "%"), (ast.FloorDiv, "//"), (ast.Div, "/")),
    *((ast.USub, "-"), (ast.UAdd, "+"), (ast.Invert, "~")),
)
SYMBOLS: dict[type[ast.AST], str] = dict(_SYMBOLS)
"""How an operator is written."""

NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
"""What is called in place of a function."""

REMOVED: dict[type[ast.AST], str] = {
    ast.Assign: "assignment",
    ast.AugAssign: "assignment",
    ast.Raise: "raise",
    ast.Break: "break",
    ast.Continue: "continue",
}
"""The statements that are left out, and so are calls; but not what never comes to run."""

Key = tuple[str, str, int, int]
"""`file.function` without folder and suffix, the fault, and which of how many such faults in it this is."""


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
    """A module with one small fault: where it is, and the line it is in before and after.

    `node` hangs in the module only while its code is made.
    """

    file: str
    key: Key
    line: str
    becomes: str
    numbers: tuple[int, ...]
    module: ast.Module
    place: Place
    node: ast.AST

    @property
    def code(self) -> CodeType:
        """The module with the fault in it, as code."""
        self.place.put(self.node)
        code = compile(self.module, str(ROOT / self.file), "exec", dont_inherit=True)
        self.place.put(self.place.node)
        return code

    def __str__(self) -> str:
        function, fault, number, count = self.key
        return (
            f"{self.file}:{self.numbers[-1]}\n- {self.line}\n+ {self.becomes}\n"
            f'function = "{function}"\nfault = "{fault}"\nnumber = {number}\nof = {count}'
        )


def module_name(file: str) -> str:
    """The last part of a module's name; of a package, its own."""
    path = Path(file)
    return path.parent.name if path.name == "__init__.py" else path.stem


def mutants(file: str) -> list[Mutant]:
    """Return all mutants of a file, in the order of its syntax; only what functions do is changed.

    Their keys hang on the syntax alone: not on the folder, the layout or the names of variables.
    """
    text = (ROOT / file).read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.splitlines()
    places = list(_places(tree, None, ""))
    faults = [(place, fault, node) for place in places for fault, node in _others(place.node)]
    counts = Counter((place.within, fault) for place, fault, _ in faults)
    numbers = Counter[tuple[str, str]]()
    found = []
    for place, fault, other in faults:
        numbers[place.within, fault] += 1
        function = f"{module_name(file)}.{place.within}"
        key = (function, fault, numbers[place.within, fault], counts[place.within, fault])
        node = ast.fix_missing_locations(ast.copy_location(other, place.node))
        was, becomes = map(_shown, (place.node, node))
        line = lines[was.lineno - 1].encode()
        after = line[was.end_col_offset :] if was.lineno == was.end_lineno else b""
        changed = line[: was.col_offset] + ast.unparse(becomes).encode() + after
        line_numbers = (place.statement.lineno, *range(was.lineno, was.end_lineno + 1))
        found.append(
            Mutant(
                file,
                key,
                line.decode().strip(),
                changed.decode().strip(),
                line_numbers,
                tree,
                place,
                _remembering(place.node, node),
            )
        )
    return found


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


def _others(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what a node can become, each with the name of the fault, which never has a name of the code."""
    match node:
        case ast.Compare(ops=operators):
            for place, operator in enumerate(operators):
                changed = OPERATORS[type(operator)]()
                ops = [*operators[:place], changed, *operators[place + 1 :]]
                yield _exchanged(operator, changed), _with(node, ops=ops)
        case ast.BinOp(op=operator) | ast.BoolOp(op=operator) | ast.AugAssign(op=operator):
            if type(operator) in OPERATORS:
                changed = OPERATORS[type(operator)]()
                yield _exchanged(operator, changed), _with(node, op=changed)
        case ast.UnaryOp(op=operator, operand=operand):
            yield f"{SYMBOLS[type(operator)]} left out", copy(operand)
        case ast.Constant(value=bool() | int() as value):
            other = not value if isinstance(value, bool) else value + 1
            yield f"{value} becomes {other}", ast.Constant(other)
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            function = ast.copy_location(ast.Name(NAMES[name], ast.Load()), node.func)
            yield f"{name} becomes {NAMES[name]}", _with(node, func=function)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "return becomes return None", ast.Return(ast.Constant(None))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(
            test, ast.Compare | ast.UnaryOp
        ):
            opposite = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
            yield "condition negated", _with(node, test=opposite)
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
        case _ if type(node) in REMOVED:
            yield f"{REMOVED[type(node)]} left out", ast.Pass()


def _exchanged(operator: ast.AST, changed: ast.AST) -> str:
    """Name the fault of another operator."""
    return f"{SYMBOLS[type(operator)]} becomes {SYMBOLS[type(changed)]}"


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
