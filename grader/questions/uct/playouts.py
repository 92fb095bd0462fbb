"""What the questions about Monte Carlo tree search share: counts at nodes, and the rules they are read by."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import get_args

from grader.base.numbers import Number, NumeralError, normalize_number, read_number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.randomness import Draw
from grader.questions.search_answers import two_player_objection
from grader.questions.wording import mover_sentences
from grader.solvers.uct_search import Total, UctRules, WinsOf, visits_and_wins
from grader.trees.annotations import Attributes
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import LETTERS

VISITS = (2, 4, 5, 8, 10, 20)
"""How often leaves are tried: shares of these are short decimals."""

C_SQUARED_CHOICES = ("2", "2", "1/4", "4")
"""The squares of the constants c that are drawn: the root of 2, 0.5 and 2."""


def uct_rules(given: Given) -> UctRules:
    """The rules that are given: `c_squared`, `wins` and `total`, the usual ones where they are not.

    Raises `ValueError` for others.
    """
    wins, total = given.get("wins", "mover"), given.get("total", "parent")
    if wins not in get_args(WinsOf) or total not in get_args(Total):
        raise ValueError("wins are those of the mover or of max, and the total is that of the parent or all")
    try:
        return UctRules(read_number(str(given.get("c_squared", "2"))), wins, total)
    except NumeralError:
        raise ValueError("c_squared is not a number") from None


def playouts_objection(case: Case) -> str | None:
    """Why no playouts can be counted in a tree, or None."""
    return "the tree has chance nodes" if case.tree.has_chance else two_player_objection(case)


def counts_objection(case: Case) -> str | None:
    """Why the nodes of a tree have no counts to go on with, or None."""
    tree = case.tree
    if reason := playouts_objection(case):
        return reason
    try:
        uct_rules(case.given)
    except ValueError as error:
        return str(error)
    for node, attributes in enumerate(tree.attributes):
        if attributes is None or attributes.visits is None or attributes.wins is None:
            return f"{tree.names[node]} has no counts of playouts, such as {{n=10, w=6}}"
        if uct_rules(case.given).wins == "mover" and not 0 <= attributes.wins <= attributes.visits:
            return f"{tree.names[node]} has more wins than playouts"
        if tree.children[node] and attributes.visits < sum(
            visits_and_wins(tree, child)[0] for child in tree.children[node]
        ):
            return f"{tree.names[node]} has fewer playouts than its children have"
    return None if visits_and_wins(tree, 0)[0] else "there was no playout yet"


MEANINGS: Mapping[str, Sequence[str]] = {"wins": get_args(WinsOf), "total": get_args(Total)}
"""The rules of the search, with all that each can say; the usual one stands first."""


def playout_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say who moves, and what the counts at the nodes mean."""
    counts = language.say(_COUNTS[uct_rules(case.given).wins])
    return (*mover_sentences(case, language), counts, language.say(_PAYOFFS))


_COUNTS = {
    "mover": Phrase(
        "At every node, n is the number of playouts through it. "
        "Of these, w were won by the player who moved into the node. "
        "At the root, w counts wins by the opponent of the player to move."
    ),
    "max": Phrase(
        "At every node, n is the number of playouts through it, and w is the number of these playouts that "
        "MAX won."
    ),
}
_PAYOFFS = Phrase(
    "The number at a leaf is the proportion of its playouts that MAX won, or a guess if the leaf has no "
    "playouts."
)


def draw_counts(draw: Draw, tree: Tree, wins: WinsOf, untried: int = 0) -> Tree:
    """Return the tree with letters at its leaves, and consistent counts; one in `untried` leaves has none.

    With 0 all leaves have playouts. The payoff of a leaf is the share that MAX won.
    """
    used = set(tree.names)
    free = iter([letter for letter in LETTERS if letter not in used])
    given, payoffs, counts = list(tree.given), [], list(tree.attributes)
    for leaf in tree.leaves:
        given[leaf] = given[leaf] or next(free, None)
        visits = 0 if untried and not draw.below(untried) else draw.choose(VISITS)
        won = draw.between(0, visits)
        payoffs.append(
            normalize_number(Fraction(won, visits)) if visits else normalize_number(Fraction(1, 2))
        )
        counts[leaf] = _counts(tree, leaf, visits, won, wins)
    for node in reversed(tree.internal):
        below = [_of_max(tree, child, counts, wins) for child in tree.children[node]]
        visits, won = (sum(column) for column in zip(*below, strict=True))
        counts[node] = _counts(tree, node, int(visits), won, wins)
    return replace(tree.with_payoffs(tuple(payoffs)), given=tuple(given), attributes=tuple(counts))


def counts_for_max(tree: Tree, node: int, wins: WinsOf) -> bool:
    """Return whether the wins at a node are those of MAX."""
    if wins == "max":
        return True
    above = tree.parents[node]
    return tree.players[above] is Player.MAX if above >= 0 else tree.players[0] is Player.MIN


def _counts(tree: Tree, node: int, visits: int, won: Number, wins: WinsOf) -> Attributes:
    return Attributes(visits=visits, wins=won if counts_for_max(tree, node, wins) else visits - won)


def _of_max(tree: Tree, node: int, counts: list[Attributes | None], wins: WinsOf) -> tuple[int, Number]:
    """Return the visits of a node, and the wins of MAX among them."""
    attributes = counts[node] or Attributes()
    visits, won = attributes.visits or 0, attributes.wins or 0
    return visits, won if counts_for_max(tree, node, wins) else visits - won
