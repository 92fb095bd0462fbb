"""What a question says, and the sentences in which every question states its conventions."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.questions.case import Case
from grader.questions.given_table import GivenTable
from grader.solvers.explaining.node_wording import node_name
from grader.trees.rules import Order, Returns, Ties
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

CHANCE_MOVES_FIRST = Phrase("Chance moves first, at the root.")
CHANCE_MOVES_FIRST_AT = Phrase("Chance moves first, at the root {node}.")
PLAYER_MOVES_FIRST = Phrase("{player} moves first, at the root.")
PLAYER_MOVES_FIRST_AT = Phrase("{player} moves first, at the root {node}.")
SHAPES = {
    frozenset((Player.MAX,)): Phrase("Triangles that point up are MAX nodes."),
    frozenset((Player.MIN,)): Phrase("Triangles that point down are MIN nodes."),
    frozenset((Player.CHANCE,)): Phrase("Circles are chance nodes."),
    frozenset((Player.MAX, Player.MIN)): Phrase(
        "Triangles that point up are MAX nodes, and triangles that point down are MIN nodes."
    ),
    frozenset((Player.MAX, Player.CHANCE)): Phrase(
        "Triangles that point up are MAX nodes, and circles are chance nodes."
    ),
    frozenset((Player.MIN, Player.CHANCE)): Phrase(
        "Triangles that point down are MIN nodes, and circles are chance nodes."
    ),
    frozenset((Player.MAX, Player.MIN, Player.CHANCE)): Phrase(
        "Triangles that point up are MAX nodes, triangles that point down are MIN nodes, and circles are "
        "chance nodes."
    ),
}
"""The shapes of players, for every set of players that have one."""

PAYOFFS = Phrase("The number at a leaf is the payoff for MAX.")
ONE_PLAYS_OPTIMALLY = Phrase("{player} plays optimally.")
BOTH_PLAY_OPTIMALLY = Phrase("Both players play optimally.")
EQUAL_PROBABILITIES = Phrase("At every chance node, all outcomes are equally likely.")
GIVEN_PROBABILITIES = Phrase("The number next to a branch below a chance node is its probability.")
VISITING_ORDERS: Mapping[Order, Phrase] = {
    "left-to-right": Phrase("Alpha-beta search visits the children of every node from left to right."),
    "right-to-left": Phrase("Alpha-beta search visits the children of every node from right to left."),
}
PRUNING_RULES: Mapping[Ties, Phrase] = {
    "cut": Phrase(
        "It prunes the remaining children of a node as soon as alpha ≥ beta: equality is enough to prune."
    ),
    "keep": Phrase(
        "It prunes the remaining children of a node only when alpha > beta: equality is not enough to prune."
    ),
}
RETURNS: Mapping[Returns, Phrase] = {
    "soft": Phrase("A node with a cutoff returns the best value it has found so far."),
    "hard": Phrase(
        "A MIN node returns at least alpha, and a MAX node returns at most beta, even if it has found a "
        "value beyond that bound."
    ),
}
"""What a node with a cutoff returns."""

NO_PAYOFF_LIMITS = Phrase("No bounds on the payoffs are known in advance.")
PAYOFF_LIMITS = Phrase(
    "Every payoff is known to be between {low} and {high}, inclusive. "
    "The search starts with alpha = {low} and beta = {high}."
)
PAYOFF_RANGE = Phrase("All payoffs are from {low} to {high}.")
ROOT_WINDOW = Phrase("The search starts at the root with alpha = {alpha} and beta = {beta}.")
CHANCE_WINDOWS = Phrase(
    "At a chance node, each outcome is searched with the window in which its value can still matter "
    "(Star1). The window depends on the outcomes seen so far and the bounds on the remaining outcomes. "
    "The search leaves the chance node as soon as the remaining outcomes cannot matter."
)
ASK_ALL_VALUES = Phrase("Write the minimax value of every inner node.")
ASK_SOME_VALUES = Phrase("Write the minimax value of each of these nodes: {nodes}.")
ASK_ALL_EXPECTED_VALUES = Phrase("Write the expected value of every inner node.")
ASK_SOME_EXPECTED_VALUES = Phrase("Write the expected value of each of these nodes: {nodes}.")
ASK_PRUNED_LEAVES = Phrase("Which leaves are pruned?")
LEAF_NUMBER_RULE = Phrase("Leaves are numbered 1, 2, 3, ... from left to right.")
PRUNED_DEFINITION = Phrase(
    "A leaf is pruned if the search never visits it, whether the cutoff is at its parent or higher in the "
    "tree."
)
LEAF_COUNT = plural_phrase("The tree has {count} leaf.", "The tree has {count} leaves.")
ANY_ORDER_COUNTS = Phrase("If several orders do this, give any one of them.")
ANY_PAYOFFS_COUNT = Phrase("Any payoffs that achieve this are correct.")
EVERY_STRATEGY_COUNTS = Phrase("Every such strategy is correct.")
ANY_ANSWER_RULES = (ANY_ORDER_COUNTS, ANY_PAYOFFS_COUNT, EVERY_STRATEGY_COUNTS)
"""Promises of questions with several correct answers, which a platform that has only the key cannot keep."""
NEVER_ENTERED_RULE = Phrase("Omit nodes that the search never visits; an entry for such a node is incorrect.")
FOLLOW_THROUGH_RULE = Phrase(
    "Entries that are consistent with your own mistakes in other entries also earn credit. "
    "In total, they earn at most as much as your correct entries."
)


PromptPart: TypeAlias = Phrase | Callable[[Case, Language], str | tuple[str, ...]]
"""A part of a prompt: the same sentence in every case, or those that a case needs, if any."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a kind says of a case: the conventions, the question, and what its answer has to observe.

    - `conventions`: the game and the rules that decide the answer, each as one text.
    - `question`: the question alone, which a teacher may ask in other words.
    - `demands`: what the answer has to observe, however it is given.
    - `table`: what some of the conventions say, as a table.
    """

    conventions: tuple[str, ...]
    question: str
    demands: str = ""
    table: GivenTable | None = None


def asks(
    question: PromptPart,
    *conventions: PromptPart,
    demands: tuple[PromptPart, ...] = (),
    table: Callable[[Case, Language], GivenTable] | None = None,
) -> Callable[[Case, Language], Prompt]:
    """Return the prompt of a kind: its question, with these conventions and demands in this order.

    A phrase may name a field that the question gives, {node} for the root, and {player} for its player.
    """

    def prompt(case: Case, language: Language) -> Prompt:
        """Return the question with all its sentences, filled in from the root and the given fields."""
        tree = case.tree
        root = {"player": tree.players[0], "node": node_name(tree, 0, language)} if len(tree) else {}
        fields = {**root, **case.given}

        def sentences(parts: Iterable[PromptPart]) -> Iterator[str]:
            for part in parts:
                text = language.say(part, **fields) if isinstance(part, str) else part(case, language)
                yield from filter(None, (text,) if isinstance(text, str) else text)

        return Prompt(
            tuple(sentences(conventions)),
            paragraph(*sentences((question,))),
            paragraph(*sentences(demands)),
            None if table is None else table(case, language),
        )

    return prompt


def game_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say who moves where, and whose payoffs the leaves show."""
    return (*mover_sentences(case, language), language.say(PAYOFFS))


