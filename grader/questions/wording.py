"""What a question says, and the sentences in which every question states its conventions."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from grader.base.phrases import Language, Phrase, paragraph
from grader.questions.case import Case
from grader.solvers.explaining.node_wording import node_name
from grader.trees.rules import Order, Returns, Rules, Ties
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a kind says of a case: the conventions, the question, and what its answer has to observe.

    - `conventions`: the game and the rules that decide the answer, each as one text.
    - `question`: the question alone, which a teacher may ask in other words.
    - `instruction`: what this question says about the answer besides how its form is written.
    """

    conventions: tuple[str, ...]
    question: str
    instruction: str = ""


_SHAPES = {
    frozenset((Player.MAX,)): Phrase("Triangles that point up are MAX nodes."),
    frozenset((Player.MIN,)): Phrase("Triangles that point down are MIN nodes."),
    frozenset((Player.CHANCE,)): Phrase("Circles are chance nodes."),
    frozenset((Player.MAX, Player.MIN)): Phrase(
        "Triangles that point up are MAX nodes and triangles that point down are MIN nodes."
    ),
    frozenset((Player.MAX, Player.CHANCE)): Phrase(
        "Triangles that point up are MAX nodes and circles are chance nodes."
    ),
    frozenset((Player.MIN, Player.CHANCE)): Phrase(
        "Triangles that point down are MIN nodes and circles are chance nodes."
    ),
    frozenset((Player.MAX, Player.MIN, Player.CHANCE)): Phrase(
        "Triangles that point up are MAX nodes, triangles that point down are MIN nodes "
        "and circles are chance nodes."
    ),
}
"""How the players that have a shape of their own are drawn."""

PAYOFFS = Phrase("The number at a leaf is the payoff for MAX.")


def game_sentences(tree: Tree, language: Language) -> tuple[str, ...]:
    """Who moves where, and whose payoffs the leaves show."""
    said = (mover_sentence(tree, language), shape_sentence(tree.movers, language), language.say(PAYOFFS))
    return tuple(filter(None, said))


def mover_sentence(tree: Tree, language: Language) -> str:
    """Who moves first."""
    root, name, say = tree.players[0], tree.names[0], language.say
    if root is Player.CHANCE:
        if name == "root":
            return say("Chance moves first, at the root.")
        return say("Chance moves first, at the root {node}.", node=name)
    if name == "root":
        return say("{player} moves first, at the root.", player=root)
    return say("{player} moves first, at the root {node}.", player=root, node=name)


def shape_sentence(movers: Collection[Player], language: Language) -> str:
    """How the nodes of these players are drawn; empty when none of them has a shape of its own."""
    drawn = _SHAPES.get(frozenset(movers) & {Player.MAX, Player.MIN, Player.CHANCE})
    return "" if drawn is None else language.say(drawn)


def optimal_play_sentence(tree: Tree, language: Language) -> str:
    """That nobody who moves makes a mistake."""
    players = [player for player in tree.movers if player is not Player.CHANCE]
    if len(players) == 1:
        return language.say("{player} plays optimally.", player=players[0])
    return language.say("Both players play optimally.")


def probability_sentences(tree: Tree, language: Language) -> tuple[str, ...]:
    """How likely the outcomes of the chance nodes are; empty without chance nodes."""
    if not tree.has_chance:
        return ()
    chance = [node for node in tree.internal if tree.players[node] is Player.CHANCE]
    if all(len({tree.probabilities[child] for child in tree.children[node]}) == 1 for node in chance):
        return (language.say("At every chance node, all outcomes are equally likely."),)
    return (language.say("The number next to a branch below a chance node is its probability."),)


def search_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """How the search visits and cuts: order and tie rule, bounds, and what it does at chance nodes."""
    said = (
        pruning_sentence(case.rules, language),
        payoff_bounds_sentence(case, language),
        chance_pruning_sentence(case.tree, language),
    )
    return tuple(filter(None, said))


def pruning_sentence(rules: Rules, language: Language) -> str:
    """In which order the search visits, and when it cuts."""
    return paragraph(language.say(_ORDERS[rules.order]), language.say(_TIES[rules.ties]))


_ORDERS: Mapping[Order, Phrase] = {
    "left-to-right": Phrase("Alpha-beta search visits the children of every node from left to right."),
    "right-to-left": Phrase("Alpha-beta search visits the children of every node from right to left."),
}
_TIES: Mapping[Ties, Phrase] = {
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
        "A MIN node returns at least alpha and a MAX node at most beta, even if it has found a value beyond "
        "that."
    ),
}
"""What a search reports of a node that is cut."""


def payoff_bounds_sentence(case: Case, language: Language) -> str:
    """What the search knows of payoffs in advance; empty without chance nodes, where that is no use."""
    if not case.tree.has_chance:
        return ""
    if case.rules.bounds is None:
        return language.say("No limits on the payoffs are known in advance.")
    low, high = map(language.number, case.rules.bounds)
    return language.say(
        "Every payoff is known to be between {low} and {high}, inclusive. "
        "The search starts with alpha = {low} and beta = {high}.",
        low=low,
        high=high,
    )


def chance_pruning_sentence(tree: Tree, language: Language) -> str:
    """How the search cuts at chance nodes; empty without any."""
    if not tree.has_chance:
        return ""
    return language.say(
        "At a chance node, each outcome gets the window in which its value can still matter (Star1). "
        "The window depends on the outcomes seen so far and the limits on the others. "
        "The search leaves the chance node as soon as the remaining outcomes cannot matter."
    )


def list_inner_nodes(tree: Tree, language: Language) -> str:
    """Return the names of all inner nodes level by level, as a list in a sentence."""
    return language.join(node_name(tree, node, language) for node in tree.by_level)


ASK_ALL_VALUES = Phrase("Write the minimax value of every inner node.")

ASK_SOME_VALUES = Phrase("Write the minimax value of each of these nodes: {nodes}.")

ASK_ALL_EXPECTED_VALUES = Phrase("Write the expected value of every inner node.")

ASK_SOME_EXPECTED_VALUES = Phrase("Write the expected value of each of these nodes: {nodes}.")


def ask_values(
    case: Case,
    language: Language,
    every: Phrase = ASK_ALL_VALUES,
    some: Phrase = ASK_SOME_VALUES,
) -> str:
    """What is asked of all inner nodes, or of those that are given."""
    if "nodes" in case.given:
        return language.say(some, nodes=language.join_and(case.given["nodes"]))
    return language.say(every)


NEVER_ENTERED_RULE = Phrase("Omit nodes that the search never visits; an entry for one of them is incorrect.")

FOLLOW_THROUGH_RULE = Phrase(
    "Entries that are consistent with your own mistakes in other entries also earn credit, in total at most "
    "as much as your correct entries."
)

PRUNED_DEFINITION = Phrase(
    "A leaf is pruned if the search never visits it, whether the cutoff is directly above it or higher up."
)


def ask_pruned_leaves(states: Iterable[str], language: Language) -> Prompt:
    """The question which leaves are pruned, after what is so."""
    told = (*states, language.say(LEAF_NUMBER_RULE), language.say(PRUNED_DEFINITION))
    return Prompt(told, language.say("Which leaves are pruned?"))


LEAF_NUMBER_RULE = Phrase("Leaves are numbered 1, 2, 3, ... from left to right.")
