"""Why nodes are cut: each reason is checked against the game itself."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given

from grader.base.numbers import INFINITY
from grader.solvers.alphabeta import value_test
from grader.solvers.cutoff_analysis import (
    CutKind,
    CutReason,
    NoCut,
    cut_reasons,
    no_cut_reason,
    seemingly_best,
)
from grader.solvers.minimax import minimax
from grader.solvers.solvable import Unsolvable
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.solvers.definition import root_value
from tests.solvers.test_values import TEXTBOOK
from tests.strategies import TIED, rules, trees

Values = Sequence[Any]


def plain(convention: Rules) -> Rules:
    """The order and the tie rule alone."""
    return Rules(order=convention.order, ties=convention.ties)


@given(trees(plies=6, payoffs=TIED), rules())
def test_every_pruned_branch_has_its_reason(tree: Tree, convention: Rules) -> None:
    """Cuts and their skipped children are those of the search, and each other visited node says why not."""
    convention = plain(convention)
    visited = value_test(tree, convention).visited
    reasons = cut_reasons(tree, convention)
    skipped = {child for reason in reasons for child in reason.skipped}
    pruned = {node for node in range(1, len(tree)) if not visited[node] and visited[tree.parents[node]]}
    assert skipped == pruned
    cut = {reason.node for reason in reasons}
    for node in range(len(tree)):
        assert (no_cut_reason(tree, convention, node) is None) == (node in cut)


def elders(tree: Tree, node: int, convention: Rules) -> tuple[int, ...]:
    """The children of the parent that are visited before the node."""
    order = tree.visiting(tree.parents[node], convention.order)
    return order[: order.index(node)]


@given(trees(plies=6, payoffs=TIED), rules())
def test_causes_suffice(tree: Tree, convention: Rules) -> None:
    """The cause is the ancestor of the other player with the best value so far, the topmost of several.

    What an ancestor has is the value of its elder children. It makes the skipped children useless: the node
    cannot come back on the better side of it.
    """
    convention = plain(convention)
    exact = minimax(tree)
    for reason in cut_reasons(tree, convention):
        assert reason.kind is (CutKind.ALPHA if tree.players[reason.node] is Player.MIN else CutKind.BETA)
        assert reason.value != reason.bound or convention.ties == "cut"
        best = max if tree.players[reason.node] is Player.MIN else min
        has: dict[int, int] = {}
        for child in (reason.node, *tree.ancestors(reason.node))[:-1]:
            node = tree.parents[child]
            elder = elders(tree, child, convention)
            if elder and tree.players[node] is not tree.players[reason.node]:
                has[node] = best(exact[each] for each in elder)
                if node == reason.cause:
                    assert reason.cause_child == next(each for each in elder if exact[each] == has[node])
        assert reason.bound == has[reason.cause] == best(has.values())
        assert reason.cause == [node for node in has if has[node] == reason.bound][-1]
        assert best(reason.bound, reason.value) == reason.bound


def is_deep(tree: Tree, reason: CutReason, convention: Rules, at: Values, before: Values) -> bool:
    """Whether the best of the elder siblings does not suffice for the cut, by these values.

    `at` are those that count at the children that were looked at, `before` those of the elder siblings.
    """
    parent = tree.parents[reason.node]
    elder = [before[each] for each in elders(tree, reason.node, convention)]
    seen = [at[each] for each in tree.children[reason.node] if each not in reason.skipped]
    if not elder or tree.players[parent] is tree.players[reason.node]:
        return True
    short = min(seen) - max(elder) if tree.players[parent] is Player.MAX else min(elder) - max(seen)
    return short > 0 or (short == 0 and convention.ties == "keep")


@given(trees(plies=6, payoffs=TIED), rules())
def test_deep_cuts_are_those_of_exact_values(tree: Tree, convention: Rules) -> None:
    """A cut is deep if the exact values of elder siblings are not enough for it.

    It is undisputed where nobody finds otherwise who takes what came back at both or at the node alone.
    """
    convention = plain(convention)
    exact, returned = minimax(tree), value_test(tree, convention).returned
    for reason in cut_reasons(tree, convention):
        assert reason.deep == is_deep(tree, reason, convention, exact, exact)
        found = {
            is_deep(tree, reason, convention, at, before)
            for at, before in ((exact, exact), (returned, returned), (returned, exact))
        }
        assert reason.undisputed == (len(found) == 1)


@given(trees(plies=6, payoffs=TIED), rules(ties="cut"))
def test_deep_cuts_are_those_that_knuth_and_moore_add(tree: Tree, convention: Rules) -> None:
    """Their procedure F1, which knows only the bound of the parent, continues exactly where a cut is deep."""
    looked_at: set[int] = set()

    def worth(node: int, bound: int | None) -> int:
        """Return the value of the node, or one no better for its parent than the parent's own."""
        looked_at.add(node)
        if not tree.children[node]:
            return tree.payoffs[node]
        best: int | None = None
        sign = 1 if tree.players[node] is Player.MAX else -1
        for child in tree.visiting(node, convention.order):
            rival = tree.players[child] is not tree.players[node]
            value = worth(child, best if rival else None)
            best = value if best is None else sign * max(sign * best, sign * value)
            if bound is not None and sign * best >= sign * bound:
                break
        return best

    worth(0, None)
    for reason in cut_reasons(tree, plain(convention)):
        assert reason.deep == (reason.skipped[0] in looked_at)


