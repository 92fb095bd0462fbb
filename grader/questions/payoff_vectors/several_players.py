"""What the kinds about several players share: games grown for them, and how these are described."""

from dataclasses import replace
from math import ceil, floor

from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.randomness import Draw
from grader.questions.wording import mover_sentences, probability_sentences
from grader.solvers.values import best_children, values
from grader.trees.tree import Player, Tree, Vector

# What students read -------------------------------------------------------------------------------

WHO_MOVES = Phrase("The number in a node shows which player moves there: 1 stands for P1.")
LEAF_PAYOFFS = Phrase("Every leaf shows the payoffs of {players}, in this order.")
OWN_INTEREST = Phrase("Every player maximizes its own payoff and ignores the payoffs of the others.")
ANY_TIE_MOVE = Phrase("A player with several equally good moves may choose any of them.")
LEFTMOST_TIE_MOVE = Phrase("A player with several equally good moves chooses the leftmost of them.")

MIN_PLAYERS, MAX_PLAYERS = 2, 4
"""How many players there are in a game that is grown."""

MAX_DRAWS = 60
"""How often payoffs are drawn before a tree is given up."""


def players_objection(case: Case) -> str | None:
    """Return why the tree is not a game of several players, or None."""
    if not case.tree.seats:
        return "the payoffs are not vectors, one number for each player"
    if len(case.tree) == 1:
        return "the tree is a single leaf"
    if case.rules.depth is not None:
        return "the rules have a depth limit, and this kind asks about the whole tree"
    return None


def players_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say who plays, what the vectors mean, and what every player aims at."""
    say = language.say
    names = [f"P{seat + 1}" for seat in range(case.tree.seats)]
    return (
        *mover_sentences(case, language),
        say(WHO_MOVES),
        *probability_sentences(case, language),
        say(LEAF_PAYOFFS, players=language.join_and(names)),
        say(OWN_INTEREST),
    )


def players_by_level(tree: Tree, players: int | None = None) -> tuple[Tree, int]:
    """The tree with P1, P2, ... in turn at the levels where somebody chooses, and how many play.

    Without a number there is a player per level, but at least `MIN_PLAYERS` and at most `MAX_PLAYERS`.
    Payoffs stay what they are.
    """
    turns = [0] * len(tree)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        turns[node] = turns[parent] + (tree.players[parent] is not Player.CHANCE)
    if players is None:
        choosing = (node for node in tree.internal if tree.players[node] is not Player.CHANCE)
        players = min(max((turns[node] + 1 for node in choosing), default=MIN_PLAYERS), MAX_PLAYERS)
        players = max(players, MIN_PLAYERS)
    seated = tuple(
        player if player is None or player is Player.CHANCE else Player(f"P{turns[node] % players + 1}")
        for node, player in enumerate(tree.players)
    )
    return replace(tree, players=seated), players


def draw_vectors(draw: Draw, tree: Tree, players: int) -> tuple[Vector, ...]:
    """A vector for every leaf: the payoff it has for the first player, and others from the same range."""
    own = [payoff for leaf in tree.leaves if not isinstance(payoff := tree.payoffs[leaf], str | tuple | None)]
    low, high = floor(min(own)), ceil(max(own))
    return tuple((first, *(draw.between(low, high) for _ in range(players - 1))) for first in own)


def draw_constant_sum_vectors(draw: Draw, tree: Tree, players: int, total: int) -> tuple[Vector, ...]:
    """A vector for every leaf whose components are at least 0 and sum to a total."""
    rows: list[Vector] = []
    for _ in tree.leaves:
        cuts = sorted(draw.between(0, total) for _ in range(players - 1))
        rows.append(tuple(high - low for low, high in zip((0, *cuts), (*cuts, total), strict=True)))
    return tuple(rows)


def has_unique_best_moves(tree: Tree) -> bool:
    """Return whether every player has a unique best move at every node."""
    return all(len(children) < 2 for children in best_children(tree, values(tree)))


def tie_sentence(case: Case, language: Language) -> str:
    """Say how a player chooses among equally good moves."""
    return language.say(ANY_TIE_MOVE if case.given.get("ties") == "any" else LEFTMOST_TIE_MOVE)


def vectors_of_leaves(tree: Tree) -> list[Vector]:
    """The payoffs of all leaves, from left to right."""
    return [payoff for leaf in tree.leaves if isinstance(payoff := tree.payoffs[leaf], tuple)]
