"""Mutants of a program: a comparison turned, an update dropped, a bound not passed, a branch swapped."""

import ast
from collections.abc import Iterator
from copy import deepcopy

_TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.Lt, ast.GtE),
    ast.Lt: (ast.Gt, ast.LtE),
    ast.GtE: (ast.LtE, ast.Gt),
    ast.LtE: (ast.GtE, ast.Lt),
}
_RENAMED = {"max": "min", "min": "max", "alpha": "beta", "beta": "alpha"}


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield the description and the text of every mutant."""
    tree = ast.parse(source)
    count = sum(1 for _ in ast.walk(tree))
    for place in range(count):
        for variant in range(4):
            mutant = deepcopy(tree)
            node = list(ast.walk(mutant))[place]
            description = _mutate(mutant, node, variant)
            if description:
                text = ast.unparse(ast.fix_missing_locations(mutant))
                yield f"line {getattr(node, 'lineno', 0)}: {description}", text


def _mutate(tree: ast.AST, node: ast.AST, variant: int) -> str:
    """Change a node in place; return what was changed, empty if this variant changes nothing."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _TURNED and variant < 2:
            new = _TURNED[type(operator)][variant]()
            node.ops = [new]
            return f"{type(operator).__name__} became {type(new).__name__}"
        case ast.Name(id=name, ctx=ast.Load()) if name in _RENAMED and variant == 0:
            node.id = _RENAMED[name]
            return f"{name} became {node.id}"
        case ast.Name(id=("alpha" | "beta") as name, ctx=ast.Load()) if variant == 1:
            _replace(tree, node, ast.parse("-INF" if name == "alpha" else "INF", mode="eval").body)
            return f"{name} became infinite"
        case ast.Assign(targets=[ast.Name(id=("alpha" | "beta") as name)]) if variant == 0:
            node.value = ast.Name(name, ast.Load())
            return f"the update of {name} was dropped"
        case ast.Assign(targets=[ast.Name(id=("alpha" | "beta") as name)]) if variant == 1:
            node.value = ast.Name("value", ast.Load())
            return f"{name} became the latest value"
        case ast.Break() if variant == 0:
            _replace(tree, node, ast.Pass())
            return "a break was dropped"
        case ast.UnaryOp(op=ast.Not(), operand=operand) if variant == 0:
            _replace(tree, node, operand)
            return "a not was dropped"
        case ast.Constant(value=(True | False) as value) if variant == 0:
            node.value = not value
            return f"{value} became {not value}"
        case _:
            return ""


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, field in ast.iter_fields(parent):
            if field is old:
                setattr(parent, name, new)
            elif isinstance(field, list) and old in field:
                field[field.index(old)] = new
