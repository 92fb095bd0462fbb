"""The correct result of a search on an example, and how a program's answer on it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number
from grader.programs.coded_search import CodedResult, CodedSearch, coded_search
from grader.programs.codings import Coding
from grader.programs.example_trees import Example
from grader.solvers.values import best_children, values
from grader.trees.tree import Player, Tree, Value
from grader.trees.tree_builder import even_shares

AnswerReading: TypeAlias = Literal["first", "last"]
"""Which of two numbers in an answer is the value; the other one is the index of a move."""

TOLERANCE = Fraction(1, 10**6)
"""The most that a program's floating-point value may differ from the exact one."""

MIN_INFINITY = 100
"""The least number that may stand for infinity; every payoff is smaller."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The correct result on a tree: value, optimal moves, and the leaves that are visited.

    `cut` and `keep` are the leaves that alpha-beta visits under either tie rule, `leaves` all of them.
    `keep_hard` are those of a fail-hard search that keeps ties: a value that is clamped to a bound looks
    like a tie, so it visits more.
    """

    tree: Tree
    value: Value
    moves: frozenset[int]
    cut: frozenset[int]
    keep: frozenset[int]
    keep_hard: frozenset[int]
    leaves: frozenset[int]


@cache
def reference_on(example: Example, algorithm: str) -> Reference:
    """Return the correct result of an algorithm on an example; for expectimax, ghosts are chance."""
    has_ghosts = algorithm == "expectimax" and Player.CHANCE not in example.turns
    tree = with_chance(example.tree) if has_ghosts else example.tree
    exact = values(tree)
    leaves = frozenset(tree.leaves)
    cut = keep = keep_hard = leaves
    if algorithm == "alpha-beta":
        cut = frozenset(coded_search(tree, Coding("")).visits)
        keep = frozenset(coded_search(tree, Coding("", ties_cut=frozenset())).visits)
        keep_hard = frozenset(coded_search(tree, Coding("", is_hard=True, ties_cut=frozenset())).visits)
    return Reference(tree, exact[0], frozenset(best_children(tree, exact)[0]), cut, keep, keep_hard, leaves)


@cache
def with_chance(tree: Tree) -> Tree:
    """Return the tree with chance nodes of even outcomes in place of MIN nodes."""
    players = tuple(Player.CHANCE if player is Player.MIN else player for player in tree.players)
    shares: list[Number | None] = [None] * len(tree)
    even_shares(players, tree.parents, shares)
    return replace(tree, players=players, probabilities=tuple(shares))


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """The result of a program on an example: value and move if it gives them, and the visited nodes.

    Nodes are those of the example's tree; `outside` says whether other nodes were evaluated: internal
    ones, or nodes below the depth limit. `generated`: a state was generated below which nothing was visited.
    `is_move_illegal`: the move that it gives is none of the root's.
    """

    value: Value | Bound | None
    move: int | None
    is_move_illegal: bool
    visits: tuple[int, ...]
    outside: frozenset[int]
    generated: bool
    repeats: int


def read_attempt(record: Mapping[str, Any], example: Example, reading: AnswerReading) -> ExampleResult:
    """Return the result in the record of a tree."""
    number, move = _read_answer(record.get("answer"), example, reading)
    places = {node: place for place, node in enumerate(example.nodes)}
    whole = example.whole
    visits = [node for node in record["visits"] if isinstance(node, int) and 0 <= node < len(whole)]
    known = {node for node in visits if node in places and example.tree.players[places[node]] is None}
    on_paths = {above for node in visits for above in (node, *whole.ancestors(node))}
    return ExampleResult(
        value=number,
        move=places.get(move) if move is not None else None,
        is_move_illegal=move is None and _names_move(record.get("answer")),
        visits=tuple(places[node] for node in visits if node in known),
        outside=frozenset(visits) - known,
        generated=not on_paths.issuperset(record.get("generated", ())),
        repeats=int(record.get("repeats", 0)),
    )


