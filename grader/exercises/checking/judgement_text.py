"""Sentences about a judged drawing: each value, each cross, and the verdict."""

from collections.abc import Iterator

from grader.base.phrases import ENGLISH, Language, paragraph
from grader.exercises.checking.claims import JudgedClaim
from grader.exercises.checking.judgement import Judgement
from grader.solvers.explaining.node_wording import branch_list, node_title, value_text


def claim_text(judgement: Judgement, claim: JudgedClaim, language: Language = ENGLISH) -> str:
    """Return the sentence about one value."""
    node = node_title(judgement.solution.tree, claim.node, language)
    claimed = f"{node}{claim.claim.relation}{value_text(claim.claim.value, language)}"
    if not claim.right:
        return language.term("{claim}: {reason}", claim=claimed, reason=claim.why)
    if claim.follows:
        return claimed
    return language.term(
        "{claim}, though it is not consistent with the values written below it", claim=claimed
    )


def cross_texts(judgement: Judgement, language: Language = ENGLISH) -> Iterator[tuple[bool, str]]:
    """Yield for groups of crosses whether they are correct, with a sentence; nothing if none are judged."""
    crosses, tree = judgement.crosses, judgement.solution.tree
    if crosses is None:
        return
    if crosses.right:
        branches = branch_list(tree, [tree.leaves[path - 1] for path in crosses.right], language)
        yield True, language.say("{what} crossed out", what=branches)
    if not crosses.right and not crosses.missing and not crosses.extra:
        yield True, language.say("Nothing is crossed out, and nothing is pruned")
    yield from ((False, words) for words in crosses.why)


def judgement_summary(judgement: Judgement, language: Language = ENGLISH) -> str:
    """Return how much of the drawing is correct."""
    if judgement.ok and judgement.crosses is None and judgement.solution.pruned_paths:
        return language.say("The values are correct; pruning was not checked.")
    if judgement.ok:
        return language.say("Everything is correct.")
    sentences = []
    right = sum(claim.right for claim in judgement.claims)
    if judgement.claims:
        sentences.append(
            language.say(
                "{right} of {count} value is correct.",
                "{right} of {count} values are correct.",
                len(judgement.claims),
                right=right,
            )
        )
    if (crosses := judgement.crosses) is not None:
        sentences.append(
            language.say(
                "Crosses at leaves: {right} correct, {missing} missing, {extra} incorrect.",
                right=len(crosses.right),
                missing=len(crosses.missing),
                extra=len(crosses.extra),
            )
        )
    return paragraph(*sentences) or language.say("Nothing could be checked.")
