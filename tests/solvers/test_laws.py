"""The laws every search keeps, one test each."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import Phase, assume, find, given, settings
from hypothesis import strategies as st

from grader.base.numbers import Bound, Number, normalize_number
from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.depth_limit import truncate_at_depth
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.lockstep_mistakes import (
    INFINITE_VALUE,
    lockstep_search_with_mistakes,
    lockstep_values,
    whole_units,
)
from grader.solvers.maxn import maxn
from grader.solvers.minimax import minimax
from grader.solvers.mistaken_search import MISCONCEPTIONS, Mistake, search_with_mistake
from grader.solvers.search_choice import search
from grader.solvers.solution import solve
from grader.solvers.solvable import Unsolvable
from grader.solvers.star1 import star1
from grader.solvers.sweep import sweep
from grader.solvers.trace import Cut, Enter, Leave, Search, Update
from grader.solvers.values import values
from grader.solvers.visited_nodes import pruned_branches, pruned_paths
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules, Test
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.solvers.transformations import mapped, mirrored, negated, uniform
from tests.strategies import TIED, random_tree, rules, trees

MIRROR_IMAGE = {"left-to-right": "right-to-left", "right-to-left": "left-to-right"}


def _pruned(tree: Tree, found: Search) -> tuple[int, ...]:
    return pruned_paths(tree, found.visited)


@given(trees(), rules())
def test_both_tests_agree(tree: Tree, convention: Rules) -> None:
    """The `value` test and the `window` test enter the same windows and return the same."""
    one, other = value_test(tree, convention), window_test(tree, convention)
    assert (one.alphas, one.betas, one.returned) == (other.alphas, other.betas, other.returned)


@given(trees(), rules())
def test_the_root_is_minimax(tree: Tree, convention: Rules) -> None:
    """The root returns its minimax value."""
    assert search(tree, convention).returned[0] == minimax(tree)[0]


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3))))
def test_what_a_soft_value_says(tree: Tree, convention: Rules, bounds: tuple[int, int] | None) -> None:
    """A soft value within the window is exact, one below it bounds the exact value from above, and so on."""
    found = search(tree, Rules(convention.order, convention.ties, convention.test, bounds=bounds))
    exact = values(tree)
    for node, returned in enumerate(found.returned):
        if returned is None:
            continue
        if returned <= found.alphas[node]:
            assert exact[node] <= returned
        elif returned >= found.betas[node]:
            assert exact[node] >= returned
        else:
            assert exact[node] == returned


@given(trees(chance=True), rules(ties="cut"))
def test_hard_and_soft_prune_the_same(tree: Tree, convention: Rules) -> None:
    """Whether a cut node reports its running value or the bound changes no visited node and no window."""
    soft, hard = (
        search(tree, Rules(convention.order, test=convention.test, returns=returns))
        for returns in ("soft", "hard")
    )
    assert (soft.alphas, soft.betas) == (hard.alphas, hard.betas)


@given(trees(), rules(ties="cut"))
def test_a_hard_value_is_the_bound(tree: Tree, convention: Rules) -> None:
    """A hard value is the soft one, but not beyond the bound that cut the node."""
    soft, hard = (
        search(tree, Rules(convention.order, test=convention.test, returns=returns))
        for returns in ("soft", "hard")
    )
    for node in tree.internal:
        if soft.returned[node] is None:
            continue
        if tree.players[node] is Player.MAX and soft.returned[node] >= soft.betas[node]:
            assert hard.returned[node] == soft.betas[node]
        elif tree.players[node] is Player.MIN and soft.returned[node] <= soft.alphas[node]:
            assert hard.returned[node] == soft.alphas[node]


@given(trees(), rules(), st.randoms(use_true_random=False))
def test_increasing_relabelling(tree: Tree, convention: Rules, random: Random) -> None:
    """Only the order of payoffs counts: a strictly increasing relabelling keeps what is visited."""
    ladder = sorted(set(map(tree.payoffs.__getitem__, tree.leaves)))
    rungs = sorted(random.sample(range(-1000, 1000), len(ladder)))
    relabelled = mapped(tree, dict(zip(ladder, rungs, strict=True)).__getitem__)
    assert search(relabelled, convention).visited == search(tree, convention).visited


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3))))
def test_negation_with_players_swapped(tree: Tree, convention: Rules, bounds: tuple[int, int] | None) -> None:
    """The same game seen by the other player visits the same nodes, with windows and values negated."""
    there = None if bounds is None else (-bounds[1], -bounds[0])
    fields = (convention.order, convention.ties, convention.test, convention.returns)
    mine, theirs = search(tree, Rules(*fields, bounds)), search(negated(tree), Rules(*fields, there))
    assert theirs.returned == tuple(None if value is None else -value for value in mine.returned)
    assert theirs.alphas == tuple(None if beta is None else -beta for beta in mine.betas)


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3))))
def test_mirror_image(tree: Tree, convention: Rules, bounds: tuple[int, int] | None) -> None:
    """Searching the mirror image in the other order is the same search in the mirror."""
    image, nodes = mirrored(tree)
    fields = (convention.ties, convention.test, convention.returns, bounds)
    found = search(tree, Rules(convention.order, *fields))
    seen = search(image, Rules(MIRROR_IMAGE[convention.order], *fields))
    assert seen.alphas == tuple(found.alphas[node] for node in nodes)
    assert seen.betas == tuple(found.betas[node] for node in nodes)
    assert seen.returned == tuple(found.returned[node] for node in nodes)


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3))), st.data())
def test_pruned_leaves_do_not_matter(
    tree: Tree, convention: Rules, bounds: tuple[int, int] | None, data: st.DataObject
) -> None:
    """Other payoffs at pruned leaves change nothing, not even the trace; unknown ones do not either."""
    convention = Rules(convention.order, convention.ties, convention.test, convention.returns, bounds)
    found = search(tree, convention)
    payoffs = tuple(
        tree.payoffs[leaf] if found.visited[leaf] else data.draw(st.sampled_from((-2, 0, 3, "x")))
        for leaf in tree.leaves
    )
    assert search(tree.with_payoffs(payoffs), convention) == found


@given(trees(chance=True), rules())
def test_cut_prunes_what_keep_prunes(tree: Tree, convention: Rules) -> None:
    """Cutting at ties too prunes a superset of what cutting without ties prunes."""
    kept, cut = (
        search(tree, Rules(convention.order, ties, convention.test)).visited for ties in ("keep", "cut")
    )
    assert all(map(int.__le__, cut, kept))


@pytest.mark.parametrize("ties", ["cut", "keep"])
@pytest.mark.parametrize("root", [Player.MAX, Player.MIN])
@pytest.mark.parametrize(("branching", "plies"), [(2, 1), (2, 6), (3, 5), (4, 4), (5, 3), (7, 2)])
def test_perfect_order(branching: int, plies: int, root: Player, ties: str) -> None:
    """A perfectly ordered uniform tree visits b^ceil(d/2) + b^floor(d/2) - 1 leaves (Knuth, Moore)."""
    shape = uniform(branching, plies, lambda path: path, root)
    tree = shape.with_payoffs(tuple(_perfectly_ordered(shape, branching)))
    visited = len(tree.leaves) - len(_pruned(tree, search(tree, Rules(ties=ties))))
    assert visited == branching ** -(-plies // 2) + branching ** (plies // 2) - 1


def _perfectly_ordered(tree: Tree, branching: int) -> list[int]:
    """Return different payoffs with which every first child is the best for the moving player."""
    payoffs = []
    for leaf in tree.leaves:
        line = [leaf, *tree.ancestors(leaf)]
        # The nearer the root a move strays from the best, the more it costs the player who strays.
        worth = 0
        for child, node in zip(reversed(line[:-1]), reversed(line[1:]), strict=True):
            stray = tree.children[node].index(child)
            worth = worth * branching + (-stray if tree.players[node] is Player.MAX else stray)
        payoffs.append(worth)
    return payoffs


@given(trees(), rules())
def test_the_sweep_is_the_search(tree: Tree, convention: Rules) -> None:
    """The sweep visits the nodes the search enters, with the same windows, and its values are minimax's."""
    found, swept = search(tree, convention), sweep(tree, convention)
    assert swept.visited == found.visited
    assert swept.values == minimax(tree)
    for node, visited in enumerate(swept.visited):
        if visited:
            assert (swept.alphas[node], swept.betas[node]) == (found.alphas[node], found.betas[node])


