"""The trees that an algorithm accepts: the payoffs at their leaves, and the errors for other trees."""

from fractions import Fraction

from grader.base.numbers import Number, write_number
from grader.base.phrases import Phrase, PhraseError
from grader.trees.tree import Player, Tree, Value, Vector

SEVERAL_PLAYERS = Phrase("games of several players are solved by max^n only")


class Unsolvable(PhraseError):  # noqa: N818 - it says what the tree is, like `Malformed` says of a reply
    """A tree or rules that an algorithm does not apply to; the message says why."""


class UnknownPayoff(Unsolvable):
    """The algorithm needs the payoff of a leaf that is a word for an unknown number."""

    def __init__(self, tree: Tree, leaf: int) -> None:
        super().__init__(
            Phrase("the payoff {payoff} of leaf {leaf} is unknown"),
            payoff=tree.payoffs[leaf],
            leaf=tree.paths[leaf],
        )
        self.leaf = leaf


class BoundsError(Unsolvable):
    """A payoff lies outside the bounds that the rules promise for all leaves."""

    def __init__(self, tree: Tree, leaf: int, bounds: tuple[Number, Number]) -> None:
        low, high = map(write_number, bounds)
        super().__init__(
            Phrase("the payoff {payoff} of leaf {leaf} lies outside the bounds {bounds}"),
            payoff=write_number(number_at(tree, leaf)),
            leaf=tree.paths[leaf],
            bounds=f"[{low}, {high}]",
        )


def value_at(tree: Tree, leaf: int) -> Value:
    """Return the payoff of a leaf, a number or a vector; raises `UnknownPayoff` if it is a word."""
    payoff = tree.payoffs[leaf]
    if payoff is None:
        raise Unsolvable("{node} is not a leaf", node=tree.names[leaf])
    if isinstance(payoff, str):
        raise UnknownPayoff(tree, leaf)
    return payoff


def number_at(tree: Tree, leaf: int) -> Number:
    """Return the payoff of a leaf in a game with one payoff for each leaf.

    Raises `UnknownPayoff` if it is a word, `Unsolvable` if it is a vector.
    """
    payoff = tree.payoffs[leaf]
    if isinstance(payoff, int):
        return payoff  # the most frequent case, in searches of a million leaves
    value = value_at(tree, leaf)
    if isinstance(value, tuple):
        raise Unsolvable(SEVERAL_PLAYERS)
    return value


def numbers_at_leaves(tree: Tree) -> list[Number]:
    """Return the payoffs aligned with the nodes, 0 at inner nodes; raises what `number_at` raises."""
    column: list[Number] = [0] * len(tree)
    for leaf in reversed(tree.leaves):
        column[leaf] = number_at(tree, leaf)
    return column


def vector_at(tree: Tree, leaf: int) -> Vector:
    """Return the payoff of a leaf in a game of several players.

    Raises `UnknownPayoff` if it is a word, `Unsolvable` if it is a number.
    """
    value = value_at(tree, leaf)
    if not isinstance(value, tuple):
        raise Unsolvable("the payoff of {leaf} is not a vector", leaf=tree.names[leaf])
    return value


def seat_at(tree: Tree, node: int) -> int:
    """Return the place in the payoffs of the player who moves at a node; raises `Unsolvable` without one."""
    player = tree.players[node]
    seat = None if player is None else player.seat
    if seat is None or seat >= tree.seats:
        raise Unsolvable(
            "{player} moves at {node} and has no component in the payoffs",
            player=player,
            node=tree.names[node],
        )
    return seat


_TWO_PLAYERS = frozenset({Player.MAX, Player.MIN, Player.CHANCE})
"""The movers in a game of two players."""


def several_players(tree: Tree) -> bool:
    """Return whether the tree is a game of several players, with a component of the payoffs for each."""
    return tree.seats > 0 or not tree.movers <= _TWO_PLAYERS


def require_two_players(tree: Tree) -> None:
    """Raise `Unsolvable` if a player other than MAX, MIN and chance moves, or payoffs are vectors."""
    if several_players(tree):
        raise Unsolvable(SEVERAL_PLAYERS)


def require_max_and_min(tree: Tree) -> None:
    """Raise `Unsolvable` if anybody but MAX and MIN moves, chance included, or payoffs are vectors."""
    require_two_players(tree)
    if tree.has_chance:
        raise Unsolvable(
            "a window is never passed unchanged through a chance node; Star1 searches such trees"
        )


def require_bounds(tree: Tree, bounds: tuple[Number, Number] | None) -> None:
    """Raise `BoundsError` for the first leaf whose known payoff lies outside the bounds, if there are any."""
    if bounds is None:
        return
    low, high = bounds
    for leaf in tree.leaves:
        payoff = tree.payoffs[leaf]
        if isinstance(payoff, (int, Fraction)) and not low <= payoff <= high:
            raise BoundsError(tree, leaf, bounds)
