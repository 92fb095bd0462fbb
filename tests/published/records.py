"""The published records, and the tree that each of them describes."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number, read_number
from grader.trees.annotations import Attributes, Header
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY, Player, Tree
from grader.trees.tree_builder import TreeBuilder

Record: TypeAlias = dict[str, Any]

FILE = Path(__file__).with_name("published.json")

RECORDS: tuple[Record, ...] = tuple(json.loads(FILE.read_text(encoding="utf-8"), parse_float=read_number))
"""All records; a decimal such as 2.99 is read from its digits, so that it is exact."""


def number(value: int | str | Number) -> Bound:
    """A number of a record, which writes fractions and infinities as text."""
    if isinstance(value, str):
        return {"inf": INFINITY, "-inf": -INFINITY}.get(value) or read_number(value)
    return value


def tree_of(record: Record) -> Tree:
    """The tree of a record, titled with the record's id.

    A name that occurs twice gets the name of its parent in front, because names are unique in a tree.
    A leaf that the source does not show becomes an unknown of its own. A search by simulation is the tree of
    the nodes that it has added.
    """
    if "uct" in record:
        return searched(record)
    if record["tree"] is None:
        return EMPTY
    planting = TreeBuilder()
    spec = record["tree"]
    repeated = {name for name, times in Counter(_names(spec)).items() if times > 1}
    moves = {child: label for labels in record.get("moves", {}).values() for label, child in labels.items()}
    unseen = 0

    def plant(spec: Any, parent: int, above: str | None, probability: Number | None) -> None:
        nonlocal unseen
        player, name, content = _parts(spec)
        label = moves.get(name)
        if name in repeated:
            name = f"{above}, {name}"
        if player is None and content is None:
            unseen += 1
            content = f"unseen{unseen}"
        payoff = content if player is None else None
        node = planting.add(parent, player, payoff, name=name, move=label, probability=probability)
        if player is None:
            return
        for below in content:
            share, child = below if player is Player.CHANCE else (None, below)
            plant(child, node, name, None if share is None else number(share))

    plant(spec, -1, None, None)
    ties = {True: "cut", False: "keep", None: None}[record["equality_prunes"]]
    bounds = record.get("leaf_bounds")
    return planting.tree(
        Header(
            title=record["id"],
            source=record["source"],
            ties=ties,
            bounds=None if bounds is None else (bounds[0], bounds[1]),
        )
    )


def searched(record: Record) -> Tree:
    """The tree after the playouts of one player, each of which adds a node; `w` is the sum of results."""
    counted: dict[str, tuple[int, int]] = {}
    for moves, result in record["uct"]["playouts"]:
        lengths = range(1, len(moves) + 1)
        added = next((length for length in lengths if moves[:length] not in counted), len(moves))
        for length in range(added + 1):
            visits, wins = counted.get(moves[:length], (0, 0))
            counted[moves[:length]] = visits + 1, wins + result
    planting, places = TreeBuilder(), dict[str, int]()
    for name, (visits, wins) in sorted(counted.items()):
        inner = any(other[:-1] == name for other in counted if other)
        places[name] = planting.add(
            places[name[:-1]] if name else -1,
            Player.MAX if inner else None,
            None if inner else wins,
            name=name or "root",
            attributes=Attributes(visits=visits, wins=wins),
        )
    return planting.tree(Header(title=record["id"]))


def conventions(record: Record) -> tuple[Rules, ...]:
    """All rules under which the answer of a record has to hold.

    Both printed tests prune alike, so both must give the answer; both tie rules must
    where the source does not choose one.
    """
    ties = {True: ("cut",), False: ("keep",), None: ("cut", "keep")}[record["equality_prunes"]]
    return tuple(tree_of(record).rules(ties=tie, test=test) for tie in ties for test in ("value", "window"))


def _parts(spec: Any) -> tuple[Player | None, str | None, Any]:
    """The player, the name and the content of one node: a payoff, or the list of its children."""
    match spec:
        case ["LEAF", name, list(vector)]:
            return None, name, tuple(vector)
        case ["LEAF", name, payoff]:
            return None, name, payoff
        case [str(player), name, list(children)]:
            return Player(player), name, children
        case _:
            return None, None, spec


def _names(spec: Any) -> Iterator[str]:
    """Every name given in the tree of a record, with repetitions."""
    player, name, content = _parts(spec)
    if name is not None:
        yield name
    if player is not None:
        for below in content:
            yield from _names(below[1] if player is Player.CHANCE else below)