@given(
    trees(chance=True),
    rules(),
    st.sampled_from((None, (-3, 3), (Fraction(-7, 2), 5))),
    st.randoms(use_true_random=False),
    st.sampled_from((3, 40_000)),
    st.lists(st.sampled_from([Mistake(), *(held.mistake for held in MISCONCEPTIONS.values())]), max_size=12),
)
def test_mistaken_lockstep_is_the_mistaken_search(
    tree: Tree,
    convention: Rules,
    bounds: tuple[Number, Number] | None,
    random: Random,
    reach: int,
    mistakes: list[Mistake],
) -> None:
    """Searching many trees with many mistakes in lockstep visits what each search alone visits."""
    convention = replace(convention, bounds=None if reach > 3 else bounds)
    if tree.has_chance and convention.returns == "hard":
        mistakes = [mistake for mistake in mistakes if not mistake.stops_at_ties]
    units = whole_units(tree, convention, 1) if tree.has_chance else None
    assume(units is None or reach * units.unit * units.whole < INFINITE_VALUE)
    payoffs = [[random.randint(-reach, reach) for _ in tree.leaves] for _ in range(4)]
    together = lockstep_search_with_mistakes(tree, np.array(payoffs, dtype=np.int64), convention, mistakes)
    for place, row in enumerate(payoffs):
        for number, mistake in enumerate(mistakes):
            alone = search_with_mistake(tree.with_payoffs(tuple(row)), convention, mistake)
            assert tuple(together[:, number, place]) == alone.visited, mistake


