"""The searches of students with a misconception about alpha-beta, by the name of the misconception."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import ge, gt, le, lt
from typing import Any

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.expectiminimax import probability
from grader.solvers.solvable import number_at, require_bounds, require_two_players
from grader.solvers.star1 import ChanceWindow, chance_node_search
from grader.solvers.trace import Recorder, Search
from grader.solvers.values import values
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree, Value


@dataclass(frozen=True, slots=True)
class Mistake:
    """How a search differs from alpha-beta and Star1; with the defaults it does not.

    - `cuts_at`: the players at whose nodes it cuts.
    - `cuts_at_own_bound`: MAX cuts when its value falls to alpha, MIN when its value reaches beta.
    - `stops_at_ties`: a node also stops when a child only ties its best value.
    - `extra_visits`: how many more children it visits after the one that should cut.
    - `crosses_subtrees`: whether a cut skips internal children too, not only leaves.
    - `crosses_all`: whether a cut skips all further children, not only the next.
    - `uses_latest_value`: the bound is the value of the latest child, not of the best.
    - `clamps_latest_value`: the latest value never makes the window wider than when the node was entered.
    - `inherits_bounds`: whether children get the bounds from further up than their parent; those of all
      payoffs are known everywhere.
    - `resets_at_root`: every child of the root starts with the initial window.
    - `chance_window`: chance nodes slide the window, pass it through unchanged, or open it fully;
      only a chance node that slides is ever cut.
    """

    cuts_at: frozenset[Player] = frozenset({Player.MAX, Player.MIN})
    cuts_at_own_bound: bool = False
    stops_at_ties: bool = False
    extra_visits: int = 0
    crosses_subtrees: bool = True
    crosses_all: bool = True
    uses_latest_value: bool = False
    clamps_latest_value: bool = False
    inherits_bounds: bool = True
    resets_at_root: bool = False
    chance_window: ChanceWindow = "slide"


@dataclass(frozen=True, slots=True)
class Misconception:
    """How a student misreads the tree and the rules, and the mistake in the search that follows.

    `change_payoff` misreads a payoff, or an array of payoffs at once. `applies_to` says whether a tree has
    what the misconception is about: chance, a minus sign, a choice. The wording is in
    `grader.questions.beliefs`.
    """

    change_tree: Callable[[Tree], Tree] | None = None
    change_payoff: Callable[[Any], Any] | None = None
    change_rules: Callable[[Rules], Rules] | None = None
    mistake: Mistake = Mistake()
    applies_to: Callable[[Tree], bool] = lambda tree: len(tree) > 1

    def misread_tree(self, tree: Tree) -> Tree:
        """Return the tree as the student misreads it."""
        if self.change_tree is not None:
            return self.change_tree(tree)
        if self.change_payoff is None:
            return tree
        column = list(tree.payoffs)
        for leaf in tree.leaves:
            payoff = column[leaf]
            if isinstance(payoff, int | Fraction):
                column[leaf] = self.change_payoff(payoff)
        return tree.with_column(tuple(column))


def swap_players(tree: Tree) -> Tree:
    """Return the game with MAX and MIN exchanged."""
    swapped = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}
    return tree.with_players(tuple(player and swapped.get(player, player) for player in tree.players))


def _all_for_max(tree: Tree) -> Tree:
    return tree.with_players(tuple(Player.MAX if player is Player.MIN else player for player in tree.players))


def _evenly_likely(tree: Tree) -> Tree:
    return _with_probabilities(
        tree, lambda shares: [normalize_number(Fraction(1, len(shares)))] * len(shares)
    )


def _only_the_likeliest(tree: Tree) -> Tree:
    """Make the leftmost of the likeliest outcomes certain."""
    return _with_probabilities(
        tree, lambda shares: [int(place == shares.index(max(shares))) for place in range(len(shares))]
    )


def _with_probabilities(tree: Tree, change: Callable[[list[Number]], list[Number]]) -> Tree:
    """Return the tree with the probabilities at every chance node changed."""
    probabilities = list(tree.probabilities)
    for node in tree.internal:
        if tree.players[node] is Player.CHANCE:
            children = tree.children[node]
            changed = change([probability(tree, child) for child in children])
            for child, share in zip(children, changed, strict=True):
                probabilities[child] = share
    return replace(tree, probabilities=tuple(probabilities))


def _has_signs(tree: Tree) -> bool:
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    return any(isinstance(payoff, int | Fraction) and payoff < 0 for payoff in payoffs)


def _choices(tree: Tree) -> tuple[int, ...]:
    """Return the nodes at which a player chooses between two or more leaves with known payoffs."""
    return tuple(
        node
        for node in tree.internal
        if tree.players[node] in (Player.MAX, Player.MIN)
        and len(tree.children[node]) > 1
        and all(isinstance(tree.payoffs[child], int | Fraction) for child in tree.children[node])
    )


def _without_the_best(tree: Tree) -> Tree:
    """Make the leftmost best leaf the worst one wherever a player chooses between leaves."""
    payoffs = list(tree.payoffs)
    for node in _choices(tree):
        children, maximizes = tree.children[node], tree.players[node] is Player.MAX
        row = [payoff for child in children if isinstance(payoff := payoffs[child], int | Fraction)]
        best, worst = (max(row), min(row) - 1) if maximizes else (min(row), max(row) + 1)
        payoffs[children[row.index(best)]] = worst
    return tree.with_column(tuple(payoffs))


def _unbounded(rules: Rules) -> Rules:
    """Drop the bounds: a misread payoff may lie outside them."""
    return replace(rules, bounds=None)


MISCONCEPTIONS: dict[str, Misconception] = {
    "players-swapped": Misconception(change_tree=swap_players),
    "ignores-opponent": Misconception(change_tree=_all_for_max),
    "right-to-left": Misconception(change_rules=Rules.with_other_order),
    "ties-kept": Misconception(change_rules=lambda rules: replace(rules, ties="keep", returns="soft")),
    "ties-cut": Misconception(change_rules=lambda rules: replace(rules, ties="cut")),
    "shallow-only": Misconception(mistake=Mistake(inherits_bounds=False)),
    "only-at-min": Misconception(mistake=Mistake(cuts_at=frozenset({Player.MIN}))),
    "only-at-max": Misconception(mistake=Mistake(cuts_at=frozenset({Player.MAX}))),
    "leaves-only": Misconception(mistake=Mistake(crosses_subtrees=False)),
    "latest-not-best": Misconception(mistake=Mistake(uses_latest_value=True)),
    "latest-in-window": Misconception(
        mistake=Mistake(uses_latest_value=True, clamps_latest_value=True),
        applies_to=lambda tree: max(tree.depths, default=0) > 3,  # else the same as "latest-not-best"
    ),
    "one-sibling-only": Misconception(mistake=Mistake(crosses_all=False)),
    "root-alpha-forgotten": Misconception(mistake=Mistake(resets_at_root=True)),
    "own-bound": Misconception(mistake=Mistake(cuts_at_own_bound=True)),
    "one-late": Misconception(mistake=Mistake(extra_visits=1)),
    "never-prunes": Misconception(mistake=Mistake(cuts_at=frozenset(), chance_window="open")),
    "stops-at-tie": Misconception(mistake=Mistake(stops_at_ties=True)),
    "sign-overlooked": Misconception(change_payoff=abs, change_rules=_unbounded, applies_to=_has_signs),
    "second-best": Misconception(
        change_tree=_without_the_best, change_rules=_unbounded, applies_to=lambda tree: bool(_choices(tree))
    ),
    "plain-average": Misconception(change_tree=_evenly_likely, applies_to=lambda tree: tree.has_chance),
    "most-likely": Misconception(change_tree=_only_the_likeliest, applies_to=lambda tree: tree.has_chance),
    "window-through-chance": Misconception(mistake=Mistake(chance_window="through")),
    "no-chance-cuts": Misconception(mistake=Mistake(chance_window="open")),
}
"""The misconceptions by their stable names."""

VALUE_BELIEFS = tuple(
    name for name, belief in MISCONCEPTIONS.items() if belief.change_tree or belief.change_payoff
)
"""The beliefs that change exact values and not only pruning."""

PRUNING_BELIEFS = tuple(
    name
    for name, belief in MISCONCEPTIONS.items()
    if belief.mistake != Mistake() and belief.mistake.cuts_at and belief.mistake.chance_window == "slide"
)
"""The mistakes of a search that prunes something, in a game of MAX and MIN."""


def belief_applies(tree: Tree, belief: str) -> bool:
    """Return whether a tree has what this belief is about, for example a chance node or a minus sign."""
    return MISCONCEPTIONS[belief].applies_to(tree)


def mistaken_values(tree: Tree, belief: str) -> tuple[Value, ...]:
    """Return the values that a student with this belief computes, aligned with the nodes.

    Beliefs about pruning alone do not change any value. Raises KeyError for an unknown belief, and the
    errors of `grader.solvers.values.values`.
    """
    return values(MISCONCEPTIONS[belief].misread_tree(tree))


def mistaken_search(tree: Tree, rules: Rules, belief: str) -> Search:
    """Return the search of a student with this belief: visited nodes, windows and values, without events.

    Some beliefs change nothing on some trees, such as those about chance in a tree without chance nodes,
    or a belief in the tie rule that the rules prescribe.
    Raises KeyError for an unknown belief, and the errors of `grader.solvers.search_choice.search`, such as
    `UnknownPayoff` if the mistaken search reaches an unknown leaf that the correct search prunes.
    """
    misconception = MISCONCEPTIONS[belief]
    if misconception.change_rules is not None:
        rules = misconception.change_rules(rules)
    return search_with_mistake(misconception.misread_tree(tree), rules, misconception.mistake)


def search_with_mistake(tree: Tree, rules: Rules, mistake: Mistake) -> Search:
    """Run alpha-beta or Star1 with a mistake; without one, do what `search_choice.search` does.

    Raises what `search_choice.search` raises.
    """
    require_two_players(tree)
    require_bounds(tree, rules.bounds)
    low, high = rules.bounds or (-INFINITY, INFINITY)
    first_alpha, first_beta = rules.root_window
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    players, below = tree.players, tree.all_visiting(rules.order)
    record = Recorder(tree, traced=False)
    alphas, betas, returned = record.alphas, record.betas, record.returned
    # Most visited nodes are leaves: reading their payoffs here saves a call for each.
    payoffs = (None,) * len(tree) if tree.has_chance else tree.known_payoffs
    # Local names: attribute access in the inner loop is slow.
    latest, in_window = mistake.uses_latest_value, mistake.clamps_latest_value
    extra, crosses_all, crosses_subtrees = mistake.extra_visits, mistake.crosses_all, mistake.crosses_subtrees
    own_bound, stops_at_ties, hard = mistake.cuts_at_own_bound, mistake.stops_at_ties, rules.returns == "hard"
    max_cuts, min_cuts = Player.MAX in mistake.cuts_at, Player.MIN in mistake.cuts_at

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        """Record the window of a node, search it and return its value; at a closed root this is alpha."""
        player = players[node]
        closed = node == 0 and reaches(alpha, beta)
        if player in (Player.MAX, Player.MIN) and not closed:
            return player_value(node, alpha, beta)
        alphas[node], betas[node] = alpha, beta
        value: Bound
        if player is None:
            value = number_at(tree, node)
        elif closed:
            value = alpha
        else:
            value = chance_value(node, alpha, beta)
        returned[node] = value
        return value

    def player_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        """Search the children of a player's node with the mistake, and return its value.

        After a cutoff, or a tie that stops the node by mistake, the first `extra_visits` children are still
        searched, and then only those that the mistake does not cross out.
        """
        alphas[node], betas[node] = alpha, beta
        maximizes = players[node] is Player.MAX
        best: Bound = -INFINITY if maximizes else INFINITY
        # The window of the next child.
        lower, upper = alpha, beta
        if not mistake.inherits_bounds:
            lower, upper = low, high
        narrows = node != 0 or not mistake.resets_at_root
        # The bound of the window that closes the node when its value meets it.
        meets, bound = (reaches, beta) if maximizes != own_bound else (falls_to, alpha)
        cuts = max_cuts if maximizes else min_cuts
        met = False
        children = iter(below[node])
        for child in children:
            value: Bound | None = payoffs[child]
            if value is None:
                value = search(child, lower, upper)
            else:
                alphas[child], betas[child], returned[child] = lower, upper, value
            if value > best if maximizes else value < best:
                best = value
                met = cuts and meets(best, bound)
                if met:
                    break
            elif stops_at_ties and value == best:
                break
            if not narrows:
                continue
            if maximizes:
                if latest or value > lower:
                    lower = max(alpha, value) if in_window else value
            elif latest or value < upper:
                upper = min(beta, value) if in_window else value
        for place, child in enumerate(children):  # the remaining children, if something has stopped the node
            is_crossed = place >= extra and (crosses_all or place == extra)
            if is_crossed and (crosses_subtrees or players[child] is None):
                continue
            value = visit(child, lower, upper)
            best = max(best, value) if maximizes else min(best, value)
        value = returned[node] = bound if met and hard else best
        return value

    search = visit if tree.has_chance or tree.unknowns else player_value  # all other nodes are players'
    if tree.has_chance:
        chance_value = chance_node_search(tree, rules, record, visit, mistake.chance_window)
    visit(0, first_alpha, first_beta)
    return record.search()
