"""What is said of a judged drawing: each value and cross, and the verdict."""

from collections.abc import Iterator

from grader.base.phrases import ENGLISH, Language, paragraph
from grader.exercises.checking.claims import JudgedClaim
from grader.exercises.checking.judgement import Judgement
from grader.solvers.explaining.node_wording import branch_list, node_title, value_text


def claim_text(judgement: Judgement, claim: JudgedClaim, language: Language = ENGLISH) -> str:
    """What is so of one value."""
    node = node_title(judgement.solution.tree, claim.node, language)
    said = f"{node}{claim.claim.relation}{value_text(claim.claim.value, language)}"
    if not claim.right:
        return language.term("{claim}: {reason}", claim=said, reason=claim.why)
    if claim.follows:
        return said
    return language.term("{claim}, though it is not consistent with the values written below it", claim=said)


def cross_texts(judgement: Judgement, language: Language = ENGLISH) -> Iterator[tuple[bool, str]]:
    """Whether it is right, and what is so of the crosses; nothing where none are judged."""
    crosses, tree = judgement.crosses, judgement.solution.tree
    if crosses is None:
        return
    if crosses.right:
        what = branch_list(tree, [tree.leaves[path - 1] for path in crosses.right], language)
        yield True, language.say("{what} crossed out", what=what)
    if not crosses.right and not crosses.missing and not crosses.extra:
        yield True, language.say("Nothing is crossed out, and nothing is pruned")
    yield from ((False, words) for words in crosses.why)


def judgement_summary(judgement: Judgement, language: Language = ENGLISH) -> str:
    """How much of the drawing is right."""
    if judgement.ok and judgement.crosses is None and judgement.solution.pruned_paths:
        return language.say("The values are correct; pruning was not checked.")
    if judgement.ok:
        return language.say("Everything is correct.")
    told = []
    right = sum(claim.right for claim in judgement.claims)
    if judgement.claims:
        told.append(
            language.say(
                "{right} of {count} value is correct.",
                "{right} of {count} values are correct.",
                len(judgement.claims),
                right=right,
            )
        )
    if (crosses := judgement.crosses) is not None:
        told.append(
            language.say(
                "Crosses at leaves: {right} correct, {missing} missing, {extra} incorrect.",
                right=len(crosses.right),
                missing=len(crosses.missing),
                extra=len(crosses.extra),
            )
        )
    return paragraph(*told) or language.say("Nothing could be checked.")