@given(trees(chance=True), rules(), st.randoms(use_true_random=False))
def test_values_in_lockstep_are_expectiminimax(tree: Tree, convention: Rules, random: Random) -> None:
    """The values of many trees in lockstep are those of each tree alone, also with payoffs in halves."""
    payoffs = [[random.randint(-9, 9) for _ in tree.leaves] for _ in range(4)]
    together = lockstep_values(tree, np.array(payoffs, dtype=np.int64), convention, 2)
    unit = whole_units(tree, convention, 2).unit
    for place, row in enumerate(payoffs):
        alone = expectiminimax(
            tree.with_payoffs(tuple(normalize_number(Fraction(payoff, 2)) for payoff in row))
        )
        assert [Fraction(int(value[place]), unit) for value in together] == list(alone)


@given(trees(chance=True), rules(), st.integers(-9, 9), st.fractions(Fraction(1, 9), 9, max_denominator=9))
def test_expectiminimax_commutes_with_affine_maps(
    tree: Tree, convention: Rules, shift: int, scale: Fraction
) -> None:
    """A positive affine map of the payoffs maps every value and keeps every optimal move."""
    before = solve(tree, convention)
    after = solve(mapped(tree, lambda payoff: scale * payoff + shift), convention)
    assert after.values == tuple(scale * value + shift for value in before.values)
    assert after.best == before.best


def test_expectiminimax_does_not_commute_with_increasing_maps() -> None:
    """With chance nodes, an increasing map of the payoffs can change the best move."""

    def changes(tree: Tree) -> bool:
        cubed = mapped(tree, lambda payoff: payoff**3)
        return solve(cubed, Rules()).best != solve(tree, Rules()).best

    quiet = settings(max_examples=2_000, derandomize=True, database=None, phases=[Phase.generate])
    assert find(trees(plies=2, payoffs=TIED, chance=True), changes, settings=quiet).has_chance


@given(trees(payoffs=TIED), st.integers(1, 5))
def test_increasing_maps_commute_without_chance(tree: Tree, power: int) -> None:
    """Without chance an increasing map of the payoffs maps every value and keeps every optimal move."""

    def grow(payoff: Number) -> Number:
        return payoff ** (2 * power - 1) + payoff

    before, after = solve(tree, Rules()), solve(mapped(tree, grow), Rules())
    assert after.values == tuple(map(grow, before.values))
    assert after.best == before.best


