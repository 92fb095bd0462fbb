"""Nested lists: a leaf is a number, an internal node the list of its children."""

import re
import sys
from types import FrameType
from typing import Any

from grader.programs.calling import Program, arguments_for, role_of
from grader.programs.position import SearchRecord, TreePosition

TITLE = "nested lists"
RECOGNISED_BY = r"isinstance|type\(|\[|\bfor\b"
HAS_WINDOW = True
ALLOWS_UNIFORM = True
STUB = '''\
def alphabeta(node, depth, alpha, beta, maximizing):
    """Return the value of a node: a leaf is a number, an internal node the list of its children.

    depth: how many plies are left. alpha, beta: the window, at first float("-inf") and float("inf").
    maximizing: whether MAX moves at this node.
    """
'''


class Leaf(int):
    """A payoff that records when the program compares it or computes with it."""

    record: SearchRecord
    node: int
    __class__ = int  # type: ignore[assignment]  # for programs that compare it

    def __reduce__(self) -> Any:
        return int, (int(self),)

    def __copy__(self) -> "Leaf":
        return self

    def __deepcopy__(self, memo: Any) -> "Leaf":
        return self


def _recording(name: str) -> Any:
    """Return the operation of `int` with this name, which also records that leaves are used."""
    plain = getattr(int, name)

    def operation(self: Leaf, *others: Any) -> Any:
        """Record that this leaf and the leaves among the operands are used, and do the operation of `int`."""
        _record_use(self)
        for other in others:
            if isinstance(other, Leaf):
                _record_use(other)
        return plain(self, *others)

    return operation


def _record_use(leaf: Leaf) -> None:
    if leaf.node not in leaf.record.visits:
        leaf.record.visits.append(leaf.node)


class _AsInt(type):
    """The metaclass of a `type` for which a leaf is a plain number: programs ask `type(x) is int`."""

    def __call__(cls, *arguments: Any) -> Any:
        kind: Any = type(*arguments)
        return int if kind is Leaf else kind

    def __instancecheck__(cls, item: object) -> bool:
        return isinstance(item, type)


BUILTINS = {"type": _AsInt("type", (type,), {})}

_COMPARISONS = ("lt", "le", "gt", "ge", "neg", "pos", "abs", "float")
_ARITHMETIC = ("add", "radd", "sub", "rsub", "mul", "rmul")
for _name in (*_COMPARISONS, *_ARITHMETIC):
    setattr(Leaf, f"__{_name}__", _recording(f"__{_name}__"))


def build(position: TreePosition, *, negated: bool) -> Any:
    """Return the nested lists of a position; with `negated`, payoffs are for the player who would move."""
    tree, record = position.tree, position.record

    def node_item(node: int, depth: int) -> Any:
        """Return the list of a node, or its leaf; a `negated` tree has negative payoffs at odd depths."""
        children = tree["children"][node]
        item: Any
        if children:
            item = [node_item(child, depth + 1) for child in children]
        else:
            item = Leaf(-tree["payoffs"][node] if negated and depth % 2 else tree["payoffs"][node])
            item.record, item.node = record, node
        record.represent(item, node)
        return item

    return node_item(position.node, 0)


def call(program: Program, position: TreePosition, depth: int, window: Any = None) -> Any:
    """Call the function on nested lists; a visit is a leaf that is compared, computed with or returned.

    A negamax without a parameter for the player takes payoffs for the player who would move.
    """
    parameters = program.parameters
    roles = set(map(role_of, parameters))
    name = program.name.rpartition(".")[2]
    for_mover = re.search(rf"-\s*(self\.)?{name}\(", program.source) is not None
    has_player = "maximizing" in roles or "minimizing" in roles
    item = build(position, negated=for_mover and not has_player)
    arguments = arguments_for(parameters, program.search_values(depth, window) | {"state": item})
    own_file = program.module.__file__

    def watch(frame: FrameType, event: str, result: object) -> None:
        if event == "return" and frame.f_code.co_filename == own_file:
            for item in result if isinstance(result, tuple) else (result,):
                if isinstance(item, Leaf):
                    _record_use(item)

    sys.setprofile(watch)
    try:
        result = program(**arguments)
    finally:
        sys.setprofile(None)
    if isinstance(result, Leaf):
        _record_use(result)
    return result
