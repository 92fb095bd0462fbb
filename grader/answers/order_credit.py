"""What an order of leaves earns: by the fewest edits to the key, or up to its first mistake."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias, get_args

from grader.answers.form import ONLY_COMPLETE_COUNTS, CreditBasis, Item, ItemVerdict, Tally, Terms
from grader.answers.policies import (
    COMPLETE_TALLY,
    EVERYTHING_TALLY,
    SetCounts,
    keep_sentence,
    keep_tally,
    share_of_counts,
)
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Phrase, paragraph, plural_phrase
from grader.trees.rules import Order
from grader.trees.tree import Player, Tree

LeafOrder: TypeAlias = tuple[int, ...]
"""Path numbers, the first leaf visited first."""


def compare(reply: LeafOrder, key: LeafOrder, tree: Tree, terms: Terms, texts: bool) -> tuple[Item, ...]:
    """Compare leaf by leaf: by the fewest edits, or up to where the order breaks."""
    items = _prefix_items if counts_prefix(terms) else _edit_items
    return tuple(items(reply, key, tree, vocabulary(tree).write_path if texts else lambda _path: ""))


def counts_prefix(terms: Terms) -> bool:
    """Return whether an order counts up to its first mistake: by `net`, as in exams of version 0.1.0."""
    return terms.policy.name not in ("keep", "exact")


def _prefix_items(
    reply: LeafOrder, key: LeafOrder, tree: Tree, write: Callable[[int], str]
) -> Iterator[Item]:
    """Every leaf of the correct prefix; one item says where the order breaks, and nothing follows it."""
    for listed, right in zip_longest(reply, key, fillvalue=0):
        verdict: ItemVerdict = "right" if listed == right else "extra" if not right else "wrong"
        typed, wanted = write(listed) if listed else "", write(right) if right else ""
        yield Item(tree.leaves[(listed or right) - 1], typed, wanted, verdict if listed else "missing")
        if listed != right:
            break


def _edit_items(reply: LeafOrder, key: LeafOrder, tree: Tree, write: Callable[[int], str]) -> Iterator[Item]:
    """Every leaf of the reply and every leaf that it lacks, these where they belong.

    The items that are not right are the fewest edits that turn the reply into the key: an `extra` leaf is to
    be deleted, a `wrong` one to be moved, and a `missing` one to be inserted. Proof: of n leaves in the
    reply and m in the key, d different leaves are in both. If k of these stay where they are and v move,
    n - k - v are deleted and m - k - v inserted, n + m - 2k - v edits in all. The k leaves are in the same
    order in both, so k is at most the length of a longest common subsequence, and k + v at most d.
    """
    places = {leaf: place for place, leaf in enumerate(key)}
    in_place = _longest_common(reply, places)
    listed, done = set(reply), {reply[index] for index in in_place}
    missing = deque(leaf for leaf in key if leaf not in listed)
    for index, leaf in enumerate(reply):
        node, text = tree.leaves[leaf - 1], write(leaf)
        if index in in_place:
            while missing and places[missing[0]] < places[leaf]:
                yield _missing(missing.popleft(), tree, write)
            yield Item(node, text, text, "right")
        else:
            yield Item(node, text, "", "extra" if leaf in done or leaf not in places else "wrong")
            done.add(leaf)
    for leaf in missing:
        yield _missing(leaf, tree, write)


def _missing(leaf: int, tree: Tree, write: Callable[[int], str]) -> Item:
    return Item(tree.leaves[leaf - 1], "", write(leaf), "missing")


def _longest_common(reply: LeafOrder, places: Mapping[int, int]) -> set[int]:
    """Return the indices of a longest common subsequence in the reply; `places` has those in the key.

    No leaf is twice in a key, so this is a longest increasing subsequence of places: `last[n]` is the index
    at which one of length n + 1 ends, with the smallest place there is, and `smallest[n]` is that place.
    """
    last, smallest, previous = list[int](), list[int](), dict[int, int]()
    for index, leaf in enumerate(reply):
        place = places.get(leaf)
        if place is None:
            continue
        length = bisect_left(smallest, place)
        if length:
            previous[index] = last[length - 1]
        last[length : length + 1], smallest[length : length + 1] = [index], [place]
    found = set[int]()
    end = last[-1] if last else None
    while end is not None:
        found.add(end)
        end = previous.get(end)
    return found


def forced_prefix_length(tree: Tree, direction: Order) -> int:
    """Return how many leaves every search of such a tree visits first; 0 if every search visits all.

    The first leaf that may be pruned is the first whose path turns aside, leaving by a child that is not
    visited first, both under a MAX node and under a MIN node.
    """
    certain, waiting = 0, [(0, frozenset[Player | None]())] if len(tree) else []
    while waiting:
        node, turned_from = waiting.pop()
        children = tree.visiting(node, direction)
        if not children:
            if len(turned_from) > 1:
                return certain
            certain += 1
        also_turned = turned_from | {tree.players[node]}
        waiting += [(child, also_turned if place else turned_from) for place, child in enumerate(children)][
            ::-1
        ]
    return 0


def leaves_in_order(tree: Tree, direction: Order) -> LeafOrder:
    """Return all leaves in the order in which a search that prunes nothing visits them."""
    numbers = tuple(range(1, len(tree.leaves) + 1))
    return numbers if direction == "left-to-right" else numbers[::-1]


def forced_length(key: LeafOrder, tree: Tree) -> int:
    """Return how many leaves at the head of a key every search visits first."""
    direction: Order = "left-to-right" if key[:1] == (1,) else "right-to-left"
    head = leaves_in_order(tree, direction)[: forced_prefix_length(tree, direction)]
    return len(head) if key[: len(head)] == head else 0


def order_counts(items: Sequence[Item], key: LeafOrder, tree: Tree) -> SetCounts:
    """Count the leaves that are right, those to be deleted or moved, and those to be inserted.

    Leaves that every search visits first do not count as right. To list all leaves is to list everything
    where the key does not.
    """
    verdicts = [item.verdict for item in items]
    right, missing = verdicts.count("right"), verdicts.count("missing")
    listed = {item.node for item in items if item.verdict != "missing"}
    return SetCounts(
        right=max(right - forced_length(key, tree), 0),
        wrong=len(items) - right - missing,
        missing=missing,
        lists_everything=len(key) < len(tree.leaves) == len(listed),
    )


def share(items: Sequence[Item], key: LeafOrder, tree: Tree, terms: Terms) -> Fraction:
    """The share of the full mark by the policy of the terms."""
    if not counts_prefix(terms):
        return share_of_counts(order_counts(items, key, tree), len(tree.leaves), terms)
    right = [item.verdict for item in items].count("right")
    return prefix_share(right, len(key), forced_length(key, tree), is_whole=right == len(items) == len(key))


def prefix_share(right: int, length: int, certain: int, *, is_whole: bool) -> Fraction:
    """Return the longest correct prefix over the length of the key, both without the first `certain` leaves.

    Going on after the end is one wrong step.
    """
    if is_whole or certain == length:
        return Fraction(is_whole)
    return Fraction(max(min(right, length - 1) - certain, 0), length - certain)


def tally(account: CreditBasis[LeafOrder]) -> Tally:
    """Say how many edits there are, or how much of the list is right up to where it breaks."""
    say, points, terms = account.terms.language.say, account.points, account.terms
    certain = forced_length(account.key, account.tree)
    size = len(account.key) - certain
    if terms.policy.name == "exact" or not (size or terms.policy.name == "keep"):
        return Tally(say(COMPLETE_TALLY, **points))
    if terms.policy.name == "keep":
        counts = order_counts(account.items, account.key, account.tree)
        if counts.lists_everything and counts.right > counts.wrong:
            return Tally(say(EVERYTHING_TALLY, **points))
        return keep_tally(counts, account, _NO_MORE_AFTER_HEAD if certain else None)
    right = sum(item.verdict == "right" for item in account.items)
    if right - certain == size:
        return Tally(say(*_TOO_MANY, size, **points))
    phrase = _UP_TO_THERE_WITHOUT_HEAD if certain else _UP_TO_THERE
    why = say(*phrase, size, right=max(right - certain, 0), **points)
    hidden = say("The first leaf that counts is already incorrect. Score: {points} of {maximum}.", **points)
    return Tally(why, hidden)


_NO_MORE_AFTER_HEAD = Phrase(
    "Without the leaves that every search visits first, the numbers of correct and incorrect leaves are "
    "{right} and {wrong}. Only an answer with more correct than incorrect leaves earns points. Score: "
    "{points} of {maximum}."
)
_TOO_MANY = plural_phrase(
    "The {count} leaf is correct, but extra leaves follow; together, they count as one mistake. Score: "
    "{points} of {maximum}.",
    "All {count} are correct, but extra leaves follow; together, they count as one mistake. Score: "
    "{points} of {maximum}.",
)
_UP_TO_THERE = plural_phrase(
    "Of the {count} leaf, the number correct before the first mistake is {right}. Score: "
    "{points} of {maximum}.",
    "Of the {count} leaves, the number correct before the first mistake is {right}. Score: "
    "{points} of {maximum}.",
)
_UP_TO_THERE_WITHOUT_HEAD = plural_phrase(
    "Of the {count} leaf after those that every search visits first, the number correct before the first "
    "mistake is {right}. Score: {points} of {maximum}.",
    "Of the {count} leaves after those that every search visits first, the number correct before the first "
    "mistake is {right}. Score: {points} of {maximum}.",
)


def credit_sentence(terms: Terms, tree: Tree) -> str:
    """Say how an order is credited that is not wholly right, and which leaves earn nothing."""
    say, policy = terms.language.say, terms.policy
    if policy.name == "exact":
        return say(ONLY_COMPLETE_COUNTS)
    has_head = any(forced_prefix_length(tree, direction) for direction in get_args(Order))
    if policy.name == "keep":
        return paragraph(
            keep_sentence(terms, _EDITS_HALVE, _EDITS_MULTIPLY),
            say(
                "The first leaves, which alpha-beta visits whatever the payoffs are, do not count as correct."
            )
            if has_head
            else "",
        )
    return paragraph(
        say(
            "Your list counts only up to the first mistake. "
            "Each extra leaf at the end cancels one correct leaf."
        ),
        say("The first leaves, which alpha-beta visits whatever the payoffs are, earn no points.")
        if has_head
        else "",
    )


_EDITS_HALVE = Phrase(
    "Each leaf that is missing, incorrect, or out of order halves your points. "
    "An incorrect answer scores 0 if it lists every leaf although some are pruned. "
    "It also scores 0 if it does not list more correct than incorrect leaves."
)
_EDITS_MULTIPLY = Phrase(
    "Each leaf that is missing, incorrect, or out of order multiplies your points by {factor}. "
    "An incorrect answer scores 0 if it lists every leaf although some are pruned. "
    "It also scores 0 if it does not list more correct than incorrect leaves."
)