@given(trees(chance=True, payoffs=TIED))
def test_maxn_of_two_zero_sum_players_is_minimax(tree: Tree) -> None:
    """Two players of a zero-sum game who maximise their own payoffs play minimax, chance or not."""
    seats = {Player.MAX: Player.P1, Player.MIN: Player.P2}
    builder = TreeBuilder()
    for node in range(len(tree)):
        payoff = tree.payoffs[node]
        builder.add(
            tree.parents[node],
            seats.get(tree.players[node], tree.players[node]),
            None if payoff is None else (payoff, -payoff),
            probability=tree.probabilities[node],
        )
    game = builder.tree()
    assert maxn(game) == tuple((value, -value) for value in expectiminimax(tree))
    assert solve(game, Rules()).best == solve(tree, Rules()).best


@given(trees(), st.integers(0, 3))
def test_a_limit_beyond_the_leaves_changes_nothing(tree: Tree, more: int) -> None:
    """A depth limit at the deepest leaf or beyond changes nothing."""
    assert truncate_at_depth(tree, max(tree.depths) + more) is tree
    assert truncate_at_depth(tree, None) is tree


@given(trees(chance=True, payoffs=TIED), rules())
def test_the_trace_tells_the_search(tree: Tree, convention: Rules) -> None:
    """The events nest like a walk through the tree and say the same as the windows and returned values."""
    found = search(tree, convention)
    alphas, betas, returned = {}, {}, {}
    path: list[int] = []
    for event in found.trace:
        if isinstance(event, Enter):
            assert tree.parents[event.node] == (path[-1] if path else -1)
            alphas[event.node], betas[event.node] = event.alpha, event.beta
            path.append(event.node)
        else:
            assert event.node == path[-1]
            if isinstance(event, Leave):
                returned[path.pop()] = event.value
            else:
                assert tree.parents[event.child] == event.node
    assert not path
    for column, told in ((found.alphas, alphas), (found.betas, betas), (found.returned, returned)):
        assert column == tuple(told.get(node) for node in range(len(tree)))


@given(trees(chance=True, payoffs=TIED), rules())
def test_an_update_narrows_the_window(tree: Tree, convention: Rules) -> None:
    """An update raises alpha or lowers beta; a tie is no update.

    The children of a player are entered with the window as it is then.
    """
    windows: dict[int, tuple[Bound, Bound]] = {}
    for event in search(tree, convention).trace:
        if isinstance(event, Enter):
            windows[event.node] = event.alpha, event.beta
            parent = tree.parents[event.node]
            if event.node and tree.players[parent] is not Player.CHANCE and not tree.has_chance:
                assert windows[event.node] == windows[parent]
        elif isinstance(event, Update):
            alpha, beta = windows[event.node]
            assert event.value > alpha if event.bound == "alpha" else event.value < beta
            windows[event.node] = (event.value, beta) if event.bound == "alpha" else (alpha, event.value)


@pytest.mark.parametrize(("form", "last"), [("value", []), ("window", [("C", "alpha", 5)])])
def test_the_forms_of_alpha_beta_differ_in_the_update_before_a_cut(
    form: Test, last: list[tuple[str, str, int]]
) -> None:
    """One tests the value before it moves a bound, the other the window behind it; ties move nothing."""
    tree = tree_of("MIN A (MAX B (3 1 3) MAX C (5 2) MAX D (1 2 9))")
    opposite = tree_of("MAX A (MIN B (-3 -1 -3) MIN C (-5 -2) MIN D (-1 -2 -9))")
    updates = [("B", "alpha", 3), ("A", "beta", 3), *last, ("D", "alpha", 1), ("D", "alpha", 2)]
    updates += [("D", "alpha", 9)] if form == "window" else []
    for game, sign, names in ((tree, 1, {}), (opposite, -1, {"alpha": "beta", "beta": "alpha"})):
        trace = search(game, Rules(test=form)).trace
        moved = [event for event in trace if isinstance(event, Update)]
        told = [(game.names[each.node], names.get(each.bound, each.bound), each.value) for each in moved]
        assert told == [(node, bound, sign * value) for node, bound, value in updates]


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3))))
def test_cuts_skip_the_pruned_branches(tree: Tree, convention: Rules, bounds: tuple[int, int] | None) -> None:
    """The children that cuts skip are the pruned branches, except for impossible outcomes before the cut."""
    found = search(tree, Rules(convention.order, convention.ties, convention.test, bounds=bounds))
    cuts = [event for event in found.trace if isinstance(event, Cut)]
    skipped = [child for cut in cuts for child in cut.skipped]
    assert all(cut.skipped for cut in cuts)
    assert len(set(skipped)) == len(skipped)
    impossible = {node for node in range(len(tree)) if tree.probabilities[node] == 0}
    branches = set(pruned_branches(tree, found.visited))
    assert set(skipped) <= branches <= set(skipped) | impossible


