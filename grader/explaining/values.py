"""Why a node is worth what it is: a sentence for every way in which a value comes about."""

from collections.abc import Sequence

from grader.base.phrases import ENGLISH, Language
from grader.explaining.naming import called, listed_values, written
from grader.solvers.limit import evaluation
from grader.tree import Player, Tree, Value


def worth(tree: Tree, node: int, values: Sequence[Value], language: Language = ENGLISH) -> str:
    """`MIN B is worth 3. MIN takes the smallest of 3, 12 and 8.`: a value and how it comes about."""
    value = written(values[node], language)
    claim = language.say("{node} is worth {value}.", node=called(tree, node, language), value=value)
    return claim if tree.players[node] is None else f"{claim} {why_value(tree, node, values, language)}"


def why_value(tree: Tree, node: int, values: Sequence[Value], language: Language = ENGLISH) -> str:
    """How the value of a node comes about from the values of its children, as a sentence."""
    player, children = tree.players[node], tree.children[node]
    below = [values[child] for child in children]
    if node in tree.estimates:
        return evaluated(tree, node, language)
    if player is None:
        name, payoff = called(tree, node, language), written(values[node], language)
        return language.say("The payoff of {leaf} is {payoff}.", leaf=name, payoff=payoff)
    if player is Player.CHANCE:
        weighed = " + ".join(
            f"{written(tree.probabilities[child] or 0, language)} × {_bracketed(value, language)}"
            for child, value in zip(children, below, strict=True)
        )
        value = written(values[node], language)
        return language.say("The expected value is {sum} = {value}.", sum=weighed, value=value)
    if len(children) == 1:
        child, value = called(tree, children[0], language), written(below[0], language)
        return language.say("There is only one move, to {child}, worth {value}.", child=child, value=value)
    if player.seat is not None:
        own = listed_values([value[player.seat] for value in below if isinstance(value, tuple)], language)
        return language.say(
            "{player} compares its own payoffs, {values}, and takes the largest.", player=player, values=own
        )
    listed = listed_values(below, language)
    if player is Player.MAX:
        return language.say("MAX takes the largest of {values}.", values=listed)
    return language.say("MIN takes the smallest of {values}.", values=listed)


def evaluated(tree: Tree, node: int, language: Language = ENGLISH) -> str:
    """The static evaluation of a node at the depth limit: `3 × 2 + 1 × (-1) = 5`."""
    attributes, weights = tree.attributes[node], tree.header.weights
    features = None if attributes is None or attributes.evaluation is not None else attributes.features
    terms = [
        f"{written(weight, language)} × {_bracketed(feature, language)}"
        for weight, feature in zip(weights or (), features or (), strict=False)
    ]
    payoff = written(evaluation(tree, node), language)
    return language.say(
        "{node} is at the depth limit: its static evaluation is {value}.",
        node=called(tree, node, language),
        value=f"{' + '.join(terms)} = {payoff}" if terms else payoff,
    )


def _bracketed(value: Value, language: Language) -> str:
    text = written(value, language)
    return f"({text})" if text.startswith("-") else text
