"""Builds trees node by node, and names their nodes by letters."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from grader.base.numbers import Number, normalize_number
from grader.trees.annotations import NO_HEADER, Attributes, Header
from grader.trees.tree import Claim, Payoff, Player, Tree

HIDDEN_PAYOFF = "?"
"""The payoff of a leaf whose value is in question; a letter would be an unknown number."""


class TreeBuilder:
    """Collects nodes in preorder, the root first; `tree` returns the finished record."""

    def __init__(self) -> None:
        self._players: list[Player | None] = []
        self._parents: list[int] = []
        self._payoffs: list[Payoff | None] = []
        self._given: list[str | None] = []
        self._moves: list[str | None] = []
        self._probabilities: list[Number | None] = []
        self._claims: list[Claim | None] = []
        self._crosses: list[bool] = []
        self._attributes: list[Attributes | None] = []

    def add(
        self,
        parent: int,
        player: Player | None = None,
        payoff: Payoff | None = None,
        *,
        name: str | None = None,
        move: str | None = None,
        probability: Number | None = None,
        claim: Claim | None = None,
        cross: bool = False,
        attributes: Attributes | None = None,
    ) -> int:
        """Add the next node in preorder and return its index; the root has parent -1."""
        self._players.append(player)
        self._parents.append(parent)
        self._payoffs.append(payoff)
        self._given.append(name)
        self._moves.append(move)
        self._probabilities.append(probability)
        self._claims.append(claim)
        self._crosses.append(cross)
        self._attributes.append(attributes)
        return len(self._parents) - 1

    def is_chance(self, node: int) -> bool:
        """Return whether an added node is a chance node; False for -1, the parent of the root."""
        return node >= 0 and self._players[node] is Player.CHANCE

    def tree(self, header: Header | None = None) -> Tree:
        """Return the finished tree; probabilities at a chance node that has none are uniform."""
        even_shares(self._players, self._parents, self._probabilities)
        return Tree(
            players=tuple(self._players),
            parents=tuple(self._parents),
            payoffs=tuple(self._payoffs),
            given=tuple(self._given),
            moves=tuple(self._moves),
            probabilities=tuple(self._probabilities),
            claims=tuple(self._claims),
            crosses=tuple(self._crosses),
            attributes=tuple(self._attributes),
            header=header or NO_HEADER,
        )


def even_shares(
    players: Sequence[Player | None], parents: Sequence[int], probabilities: list[Number | None]
) -> None:
    """Fill in uniform probabilities at each chance node that has none."""
    if Player.CHANCE not in players:
        return
    children_of: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        if parent >= 0 and players[parent] is Player.CHANCE:
            children_of.setdefault(parent, []).append(node)
    for children in children_of.values():
        if all(probabilities[child] is None for child in children):
            share = normalize_number(Fraction(1, len(children)))
            for child in children:
                probabilities[child] = share


LETTERS = "ABCDEFGHJKLMNPQRSTUWXYZ"
"""Without I and O, which look like 1 and 0 by hand, and V, which replies use for the triangle of MIN."""


def name_by_letters(tree: Tree) -> Tree:
    """Name the internal nodes A, B, ..., Z, AA, AB, ... level by level, without I, O and V."""
    names = {node: _letter(number) for number, node in enumerate(tree.by_level)}
    return replace(tree, given=tuple(map(names.get, range(len(tree)))))


def _letter(number: int) -> str:
    rest, last = divmod(number, len(LETTERS))
    return (_letter(rest - 1) if rest else "") + LETTERS[last]