@given(trees(chance=True), rules())
def test_untraced_searches_are_the_same(tree: Tree, convention: Rules) -> None:
    """A search that keeps no trace finds the same and says nothing."""
    found, silent = search(tree, convention), search(tree, convention, traced=False)
    assert (silent.alphas, silent.betas, silent.returned) == (found.alphas, found.betas, found.returned)
    assert silent.trace == ()


@given(trees(seats=2))
def test_searches_refuse_several_players(tree: Tree) -> None:
    """Alpha-beta, Star1 and the sweep say that games of several players are not theirs."""
    for solver in (value_test, window_test, search, star1, sweep):
        with pytest.raises(Unsolvable, match="several players"):
            solver(tree, Rules())


@pytest.mark.parametrize("player", [Player.P1, Player.P2])
def test_a_third_player_is_refused_whatever_the_payoffs(player: Player) -> None:
    """A game of P1 and P2 is refused even if every payoff is one number."""
    builder = TreeBuilder()
    builder.add(-1, Player.MAX)
    for _ in range(2):
        node = builder.add(0, player)
        builder.add(node, None, 3)
    for solver in (value_test, window_test, star1, sweep):
        with pytest.raises(Unsolvable, match="several players"):
            solver(builder.tree(), Rules())


@given(trees(chance=True))
def test_alphabeta_refuses_chance(tree: Tree) -> None:
    """A window is never passed unchanged through a chance node: plain alpha-beta refuses the tree."""
    assume(tree.has_chance)
    for solver in (value_test, window_test, sweep):
        with pytest.raises(Unsolvable, match="chance"):
            solver(tree, Rules())


WITNESSES: dict[str, Callable[[Tree], bool]] = {
    "six plies": lambda tree: max(tree.depths) == 6,
    "a tie at a window": lambda tree: (
        search(tree, Rules()).visited != search(tree, Rules(ties="keep")).visited
    ),
    "a deep cut": lambda tree: any(
        isinstance(event, Cut) and _is_deep(tree, event) for event in search(tree, Rules()).trace
    ),
    "a whole subtree pruned": lambda tree: any(
        tree.players[node] is not None for node in pruned_branches(tree, search(tree, Rules()).visited)
    ),
    "a unary chain": lambda tree: any(
        len(tree.children[node]) == 1 and len(tree.children[tree.parents[node]]) == 1
        for node in tree.internal[1:]
    ),
    "a MAX below a MAX": lambda tree: any(
        tree.players[node] is tree.players[tree.parents[node]] for node in tree.internal[1:]
    ),
    "two optimal moves": lambda tree: any(len(moves) > 1 for moves in solve(tree, Rules()).best),
    "a fraction": lambda tree: any(isinstance(payoff, Fraction) for payoff in tree.payoffs),
}


def _is_deep(tree: Tree, cut: Cut) -> bool:
    """Whether the bound that cuts comes from further up than the parent."""
    parent = tree.parents[cut.node]
    entered = search(tree, Rules())
    if tree.players[cut.node] is Player.MAX:
        return tree.players[parent] is not Player.MIN or cut.value >= entered.betas[parent]
    return tree.players[parent] is not Player.MAX or cut.value <= entered.alphas[parent]


@pytest.mark.parametrize("hard_case", WITNESSES)
def test_the_strategy_reaches(hard_case: str) -> None:
    """The tree strategy can produce every hard case that the laws are about."""
    quiet = settings(max_examples=3_000, derandomize=True, database=None, phases=[Phase.generate])
    assert WITNESSES[hard_case](find(trees(), WITNESSES[hard_case], settings=quiet))


def test_random_trees_reach_the_hard_cases() -> None:
    """Among 500 random trees of the long campaigns each hard case but fractions occurs at least ten times."""
    random = Random(7)
    found = [random_tree(random) for _ in range(500)]
    for hard_case, occurs in WITNESSES.items():
        if hard_case != "a fraction":
            assert sum(map(occurs, found)) >= 10, hard_case
