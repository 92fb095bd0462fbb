"""Mistakes of programs in words: the symptom and the correction."""

from collections.abc import Mapping

from grader.base.phrases import Phrase
from grader.questions.beliefs import BELIEFS, Belief

_IN_PROGRAMS: Mapping[str, Belief] = {
    "players-swapped": Belief(
        Phrase("The players are swapped: MAX minimizes and MIN maximizes."),
        BELIEFS["players-swapped"].correction,
    ),
    "ignores-opponent": Belief(
        Phrase("The game was solved as if one player moved at every node."),
        Phrase(
            "The opponent will not cooperate: a MIN node takes the smallest value of its children, and a MAX "
            "node the largest."
        ),
    ),
    "ties-kept": Belief(
        Phrase("The search continues when alpha equals beta."), BELIEFS["ties-kept"].correction
    ),
    "ties-cut": Belief(
        Phrase("The search stops as soon as alpha equals beta."), BELIEFS["ties-cut"].correction
    ),
    "right-to-left": Belief(
        Phrase("The search visits the children in the opposite order."),
        Phrase("The course prescribes the order of the children, which determines what is pruned."),
    ),
    "only-at-min": Belief(
        BELIEFS["only-at-min"].symptom,
        Phrase(
            "MAX nodes have cutoffs too: their values are compared with beta, which MIN nodes must update "
            "and pass on."
        ),
    ),
    "only-at-max": Belief(
        BELIEFS["only-at-max"].symptom,
        Phrase(
            "MIN nodes have cutoffs too: their values are compared with alpha, which MAX nodes must update "
            "and pass on."
        ),
    ),
    "never-prunes": Belief(
        BELIEFS["never-prunes"].symptom,
        Phrase(
            "MAX nodes must raise alpha, MIN nodes must lower beta, and both must be passed on. "
            "The loop must end as soon as they allow a cutoff."
        ),
    ),
    "best-start": Belief(
        Phrase("The best value of a node starts at 0."),
        Phrase(
            "It must start at minus infinity at a MAX node and at infinity at a MIN node, so that the first "
            "child's value always replaces it."
        ),
    ),
    "infinity-returned": Belief(
        Phrase("Some nodes return an infinite value instead of the best value of their children."),
        Phrase(
            "The best value starts at minus infinity at a MAX node and at infinity at a MIN node, and is "
            "returned after the loop."
        ),
    ),
    "returns-latest": Belief(
        Phrase("A node returns the value of its last child, not the best value."),
        Phrase("Keep the best value of the children so far, and return it after the loop."),
    ),
    "cutoff-lost": Belief(
        Phrase("A node with a cutoff does not return the value of the child that caused it."),
        Phrase("Update the best value before the test for a cutoff, or return the child's value."),
    ),
    "not-negated": Belief(
        Phrase("Negamax does not negate the values that the children return."),
        Phrase(
            "A child returns its value for the other player, so its negative is the value for the player who "
            "moves: -negamax(child, ...)."
        ),
    ),
    "payoffs-negated": Belief(
        Phrase("Every payoff has the wrong sign."),
        Phrase(
            "A leaf returns its payoff for MAX. In negamax, it returns the payoff for the player whose turn "
            "it would be at the leaf."
        ),
    ),
    "min-after-min": Belief(
        Phrase("After a move of MIN, MIN moves again."),
        Phrase("The players take turns: after a move of MIN, MAX moves."),
    ),
    "first-child-only": Belief(
        Phrase("Some nodes return after their first child."),
        Phrase(
            "A node returns after its loop, or when alpha and beta allow a cutoff. "
            "A return, a break or a test in the wrong place ends the loop too early."
        ),
    ),
    "no-leaf-test": Belief(
        Phrase("Only the depth ends the search, so a leaf above the depth limit never gets its payoff."),
        Phrase("Where the game is over there is a leaf, at every depth, and its value is its payoff."),
    ),
    "window-start": Belief(
        Phrase("Alpha or beta has a wrong first value, such as 0."),
        Phrase(
            "At the root alpha is minus infinity and beta is infinity: any value is still possible there."
        ),
    ),
    "window-swapped": Belief(
        Phrase("Alpha and beta reach the children in the wrong places or with the wrong signs."),
        Phrase(
            "A child gets alpha as its alpha and beta as its beta. "
            "Only negamax passes the negative of beta as alpha and the negative of alpha as beta."
        ),
    ),
    "window-shared": Belief(
        Phrase("All nodes change the same alpha and beta, and the changes of a node remain after it."),
        Phrase(
            "Every node has its own alpha and beta: pass them as arguments, "
            "not in global variables or attributes."
        ),
    ),
    "reversed-test": Belief(
        Phrase(
            "The test for a cutoff is turned round: a node is left while alpha is still smaller than beta."
        ),
        Phrase("While alpha is smaller than beta, the other children of the node still matter."),
    ),
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
    "best-outcome": Belief(
        Phrase("The largest value of the outcomes is used as the expected value."),
        Phrase("The expected value includes every outcome, weighted by its probability."),
    ),
}
"""The mistakes that no answer to a question shows, and those that are said differently of programs."""

MISTAKES: Mapping[str, Belief] = {**BELIEFS, **_IN_PROGRAMS}
"""Every mistake by its name."""