def _read_answer(
    answer: Any, example: Example, reading: AnswerReading
) -> tuple[Value | Bound | None, int | None]:
    """Return the value and the move in an answer: one item, or several in a tuple."""
    if isinstance(answer, dict) and "number" in answer:
        return _exact(answer["number"]), None
    items = answer if isinstance(answer, list) else [answer]
    numbers = [place for place, item in enumerate(items) if isinstance(item, dict) and "number" in item]
    place = None if not numbers else numbers[0 if reading == "first" else -1]
    value = None if place is None else _exact(items[place]["number"])
    moves = (
        _read_move(item, example)
        for index, item in enumerate(items)
        if index != place and (len(items) == 2 or index not in numbers)
    )
    return value, next((move for move in moves if move is not None), None)


def _read_move(item: Any, example: Example) -> int | None:
    """Return the child of the root that an item in the record of an answer means; None for no child.

    A `node` counts before a `move` or a `number`, which are indices of children. A list means the first
    of its items that is a child.
    """
    children = example.whole.children[0]
    if isinstance(item, list):
        return next((move for each in item if (move := _read_move(each, example)) is not None), None)
    if not isinstance(item, dict):
        return None
    index = item.get("move", item.get("number"))
    if "node" in item:
        return item["node"] if item["node"] in children else None
    return children[index] if isinstance(index, int) and 0 <= index < len(children) else None


def _names_move(answer: Any) -> bool:
    """Return whether an answer has a move or a node in it."""
    items = answer if isinstance(answer, list) else [answer]
    return any(isinstance(item, dict) and ("move" in item or "node" in item) for item in items)


def _exact(number: Any) -> Value | Bound | None:
    """Return a number of a report exactly, or the payoffs of several players; None if it is not a number."""
    if isinstance(number, list):
        payoffs = [exact for each in number if isinstance(exact := _exact(each), int | Fraction)]
        return tuple(payoffs) if len(payoffs) == len(number) else None
    if number in ("inf", "-inf"):
        return -INFINITY if number == "-inf" else INFINITY
    try:
        return number if isinstance(number, int) else Fraction(number)
    except (ValueError, TypeError, OverflowError):
        return None


def is_value(answer: Value | Bound | None, expected: Value | Bound) -> bool:
    """Return whether a program's value is the expected one, up to the error of floating point.

    Programs write large numbers for infinity.
    """
    if isinstance(answer, tuple) and isinstance(expected, tuple):
        return len(answer) == len(expected) and all(map(is_value, answer, expected))
    if answer is None or isinstance(answer, tuple) or isinstance(expected, tuple):
        return False
    if isinstance(expected, float):
        return answer >= MIN_INFINITY if expected > 0 else answer <= -MIN_INFINITY
    return -TOLERANCE <= answer - expected <= TOLERANCE


def agrees(attempt: ExampleResult, outcome: CodedResult, *, has_value: bool, has_move: bool) -> bool:
    """Return whether value, move and visits of an attempt are those of a search."""
    return (
        not attempt.outside
        and frozenset(attempt.visits) == frozenset(outcome.visits)
        and (not has_value or is_value(attempt.value, outcome.value))
        and (not has_move or attempt.move in outcome.moves)
    )


def is_lawful_order(attempt: ExampleResult, reference: Reference) -> bool:
    """Return whether the visits are those of alpha-beta in the order in which the program took children.

    Children come in the order of their first visited leaf; pruned ones are the last.
    """
    tree, places = reference.tree, {leaf: place for place, leaf in enumerate(attempt.visits)}
    if tree.has_chance:
        return False
    first = [len(places)] * len(tree)
    for leaf, place in places.items():
        for node in (leaf, *tree.ancestors(leaf)):
            first[node] = min(first[node], place)
    below = tuple(tuple(sorted(children, key=first.__getitem__)) for children in tree.children)
    search = CodedSearch(tree, Coding("", ties_cut=frozenset()), below)
    search.outcome()
    return tuple(leaf for leaf in search.visits if leaf in places) == attempt.visits
