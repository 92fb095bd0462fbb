"""Judge the branches that someone crossed out: correct, missing or incorrect, and why."""

from dataclasses import dataclass

from grader.base.phrases import Language, Phrase, paragraph, plural_phrase
from grader.solvers.explaining.node_wording import branch_list, node_title
from grader.solvers.explaining.steps import explain
from grader.solvers.mistaken_search import swap_players
from grader.solvers.search_choice import search
from grader.solvers.solution import Solution
from grader.solvers.solvable import UnknownPayoff, several_players
from grader.solvers.visited_nodes import pruned_paths


@dataclass(frozen=True, slots=True)
class JudgedCrosses:
    """The leaves correctly crossed out, missing, and incorrectly crossed out, as leaf numbers.

    `why` says what the search does at every branch that is missing or incorrectly crossed out.
    """

    right: tuple[int, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    why: tuple[str, ...]


def crosses_obstacle(solution: Solution, language: Language) -> str:
    """Return why crosses cannot be judged; empty if they can."""
    tree = solution.tree
    if several_players(tree):
        return language.say(
            "The crosses are not checked: alpha-beta pruning is supported only in two-player games."
        )
    if solution.blocked_by is not None:
        return language.say(
            "The crosses are not checked: the search visits {leaf}, whose payoff is unknown.",
            leaf=node_title(tree, solution.blocked_by, language),
        )
    return ""


def judge_crosses(solution: Solution, language: Language) -> JudgedCrosses:
    """Judge the crosses of the tree of a solution."""
    tree = solution.tree
    pruned, crossed = set(solution.pruned_paths or ()), set(tree.crossed_paths)
    missing, extra = pruned - crossed, crossed - pruned
    return JudgedCrosses(
        right=tuple(sorted(pruned & crossed)),
        missing=tuple(sorted(missing)),
        extra=tuple(sorted(extra)),
        why=_why_crosses(solution, missing, extra, language) if missing or extra else (),
    )


def _why_crosses(
    solution: Solution, missing: set[int], extra: set[int], language: Language
) -> tuple[str, ...]:
    """Return the reason for each missing cutoff, and for each visit of an incorrectly crossed-out branch.

    They are in order of their first leaves.
    """
    tree, account, say = solution.tree, explain(solution, language), language.say
    overlooked: dict[str, list[int]] = {}
    for branch in solution.pruned_branches or ():
        reason = account.cuts.get(branch) or say("Its probability is 0.")
        leaves = [leaf for leaf in tree.leaves_below(branch) if tree.paths[leaf] in missing]
        if leaves:
            overlooked.setdefault(reason, []).extend(leaves)
    reasons = []
    for reason, leaves in overlooked.items():
        branches = branch_list(tree, leaves, language)
        reasons.append((leaves, say(*_MISSING, len(leaves), what=branches), reason))
    for node in tree.tops(tree.crossed_out):
        leaves = [leaf for leaf in tree.leaves_below(node) if tree.paths[leaf] in extra]
        if leaves:
            branches, visited = branch_list(tree, leaves, language), node_title(tree, node, language)
            message = say(*_EXTRA, len(leaves), what=branches, node=visited)
            reasons.append((leaves, message, account.visits.get(node, "")))
    return tuple(paragraph(message, reason) for _, message, reason in sorted(reasons))


_MISSING = plural_phrase("{what} should be crossed out.")
_EXTRA = plural_phrase("{what} should not be crossed out: the search visits {node}.")


def cross_notes(solution: Solution, crosses: JudgedCrosses, language: Language) -> tuple[str, ...]:
    """Name the conventions that incorrect crosses fit, or the other answer if the tie rule decides."""
    tree, rules, say = solution.tree, solution.rules, language.say
    crossed = tree.crossed_paths
    if crosses.missing or crosses.extra:
        # No crosses at all are the answer to too many other questions to say anything.
        answers = _other_answers(solution, language) if crossed else ()
        return tuple(words for words, paths in answers if paths == crossed)[:1]
    if solution.convention_sensitive:
        other = rules.with_other_ties().ties
        paths = language.join_and([*map(str, solution.other_ties or ())])
        message = Phrase(
            "The answer depends on the tie rule: with ties={ties}, the pruned leaves are {paths}."
        )
        if not paths:
            message = Phrase("The answer depends on the tie rule: with ties={ties}, nothing is pruned.")
        return (say(message, ties=other, paths=paths),)
    return ()


def _other_answers(solution: Solution, language: Language) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the pruned paths under other conventions and with swapped players, each with its message."""
    tree, rules, say = solution.tree.bare(), solution.rules, language.say
    ties, order = rules.with_other_ties(), rules.with_other_order()
    under = Phrase("These crosses are the answer under {rules}.")
    swapped = say(
        "These crosses are the answer with the players swapped: MAX where MIN moves, and MIN where MAX moves."
    )
    candidates = (
        (say(under, rules=f"ties={ties.ties}"), tree, ties),
        (say(under, rules=f"order={order.order}"), tree, order),
        (say(under, rules=f"order={order.order}, ties={ties.ties}"), tree, ties.with_other_order()),
        (swapped, swap_players(tree), rules),
    )
    answers = []
    for name, candidate, conventions in candidates:
        try:
            visited = search(candidate, conventions, traced=False).visited
        except UnknownPayoff:
            continue
        answers.append((name, pruned_paths(candidate, visited)))
    return tuple(answers)
