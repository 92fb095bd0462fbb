"""Entries for nodes, as tables and windows have them: put together, credited, compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from grader.answers.form import Credit, Earned, Item, Tally, Verdict
from grader.answers.number_rows import Name
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.base.phrases import Phrase, Saying
from grader.tree import Tree

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Entry(Generic[V]):
    """What a reply says of one node; several values when it contradicts itself on the spot."""

    name: Name
    values: tuple[V, ...]


def denied(reply: Reply, place: int) -> UnreadableError:
    """The complaint about a word such as `not` or `pruned` beside numbers, which it takes back."""
    return UnreadableError(
        "with {word} the numbers beside it may not be meant",
        place,
        "write the numbers alone, or none for this node",
        word=reply.clip(place),
    )


_TWO = Phrase("there are two values for one node")


def assemble(entries: Sequence[Entry[V]]) -> tuple[tuple[int, V], ...]:
    """The entries sorted by node.

    Raises `UnsureError` when a name can mean two nodes, or a node has two different values.
    """
    first = _filled(entries, -1, 0, 0)
    others: list[tuple[tuple[int, V], ...]] = []
    why: Saying | None = None
    for index, entry in enumerate(entries):
        for way, value in [(way, 0) for way in range(1, len(entry.name.nodes))] + [
            (0, value) for value in range(1, len(entry.values))
        ]:
            others.append(_filled(entries, index, way, value))
            why = why or entry.name.why or Saying(_TWO)
            if len(others) == 3:
                raise UnsureError(why, (first, *others))
    last = _filled(entries[::-1], -1, 0, 0)
    if last != first:
        others.append(last)
    different = [other for other in others if other != first]
    if different:
        raise UnsureError(why or _TWO, (first, *different))
    return first


def _filled(entries: Sequence[Entry[V]], at: int, way: int, value: int) -> tuple[tuple[int, V], ...]:
    """The entries in their first reading, apart from the one at `at`; of two for a node the first counts."""
    found: dict[int, V] = {}
    if at >= 0:
        found[entries[at].name.nodes[way]] = entries[at].values[value]
    for index, entry in enumerate(entries):
        if index != at:
            found.setdefault(entry.name.nodes[0], entry.values[0])
    return tuple(sorted(found.items(), key=lambda item: item[0]))


def by_level(entries: Sequence[tuple[int, V]], tree: Tree) -> list[tuple[int, V]]:
    """The entries in the order in which people list nodes: level by level, each from the left."""
    return sorted(entries, key=lambda entry: (tree.depths[entry[0]], entry[0]))


def credit_entries(
    reply: Sequence[tuple[int, V]],
    key: Sequence[tuple[int, V]],
    implied: Sequence[tuple[int, V]] | None,
    same: Callable[[V, V], bool],
    write: Callable[[int, V], str],
    *,
    extras_cost: bool = False,
) -> Credit:
    """Credit each entry of the key alike; `same` compares what was said with what is right.

    An entry for a node that is not in the key is reported and earns nothing. With `extras_cost` it
    counts as one more wrong entry, for where it is part of the question which nodes have one.
    """
    said, follows = dict(reply), dict(implied or ())
    items: list[Item] = []
    earned = 0
    for node, right in key:
        verdict: Verdict = "missing"
        if node in said:
            verdict = "right" if same(said[node], right) else "wrong"
            if verdict == "wrong" and node in follows and same(said[node], follows[node]):
                verdict = "follows"
        earned += verdict in ("right", "follows")
        items.append(Item(node, write(node, said[node]) if node in said else "", write(node, right), verdict))
    asked = {node for node, _ in key}
    extras = [Item(node, write(node, value), "", "extra") for node, value in reply if node not in asked]
    entries = len(key) + len(extras) * extras_cost
    return Credit(Fraction(earned, entries) if key else Fraction(int(not reply)), (*items, *extras))


_RIGHT = Phrase("{right} of {count} entries right: {points} of {maximum}.")


def tally_entries(account: Earned[Any], *, extras_cost: bool = False) -> Tally:
    """Entries count alike; with `extras_cost` one where none belongs is one more."""
    say, points = account.terms.language.say, account.points
    total = sum(extras_cost or item.verdict != "extra" for item in account.items)
    right = sum(item.verdict == "right" for item in account.items)
    why = say(_RIGHT, _RIGHT, total, right=right, **points)
    hidden = say("No entry right: {points} of {maximum}.", **points)
    return Tally(Fraction(right, total) if total else Fraction(0), why, hidden)


def differing(
    reply: Sequence[tuple[int, V]], other: Sequence[tuple[int, V]], same: Callable[[V, V], bool]
) -> int:
    """At how many nodes two answers differ; an entry that only one of them has is a difference."""
    one, two = dict(reply), dict(other)
    differ = sum(
        1
        for node in one.keys() & two.keys()
        if not (same(one[node], two[node]) or same(two[node], one[node]))
    )
    return differ + len(one.keys() ^ two.keys())
