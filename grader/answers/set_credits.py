"""Sets of leaves, branches and nodes: how large they can be, and what each policy says of them."""

from dataclasses import replace

from grader.answers.policies import SetCredit
from grader.base.phrases import Phrase, plural_phrase

LEAF_SETS = SetCredit(
    size=lambda tree: len(tree.leaves),
    policy_sentences={
        "exact": (
            Phrase("Only a complete answer earns points: it must include all of these leaves and no others."),
        ),
        "keep": (
            Phrase(
                "Each missing or incorrect leaf halves your points. "
                "An incorrect answer scores 0 if it lists every leaf or does not list more correct than "
                "incorrect leaves."
            ),
            Phrase(
                "Each missing or incorrect leaf multiplies your points by {factor}. "
                "An incorrect answer scores 0 if it lists every leaf or does not list more correct than "
                "incorrect leaves."
            ),
        ),
        "net": (
            Phrase(
                "Each incorrect leaf cancels one correct leaf; the score is never negative. "
                "Listing every leaf earns nothing."
            ),
        ),
        "each": (
            Phrase(
                "Each leaf that is correctly listed or correctly omitted counts. "
                "You earn points only by exceeding the better of two guesses: "
                "listing every leaf or listing none. "
                "Neither guess earns points unless it is the correct answer."
            ),
        ),
        "deduct": plural_phrase(
            "Each missing or incorrect leaf costs {lost} point; the score is never negative. "
            "Listing every leaf earns nothing.",
            "Each missing or incorrect leaf costs {lost} points; the score is never negative. "
            "Listing every leaf earns nothing.",
        ),
    },
)
"""A set of leaves."""

BRANCH_SETS = SetCredit(
    size=lambda tree: len(tree) - 1,
    are_branches=True,
    policy_sentences={
        "exact": (
            Phrase(
                "Only a complete answer earns points: it must include all of these branches and no others."
            ),
        ),
        "keep": (
            Phrase(
                "Each missing or incorrect branch halves your points. "
                "An incorrect answer scores 0 if it prunes every leaf or does not list more correct than "
                "incorrect branches."
            ),
            Phrase(
                "Each missing or incorrect branch multiplies your points by {factor}. "
                "An incorrect answer scores 0 if it prunes every leaf or does not list more correct than "
                "incorrect branches."
            ),
        ),
        "net": (
            Phrase(
                "Each incorrect branch cancels one correct branch; the score is never negative. "
                "Pruning every leaf earns nothing."
            ),
        ),
        "each": (
            Phrase(
                "Each branch that is correctly listed or correctly omitted counts. "
                "You earn points only by exceeding the better of two guesses: "
                "listing every branch or listing none. "
                "Neither guess earns points unless it is the correct answer."
            ),
        ),
        "deduct": plural_phrase(
            "Each missing or incorrect branch costs {lost} point; the score is never negative. "
            "Pruning every leaf earns nothing.",
            "Each missing or incorrect branch costs {lost} points; the score is never negative. "
            "Pruning every leaf earns nothing.",
        ),
    },
)
"""A set of branches."""

NODE_SETS = SetCredit(
    size=lambda tree: len(tree) - 1,
    policy_sentences={
        "exact": (
            Phrase("Only a complete answer earns points: it must include all of these nodes and no others."),
        ),
        "keep": (
            Phrase(
                "Each missing or incorrect node halves your points. "
                "An incorrect answer scores 0 if it lists every node or does not list more correct than "
                "incorrect nodes."
            ),
            Phrase(
                "Each missing or incorrect node multiplies your points by {factor}. "
                "An incorrect answer scores 0 if it lists every node or does not list more correct than "
                "incorrect nodes."
            ),
        ),
        "net": (
            Phrase(
                "Each incorrect node cancels one correct node; the score is never negative. "
                "Listing every node earns nothing."
            ),
        ),
        "each": (
            Phrase(
                "Each node that is correctly listed or correctly omitted counts. "
                "You earn points only by exceeding the better of two guesses: "
                "listing every node or listing none. "
                "Neither guess earns points unless it is the correct answer."
            ),
        ),
        "deduct": plural_phrase(
            "Each missing or incorrect node costs {lost} point; the score is never negative. "
            "Listing every node earns nothing.",
            "Each missing or incorrect node costs {lost} points; the score is never negative. "
            "Listing every node earns nothing.",
        ),
    },
)
"""A set of nodes other than the root, each for itself."""

ONE_NODE = replace(
    NODE_SETS,
    policy_sentences={
        "exact": (Phrase("The question asks for one node; listing more than one earns nothing."),)
    },
)
"""A set with one correct node."""
