"""The policy `keep:F`, held to its definition over all replies to small trees."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import pytest

from grader import tree_of
from grader.answers.branches import BRANCHES, NODE_NAMES
from grader.answers.form import AnyForm, Policy, Terms
from grader.answers.order import ORDER
from grader.answers.paths import PATHS
from grader.answers.policies import PolicyError, SetCounts, read_policy, share_of_counts, write_policy
from grader.base.numbers import normalize_number, read_number, write_number
from grader.trees.tree import Tree

TREES = ("MAX A (MIN B (3 12) MIN C (2 4))", "MAX A (MIN B (3 12 8) 5)", "MAX A (1 MIN B (2 MAX C (4 5)))")

HALF, OTHER = Terms(policy=Policy("keep", Fraction(1, 2))), Terms(policy=Policy("keep", Fraction(3, 5)))


def subsets(things: range) -> list[frozenset[int]]:
    """All sets of some things."""
    return [frozenset(some) for count in range(len(things) + 1) for some in combinations(things, count)]


def share(correct: int, incorrect: int, missing: int, factor: Fraction, *, everything: bool) -> Fraction:
    """What is earned by the definition, as the sentence for students says it."""
    if not incorrect and not missing:
        return Fraction(1)
    if everything or correct <= incorrect:
        return Fraction(0)
    points = Fraction(1)
    for _ in range(incorrect + missing):
        points *= factor
    return points


@pytest.mark.parametrize("terms", [HALF, OTHER], ids=["half", "three fifths"])
@pytest.mark.parametrize("text", TREES)
def test_a_set_of_leaves_earns_what_the_sentence_says(text: str, terms: Terms) -> None:
    """Every mistake multiplies the points; all leaves, or no more correct than incorrect ones, score 0."""
    tree = tree_of(text)
    size, factor = len(tree.leaves), Fraction(terms.policy.amount)
    for reply, key in product(subsets(range(1, size + 1)), repeat=2):
        by_definition = share(
            len(reply & key), len(reply - key), len(key - reply), factor, everything=len(reply) == size
        )
        assert PATHS.credit(reply, key, tree, terms).share == by_definition, (reply, key)
        if not key:
            assert (by_definition == 1) is (not reply)


@pytest.mark.parametrize("form", [BRANCHES, NODE_NAMES], ids=["branches", "nodes"])
@pytest.mark.parametrize("text", TREES)
def test_a_set_of_nodes_earns_what_the_sentence_says(form: AnyForm, text: str) -> None:
    """So it is for branches, by what is crossed out and by no branch below one of the key, and for nodes."""
    tree = tree_of(text)
    below = [{node for node in range(len(tree)) if top in ancestry(tree, node)} for top in range(len(tree))]
    leaves = [
        {leaf for leaf in tree.leaves if leaf == node or leaf in below[node]} for node in range(len(tree))
    ]
    for reply, key in product(subsets(range(1, len(tree))), repeat=2):
        named, idle = set(reply), set[int]()
        if form is BRANCHES:
            gone = set[int]().union(*(leaves[node] for node in reply))
            crossed = {node for node in range(1, len(tree)) if leaves[node] <= gone}
            tops = {node for node in crossed if not crossed & ancestry(tree, node)}
            named = tops | (set(reply) & key)
            idle = {node for node in named - key if any(node in below[top] for top in key)}
            everything = len(gone) == len(tree.leaves)
            if reply == key:
                named, idle = set(reply), set()
        else:
            everything = len(reply) == len(tree) - 1
        by_definition = share(
            len(named & key), len(named - key - idle), len(key - named), Fraction(1, 2), everything=everything
        )
        assert form.credit(reply, key, tree, HALF).share == by_definition, (reply, key)


def ancestry(tree: Tree, node: int) -> set[int]:
    """The nodes above a node."""
    found = set[int]()
    while tree.parents[node] >= 0:
        node = tree.parents[node]
        found.add(node)
    return found


@cache
def edits(reply: tuple[int, ...], key: tuple[int, ...]) -> int:
    """The fewest leaves to insert, delete or move, found by trying all of them, one after the other."""
    frontier, seen, count = {reply}, {reply}, 0
    while key not in frontier:
        frontier = {other for order in frontier for other in one_edit_away(order, key)} - seen
        seen |= frontier
        count += 1
    return count


def one_edit_away(order: tuple[int, ...], key: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """What one edit can make of an order; to insert a leaf that the key lacks never helps."""
    for place in range(len(order)):
        rest = order[:place] + order[place + 1 :]
        yield rest
        for other in range(len(order)):
            yield (*rest[:other], order[place], *rest[other:])
    for place, leaf in product(range(len(order) + 1), key):
        yield (*order[:place], leaf, *order[place:])


def orders(leaves: int, longest: int) -> list[tuple[int, ...]]:
    """All orders of some of the leaves."""
    return [order for count in range(1, longest + 1) for order in permutations(range(1, leaves + 1), count)]


@pytest.mark.parametrize("text", ["MAX A (MIN B (3 12) MIN C (2 4))", "MAX A (3 12 8 5)"])
def test_an_order_loses_by_the_fewest_edits(text: str) -> None:
    """Every item that is not right is one of the fewest edits, and each leaves half of the points.

    In the first tree three leaves come first whatever the payoffs: they are not counted as correct.
    """
    tree = tree_of(text)
    repeated = [(1, 2, 1), (1, 2, 1, 3), (3, 1, 3), (2, 4, 2, 4), (1, 4, 2, 3, 4)]
    for key in [order for order in orders(4, 4) if len(order) > 1][::3]:
        head = 3 if text == TREES[0] and key[:3] in ((1, 2, 3), (4, 3, 2)) else 0
        for reply in (*orders(4, 4), *repeated):
            credit = ORDER.credit(reply, key, tree, HALF)
            mistakes = [item for item in credit.items if item.verdict != "right"]
            assert len(mistakes) == edits(reply, key), (reply, key)
            correct = len(credit.items) - len(mistakes)
            missing = sum(item.verdict == "missing" for item in mistakes)
            by_definition = share(
                max(correct - head, 0),
                len(mistakes) - missing,
                missing,
                Fraction(1, 2),
                everything=set(reply) == {1, 2, 3, 4} and len(key) < 4,
            )
            assert credit.share == by_definition, (reply, key)


def test_items_of_an_order_say_what_to_insert_delete_and_move() -> None:
    """A leaf that is missing stands where it belongs; one that is misplaced is one item, not two."""
    tree = tree_of("MAX A (3 12 8 5 7 2)")
    found = ORDER.credit((1, 4, 3, 6, 2), (1, 2, 3, 5, 6), tree, HALF)
    assert [(item.verdict, item.reply, item.right) for item in found.items] == [
        ("right", "1", "1"),
        ("extra", "4", ""),
        ("right", "3", "3"),
        ("missing", "", "5"),
        ("right", "6", "6"),
        ("wrong", "2", ""),
    ]
    assert found.share == Fraction(1, 8)


def test_a_leaf_is_moved_once() -> None:
    """Of a leaf that is listed twice, both times out of place, one is to be moved and the other deleted."""
    tree = tree_of("MAX A (3 12 8 5)")
    items = ORDER.credit((4, 4, 1, 2, 3), (1, 2, 3, 4), tree, HALF).items
    assert [item.verdict for item in items] == ["wrong", "extra", "right", "right", "right"]


@pytest.mark.parametrize(
    "text", ["keep", "keep:", "keep:0", "keep:1", "keep:3/2", "keep:-1/2", "keep:x", "keep:0.9999"]
)
def test_the_share_is_between_0_and_1(text: str) -> None:
    """Anything else is refused, with an example of what to write; what is read is written as a fraction."""
    with pytest.raises(PolicyError, match="keep:1/2"):
        read_policy(text)
    assert write_policy(read_policy("keep:0.5")) == "keep:1/2"


@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(3, 5), Fraction(2, 3), Fraction(999, 1000)])
def test_what_many_mistakes_leave_can_be_written(factor: Fraction) -> None:
    """However many mistakes there are, records can hold the points; twelve decimals are kept."""
    terms = Terms(points=Fraction(7, 3), policy=Policy("keep", factor))
    for mistakes in (*range(60), 1000, 2_000_000):
        found = share_of_counts(SetCounts(mistakes + 1, mistakes, 0), 3 * mistakes + 3, terms)
        assert read_number(write_number(normalize_number(found * terms.points))) == found * terms.points
        assert 0 <= factor ** min(mistakes, 30_000) - found < Fraction(1, 10**12)
