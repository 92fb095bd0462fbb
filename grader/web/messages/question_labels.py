"""Short labels for the conventions of a question, and the conventions that no label states."""

from collections.abc import Iterator

from grader.base.phrases import Language, Phrase, paragraph
from grader.exercises.exercise import PublicExercise
from grader.questions.wording import (
    BOTH_PLAY_OPTIMALLY,
    LEAF_NUMBER_RULE,
    PAYOFFS,
    PRUNED_DEFINITION,
    PRUNING_RULES,
    RETURNS,
    SHAPES,
    VISITING_ORDERS,
    mover_sentence,
)
from grader.trees.rules import Order, Returns, Ties
from grader.trees.tree import Player

SHAPE_SIGNS = {Player.MAX: "△", Player.MIN: "▽", Player.CHANCE: "○"}
"""The shapes of players that are not drawn by their number."""

CHANCE_LABEL = Phrase("○ chance")
PAYOFF_LABEL = Phrase("payoffs for MAX")
OPTIMAL_PLAY_LABEL = Phrase("optimal play")
ORDER_LABELS: dict[Order, Phrase] = {
    "left-to-right": Phrase("left to right"),
    "right-to-left": Phrase("right to left"),
}
TIES_LABELS: dict[Ties, Phrase] = {
    "cut": Phrase("pruned as soon as alpha ≥ beta"),
    "keep": Phrase("pruned only when alpha > beta"),
}
RETURNS_LABELS: dict[Returns, Phrase] = {
    "soft": Phrase("a cutoff returns the best value found"),
    "hard": Phrase("a cutoff returns a bound"),
}


def question_labels(public: PublicExercise) -> list[str]:
    """Return a label for each convention of a question that has one, in the order of its conventions."""
    return _labels_and_rest(public)[0]


def unlabelled_conventions(public: PublicExercise) -> str:
    """Return the conventions that no label states, which have to be read before the question is answered."""
    return _labels_and_rest(public)[1]


def _labels_and_rest(public: PublicExercise) -> tuple[list[str], str]:
    """Return the labels of the conventions, and the conventions without a label.

    The longest sentences are looked for first, because some are the end of others in some languages.
    """
    rest, labelled, stated = paragraph(*public.wording.conventions), dict(_labelled(public)), set[str]()
    for sentence in sorted(filter(None, labelled), key=len, reverse=True):
        if sentence in rest:
            stated.add(sentence)
            rest = rest.replace(sentence, "")
    labels = [label for sentence, label in labelled.items() if label and sentence in stated]
    return labels, " ".join(rest.split())


def _labelled(public: PublicExercise) -> Iterator[tuple[str, str]]:
    """Yield sentences with their labels, which are empty where the tree itself shows the convention."""
    language, tree = public.terms.language, public.tree
    if len(tree):
        yield mover_sentence(tree, language), ""
    for movers, sentence in SHAPES.items():
        yield language.say(sentence), "  ".join(_shape_labels(movers, language))
    yield language.say(PAYOFFS), language.term(PAYOFF_LABEL)
    yield language.say(BOTH_PLAY_OPTIMALLY), language.term(OPTIMAL_PLAY_LABEL)
    for order, sentence in VISITING_ORDERS.items():
        yield language.say(sentence), language.term(ORDER_LABELS[order])
    for ties, sentence in PRUNING_RULES.items():
        yield language.say(sentence), language.term(TIES_LABELS[ties])
    for returns, sentence in RETURNS.items():
        yield language.say(sentence), language.term(RETURNS_LABELS[returns])
    yield language.say(LEAF_NUMBER_RULE), ""
    yield language.say(PRUNED_DEFINITION), ""


def _shape_labels(movers: frozenset[Player], language: Language) -> Iterator[str]:
    """Yield the sign and the name of each player who moves."""
    for player, sign in SHAPE_SIGNS.items():
        if player in movers:
            yield language.term(CHANCE_LABEL) if player is Player.CHANCE else f"{sign} {player}"
