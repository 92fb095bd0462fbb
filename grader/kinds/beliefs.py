"""The misconceptions a wrong answer can show, each in words a student can learn from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Belief:
    """One misconception: its name, what the answer looks like, and what is true instead.

    `restates`: the answer is the right one, said as something else, so that whoever has it and knows this
    has the right one too, without another look at the tree's values.
    """

    name: str
    seems: str
    instead: str
    restates: bool = False


BELIEFS = (
    Belief(
        "players-swapped",
        "this is the answer for a game in which MAX minimises and MIN maximises",
        "MAX takes the largest of its children's values and MIN the smallest",
    ),
    Belief(
        "ties-kept",
        "this is the answer when the search goes on although alpha equals beta",
        "here equality is enough to prune: the test is alpha >= beta",
    ),
    Belief(
        "ties-cut",
        "this is the answer when the search already stops at alpha equal to beta",
        "here equality is not enough to prune: the test is alpha > beta",
    ),
    Belief(
        "right-to-left",
        "this is the answer for a search that visits children in the opposite order",
        "the order of visits is part of the question, and it decides what is pruned",
    ),
    Belief(
        "shallow-only",
        "every node was compared with its parent only",
        "alpha and beta are handed down the whole path from the root, so a bound set by a more distant "
        "ancestor can prune as well: a deep cut",
    ),
    Belief(
        "only-at-min",
        "cuts were made at MIN nodes only",
        "MAX nodes prune too: as soon as their value reaches beta",
    ),
    Belief(
        "only-at-max",
        "cuts were made at MAX nodes only",
        "MIN nodes prune too: as soon as their value falls to alpha",
    ),
    Belief(
        "leaves-only",
        "single leaves were crossed out, but never a branch with a whole subtree below it",
        "a cut removes all remaining children of the node, and everything below them",
    ),
    Belief(
        "latest-not-best",
        "alpha or beta was taken from the latest child, not from the best one so far",
        "alpha is the largest value MAX has found so far and never falls; beta never rises",
    ),
    Belief(
        "root-alpha-forgotten",
        "every branch of the root was searched as if nothing had been found before it",
        "what earlier branches of the root gave is alpha (or beta) for the later ones",
    ),
    Belief(
        "own-bound",
        "nodes were cut by comparing their value with their own player's bound",
        "a MIN node is cut when its value falls to alpha, a MAX node when its value rises to beta: "
        "it is the other player who will not let the game come here",
    ),
    Belief(
        "one-late",
        "after every cut one more child was still looked at",
        "once alpha >= beta no further child of this node is looked at",
    ),
    Belief(
        "stops-at-tie",
        "the search stopped at a node as soon as a child equalled the best value found there so far",
        "a child that equals an earlier child changes nothing; only the window decides about a cut",
    ),
    Belief(
        "returns-hard",
        "every node that was cut returned the bound it ran into",
        "here a node that is cut returns the best value it has found so far, which may lie beyond the bound",
    ),
    Belief(
        "returns-soft",
        "every node that was cut returned the best value it had found so far",
        "here a node that is cut returns the bound it ran into: alpha at a MIN node, beta at a MAX node",
    ),
    Belief(
        "plain-average",
        "outcomes were averaged as if they were equally likely",
        "the value of a chance node weighs each outcome with its probability",
    ),
    Belief(
        "most-likely",
        "the value of the most likely outcome was taken for the value of the chance node",
        "the value of a chance node is the expectation over all outcomes",
    ),
    Belief(
        "window-through-chance",
        "alpha and beta were handed unchanged through a chance node",
        "one outcome is only a part of the expectation, so its window is wider than that of the chance node",
    ),
    Belief(
        "no-chance-cuts",
        "nothing was pruned at chance nodes",
        "with limits on the payoffs, the best and worst case of the outcomes still to come "
        "can settle a chance node",
    ),
    Belief(
        "ignores-opponent",
        "the best leaf was followed as if MAX moved at every node",
        "MIN will not play along: at a MIN node the smallest value counts",
    ),
    Belief(
        "returned-for-value",
        "these are the values that alpha-beta search returns, not the minimax values",
        "a node that was cut returns only a bound; its minimax value takes all its children into account",
    ),
    Belief(
        "never-prunes",
        "every leaf was visited, as plain minimax does",
        "alpha-beta search leaves a node as soon as alpha >= beta",
    ),
    Belief(
        "lists-visited",
        "this lists what the search does look at",
        "the question asks for what it never looks at",
        restates=True,
    ),
    Belief(
        "counts-pruned",
        "this counts the leaves that are pruned",
        "the question asks for the leaves that are visited",
        restates=True,
    ),
    Belief(
        "counts-all-nodes",
        "inner nodes were counted as well",
        "the question asks for leaves only",
        restates=True,
    ),
    Belief(
        "payoffs-for-paths",
        "these are the payoffs of leaves",
        "leaves are named by their path numbers, which count them from the left",
        restates=True,
    ),
)


PAYOFFS_FOR_PATHS = BELIEFS[-1].name
"""The one belief that is about writing the answer and not about finding it: no exercise has a reply for it,
because it can go with any other."""


def belief_named(name: str) -> Belief:
    """The belief with this name. Raises `KeyError` when there is none."""
    return _BY_NAME[name]


_BY_NAME = {belief.name: belief for belief in BELIEFS}
