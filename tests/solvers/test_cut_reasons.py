"""Why nodes are cut: each reason is checked against the game itself."""

import pytest
from hypothesis import given

from grader.base.numbers import INFINITY
from grader.notation.reading import read_tree
from grader.rules import Rules
from grader.solvers.alphabeta import value_test
from grader.solvers.cut_reasons import CutKind, NoCut, cut_reasons, no_cut_reason, seemingly_best
from grader.solvers.minimax import minimax
from grader.solvers.solvable import Unsolvable
from grader.tree import Player, Tree
from tests.solvers.definition import root_value
from tests.solvers.test_values import TEXTBOOK
from tests.strategies import TIED, rules, trees


def tree_from(text: str) -> Tree:
    """The tree in a text."""
    tree = read_tree(text)
    assert isinstance(tree, Tree), str(tree)
    return tree


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


@given(trees(plies=6, payoffs=TIED), rules())
def test_causes_suffice(tree: Tree, convention: Rules) -> None:
    """The cause is the ancestor of the other player who already has most, the topmost of several.

    What an ancestor has is the value of its elder children. It makes the skipped children useless: the node
    cannot come back on the better side of it. A cut is deep where what came back to the parent would not do.
    """
    convention = plain(convention)
    exact, returned = minimax(tree), value_test(tree, convention).returned
    for reason in cut_reasons(tree, convention):
        assert reason.kind is (CutKind.ALPHA if tree.players[reason.node] is Player.MIN else CutKind.BETA)
        assert reason.value != reason.bound or convention.ties == "cut"
        line = {reason.node, *tree.ancestors(reason.node)}
        best = max if tree.players[reason.node] is Player.MIN else min
        has: dict[int, int] = {}
        back: int | None = None
        for node in tree.ancestors(reason.node):
            order = tree.visiting(node, convention.order)
            elder = order[: next(place for place, child in enumerate(order) if child in line)]
            if elder and tree.players[node] is not tree.players[reason.node]:
                has[node] = best(exact[child] for child in elder)
                if node == tree.parents[reason.node]:
                    back = best(returned[child] for child in elder)
                if node == reason.cause:
                    assert reason.by == next(child for child in elder if exact[child] == has[node])
        assert reason.bound == has[reason.cause] == best(has.values())
        assert reason.cause == [node for node in has if has[node] == reason.bound][-1]
        assert best(reason.bound, reason.value) == reason.bound
        enough = back is not None and best(back, reason.value) == back
        assert reason.deep != (enough and (back != reason.value or convention.ties == "cut"))


@given(trees(plies=5, payoffs=TIED, unary=False), rules())
def test_why_nothing_is_cut(tree: Tree, convention: Rules) -> None:
    """Without the last child the value met no bound, at most it tied; with it, it may have met the bound."""
    convention = plain(convention)
    done = value_test(tree, convention)
    for node in tree.internal:
        found = no_cut_reason(tree, convention, node)
        if found is None or found.why is NoCut.PRUNED:
            continue
        if len(tree.children[node]) == 1:
            assert found.why is NoCut.ONLY_CHILD
            continue
        values = [done.returned[child] for child in tree.visiting(node, convention.order)]
        maximises = tree.players[node] is Player.MAX
        best, before = (max(values), max(values[:-1])) if maximises else (min(values), min(values[:-1]))
        bound = done.betas[node] if maximises else done.alphas[node]
        assert (found.value, found.bound) == (best, bound)
        met = best >= bound if maximises else best <= bound
        if bound in (INFINITY, -INFINITY):
            assert found.why is NoCut.NO_BOUND
        elif before == bound:
            assert found.why is NoCut.TIE_KEPT
        elif met and (best != bound or convention.ties == "cut"):
            assert found.why is NoCut.LAST_CHILD
        else:
            assert found.why is NoCut.NOT_MET


@pytest.mark.parametrize("text", ["MAX (CHANCE (1 2) 3)", "P1 (P2 (<1, 2> <3, 4>) <5, 6>)"])
def test_cuts_are_those_of_two_players(text: str) -> None:
    """Where chance or several players move, nobody is told of bounds."""
    tree = tree_from(text)
    with pytest.raises(Unsolvable):
        cut_reasons(tree, Rules())
    with pytest.raises(Unsolvable):
        no_cut_reason(tree, Rules(), 0)


@given(trees(plies=5, payoffs=TIED), rules(ties="cut"))
def test_what_is_cut_does_not_matter(tree: Tree, convention: Rules) -> None:
    """Whatever the leaves below skipped children are, the root is worth the same."""
    known = {leaf: (tree.payoffs[leaf], 0) for leaf in tree.leaves}
    for reason in cut_reasons(tree, plain(convention)):
        below = [leaf for child in reason.skipped for leaf in tree.leaves_below(child)]
        for extreme in (-1000, 1000):
            assert root_value(tree, known | dict.fromkeys(below, (extreme, 0))) == root_value(tree, known)


def test_the_textbook_cut() -> None:
    """C is an alpha cut: at most 2, while the root has 3 by B."""
    (reason,) = cut_reasons(TEXTBOOK, Rules())
    assert (reason.node, reason.kind, reason.value) == (5, CutKind.ALPHA, 2)
    assert (reason.cause, reason.bound, reason.by) == (0, 3, 1)
    assert not reason.deep
    why = {node: found.why for node in TEXTBOOK.internal if (found := no_cut_reason(TEXTBOOK, Rules(), node))}
    assert why == {0: NoCut.NO_BOUND, 1: NoCut.NO_BOUND, 9: NoCut.LAST_CHILD}


def test_a_deep_cut() -> None:
    """The bound of the root cuts a node three plies below it, whose parent's value would not."""
    tree = tree_from("MAX R (MIN A (5 6) MIN B (MAX C (MIN D (4 9) 7) 8))")
    (reason,) = cut_reasons(tree, Rules())
    assert tree.names[reason.node] == "D"
    assert reason.deep
    assert tree.names[reason.cause] == "R"
    assert tree.names[reason.by] == "A"


def test_why_nothing_is_pruned() -> None:
    """Only children, ties kept and values that never meet the bound have their own reasons."""
    tree = tree_from("MAX R (MIN A (5 6) MIN B (7) MIN C (8 9) MIN D (9 9))")
    why = {tree.names[node]: no_cut_reason(tree, Rules(ties="keep"), node).why for node in tree.internal[2:]}
    assert why == {"B": NoCut.ONLY_CHILD, "C": NoCut.NOT_MET, "D": NoCut.NOT_MET}
    tied = tree_from("MAX R (MIN A (5 6) MIN B (5 7))")
    found = no_cut_reason(tied, Rules(ties="keep"), tied.index["B"])
    assert (found.why, found.value, found.bound) == (NoCut.TIE_KEPT, 5, 5)
    assert no_cut_reason(tied, Rules(), tied.index["B"]) is None


def test_a_false_tie() -> None:
    """A cut child returns the value of the best one, and is worse."""
    tree = tree_from("MAX R (MIN A (3 5) MIN B (3 1))")
    done = value_test(tree, Rules())
    assert [tree.names[child] for child in seemingly_best(tree, done)] == ["A", "B"]
    assert minimax(tree)[tree.index["B"]] == 1
