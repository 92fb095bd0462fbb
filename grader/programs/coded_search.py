"""A search as a program codes it, right or with a mistake: its value, its moves and the visited leaves."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from grader.base.numbers import INFINITY, Bound
from grader.programs.codings import MAX_AND_MIN, Coding, PassedWindow
from grader.solvers.expectiminimax import expectation, probability
from grader.solvers.maxn_mistakes import mistaken_maxn
from grader.solvers.mistaken_search import MISCONCEPTIONS, search_with_mistake, swap_players
from grader.solvers.solvable import several_players
from grader.trees.rules import Order, Rules
from grader.trees.tree import Player, Tree, Value


@dataclass(frozen=True, slots=True)
class CodedResult:
    """The result of a search: the root's value, its moves, and the visited leaves in order.

    `moves` has every move with the root's value; None stands for a move that the root does not have.
    """

    value: Value | Bound
    moves: frozenset[int | None]
    visits: tuple[int, ...]


@cache
def coded_search(tree: Tree, coding: Coding, turns: tuple[Player, ...] = ()) -> CodedResult:
    """Return the result of a coding on a tree with known payoffs; `turns` has the players of a round."""
    if several_players(tree):
        return _search_of_players(tree, coding)
    read = _misread(tree, coding)
    if read.has_chance and coding.mistake.cuts_at:
        return _star1(read, coding)
    if coding.depth_only != "no":
        read = _without_early_leaves(read, coding, turns)
    return CodedSearch(read, coding).outcome()


def _without_early_leaves(tree: Tree, coding: Coding, turns: tuple[Player, ...]) -> Tree:
    """Return the tree with a node of the player to move in place of each leaf above the depth limit."""
    limit: float = tree.header.depth or max(tree.depths)
    if coding.depth_only == "rounds":
        limit = -(-limit // len(turns)) * len(turns)
    elif coding.depth_only == "endless" and tree.header.depth is None:
        limit = INFINITY
    players = list(tree.players)
    for leaf in tree.leaves:
        if tree.depths[leaf] < limit:
            turn = turns[tree.depths[leaf] % len(turns)]
            players[leaf] = turn if turn in tree.players or not tree.has_chance else Player.CHANCE
    return tree.with_players(tuple(players))


def _misread(tree: Tree, coding: Coding) -> Tree:
    """Return the tree as a program with this mistake reads it."""
    if coding.name == "ignores-opponent" or coding.lost_negation == "payoffs":
        # as if the player at the root moved everywhere
        return tree.with_players(
            tuple(tree.players[0] if player in MAX_AND_MIN else player for player in tree.players)
        )
    if coding.name == "same-player-below-root":
        return tree.with_players((tree.players[0], *swap_players(tree).players[1:]))
    if coding.name == "min-after-min":
        players = list(tree.players)
        for node in tree.internal:
            if players[node] is Player.MAX and Player.MIN in map(players.__getitem__, tree.ancestors(node)):
                players[node] = Player.MIN
        return tree.with_players(tuple(players))
    if coding.negated_for is not None or coding.name == "payoffs-negated":
        payoffs = list(tree.payoffs)
        for leaf in tree.leaves:
            payoff, above = payoffs[leaf], tree.players[tree.parents[leaf]]
            # After a move of one player it is the turn of the other.
            if above is not coding.negated_for and isinstance(payoff, int | Fraction):
                payoffs[leaf] = -payoff
        return replace(tree, payoffs=tuple(payoffs))
    misconception = MISCONCEPTIONS.get(coding.name)
    return tree if misconception is None else misconception.misread_tree(tree)


def _search_of_players(tree: Tree, coding: Coding) -> CodedResult:
    """Return the result of max^n with a mistake; every leaf is visited."""
    values = mistaken_maxn(tree, coding.name)
    moves = frozenset[int | None](child for child in tree.children[0] if values[child] == values[0])
    return CodedResult(values[0], moves, tree.leaves)


def _star1(tree: Tree, coding: Coding) -> CodedResult:
    """Return the result of Star1 with a mistake."""
    rules = Rules(
        ties="cut" if coding.ties_cut else "keep",
        returns="hard" if coding.is_hard and coding.ties_cut else "soft",  # there are no hard rules that keep
        order="right-to-left" if coding.name == "right-to-left" else "left-to-right",
        bounds=tree.header.bounds,
    )
    search = search_with_mistake(tree, rules, coding.mistake)
    leaves = reversed(tree.leaves) if rules.order == "right-to-left" else tree.leaves
    returned = {child: search.returned[child] for child in tree.children[0] if search.visited[child]}
    moves = frozenset[int | None](child for child, value in returned.items() if value == search.returned[0])
    value = search.returned[0]
    assert value is not None
    return CodedResult(value, moves, tuple(leaf for leaf in leaves if search.visited[leaf]))


class CodedSearch:
    """One search of one tree by one coding; `below` has the children of every node in visiting order."""

    def __init__(self, tree: Tree, coding: Coding, below: tuple[tuple[int, ...], ...] | None = None) -> None:
        self.tree, self.coding, self.mistake = tree, coding, coding.mistake
        order: Order = "right-to-left" if coding.name == "right-to-left" else "left-to-right"
        self.below = tree.all_visiting(order) if below is None else below
        self.visits = list[int]()
        self.at_root = dict[int, Bound]()
        self.choices = dict[int, int]()
        self.latest_choice: int | None = None
        self.stored = dict[Hashable, Bound]()
        self.shared_window = coding.first_window

    def outcome(self) -> CodedResult:
        """Search the tree and return the result."""
        value = self.search(0, *self.coding.first_window)
        return CodedResult(value, self.moves(), tuple(self.visits))

    def moves(self) -> frozenset[int | None]:
        """Return the moves that may be returned."""
        tree = self.tree
        if self.coding.move_rule == "root":
            choose = max if tree.players[0] is Player.MAX else min
            best = choose(self.at_root.values(), default=None)
            found = frozenset(child for child, returned in self.at_root.items() if returned == best)
            first = self.coding.first_best if tree.players[0] is Player.MAX else -self.coding.first_best
            # A child that is not better than the first value need not be chosen, and a worse one is not.
            if best is None or choose(best, first) != best:
                return frozenset({None})
            return found | {None} if best == first else found
        chosen = self.latest_choice
        if self.coding.move_rule == "deepest":
            chosen = 0
            while chosen in self.choices:
                chosen = self.choices[chosen]
        if not chosen:
            return frozenset({None})
        # A move of a deeper node has the name of one of the root's, or is none of them.
        parent = tree.parents[chosen]
        place = tree.children[parent].index(chosen)
        namesake = tree.children[0][place] if place < len(tree.children[0]) else None
        return frozenset({namesake} if parent == 0 else {namesake, None})

    def search(self, node: int, alpha: Bound, beta: Bound) -> Bound:
        """Return the value that a node returns to its parent."""
        player = self.tree.players[node]
        stores = self.coding.cache == "leaves" or (self.coding.cache == "nodes" and player is not None)
        key = self.content(node) if stores else None
        if key in self.stored:
            return self.stored[key]
        value: Bound
        if player is None:
            self.visits.append(node)
            payoff = self.tree.payoffs[node]
            assert isinstance(payoff, int | Fraction)
            value = payoff
        elif player is Player.CHANCE:
            value = self.chance_value(node)
        else:
            value = self.player_value(node, alpha, beta)
        if stores:
            self.stored[key] = value
        return value

    def content(self, node: int) -> Hashable:
        """Return what a node is stored by: all payoffs below it, and perhaps whose turn it is."""
        tree = self.tree
        inner = tuple(map(self.content, tree.children[node])) or tree.payoffs[node]
        # The depth of a node says whose turn it is, at a leaf too.
        return (tree.depths[node] % 2, inner) if self.coding.caches_players else inner

    def chance_value(self, node: int) -> Bound:
        """Return the value of a chance node, whose outcomes are searched with the widest window."""
        children = self.below[node]
        if not children:
            return 0
        if self.coding.first_outcome_only:
            children = tuple(child for child in children if probability(self.tree, child) == 1) or children
        values = [self.search(child, -INFINITY, INFINITY) for child in children]
        numbers = [value for value in values if isinstance(value, int | Fraction)]
        if len(numbers) < len(values):
            return next(value for value in values if isinstance(value, float))
        mean = expectation([probability(self.tree, child) for child in children], numbers)
        match self.coding.chance_value:
            case "sum":
                return sum(numbers)
            case "divided":
                return mean / Fraction(len(numbers))
            case "worst":
                return min(numbers)
            case "best":
                return max(numbers)
            case "mean":
                return mean

    def player_value(self, node: int, alpha: Bound, beta: Bound) -> Bound:
        """Return the value of a MAX or MIN node; a MIN node is searched as the mirror image of a MAX node."""
        mistake, coding = self.mistake, self.coding
        player = self.tree.players[node]
        sign = 1 if player is Player.MAX else -1
        # From here on the player maximises: `low` is the own bound, `high` the other player's.
        is_shared = coding.own_bound == "shared"
        if is_shared:
            alpha, beta = self.shared_window
        low, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
        is_mistaken = player in coding.at
        loses_bound = coding.own_bound != "kept" and is_mistaken
        low = -INFINITY if loses_bound and coding.own_bound == "dropped" else low
        own, passed = low, low if mistake.inherits_bounds else -INFINITY
        passed_high = high if mistake.inherits_bounds else INFINITY
        narrows = node != 0 or not mistake.resets_at_root
        best = latest = coding.first_best if is_mistaken else -INFINITY
        since_cut: int | None = None
        for child in self.below[node][: 1 if coding.first_child_only and is_mistaken else None]:
            if coding.cut_test == "head" and since_cut is None:
                since_cut = 0 if self.is_cut(player, own, (low, own, own), high) else None
            if since_cut is not None:
                since_cut += 1
                place = since_cut - 1
                is_crossed = place >= mistake.extra_visits and (
                    mistake.crosses_all or place == mistake.extra_visits
                )
                if is_crossed and (mistake.crosses_subtrees or self.tree.players[child] is None):
                    continue
            window = (passed, passed_high) if sign == 1 else (-passed_high, -passed)
            if coding.passed_window != "right" and is_mistaken:
                window = _wrong_window(passed, passed_high, sign, coding.passed_window)
            value = latest = sign * self.search(child, *window)
            if coding.lost_negation == "values":
                value = latest = -value
            if is_shared:
                alpha, beta = self.shared_window
                own, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
            if since_cut is not None and coding.discards_extra:
                continue
            if node == 0:
                self.at_root[child] = sign * value
            if value > best:
                self.choices[node] = child
                self.latest_choice = child if player in coding.at else self.latest_choice
            is_tie, best_before, best, before = value == best, best, max(best, value), own
            if since_cut is not None and coding.keeps_first_window:
                continue
            if mistake.uses_latest_value:
                own = max(low, value) if mistake.clamps_latest_value else value
                moved = own
            elif is_mistaken and coding.own_bound == "overwritten":
                own = moved = best
            else:
                update = value if coding.updates_by_value else best
                own, moved = max(own, update), max(passed, update)
            passed_before, passed = passed, moved if narrows else passed
            if since_cut is None:
                tested = {"best": best, "child": value, "window": own, "head": -INFINITY}[coding.cut_test]
                is_cut = coding.cut_test != "head" and self.is_cut(player, tested, (low, before, own), high)
                if is_cut or (mistake.stops_at_ties and is_tie):
                    since_cut = 0
                    best = best_before if coding.loses_cutoff and is_mistaken else best
                    passed = passed_before if coding.keeps_first_window else passed
                    own = before if is_shared and coding.cut_test in ("best", "child") else own
            if is_shared:
                self.shared_window = (own, high) if sign == 1 else (-high, -own)
        if coding.returns_latest and is_mistaken:
            best = latest
        elif coding.is_hard and is_shared:
            best = own
        elif coding.is_hard:
            best = min(high, own if mistake.uses_latest_value or loses_bound else max(low, best))
        return sign * best

    def is_cut(
        self, player: Player | None, tested: Bound, owns: tuple[Bound, Bound, Bound], high: Bound
    ) -> bool:
        """Return whether a value closes the node, seen from a player who maximises."""
        if player not in self.mistake.cuts_at:
            return False
        ties = player in self.coding.ties_cut
        if self.coding.is_reversed and player in self.coding.at:
            return tested <= high if ties else tested < high
        if self.mistake.cuts_at_own_bound:
            low, before, own = owns
            bound = own if self.coding.cut_test == "window" else before
            bound = low if self.coding.keeps_first_window else bound
            return tested <= bound if ties else tested < bound
        return tested >= high if ties else tested > high


def _wrong_window(low: Bound, high: Bound, sign: int, passed: PassedWindow) -> tuple[Bound, Bound]:
    """Return alpha and beta of a child, from the bounds of its parent as a player who maximises sees them."""
    # What the child gets as its own two bounds if it maximises for the other player; -high, -low is right.
    alpha, beta = {
        "swapped": (-low, -high),
        "no-signs": (high, low),
        "no-sign-of-alpha": (high, -low),
        "no-sign-of-beta": (-high, low),
        "unchanged": (low, high),
    }[passed]
    return (-beta, -alpha) if sign == 1 else (alpha, beta)