@given(trees(plies=5, payoffs=TIED, unary=False), rules())
@example(tree_of("MAX (MIN (3 5) MIN (5 3 7))"), Rules(ties="keep"))
def test_why_nothing_is_cut(tree: Tree, convention: Rules) -> None:
    """Without the last child the value met no bound, at most it tied; with it, it may have met the bound."""
    convention = plain(convention)
    done = value_test(tree, convention)
    for node in tree.internal:
        found = no_cut_reason(tree, convention, node)
        if found is None or found.kind is NoCut.PRUNED:
            continue
        if len(tree.children[node]) == 1:
            assert found.kind is NoCut.ONLY_CHILD
            continue
        values = [done.returned[child] for child in tree.visiting(node, convention.order)]
        maximises = tree.players[node] is Player.MAX
        best, before = (max(values), max(values[:-1])) if maximises else (min(values), min(values[:-1]))
        bound = done.betas[node] if maximises else done.alphas[node]
        assert (found.value, found.bound) == (best, bound)
        met = best >= bound if maximises else best <= bound
        if bound in (INFINITY, -INFINITY):
            assert found.kind is NoCut.NO_BOUND
        elif before == bound:
            assert found.kind is NoCut.TIE_KEPT
        elif met and (best != bound or convention.ties == "cut"):
            assert found.kind is NoCut.LAST_CHILD
        else:
            assert found.kind is NoCut.NOT_MET


@pytest.mark.parametrize("text", ["MAX (CHANCE (1 2) 3)", "P1 (P2 (<1, 2> <3, 4>) <5, 6>)"])
def test_cuts_are_those_of_two_players(text: str) -> None:
    """Trees with chance nodes or several players are refused."""
    tree = tree_of(text)
    with pytest.raises(Unsolvable):
        cut_reasons(tree, Rules())
    with pytest.raises(Unsolvable):
        no_cut_reason(tree, Rules(), 0)


@given(trees(plies=5, payoffs=TIED), rules(ties="cut"))
def test_what_is_cut_does_not_matter(tree: Tree, convention: Rules) -> None:
    """The value of the root does not depend on the leaves below skipped children."""
    known = {leaf: (tree.payoffs[leaf], 0) for leaf in tree.leaves}
    for reason in cut_reasons(tree, plain(convention)):
        below = [leaf for child in reason.skipped for leaf in tree.leaves_below(child)]
        for extreme in (-1000, 1000):
            assert root_value(tree, known | dict.fromkeys(below, (extreme, 0))) == root_value(tree, known)


