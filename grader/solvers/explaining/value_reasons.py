"""The reason for the value of a node, in a sentence."""

from collections.abc import Sequence

from grader.base.numbers import Number
from grader.base.phrases import Language, paragraph
from grader.solvers.depth_limit import static_evaluation
from grader.solvers.explaining.node_wording import TreeSpeaker, bracket_factor, value_list, value_text
from grader.trees.tree import Player, Tree, Value


def value_sentence(tree: Tree, node: int, values: Sequence[Value], language: Language) -> str:
    """Return a value with its reason: `MIN B is worth 3. MIN takes the smallest of 3, 12 and 8.`."""
    claim = TreeSpeaker(tree, language).say("{node} is worth {value}.", node=node, value=values[node])
    if tree.players[node] is None:
        return claim
    return paragraph(claim, value_reason(tree, node, values, language))


def value_reason(tree: Tree, node: int, values: Sequence[Value], language: Language) -> str:
    """Return a sentence that derives the value of a node from the values of its children."""
    player, children, say = tree.players[node], tree.children[node], TreeSpeaker(tree, language).say
    below = [values[child] for child in children]
    if node in tree.estimates:
        return evaluation_text(tree, node, language)
    if player is None:
        return say("The payoff of {leaf} is {payoff}.", leaf=node, payoff=values[node])
    if player is Player.CHANCE:
        weighted_sum = _weighted_sum([tree.probabilities[child] or 0 for child in children], below, language)
        return say("The expected value is {sum} = {value}.", sum=weighted_sum, value=values[node])
    if len(children) == 1:
        return say("The only move is to {child}, worth {value}.", child=children[0], value=below[0])
    if player.seat is not None:
        own = value_list([value[player.seat] for value in below if isinstance(value, tuple)], language)
        return say(
            "{player} compares its own payoffs, {values}, and takes the largest.", player=player, values=own
        )
    listed = value_list(below, language)
    if player is Player.MAX and len(below) == 2:
        return say("MAX takes the larger of {values}.", values=listed)
    if player is Player.MAX:
        return say("MAX takes the largest of {values}.", values=listed)
    if len(below) == 2:
        return say("MIN takes the smaller of {values}.", values=listed)
    return say("MIN takes the smallest of {values}.", values=listed)


def evaluation_text(tree: Tree, node: int, language: Language) -> str:
    """Say that a node is at the depth limit, with its static evaluation: `3 × 2 + 1 × (−1) = 5`."""
    attributes, weights = tree.attributes[node], tree.header.weights
    features = None if attributes is None or attributes.evaluation is not None else attributes.features
    weighted_sum = _weighted_sum(weights or (), features or (), language)
    payoff = value_text(static_evaluation(tree, node), language)
    return TreeSpeaker(tree, language).say(
        "{node} is at the depth limit: its static evaluation is {value}.",
        node=node,
        value=f"{weighted_sum} = {payoff}" if weighted_sum else payoff,
    )


def _weighted_sum(weights: Sequence[Number], values: Sequence[Value], language: Language) -> str:
    """Return `3 × 2 + 1 × (−1)`: every value times its weight."""
    signed = [value_text(value, language) for value in values]
    terms = zip((value_text(weight, language) for weight in weights), signed, strict=False)
    return " + ".join(f"{bracket_factor(weight)} × {bracket_factor(value)}" for weight, value in terms)
