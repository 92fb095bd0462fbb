"""Mistakes of programs in words: the symptom and the correction."""

from collections.abc import Mapping

from grader.base.phrases import Phrase
from grader.questions.beliefs import BELIEFS, Belief

_ONLY_IN_PROGRAMS: Mapping[str, Belief] = {
    "same-player-below-root": Belief(
        Phrase("The player of the root also moves at its children, and the players are swapped below it."),
        Phrase("The players take turns: every child of the root is a node of the other player."),
    ),
    "evaluates-for-mover": Belief(
        Phrase("The sign of a payoff depends on the depth of its leaf."),
        Phrase(
            "Payoffs are those of MAX at every depth. "
            "Only negamax changes signs, and it does so for every value that a node returns."
        ),
    ),
    "inherited-bound-lost": Belief(
        Phrase("A node forgets the alpha or beta that it was called with."),
        Phrase(
            "Alpha at a MAX node is the larger of the inherited alpha and the best value so far. "
            "Beta at a MIN node is the smaller of the inherited beta and the best value so far."
        ),
    ),
    "deeper-move": Belief(
        Phrase("The returned move is the choice of a deeper node."),
        Phrase("Only the choice at the root is the move. Moves of deeper nodes must not replace it."),
    ),
    "cached-bound": Belief(
        Phrase("The value of a node with a cutoff is stored, and later used as its exact value."),
        Phrase("A node with a cutoff returns only a bound, so store whether a value is exact or a bound."),
    ),
    "outcomes-summed": Belief(
        Phrase("The values of outcomes are added up without their probabilities."),
        Phrase("The value of a chance node is the average of its outcomes, weighted by their probabilities."),
    ),
    "divided-expectation": Belief(
        Phrase("The expected value is also divided by the number of outcomes."),
        Phrase("Probabilities add up to 1, so the weighted sum already is the expected value."),
    ),
    "worst-outcome": Belief(
        Phrase("The smallest value of the outcomes is used as the expected value."),
        Phrase("The expected value includes every outcome, weighted by its probability."),
    ),
}
"""The mistakes that no answer to a question shows."""

MISTAKES: Mapping[str, Belief] = {**BELIEFS, **_ONLY_IN_PROGRAMS}
"""Every mistake by its name."""