def mover_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Say who moves first, and how the nodes of the players are drawn."""
    sentences = (mover_sentence(case.tree, language), shape_sentence(case.tree.movers, language))
    return tuple(filter(None, sentences))


def mover_sentence(tree: Tree, language: Language) -> str:
    """Say who moves first."""
    root, name, say = tree.players[0], tree.names[0], language.say
    if root is Player.CHANCE:
        if name == "root":
            return say(CHANCE_MOVES_FIRST)
        return say(CHANCE_MOVES_FIRST_AT, node=name)
    if name == "root":
        return say(PLAYER_MOVES_FIRST, player=root)
    return say(PLAYER_MOVES_FIRST_AT, player=root, node=name)


def shape_sentence(movers: Collection[Player], language: Language) -> str:
    """Say how the nodes of these players are drawn; empty if none has its own shape."""
    shapes = SHAPES.get(frozenset(movers) & {Player.MAX, Player.MIN, Player.CHANCE})
    return "" if shapes is None else language.say(shapes)


def optimal_play_sentence(case: Case, language: Language) -> str:
    """Say that every player plays optimally; empty where only chance moves."""
    players = [player for player in case.tree.movers if player is not Player.CHANCE]
    if not players:
        return ""
    if len(players) == 1:
        return language.say(ONE_PLAYS_OPTIMALLY, player=players[0])
    return language.say(BOTH_PLAY_OPTIMALLY)


def probability_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """State the probabilities at chance nodes; empty without chance nodes."""
    tree = case.tree
    if not tree.has_chance:
        return ()
    chance = [node for node in tree.internal if tree.players[node] is Player.CHANCE]
    if all(len({tree.probabilities[child] for child in tree.children[node]}) == 1 for node in chance):
        return (language.say(EQUAL_PROBABILITIES),)
    return (language.say(GIVEN_PROBABILITIES),)


def search_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """State how the search visits and prunes: order, tie rule, payoff limits, and chance nodes."""
    sentences = (
        pruning_sentence(case, language),
        payoff_bounds_sentence(case, language),
        language.say(CHANCE_WINDOWS) if case.tree.has_chance else "",
    )
    return tuple(filter(None, sentences))


def pruning_sentence(case: Case, language: Language) -> str:
    """State the visiting order and the pruning rule."""
    rules = case.rules
    return paragraph(language.say(VISITING_ORDERS[rules.order]), language.say(PRUNING_RULES[rules.ties]))


def returns_sentence(case: Case, language: Language) -> str:
    """Say what a node with a cutoff returns."""
    return language.say(RETURNS[case.rules.returns])


def payoff_bounds_sentence(case: Case, language: Language) -> str:
    """State the known limits of payoffs, and the window with which the search starts.

    That nothing is known is stated only with chance nodes, where people expect limits.
    """
    rules, unknown = case.rules, language.say(NO_PAYOFF_LIMITS) if case.tree.has_chance else ""
    if not rules.narrows_root:
        return unknown
    low, high = map(language.number, rules.bounds or rules.root_window)
    if rules.window is None:
        return language.say(PAYOFF_LIMITS, low=low, high=high)
    alpha, beta = map(language.number, rules.root_window)
    known = unknown if rules.bounds is None else language.say(PAYOFF_RANGE, low=low, high=high)
    return paragraph(known, language.say(ROOT_WINDOW, alpha=alpha, beta=beta))


def leaf_count_sentence(case: Case, language: Language) -> str:
    """Say how many leaves the tree has."""
    return language.say(*LEAF_COUNT, len(case.tree.leaves))


def ask_about_nodes(every: Phrase, some: Phrase, case: Case, language: Language) -> str:
    """Ask about all inner nodes, or about the given ones."""
    if "nodes" in case.given:
        return language.say(some, nodes=language.join_and(case.given["nodes"]))
    return language.say(every)


def asks_for_pruned_leaves(*conventions: PromptPart) -> Callable[[Case, Language], Prompt]:
    """Return the prompt that asks which leaves are pruned, given these conventions."""
    return asks(ASK_PRUNED_LEAVES, *conventions, LEAF_NUMBER_RULE, PRUNED_DEFINITION)