def test_the_textbook_cut() -> None:
    """C is an alpha cut: at most 2, while the root has 3 by B."""
    (reason,) = cut_reasons(TEXTBOOK, Rules())
    assert (reason.node, reason.kind, reason.value) == (5, CutKind.ALPHA, 2)
    assert (reason.cause, reason.bound, reason.cause_child) == (0, 3, 1)
    assert not reason.deep
    reasons = [no_cut_reason(TEXTBOOK, Rules(), node) for node in TEXTBOOK.internal]
    kinds = {reason.node: reason.kind for reason in reasons if reason is not None}
    assert kinds == {0: NoCut.NO_BOUND, 1: NoCut.NO_BOUND, 9: NoCut.LAST_CHILD}


def test_a_deep_cut() -> None:
    """The bound of the root cuts a node three plies below it, whose parent's value would not."""
    tree = tree_of("MAX R (MIN A (5 6) MIN B (MAX C (MIN D (4 9) 7) 8))")
    (reason,) = cut_reasons(tree, Rules())
    assert tree.names[reason.node] == "D"
    assert reason.deep
    assert tree.names[reason.cause] == "R"
    assert tree.names[reason.cause_child] == "A"


DISPUTED = [
    # X came back with 0 and is worth 1, so that B has nothing that suffices.
    ("MAX R (MIN A (0 MAX P (MIN B (MAX X (0 1) MAX Y (0 0)))))", "Y", True),
    # P has 3 and X came back with 5, for which 6 at R is needed; but X is worth 1.
    ("MAX R (6 MIN A (MAX P (3 MIN Y (MAX X (MIN W (5 1)) 7)) 9))", "Y", False),
    # The same, and Z came back with 5, which suffices for 4; but Z is worth 3.
    ("MAX R (6 MIN A (MAX P (MIN Z (5 3) MIN Y (MAX X (MIN W (4 1)) 7)) 9))", "Y", False),
]
"""Trees with a cut that is deep by exact values but not by returned ones, which are bounds, or vice versa."""


@pytest.mark.parametrize(("text", "node", "deep"), DISPUTED)
def test_a_disputed_cut(text: str, node: str, deep: bool) -> None:
    """By the values returned, to both nodes or to the cut node alone, the verdict would be the opposite."""
    tree = tree_of(text)
    (reason,) = (each for each in cut_reasons(tree, Rules()) if tree.names[each.node] == node)
    assert reason.deep is deep
    assert not reason.undisputed


def test_why_nothing_is_pruned() -> None:
    """Only children, ties kept and values that never meet the bound have their own reasons."""
    tree = tree_of("MAX R (MIN A (5 6) MIN B (7) MIN C (8 9) MIN D (9 9))")
    why = {tree.names[node]: no_cut_reason(tree, Rules(ties="keep"), node).kind for node in tree.internal[2:]}
    assert why == {"B": NoCut.ONLY_CHILD, "C": NoCut.NOT_MET, "D": NoCut.NOT_MET}
    tied = tree_of("MAX R (MIN A (5 6) MIN B (5 7))")
    found = no_cut_reason(tied, Rules(ties="keep"), tied.index["B"])
    assert (found.kind, found.value, found.bound) == (NoCut.TIE_KEPT, 5, 5)
    assert no_cut_reason(tied, Rules(), tied.index["B"]) is None


def test_a_false_tie() -> None:
    """A cut child returns the value of the best one, and is worse."""
    tree = tree_of("MAX R (MIN A (3 5) MIN B (3 1))")
    done = value_test(tree, Rules())
    assert [tree.names[child] for child in seemingly_best(tree, done)] == ["A", "B"]
    assert minimax(tree)[tree.index["B"]] == 1
