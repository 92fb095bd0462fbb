"""Entries for nodes, as tables and windows have them: put together, credited, compared."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from grader.answers.form import Credit, Earned, Item, Tally, Verdict
from grader.answers.mention import Mention
from grader.answers.named_things import choose
from grader.answers.number_rows import Name
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.base.phrases import Phrase, Saying
from grader.tree import Tree

V = TypeVar("V")


def entry(name: Name, values: Sequence[Any]) -> Mention:
    """What a reply says of one node; several values when it contradicts itself on the spot."""
    ways = [(node, values[0]) for node in name.nodes] + [(name.nodes[0], value) for value in values[1:]]
    return Mention(tuple(ways), name.place, name.why or Saying(_TWO))


def denied(reply: Reply, place: int) -> UnreadableError:
    """The complaint about a word such as `not` or `pruned` beside numbers, which it takes back."""
    return UnreadableError(
        "with {word} the numbers beside it may not be meant",
        place,
        "write the numbers alone, or none for this node",
        word=reply.clip(place),
    )


_TWO = Phrase("there are two values for one node")


def assemble(entries: Sequence[Mention]) -> tuple[tuple[int, Any], ...]:
    """The entries sorted by node.

    Raises `UnsureError` when a name can mean two nodes, or a node has two different values.
    """
    first = choose(entries, _filled)
    last = _filled(entry.ways[0] for entry in reversed(entries))
    if last != first:
        raise UnsureError(_TWO, (first, last))
    return first


def _filled(ways: Iterable[tuple[int, V]]) -> tuple[tuple[int, V], ...]:
    """The entries sorted by node; of two for a node the first counts."""
    found: dict[int, V] = {}
    for node, value in ways:
        found.setdefault(node, value)
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
